//===- TraceFile.cpp - A timeline in the trace event format ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Trace/TraceFile.h"
#include "KernelText.h"
#include "TraceText.h"
#include "gpucost/Core/Support/JsonStream.h"
#include <charconv>
#include <cmath>

using namespace gpucost;

/// Tracks of a trace: one GPU and its process.
namespace track {
static constexpr int gpu = 0, host = 1;
/// Streams: PyTorch's first stream has this number.
static constexpr int compute = 7, communication = 20;
/// Threads: autograd runs the backward pass in a separate one.
static constexpr int mainThread = 1, autograd = 2;
} // namespace track

namespace {

/// A counter whose value holds until the next one.
class Counter {
public:
  Counter(std::string_view name, std::string_view unit)
      : head("{\"ph\":\"C\",\"pid\":" + std::to_string(track::gpu) +
             ",\"tid\":0,\"name\":" + jsonText(name) + ",\"ts\":"),
        key(",\"args\":{" + jsonText(unit) + ":") {}

  void set(TraceText &text, int64_t ns, std::string_view value) {
    if (value == last)
      return;
    write(text, ns, value);
    last = value;
  }
  /// Viewers draw a counter up to its last sample.
  void end(TraceText &text, int64_t ns) {
    if (!last.empty())
      write(text, ns, last);
  }

private:
  void write(TraceText &text, int64_t ns, std::string_view value) const {
    text << ",\n" << head;
    text.us(ns) << key << value << "}}";
  }

  std::string head, key, last;
};

class TraceWriter {
public:
  TraceWriter(const PlacedModel &placed, const IterationTotals &totals,
              const Timeline &timeline, const TextSink &sink)
      : placed(placed), prepared(placed.prepared()), totals(totals),
        timeline(timeline), kinds(describeKinds(placed)),
        works(describeWorks(placed, totals)), text(sink) {
    for (const std::string &node : prepared.nodes)
      nodes.push_back(jsonText(node));
    for (size_t i = 0; i < rest.size(); ++i)
      rest[i] = number(timeline.restPower[i]);
    exposed = number(timeline.exposedPower);
  }

  void write(std::string_view model);

private:
  static std::string number(Watts power) {
    return programNumber(power.value()).value_or("0");
  }
  const KernelKind &kindOf(const TimelineSlice &slice) const {
    return prepared.kinds[prepared.launches[slice.launch].kind];
  }
  bool isLink(const TimelineSlice &slice) const {
    return kindOf(slice).phase == Phase::Communication;
  }
  static int threadOf(Phase phase) {
    return phase == Phase::Backward ? track::autograd : track::mainThread;
  }
  void writeHead(std::string_view model);
  void mark(std::string_view category, std::string_view name, int process,
            int thread, Seconds from, Seconds until);
  void writeSlice(size_t index);
  void writeHost(size_t index);
  void writeKernel(size_t index);
  void writeCopy(size_t index);
  void writeCounters(size_t index);
  void writePhases();
  void writeGradientFlows();
  /// A launch and its copy have separate correlation numbers, a graph has one.
  /// They are as large as in a real process, because readers choose types by
  /// size.
  int64_t correlationOf(size_t slice) const {
    return firstCorrelation +
           (timeline.isGraph ? 0 : 2 * static_cast<int64_t>(slice));
  }
  static constexpr int64_t firstCorrelation = 100001;

  const PlacedModel &placed;
  const PreparedModel &prepared;
  const IterationTotals &totals;
  const Timeline &timeline;
  std::vector<KindText> kinds;
  std::vector<WorkText> works;
  std::vector<std::string> nodes;
  std::array<std::string, getMaxEnumValForPhase() + 1> rest;
  std::string exposed;
  TraceText text;
  Counter power{"power", "W"}, clock{"SM clock", "MHz"},
      dram{"DRAM bandwidth", "GB/s"}, memory{"memory", "bytes"},
      linkPower{"power of collectives", "W"},
      linkDram{"DRAM bandwidth of collectives", "GB/s"};
};

} // namespace

void TraceWriter::mark(std::string_view category, std::string_view name,
                       int process, int thread, Seconds from, Seconds until) {
  text.begin(category, jsonText(name), process, thread, inNs(from),
             inNs(until));
  text << "}}";
}

