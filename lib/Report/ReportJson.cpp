//===- ReportJson.cpp - The report for programs ---------------------------===//
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

#include "gpucost/Report/ReportJson.h"
#include "DetailFields.h"
#include "RunFields.h"
#include "gpucost/Report/Groups.h"
#include "gpucost/Scenario/SettingsText.h"
#include "gpucost/Support/CheckedMath.h"
#include <cmath>

using namespace gpucost;

static constexpr int64_t schemaVersion = 2;

template <typename Case>
static void shares(JsonStream &j, std::string_view key,
                   const std::vector<std::pair<Case, double>> &list) {
  j.attributeObject(key, [&] {
    for (const auto &[name, share] : list)
      j.number(stringifyEnum(name), share);
  });
}

/// Ends of the 80 % interval around `value`; null where not known.
static void writeInterval(JsonStream &j, std::string_view name,
                          const char *unit, double value,
                          std::optional<double> halfWidth,
                          double atMost = HUGE_VAL) {
  double unknown = std::nan("");
  j.number(std::string(name) + "_low" + unit,
           halfWidth ? lowEnd(value, *halfWidth) : unknown);
  j.number(std::string(name) + "_high" + unit,
           halfWidth ? std::min(highEnd(value, *halfWidth), atMost) : unknown);
}

static void writeIteration(JsonStream &j, const IterationReport &r) {
  // Of an iteration without any known kernel these are not known, never 0.
  auto known = [&](double value) {
    return r.isUnknown() ? std::nan("") : value;
  };
  j.number("time_ms", known(r.time.value() * 1e3));
  j.attribute("time_is_lower_bound", r.isLowerBound());
  j.number("gpu_busy_ms", known(r.gpuBusy.value() * 1e3));
  j.number("host_ms", known(r.host.value() * 1e3));
  j.number("kernel_ms", known(r.kernelTime().value() * 1e3));
  j.number("gap_ms", known(r.gap().value() * 1e3));
  j.number("host_wait_ms", known(r.hostWait().value() * 1e3));
  j.number("energy_j", known(r.energy.value()));
  j.number("avg_power_w", known(r.averagePower.value()));
  j.number("power_limit_w", r.powerLimit.value());
  writeInterval(j, "time", "_ms", r.time.value() * 1e3,
                r.errorBars ? std::optional(r.errorBars->time) : std::nullopt);
  writeInterval(j, "energy", "_j", r.energy.value(),
                r.errorBars ? std::optional(r.errorBars->energy)
                            : std::nullopt);
  writeInterval(j, "avg_power", "_w", r.averagePower.value(),
                r.errorBars ? std::optional(r.errorBars->power) : std::nullopt,
                r.largestPower().value());
  j.number("calibrated_fraction", r.calibratedFraction);
  j.number("clock_mhz", r.clock.value() * 1e-6);
  j.attribute("throttled", r.throttled);
  j.attribute("power_limit_unreachable", r.capUnreachable);
  j.attribute("flops", saturatingSum(r.matrixFlops, r.otherFlops));
  j.attribute("matrix_flops", r.matrixFlops);
  j.number("dram_bytes", r.dramBytes);
  j.attribute("compulsory_bytes", r.compulsoryBytes);
  j.attributeObject("events", [&] {
    j.number("tensor_flops", r.events.tensorFlops);
    j.number("fp32_flops", r.events.fp32Flops);
    j.number("instructions", r.events.instructions);
    j.number("dram_bytes", r.events.dramBytes);
    j.number("l2_bytes", r.events.l2Bytes);
  });
  j.attribute("matrix_format", stringifyNumericFormat(r.matrixFormat));
  j.number("peak_flops_per_s", r.peak.value());
  j.number("dram_bandwidth_bytes_per_s", r.dramBandwidth.value());
  j.number("mfu", known(r.mfu));
  j.attribute("launches", r.launches);
  j.attribute("world_size", r.worldSize());
  j.attribute("nodes", r.settings.nodes);
  j.number("energy_all_gpus_j",
           known(r.energy.value() * static_cast<double>(r.worldSize())));
  j.number("communication_ms", r.communication.value() * 1e3);
  j.number("exposed_communication_ms", r.exposedCommunication.value() * 1e3);
  j.attribute("samples", r.samples);
  j.attribute("tokens", r.tokens);
  double seconds = r.time.value();
  double samples = static_cast<double>(r.samples);
  j.number("samples_per_s", known(seconds > 0 ? samples / seconds : 0.0));
  j.number("tokens_per_s",
           known(seconds > 0 ? static_cast<double>(r.tokens) / seconds : 0.0));
  j.number("energy_per_sample_j",
           known(samples > 0 ? r.energy.value() *
                                   static_cast<double>(r.worldSize()) / samples
                             : 0.0));
  j.attribute("bound", stringifyBound(r.bound));
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
  j.number("memory_capacity_bytes", r.memoryCapacity.value());
  j.attribute("fits_in_memory", r.fitsInMemory);
  j.attributeArray("peak_tensors", [&] {
    for (const PeakTensor &tensor : r.peakTensors)
      j.object([&] {
        j.attribute("name", tensor.name);
        j.attribute("kernel", tensor.madeBy);
        j.attribute("phase", stringifyPhase(tensor.phase));
        j.attribute("bytes", tensor.bytes);
      });
  });
}

