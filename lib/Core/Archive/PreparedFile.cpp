//===- PreparedFile.cpp - Binary prepared models --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Archive/PreparedFile.h"
#include "CheckPrepared.h"
#include "gpucost/Core/Bytes/ByteStream.h"
#include "gpucost/Core/Bytes/RecordIo.h"
#include "gpucost/Core/Bytes/Schema.h"
#include "gpucost/Core/Scenario/ScenarioFaults.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "gpucost/Core/Support/Text.h"

using namespace gpucost;

//===----------------------------------------------------------------------===//
// Both directions
//===----------------------------------------------------------------------===//

namespace {

/// A single function visits the members in order; `Put` writes and `Get` reads
/// them.
struct Put {
  ByteWriter &sink;
  template <typename T> void operator()(std::string_view keyword, T &value) {
    writeField(sink, keyword, value);
  }
  template <typename T, typename Each>
  void list(std::string_view keyword, std::vector<T> &values, Each each) {
    sink.count(keyword, values.size());
    for (T &value : values)
      each(*this, value);
  }
  /// Writes the difference to `previous`, for numbers that mostly increase
  /// slowly.
  template <typename T>
  void difference(std::string_view keyword, T &value, T previous) {
    sink.integer(keyword, int64_t(value) - int64_t(previous));
  }
};

struct Get {
  ByteReader &source;
  template <typename T> void operator()(std::string_view keyword, T &value) {
    if (source.good())
      readField(source, keyword, value);
  }
  template <typename T, typename Each>
  void list(std::string_view keyword, std::vector<T> &values, Each each) {
    for (size_t count = source.count(keyword); count-- > 0 && source.good();)
      each(*this, values.emplace_back());
  }
  template <typename T>
  void difference(std::string_view keyword, T &value, T previous) {
    int64_t sum;
    if (__builtin_add_overflow(source.integer(keyword), int64_t(previous),
                               &sum) ||
        sum < 0 || sum > int64_t(std::numeric_limits<T>::max()))
      source.fail(keyword);
    else
      value = static_cast<T>(sum);
  }
};

} // namespace

template <typename Io> static void visitTarget(Io &io, ScenarioTarget &target) {
  io("gpu", target.gpu);
  io("format", target.format);
  io("min_clock", target.minClock);
  io("max_clock", target.maxClock);
  io("compute_capability", target.computeCapability);
  io.difference("formats", target.formats.bits, uint32_t(0));
  io("gpus_per_node", target.gpusPerNode);
  io("network", target.network);
}

template <typename Io>
static void visitNotes(Io &io, std::string_view keyword,
                       std::vector<CoverageNote> &notes) {
  io.list(keyword, notes, [](Io &io, CoverageNote &note) {
    io("op", note.op);
    io("reason", note.reason);
    io("count", note.count);
  });
}

template <typename Io> static void visitLaunches(Io &io, PreparedModel &model) {
  Launch before;
  io.list("launches", model.launches, [&](Io &io, Launch &launch) {
    io.difference("kind", launch.kind, before.kind);
    io.difference("node", launch.node, before.node);
    io.difference("work", launch.work, before.work);
    io("count", launch.count);
    io("passes", launch.passes);
    io("host_launches", launch.hostLaunches);
    uint8_t flags = static_cast<uint8_t>(
        launch.library | launch.recomputes << 1 | launch.synchronizes << 2);
    io("flags", flags);
    launch.library = flags & 1;
    launch.recomputes = flags & 2;
    launch.synchronizes = flags & 4;
    io("fallback", launch.fallback);
    io.difference("reads_end", launch.readsEnd, before.readsEnd);
    io.difference("persistent_reads_end", launch.persistentReadsEnd,
                  before.persistentReadsEnd);
    io.difference("touches_end", launch.touchesEnd, before.touchesEnd);
    io.difference("memory_events", launch.memoryEvents, before.memoryEvents);
    before = launch;
  });
  io.list("reads", model.reads,
          [before = uint32_t(0)](Io &io, uint32_t &read) mutable {
            io.difference("read", read, before);
            before = read;
          });
  io.list("persistent_reads", model.persistentReads,
          [before = uint32_t(0)](Io &io, PersistentRead &read) mutable {
            io.difference("tensor", read.tensor, before);
            io("bytes", read.bytes);
            io("all_bytes", read.allBytes);
            before = read.tensor;
          });
  io.list("touches", model.touches,
          [before = uint32_t(0)](Io &io, TensorTouch &touch) mutable {
            io.difference("tensor", touch.tensor, before);
            io("written", touch.written);
            io("bytes", touch.bytes);
            before = touch.tensor;
          });
}

template <typename Io> static void visitMemory(Io &io, MemoryUse &memory) {
  io("parameter_count", memory.parameterCount);
  io("parameter_bytes", memory.parameterBytes);
  io("optimizer_bytes", memory.optimizerBytes);
  io("gradient_bytes", memory.gradientBytes);
  io("passing_gradient_bytes", memory.passingGradientBytes);
  io("activation_bytes", memory.activationBytes);
  io.list("peak_tensors", memory.peakTensors, [](Io &io, TensorUse &tensor) {
    io("name", tensor.name);
    io("made_by", tensor.madeBy);
    io("phase", tensor.phase);
    io("bytes", tensor.bytes);
  });
  io("trace_parameters", memory.trace.parameters);
  io("trace_gradients", memory.trace.gradients);
  io("trace_states", memory.trace.states);
  io("trace_sizes", memory.trace.sizes);
  io("trace_events", memory.trace.events);
}