void TraceWriter::writeHead(std::string_view model) {
  const Gpu &gpu = placed.model().gpu();
  text << traceHead(gpu, model, prepared.settings.gpus)
       << "{\"ph\":\"M\",\"name\":\"process_name\","
       << "\"pid\":" << int64_t(track::gpu)
       << ",\"tid\":0,\"ts\":0,\"args\":{\"name\":"
       << jsonText(gpu.name + " (predicted)") << "}}";
  text.name("process_name", track::host, 0, "host (predicted)");
  text.name("thread_name", track::gpu, track::compute, "compute");
  text.name("thread_name", track::gpu, track::communication, "communication");
  text.name("thread_name", track::host, track::mainThread, "main thread");
  text.name("thread_name", track::host, track::autograd, "autograd thread");
}

void TraceWriter::writeHost(size_t index) {
  const TimelineSlice &slice = timeline.slices[index];
  const Launch &launch = prepared.launches[slice.launch];
  int thread = threadOf(kindOf(slice).phase);
  int64_t from = inNs(slice.hostStart);
  int64_t until = inNs(slice.hostStart + slice.hostTime);
  auto external = static_cast<int64_t>(index + 1);
  text.begin("cpu_op", kinds[launch.kind].op, track::host, thread, from, until);
  text << "\"External id\":" << external << ",\"node\":" << nodes[launch.node]
       << "}}";
  text.begin("cuda_runtime", "\"cudaLaunchKernel\"", track::host, thread, from,
             until);
  text << "\"External id\":" << external
       << ",\"correlation\":" << correlationOf(index) << "}}";
  text.flow('s', "ac2g", correlationOf(index), track::host, thread, from);
}

/// First arguments of GPU events.
static void addPlace(TraceText &text, int stream, size_t index,
                     int64_t correlation) {
  text << "\"device\":0,\"context\":1,\"stream\":" << int64_t(stream)
       << ",\"External id\":" << int64_t(index + 1)
       << ",\"correlation\":" << correlation;
}

void TraceWriter::writeKernel(size_t index) {
  const TimelineSlice &slice = timeline.slices[index];
  const Launch &launch = prepared.launches[slice.launch];
  int stream = isLink(slice) ? track::communication : track::compute;
  int64_t from = inNs(slice.start);
  int64_t correlation = correlationOf(index);
  text.begin("kernel", kinds[launch.kind].name, track::gpu, stream, from,
             inNs(slice.end()));
  text << kinds[launch.kind].arguments << works[launch.work].arguments
       << "\"launches\":" << slice.count << ",\"node\":" << nodes[launch.node]
       << ",";
  addPlace(text, stream, index, correlation);
  text << "}}";
  if (!timeline.isGraph)
    text.flow('f', "ac2g", correlation, track::gpu, stream, from);
}

/// A copy of a size for which the host waits.
void TraceWriter::writeCopy(size_t index) {
  const TimelineSlice &slice = timeline.slices[index];
  int64_t correlation = correlationOf(index) + 1;
  auto external = static_cast<int64_t>(index + 1);
  int thread = threadOf(kindOf(slice).phase);
  Seconds called = slice.hostStart + slice.hostTime;
  int64_t copied = inNs(slice.copyStart + slice.copyTime);
  text.begin("gpu_memcpy", "\"Memcpy DtoH (Device -> Pinned)\"", track::gpu,
             track::compute, inNs(slice.copyStart), copied);
  addPlace(text, track::compute, index, correlation);
  text << "}}";
  text.flow('f', "ac2g", correlation, track::gpu, track::compute,
            inNs(slice.copyStart));
  text.begin("cuda_runtime", "\"cudaMemcpyAsync\"", track::host, thread,
             inNs(called), inNs(slice.hostEnd()));
  text << "\"External id\":" << external << ",\"correlation\":" << correlation
       << "}}";
  text.flow('s', "ac2g", correlation, track::host, thread, inNs(called));
  // Until the copy has arrived, or until the next launch.
  int64_t until = copied;
  if (index + 1 < timeline.slices.size())
    until = std::min(until, inNs(timeline.slices[index + 1].hostStart));
  if (until <= inNs(slice.hostEnd()))
    return;
  text.begin("cuda_runtime", "\"cudaStreamSynchronize\"", track::host, thread,
             inNs(slice.hostEnd()), until);
  text << "}}";
}