static void writePhase(JsonStream &j, const PhaseTotals &phase) {
  j.attribute("phase", stringifyPhase(phase.phase));
  j.number("time_ms", phase.time.value() * 1e3);
  j.number("gpu_busy_ms", phase.gpuBusy.value() * 1e3);
  j.number("host_ms", phase.host.value() * 1e3);
  j.number("kernel_ms", phase.kernelTime.value() * 1e3);
  j.number("gap_ms", phase.gap().value() * 1e3);
  j.number("host_wait_ms", phase.hostWait().value() * 1e3);
  j.number("energy_j", phase.energy.value());
  // (N4) The time of communication is only what computation does not hide.
  if (phase.phase == Phase::Communication || phase.time <= Seconds(0))
    j.attribute("avg_power_w", nullptr);
  else
    j.number("avg_power_w", (phase.energy / phase.time).value());
  j.attribute("kernels", phase.kernels);
  j.attribute("flops", phase.flops);
  j.attribute("bytes", phase.bytes);
}

/// Memory-bound kernels have no tile: null, not 0.
static void writeTiling(JsonStream &j, const Tiling &tiling) {
  if (tiling.tile.m <= 0) {
    for (const char *key :
         {"tile", "split_k", "ctas", "ctas_per_sm", "waves", "sm_utilization"})
      j.attribute(key, nullptr);
    return;
  }
  j.attribute("tile", std::to_string(tiling.tile.m) + "x" +
                          std::to_string(tiling.tile.n));
  j.attribute("split_k", tiling.splitK);
  j.attribute("ctas", tiling.ctas);
  j.attribute("ctas_per_sm", tiling.tile.ctasPerSm);
  j.attribute("waves", tiling.waves);
  j.number("sm_utilization", tiling.smUtilization);
}

static void writeKernel(JsonStream &j, const KernelRow &row, Seconds busy) {
  double total = row.time.total.value() * static_cast<double>(row.count);
  j.attribute("name", row.name);
  j.attribute("op", row.op);
  j.attribute("label", row.label);
  j.attribute("family", stringifyKernelFamily(row.family));
  j.attribute("phase", stringifyPhase(row.phase));
  j.attribute("origin", row.origin);
  j.attribute("coverage", stringifyCoverage(row.coverage));
  j.attribute("format", stringifyNumericFormat(row.format));
  j.attribute("shape", row.shape);
  j.attribute("count", row.count);
  j.attribute("flops", row.flops);
  j.attribute("matrix_flops", row.matrixFlops);
  j.attribute("bytes", row.bytes);
  writeTiling(j, row.tiling);
  j.number("time_us", row.time.total.value() * 1e6);
  writeInterval(j, "time", "_us", row.time.total.value() * 1e6,
                row.time.halfWidth);
  j.attribute("in_calibrated_domain", row.time.inCalibratedDomain);
  j.number("compute_us", row.time.compute.value() * 1e6);
  j.number("l2_us", row.time.l2.value() * 1e6);
  j.number("dram_us", row.time.dram.value() * 1e6);
  j.number("fixed_us", row.time.fixed.value() * 1e6);
  j.number("total_us", total * 1e6);
  j.number("time_fraction", busy > Seconds(0) ? total / busy.value() : 0.0);
  j.number("power_w", row.power.value());
  j.number("energy_j", row.energy.value());
  j.attribute("bound", stringifyBound(row.time.bound));
}

