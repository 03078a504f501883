//===- JsonWriter.cpp - The report for programs ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schema is documented in docs/JsonSchema.md; a unit test holds the two
// together. A changed or removed field needs a new schema version, an added one
// does not.
//
//===----------------------------------------------------------------------===//

#include "gpucost/Report/Groups.h"
#include "gpucost/Report/JsonFields.h"
#include "gpucost/Report/Report.h"
#include "gpucost/Scenario/SettingsJson.h"
#include "gpucost/Support/CheckedMath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <cmath>

using namespace gpucost;
namespace json = llvm::json;

static constexpr int64_t schemaVersion = 2;

static void text(json::OStream &j, llvm::StringRef key, llvm::StringRef value) {
  j.attribute(key, toUtf8(value));
}

template <typename Case>
static void shares(json::OStream &j, llvm::StringRef key,
                   llvm::ArrayRef<std::pair<Case, double>> list) {
  j.attributeObject(key, [&] {
    for (const auto &[name, share] : list)
      writeNumber(j, stringifyEnum(name), share);
  });
}

/// Ends of the 80 % interval around `value`; null where not known.
static void writeInterval(json::OStream &j, llvm::StringRef name,
                          llvm::StringRef unit, double value,
                          std::optional<double> halfWidth,
                          double atMost = HUGE_VAL) {
  double unknown = std::nan("");
  writeNumber(j, (name + "_low" + unit).str(),
              halfWidth ? lowEnd(value, *halfWidth) : unknown);
  writeNumber(j, (name + "_high" + unit).str(),
              halfWidth ? std::min(highEnd(value, *halfWidth), atMost)
                        : unknown);
}

static void writeIteration(json::OStream &j, const IterationReport &r) {
  // Of an iteration without any known kernel these are not known, never 0.
  auto known = [&](double value) {
    return r.isUnknown() ? std::nan("") : value;
  };
  writeNumber(j, "time_ms", known(r.time.value() * 1e3));
  j.attribute("time_is_lower_bound", r.isLowerBound());
  writeNumber(j, "gpu_busy_ms", known(r.gpuBusy.value() * 1e3));
  writeNumber(j, "host_ms", known(r.host.value() * 1e3));
  writeNumber(j, "kernel_ms", known(r.kernelTime().value() * 1e3));
  writeNumber(j, "gap_ms", known(r.gap().value() * 1e3));
  writeNumber(j, "host_wait_ms", known(r.hostWait().value() * 1e3));
  writeNumber(j, "energy_j", known(r.energy.value()));
  writeNumber(j, "avg_power_w", known(r.averagePower.value()));
  writeNumber(j, "power_limit_w", r.powerLimit.value());
  writeInterval(j, "time", "_ms", r.time.value() * 1e3,
                r.errorBars ? std::optional(r.errorBars->time) : std::nullopt);
  writeInterval(j, "energy", "_j", r.energy.value(),
                r.errorBars ? std::optional(r.errorBars->energy)
                            : std::nullopt);
  writeInterval(j, "avg_power", "_w", r.averagePower.value(),
                r.errorBars ? std::optional(r.errorBars->power) : std::nullopt,
                r.largestPower().value());
  writeNumber(j, "calibrated_fraction", r.calibratedFraction);
  writeNumber(j, "clock_mhz", r.clock.value() * 1e-6);
  j.attribute("throttled", r.throttled);
  j.attribute("power_limit_unreachable", r.capUnreachable);
  j.attribute("flops", saturatingSum(r.matrixFlops, r.otherFlops));
  j.attribute("matrix_flops", r.matrixFlops);
  writeNumber(j, "dram_bytes", r.dramBytes);
  j.attribute("compulsory_bytes", r.compulsoryBytes);
  j.attributeObject("events", [&] {
    writeNumber(j, "tensor_flops", r.events.tensorFlops);
    writeNumber(j, "fp32_flops", r.events.fp32Flops);
    writeNumber(j, "instructions", r.events.instructions);
    writeNumber(j, "dram_bytes", r.events.dramBytes);
    writeNumber(j, "l2_bytes", r.events.l2Bytes);
  });
  text(j, "matrix_format", stringifyNumericFormat(r.matrixFormat));
  writeNumber(j, "peak_flops_per_s", r.peak.value());
  writeNumber(j, "dram_bandwidth_bytes_per_s", r.dramBandwidth.value());
  writeNumber(j, "mfu", known(r.mfu));
  j.attribute("launches", r.launches);
  j.attribute("world_size", r.worldSize());
  j.attribute("nodes", r.settings.nodes);
  writeNumber(j, "energy_all_gpus_j",
              known(r.energy.value() * static_cast<double>(r.worldSize())));
  writeNumber(j, "communication_ms", r.communication.value() * 1e3);
  writeNumber(j, "exposed_communication_ms",
              r.exposedCommunication.value() * 1e3);
  j.attribute("samples", r.samples);
  j.attribute("tokens", r.tokens);
  double seconds = r.time.value();
  double samples = static_cast<double>(r.samples);
  writeNumber(j, "samples_per_s", known(seconds > 0 ? samples / seconds : 0.0));
  writeNumber(
      j, "tokens_per_s",
      known(seconds > 0 ? static_cast<double>(r.tokens) / seconds : 0.0));
  writeNumber(j, "energy_per_sample_j",
              known(samples > 0
                        ? r.energy.value() *
                              static_cast<double>(r.worldSize()) / samples
                        : 0.0));
  text(j, "bound", stringifyBound(r.bound));
  shares<Bound>(j, "bound_fractions", r.boundFractions);
  shares<KernelFamily>(j, "family_fractions", r.familyFractions);
  j.attribute("parameter_count", r.parameterCount);
  j.attribute("parameter_bytes", r.parameterBytes);
  j.attribute("activation_bytes", r.activationBytes);
  j.attribute("gradient_bytes", r.gradientBytes);
  j.attribute("optimizer_bytes", r.optimizerBytes);
  j.attribute("workspace_bytes", r.workspaceBytes);
  j.attribute("peak_memory_bytes", r.peakMemoryBytes);
  j.attribute("allocated_bytes", r.allocatedBytes);
  j.attribute("reserved_bytes", r.reservedBytes);
  j.attribute("device_bytes", r.deviceBytes);
  j.attribute("device_low_bytes", r.deviceLowBytes);
  j.attribute("device_high_bytes", r.deviceHighBytes);
  writeNumber(j, "memory_capacity_bytes", r.memoryCapacity.value());
  j.attribute("fits_in_memory", r.fitsInMemory);
  j.attributeArray("peak_tensors", [&] {
    for (const PeakTensor &tensor : r.peakTensors)
      j.object([&] {
        text(j, "name", tensor.name);
        text(j, "kernel", tensor.madeBy);
        text(j, "phase", stringifyPhase(tensor.phase));
        j.attribute("bytes", tensor.bytes);
      });
  });
}