void TraceWriter::writeCounters(size_t index) {
  const TimelineSlice &slice = timeline.slices[index];
  const Launch &launch = prepared.launches[slice.launch];
  int64_t from = inNs(slice.start), until = inNs(slice.end());
  int64_t restEnd = inNs(slice.restEnd);
  if (isLink(slice)) {
    linkPower.set(text, from, number(timeline.linkPower));
    linkPower.set(text, until, "0");
    linkDram.set(text, from, works[launch.work].dramRate);
    linkDram.set(text, until, "0");
    return;
  }
  // The next slice on this stream; empty intervals are not emitted.
  int64_t next = inNs(timeline.end);
  for (size_t i = index + 1; i < timeline.slices.size(); ++i)
    if (!isLink(timeline.slices[i])) {
      next = inNs(timeline.slices[i].start);
      break;
    }
  power.set(text, from, works[launch.work].watts);
  dram.set(text, from, works[launch.work].dramRate);
  memory.set(text, from, std::to_string(slice.memory));
  if (next > until)
    dram.set(text, until, "0");
  if (std::min(restEnd, next) > until)
    power.set(text, until, rest[static_cast<size_t>(kindOf(slice).phase)]);
  if (next > std::max(restEnd, until))
    power.set(text, std::max(restEnd, until), exposed);
  memory.set(text, until, std::to_string(slice.memoryBehind));
}

void TraceWriter::writeSlice(size_t index) {
  if (!timeline.isGraph)
    writeHost(index);
  writeKernel(index);
  if (timeline.slices[index].copyTime > Seconds(0))
    writeCopy(index);
  writeCounters(index);
  text.pass();
}

/// Forward, backward and optimizer as slices around their kernels.
void TraceWriter::writePhases() {
  const TimelineSlice *first = nullptr, *last = nullptr;
  auto close = [&] {
    if (first)
      mark("gpu_user_annotation", stringifyPhase(kindOf(*first).phase),
           track::gpu, track::compute, first->start, last->end());
  };
  for (const TimelineSlice &slice : timeline.slices) {
    if (isLink(slice))
      continue;
    if (first && kindOf(slice).phase == kindOf(*first).phase) {
      last = &slice;
      continue;
    }
    close();
    first = last = &slice;
  }
  close();
}

/// From a node's last op in the forward pass to its first op in the backward
/// pass.
void TraceWriter::writeGradientFlows() {
  struct Ends {
    const TimelineSlice *forward = nullptr;
    bool isLinked = false;
  };
  std::vector<Ends> ends(prepared.nodes.size());
  int64_t id = 0, pass = 0;
  for (const TimelineSlice &slice : timeline.slices) {
    if (slice.pass != pass) {
      ends.assign(ends.size(), {});
      pass = slice.pass;
    }
    uint32_t node = prepared.launches[slice.launch].node;
    if (prepared.nodes[node].empty())
      continue;
    Phase phase = kindOf(slice).phase;
    if (phase == Phase::Forward) {
      ends[node] = {&slice, false};
    } else if (phase == Phase::Backward && ends[node].forward &&
               !ends[node].isLinked) {
      text.flow('s', "fwdbwd", ++id, track::host, track::mainThread,
                inNs(ends[node].forward->hostStart));
      text.flow('f', "fwdbwd", id, track::host, track::autograd,
                inNs(slice.hostStart));
      ends[node].isLinked = true;
      text.pass();
    }
  }
}

void TraceWriter::write(std::string_view model) {
  writeHead(model);
  Seconds time = timeline.end - timeline.begin;
  Seconds hostEnd = std::max(timeline.hostEnd, timeline.hostBegin + time);
  mark("user_annotation", "ProfilerStep#0", track::host, track::mainThread,
       timeline.hostBegin, hostEnd);
  mark("gpu_user_annotation", "ProfilerStep#0", track::gpu, track::compute,
       timeline.begin, timeline.end);
  writePhases();
  std::string megahertz =
      programNumber(totals.point.clock.value() * 1e-6).value_or("0");
  clock.set(text, 0, megahertz);
  if (timeline.isGraph) {
    text.begin("cuda_runtime", "\"cudaGraphLaunch\"", track::host,
               track::mainThread, inNs(timeline.hostBegin),
               inNs(timeline.hostBegin));
    text << "\"correlation\":" << correlationOf(0) << "}}";
  }
  // The first kernel may wait for a collective.
  for (const TimelineSlice &slice : timeline.slices)
    if (!isLink(slice)) {
      if (inNs(slice.start) > inNs(timeline.begin))
        power.set(text, inNs(timeline.begin), exposed);
      break;
    }
  for (size_t i = 0; i < timeline.slices.size(); ++i)
    writeSlice(i);
  if (!timeline.isGraph)
    writeGradientFlows();
  for (Counter *counter : {&power, &clock, &dram, &memory})
    counter->end(text, inNs(timeline.end));
  text << "\n]}\n";
}

void gpucost::writeTrace(const PlacedModel &placed,
                         const IterationTotals &totals,
                         const Timeline &timeline, std::string_view model,
                         const TextSink &sink) {
  TraceWriter(placed, totals, timeline, sink).write(model);
}
