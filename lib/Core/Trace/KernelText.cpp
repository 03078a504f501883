//===- KernelText.cpp - Text shared by a kernel's events ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelText.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "gpucost/Core/Support/JsonStream.h"

using namespace gpucost;

std::string gpucost::jsonText(std::string_view text) {
  std::string result;
  JsonStream(result, /*indented=*/false).value(text);
  return result;
}

/// The object members that `fill` writes, each followed by a comma.
template <typename Fill> static std::string membersOf(Fill fill) {
  std::string text;
  JsonStream json(text, /*indented=*/false);
  json.object([&] { fill(json); });
  return text.size() > 2 ? text.substr(1, text.size() - 2) + "," : "";
}

static std::string tileText(const Tiling &tiling) {
  return std::to_string(tiling.tile.m) + "x" + std::to_string(tiling.tile.n);
}

/// Begins with the family, for tools that classify kernels by name. Collectives
/// have the name of an NCCL kernel.
static std::string nameOf(const KernelKind &kind, const PlacedKernel &kernel) {
  if (kind.phase == Phase::Communication ||
      kernel.work.family == KernelFamily::Collective)
    return "ncclDevKernel_" + kind.label;
  std::string name = std::string(stringifyKernelFamily(kernel.work.family)) +
                     ": " + kind.label;
  if (kernel.tiling.tile.m > 0)
    name += " " + tileText(kernel.tiling);
  return name + " " + describeProblem(kernel.work);
}

std::vector<KindText> gpucost::describeKinds(const PlacedModel &placed) {
  std::vector<KindText> result;
  for (const KernelKind &kind : placed.prepared().kinds) {
    const PlacedKernel &kernel = placed.kernel(kind.work);
    KindText text;
    text.name = jsonText(nameOf(kind, kernel));
    text.op = jsonText(kind.op);
    text.arguments = membersOf([&](JsonStream &json) {
      json.attribute("family", stringifyKernelFamily(kernel.work.family));
      json.attribute("phase", stringifyPhase(kind.phase));
      json.attribute("shape", describeProblem(kernel.work));
      json.attribute("format", stringifyNumericFormat(kernel.work.format));
      if (!kind.origin.empty())
        json.attribute("origin", kind.origin);
      const Tiling &tiling = kernel.tiling;
      if (tiling.tile.m > 0) {
        json.attribute("tile", tileText(tiling));
        json.attribute("split_k", tiling.splitK);
        json.attributeArray("grid", [&] {
          json.value(tiling.ctas);
          json.value(1);
          json.value(1);
        });
      }
    });
    result.push_back(std::move(text));
  }
  return result;
}

std::vector<WorkText> gpucost::describeWorks(const PlacedModel &placed,
                                             const IterationTotals &totals) {
  std::vector<WorkText> result;
  for (size_t i = 0; i < placed.prepared().works.size(); ++i) {
    const WorkCount &count = placed.kernel(i).work.count;
    LaunchCost cost = placed.launchCost(i, totals);
    double bytes = placed.eventsOf(i).dramBytes;
    double seconds = cost.time.total.value();
    WorkText text;
    text.watts = programNumber(cost.power().value()).value_or("0");
    text.dramRate =
        programNumber(seconds > 0 ? bytes / seconds * 1e-9 : 0).value_or("0");
    text.arguments = membersOf([&](JsonStream &json) {
      json.attribute("flops",
                     saturatingSum(count.tensorFlops, count.fp32Flops));
      json.attribute("bytes",
                     saturatingSum(count.bytesRead, count.bytesWritten));
      json.number("dram_bytes", bytes);
      json.number("power_w", cost.power().value());
      json.number("energy_j", cost.energy.value());
      json.attribute("bound", stringifyBound(cost.time.bound));
    });
    result.push_back(std::move(text));
  }
  return result;
}