static void writePhase(json::OStream &j, const PhaseTotals &phase) {
  text(j, "phase", stringifyPhase(phase.phase));
  writeNumber(j, "time_ms", phase.time.value() * 1e3);
  writeNumber(j, "gpu_busy_ms", phase.gpuBusy.value() * 1e3);
  writeNumber(j, "host_ms", phase.host.value() * 1e3);
  writeNumber(j, "kernel_ms", phase.kernelTime.value() * 1e3);
  writeNumber(j, "gap_ms", phase.gap().value() * 1e3);
  writeNumber(j, "host_wait_ms", phase.hostWait().value() * 1e3);
  writeNumber(j, "energy_j", phase.energy.value());
  // (N4) The time of communication is only what computation does not hide.
  if (phase.phase == Phase::Communication || phase.time <= Seconds(0))
    j.attribute("avg_power_w", nullptr);
  else
    writeNumber(j, "avg_power_w", (phase.energy / phase.time).value());
  j.attribute("kernels", phase.kernels);
  j.attribute("flops", phase.flops);
  j.attribute("bytes", phase.bytes);
}

/// Memory-bound kernels have no tile: null, not 0.
static void writeTiling(json::OStream &j, const Tiling &tiling) {
  if (tiling.tile.m <= 0) {
    for (const char *key :
         {"tile", "split_k", "ctas", "ctas_per_sm", "waves", "sm_utilization"})
      j.attribute(key, nullptr);
    return;
  }
  text(j, "tile",
       std::to_string(tiling.tile.m) + "x" + std::to_string(tiling.tile.n));
  j.attribute("split_k", tiling.splitK);
  j.attribute("ctas", tiling.ctas);
  j.attribute("ctas_per_sm", tiling.tile.ctasPerSm);
  j.attribute("waves", tiling.waves);
  writeNumber(j, "sm_utilization", tiling.smUtilization);
}