static void writeGroup(JsonStream &j, const NodeRow &group, Seconds busy) {
  j.attribute("name", group.node);
  j.attribute("launches", group.launches);
  j.number("time_us", group.time.value() * 1e6);
  j.number("time_fraction", busy > Seconds(0) ? group.time / busy : 0.0);
  j.number("energy_j", group.energy.value());
  j.attribute("flops", group.flops);
  j.attribute("bytes", group.bytes);
}

static void writeCoverage(JsonStream &j, std::string_view key,
                          const CoverageTotals &totals) {
  j.attributeObject(key, [&] {
    j.attribute("ops", totals.ops);
    j.number("time_fraction", totals.timeFraction);
    j.number("bytes_fraction", totals.bytesFraction);
    j.attributeArray("list", [&] {
      for (const CoverageEntry &entry : totals.list)
        j.object([&] {
          j.attribute("op", entry.op);
          j.attribute("count", entry.count);
          j.attribute("reason", entry.reason);
          j.number("time_us", entry.time.value() * 1e6);
          j.attribute("bytes", entry.bytes);
        });
    });
  });
}

std::string gpucost::reportJson(const IterationReport &r,
                                const ReportOptions &options) {
  std::string result;
  JsonStream j(result);
  j.object([&] {
    j.attribute("schema", schemaVersion);
    j.attribute("model", r.model);
    j.attribute("target", r.target);
    j.attribute("format", stringifyNumericFormat(r.format));
    j.attribute("mode", stringifyIterationMode(r.settings.mode));
    j.attribute("software", stringifySoftware(r.settings.software));
    j.attribute("runtime", stringifyRuntime(r.settings.runtime));
    j.attribute("attention", stringifyAttentionMode(r.settings.attention));
    j.attribute("precision", r.precision);
    j.attribute("parallelism",
                r.worldSize() > 1 ? toText(r.settings.parallel) : "");
    j.attributeObject("settings",
                      [&] { writeSettings(j, r.given, r.settings); });
    j.attributeObject("bindings", [&] {
      for (const auto &[name, value] : r.bindings)
        j.attribute(name, value);
    });
    j.attributeObject("iteration", [&] { writeIteration(j, r); });
    writeRun(j, r);
    j.attributeArray("phases", [&] {
      for (const PhaseTotals &phase : r.phases)
        j.object([&] { writePhase(j, phase); });
    });
    j.attributeArray("kernels", [&] {
      for (const KernelRow &row : r.kernels)
        j.object([&] { writeKernel(j, row, r.gpuBusy); });
    });
    if (options.groupBy != GroupBy::None) {
      j.attribute("group_by", nameOf(options.groupBy));
      j.attributeArray("groups", [&] {
        for (const NodeRow &group : groupNodes(r, options.groupBy))
          j.object([&] { writeGroup(j, group, r.gpuBusy); });
      });
    }
    if (r.details)
      j.attributeObject("details", [&] { writeDetails(j, *r.details); });
    j.attributeObject("coverage", [&] {
      writeCoverage(j, "modelled", r.modelled);
      writeCoverage(j, "fallback", r.fallback);
      writeCoverage(j, "unmodelled", r.unmodelled);
    });
    j.attributeArray("assumed", [&] {
      for (const CoverageEntry &entry : r.assumed.list)
        j.object([&] {
          j.attribute("op", entry.op);
          j.attribute("count", entry.count);
          j.attribute("reason", entry.reason);
        });
    });
    j.attributeArray("notes", [&] {
      for (const std::string &note : r.notes)
        j.value(note);
    });
  });
  return result + '\n';
}
