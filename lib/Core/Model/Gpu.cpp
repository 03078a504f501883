//===- Gpu.cpp - Physical facts of a GPU ----------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/Gpu.h"
#include "gpucost/Core/Vocabulary/Formats.h"
#include "gpucost/Core/Vocabulary/Vendors.h"

using namespace gpucost;

const FormatRate *Gpu::find(NumericFormat format) const {
  auto listed = [&](NumericFormat name) -> const FormatRate * {
    for (const FormatRate &rate : formats)
      if (rate.format == name)
        return &rate;
    return nullptr;
  };
  if (const FormatRate *rate = listed(format))
    return rate;
  const FormatInfo &info = infoOf(format);
  return info.rate && *info.rate != format && computesIn(architecture, format)
             ? listed(*info.rate)
             : nullptr;
}

double Gpu::flopsPerClock(NumericFormat format) const {
  const FormatRate *rate = find(format);
  return rate ? static_cast<double>(rate->flopsPerClock) : 0.0;
}

FlopsPerSecond Gpu::peak(NumericFormat format) const {
  return FlopsPerSecond(flopsPerClock(format) * smCount * boostClock.value());
}

bool Gpu::hasStackedMemory() const { return memory.rfind("hbm", 0) == 0; }

bool Gpu::runsFlashAttention() const {
  constexpr double ampere = 8;
  return !computeCapability || *computeCapability >= ampere;
}