static void writeKernel(json::OStream &j, const KernelRow &row, Seconds busy) {
  double total = row.time.total.value() * static_cast<double>(row.count);
  text(j, "name", row.name);
  text(j, "op", row.op);
  text(j, "label", row.label);
  text(j, "family", stringifyKernelFamily(row.family));
  text(j, "phase", stringifyPhase(row.phase));
  text(j, "origin", row.origin);
  text(j, "coverage", stringifyCoverage(row.coverage));
  text(j, "format", stringifyNumericFormat(row.format));
  text(j, "shape", row.shape);
  j.attribute("count", row.count);
  j.attribute("flops", row.flops);
  j.attribute("matrix_flops", row.matrixFlops);
  j.attribute("bytes", row.bytes);
  writeTiling(j, row.tiling);
  writeNumber(j, "time_us", row.time.total.value() * 1e6);
  writeInterval(j, "time", "_us", row.time.total.value() * 1e6,
                row.time.halfWidth);
  j.attribute("in_calibrated_domain", row.time.inCalibratedDomain);
  writeNumber(j, "compute_us", row.time.compute.value() * 1e6);
  writeNumber(j, "l2_us", row.time.l2.value() * 1e6);
  writeNumber(j, "dram_us", row.time.dram.value() * 1e6);
  writeNumber(j, "fixed_us", row.time.fixed.value() * 1e6);
  writeNumber(j, "total_us", total * 1e6);
  writeNumber(j, "time_fraction",
              busy > Seconds(0) ? total / busy.value() : 0.0);
  writeNumber(j, "power_w", row.power.value());
  writeNumber(j, "energy_j", row.energy.value());
  text(j, "bound", stringifyBound(row.time.bound));
}

static void writeGroup(json::OStream &j, const NodeRow &group, Seconds busy) {
  text(j, "name", group.node);
  j.attribute("launches", group.launches);
  writeNumber(j, "time_us", group.time.value() * 1e6);
  writeNumber(j, "time_fraction", busy > Seconds(0) ? group.time / busy : 0.0);
  writeNumber(j, "energy_j", group.energy.value());
  j.attribute("flops", group.flops);
  j.attribute("bytes", group.bytes);
}

static void writeCoverage(json::OStream &j, llvm::StringRef key,
                          const CoverageTotals &totals) {
  j.attributeObject(key, [&] {
    j.attribute("ops", totals.ops);
    writeNumber(j, "time_fraction", totals.timeFraction);
    writeNumber(j, "bytes_fraction", totals.bytesFraction);
    j.attributeArray("list", [&] {
      for (const CoverageEntry &entry : totals.list)
        j.object([&] {
          text(j, "op", entry.op);
          j.attribute("count", entry.count);
          text(j, "reason", entry.reason);
          writeNumber(j, "time_us", entry.time.value() * 1e6);
          j.attribute("bytes", entry.bytes);
        });
    });
  });
}

namespace gpucost {

llvm::Error writeJson(const IterationReport &r, const ReportOptions &options,
                      llvm::raw_ostream &os) {
  json::OStream j(os, /*IndentSize=*/2);
  j.object([&] {
    j.attribute("schema", schemaVersion);
    text(j, "model", r.model);
    text(j, "target", r.target);
    text(j, "format", stringifyNumericFormat(r.format));
    text(j, "mode", stringifyIterationMode(r.settings.mode));
    text(j, "software", stringifySoftware(r.settings.software));
    text(j, "runtime", stringifyRuntime(r.settings.runtime));
    text(j, "attention", stringifyAttentionMode(r.settings.attention));
    text(j, "precision", r.precision);
    text(j, "parallelism",
         r.worldSize() > 1 ? toText(r.settings.parallel) : "");
    j.attributeObject("settings",
                      [&] { writeSettings(j, r.given, r.settings); });
    j.attributeObject("bindings", [&] {
      for (const auto &[name, value] : r.bindings)
        j.attribute(toUtf8(name), value);
    });
    j.attributeObject("iteration", [&] { writeIteration(j, r); });
    j.attributeArray("phases", [&] {
      for (const PhaseTotals &phase : r.phases)
        j.object([&] { writePhase(j, phase); });
    });
    j.attributeArray("kernels", [&] {
      for (const KernelRow &row : r.kernels)
        j.object([&] { writeKernel(j, row, r.gpuBusy); });
    });
    if (options.groupBy != GroupBy::None) {
      text(j, "group_by", nameOf(options.groupBy));
      j.attributeArray("groups", [&] {
        for (const NodeRow &group : groupNodes(r, options.groupBy))
          j.object([&] { writeGroup(j, group, r.gpuBusy); });
      });
    }
    j.attributeObject("coverage", [&] {
      writeCoverage(j, "modelled", r.modelled);
      writeCoverage(j, "fallback", r.fallback);
      writeCoverage(j, "unmodelled", r.unmodelled);
    });
    j.attributeArray("assumed", [&] {
      for (const CoverageEntry &entry : r.assumed.list)
        j.object([&] {
          text(j, "op", entry.op);
          j.attribute("count", entry.count);
          text(j, "reason", entry.reason);
        });
    });
    j.attributeArray("notes", [&] {
      for (const std::string &note : r.notes)
        j.value(toUtf8(note));
    });
  });
  os << '\n';
  return llvm::Error::success();
}

} // namespace gpucost
