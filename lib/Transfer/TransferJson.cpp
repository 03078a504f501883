//===- TransferJson.cpp - A transfer for programs -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Model/ErrorBars.h"
#include "gpucost/Report/JsonFields.h"
#include "gpucost/Transfer/TransferPrint.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::compare;
using namespace gpucost::transfer;
namespace json = llvm::json;

static constexpr int64_t schemaVersion = 1;

static void text(json::OStream &j, llvm::StringRef key, llvm::StringRef value) {
  j.attribute(key, toUtf8(value));
}

/// Null where `known` is false.
static void number(json::OStream &j, llvm::StringRef key, double value,
                   bool known = true) {
  writeNumber(j, key, known ? value : std::nan(""));
}

static llvm::StringRef nameOf(CarryBasis basis) {
  switch (basis) {
  case CarryBasis::Kernel:
    return "kernel";
  case CarryBasis::Family:
    return "family";
  case CarryBasis::None:
    return "none";
  }
  return "";
}

static void writeGaps(json::OStream &j, const ProfileGaps &gaps) {
  number(j, "predicted_ms", gaps.predictedUs * 1e-3);
  number(j, "measured_ms", gaps.measuredUs * 1e-3);
  number(j, "kernels_ms", gaps.kernelsUs * 1e-3);
  number(j, "extra_ms", gaps.extraUs * 1e-3);
  number(j, "missing_ms", gaps.missingUs * 1e-3);
  number(j, "idle_ms", gaps.idleUs * 1e-3);
  number(j, "overlap_ms", gaps.overlapUs * 1e-3);
  j.attribute("host_bound", gaps.hostBound);
  number(j, "clock_ratio", gaps.clockRatio.value_or(0),
         gaps.clockRatio.has_value());
}

static void writeKernel(json::OStream &j, const ComparedKernel &row) {
  text(j, "name", row.name);
  text(j, "op", row.op);
  text(j, "label", row.label);
  text(j, "family", row.family);
  text(j, "phase", row.phase);
  text(j, "shape", row.shape);
  text(j, "tile", row.tile);
}

static void writeGap(json::OStream &j, const TransferReport &report,
                     const KernelGap &gap) {
  const ComparedKernel &row = report.from.kernels[gap.kernel].row;
  const AlignedKernel &aligned = report.alignment.kernels[gap.kernel];
  bool measured = aligned.launches > 0;
  writeKernel(j, row);
  j.attribute("count", row.count);
  j.attribute("measured_count", aligned.launches);
  j.attribute("missing", gap.missing);
  number(j, "predicted_us", row.timeUs);
  number(j, "measured_us", measured ? aligned.meanUs() : 0, measured);
  number(j, "difference_us", gap.differenceUs);
  text(j, "gap", describe(gap.reason));
  text(j, "detail", gap.detail);
  text(j, "measured_name", aligned.name);
}

static void writeDestination(json::OStream &j, const Destination &to) {
  const CarriedRun &run = to.carried;
  auto interval = [&](llvm::StringRef name, llvm::StringRef unit, double value,
                      std::optional<double> width) {
    number(j, (name + "_low" + unit).str(), width ? lowEnd(value, *width) : 0,
           width.has_value());
    number(j, (name + "_high" + unit).str(), width ? highEnd(value, *width) : 0,
           width.has_value());
  };
  text(j, "to", to.text);
  text(j, "target", to.run.gpu);
  number(j, "clock_mhz", to.run.clockMHz);
  number(j, "time_ms", run.time.value() * 1e3);
  interval("time", "_ms", run.time.value() * 1e3, run.timeHalfWidth);
  number(j, "energy_j", run.energy.value());
  interval("energy", "_j", run.energy.value(), run.energyHalfWidth);
  number(j, "avg_power_w", run.power().value());
  number(j, "predicted_time_ms", run.predictedTime.value() * 1e3);
  number(j, "predicted_energy_j", run.predictedEnergy.value());
  number(j, "extra_ms", run.extraUs * 1e-3);
  number(j, "host_ratio", run.hostRatio);
  number(j, "gap_ratio", run.gapRatio);
  j.attributeArray("kernels", [&] {
    for (const CarriedKernel &kernel : run.kernels)
      j.object([&] {
        const ComparedKernel &row = to.run.kernels[kernel.kernel].row;
        writeKernel(j, row);
        j.attribute("count", kernel.count);
        number(j, "predicted_us", row.timeUs);
        number(j, "time_us", kernel.timeUs);
        text(j, "basis", nameOf(kernel.basis));
        number(j, "ratio", kernel.ratio);
        number(j, "weight", kernel.weight);
      });
  });
  j.attributeArray("notes", [&] {
    for (const std::string &note : run.notes)
      j.value(toUtf8(note));
  });
}

void transfer::printTransferJson(const TransferReport &report,
                                 llvm::raw_ostream &os) {
  json::OStream j(os, /*IndentSize=*/2);
  j.object([&] {
    j.attribute("schema", schemaVersion);
    text(j, "model", report.model);
    text(j, "target", report.from.gpu);
    j.attributeObject("profile", [&] {
      text(j, "file", report.profile.file);
      text(j, "kind", report.profile.isTrace ? "trace" : "table");
      text(j, "device", report.profile.device);
      j.attribute("iterations", report.profile.iterations);
      j.attribute("kernels",
                  static_cast<int64_t>(report.profile.kernels.size()));
      number(j, "matched_fraction", report.alignment.matched);
    });
    j.attributeObject("gaps", [&] { writeGaps(j, report.gaps); });
    j.attributeArray("kernels", [&] {
      for (const KernelGap &gap : report.gaps.kernels)
        j.object([&] { writeGap(j, report, gap); });
    });
    j.attributeArray("extra", [&] {
      for (const ExtraKernel &extra : report.alignment.extra)
        j.object([&] {
          text(j, "name", extra.name);
          text(j, "family",
               extra.family
                   ? llvm::StringRef(stringifyKernelFamily(*extra.family))
                   : llvm::StringRef());
          j.attribute("count", extra.launches);
          number(j, "total_us", extra.totalUs);
        });
    });
    j.attributeArray("destinations", [&] {
      for (const Destination &to : report.destinations)
        j.object([&] { writeDestination(j, to); });
    });
  });
  os << '\n';
}