/// All members except the settings.
template <typename Io> static void visitModel(Io &io, PreparedModel &model) {
  io("format", model.format);
  io("works", model.works);
  std::vector<std::pair<uint32_t, Schedule>> schedules(model.schedules.begin(),
                                                       model.schedules.end());
  io.list("schedules", schedules,
          [](Io &io, std::pair<uint32_t, Schedule> &each) {
            io("work", each.first);
            io("schedule", each.second);
          });
  model.schedules = {schedules.begin(), schedules.end()};
  io.list("experts", model.experts, [](Io &io, ExpertWork &each) {
    io("work", each.work);
    io("experts", each.layer.experts);
    io("chosen", each.layer.chosen);
    io("shards", each.layer.shards);
    io("columns", each.layer.columns);
    io("bytes", each.layer.bytes);
    io("active", each.layer.active);
    io("worst", each.layer.worst);
    io("shared", each.layer.shared);
    io("busiest", each.layer.busiest);
    io("redundant", each.layer.redundant);
    for (double &load : each.layer.loads.copies)
      io("load", load);
    io("excess", each.layer.loads.excess);
  });
  io.list("kinds", model.kinds, [](Io &io, KernelKind &kind) {
    io("name", kind.name);
    io("label", kind.label);
    io("op", kind.op);
    io("origin", kind.origin);
    io("phase", kind.phase);
    io("coverage", kind.coverage);
    io("work", kind.work);
  });
  io("nodes", model.nodes);
  io("node_weights", model.nodeWeights);
  visitLaunches(io, model);
  visitNotes(io, "fallbacks", model.fallbacks);
  visitNotes(io, "unmodelled", model.unmodelled);
  visitNotes(io, "assumed", model.assumed);
  visitMemory(io, model.memory);
  io.list("bindings", model.bindings,
          [](Io &io, std::pair<std::string, int64_t> &binding) {
            io("name", binding.first);
            io("value", binding.second);
          });
  io("precision", model.precision);
  io("notes", model.notes);
  io("samples", model.samples);
  io("tokens", model.tokens);
}

//===----------------------------------------------------------------------===//
// Settings: as key and text, independent of the order of enumerators
//===----------------------------------------------------------------------===//

static void writeScenario(ByteWriter &sink, const Scenario &given) {
  size_t stated = 0;
  forEachSetting([&](const auto &row) { stated += bool(given.*row.stated); });
  sink.count("settings", stated);
  forEachSetting([&](const auto &row) {
    const auto &value = given.*row.stated;
    if (!value)
      return;
    sink.text("setting", row.key());
    using T = typename std::decay_t<decltype(row)>::Type;
    if constexpr (std::is_same_v<T, NamedValues>) {
      sink.count("values", value->size());
      for (const auto &[name, number] : *value) {
        sink.text("name", name);
        sink.integer("value", number);
      }
    } else if constexpr (IsQuantity<T>::value) {
      sink.number("value", value->value());
    } else {
      sink.text("value", toText(*value, row.spec));
    }
  });
}

static void readScenario(ByteReader &source, Scenario &given) {
  for (size_t count = source.count("settings"); count-- > 0 && source.good();) {
    std::string name(source.text("setting"));
    bool known = visitSetting(name, [&](const auto &row) {
      using T = typename std::decay_t<decltype(row)>::Type;
      if constexpr (std::is_same_v<T, NamedValues>) {
        NamedValues &values = (given.*row.stated).emplace();
        for (size_t n = source.count("values"); n-- > 0 && source.good();) {
          std::string key(source.text("name"));
          values[key] = source.integer("value");
        }
      } else if constexpr (IsQuantity<T>::value) {
        given.*row.stated = T(source.number("value"));
      } else if (!stateText(given, row.flag, source.text("value")).empty()) {
        source.fail(row.flag);
      }
    });
    if (!known)
      source.fail("setting");
  }
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

/// Increment it with each change of the format in this file.
static constexpr uint32_t formatNumber = 5;

static Envelope envelope() {
  static const uint32_t version = archiveVersion(
      formatNumber, schemaOf<KernelWork>() + schemaOf<Schedule>());
  return {preparedFileMagic, "prepared model", version};
}

uint32_t gpucost::preparedFileVersion() { return envelope().version; }

std::string gpucost::sealPrepared(std::string_view payload) {
  return seal(envelope(), payload);
}

std::string gpucost::encodePrepared(const PreparedFile &file) {
  ByteWriter sink;
  Put put{sink};
  // `Put` does not modify the copy; `visit` takes a mutable object for both
  // directions.
  PreparedFile copy = file;
  put("name", copy.name);
  visitTarget(put, copy.target);
  writeScenario(sink, copy.model.given);
  visitModel(put, copy.model);
  return sealPrepared(sink.bytes());
}

Expected<PreparedFile>
gpucost::decodePreparedPayload(std::string_view payload) {
  PreparedFile file;
  ByteReader source(payload);
  Get get{source};
  get("name", file.name);
  visitTarget(get, file.target);
  readScenario(source, file.model.given);
  visitModel(get, file.model);
  if (!source.complete())
    return fail(concat("a prepared model whose '",
                       source.good() ? "end" : source.faultyKeyword(),
                       "' is wrong"));
  if (std::string fault = findFaultInPrepared(file); !fault.empty())
    return fail("a prepared model that contradicts itself: " + fault);
  file.model.settings = resolve(file.model.given, file.target);
  return file;
}

Expected<PreparedFile> gpucost::decodePrepared(std::string_view bytes) {
  Expected<std::string_view> payload = unseal(envelope(), bytes);
  if (!payload)
    return fail(payload.error());
  return decodePreparedPayload(*payload);
}
