//===- Gpu.h - Physical facts of a GPU -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a datasheet or a device query says about one board: no fitted number.
// Section "Device" of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_MODEL_GPU_H
#define GPUCOST_MODEL_GPU_H

#include "gpucost/Dialect/GpuCost/IR/GpuCostEnums.h"
#include "gpucost/Support/Quantity.h"
#include <array>
#include <optional>
#include <string>

namespace gpucost {

constexpr unsigned numNumericFormats = getMaxEnumValForNumericFormat() + 1;

struct Gpu {
  std::string name; ///< SKU key, e.g. "a100-sxm-80gb"
  std::string die;  ///< e.g. "GA100"
  Architecture architecture = Architecture::Ampere;
  ProcessNode process = ProcessNode::TSMC7;
  int64_t smCount = 0;
  /// Highest SM clock the board can run at.
  Hertz maxClock;
  /// Clocks that the driver offers: from `maxClock` down to `minClock` in steps
  /// of `clockStep`.
  Hertz minClock, clockStep;
  /// Clock that the datasheet's tensor peak is stated at.
  Hertz boostClock;
  std::optional<Hertz> baseClock;
  /// Dense tensor-core FLOP per clock and SM, 0 where the format is missing.
  std::array<double, numNumericFormats> tensorFlopsPerClock{};
  /// CUDA-core FP32 FLOP per clock and SM (2 per lane).
  double fp32FlopsPerClock = 0;
  MemoryKind memory = MemoryKind::HBM2e;
  BytesPerSecond dramBandwidth;
  Bytes dramCapacity;
  Bytes l2Capacity;
  /// L2 in two partitions (A100, H100, H200, B200): about half of it is useful.
  bool l2Partitioned = false;
  /// Board power limit as shipped.
  Watts powerLimit;
  /// Link between the GPUs of a node, both directions together.
  struct Interconnect {
    InterconnectKind kind = InterconnectKind::PCIe;
    int64_t generation = 0;
    BytesPerSecond bandwidth;
  };
  std::optional<Interconnect> interconnect;

  /// Dense datasheet peak of `format` at the boost clock; FP32 means CUDA
  /// cores. Zero when the hardware lacks the format.
  FlopsPerSecond peak(NumericFormat format) const {
    double perClock = format == NumericFormat::FP32
                          ? fp32FlopsPerClock
                          : tensorFlopsPerClock[static_cast<unsigned>(format)];
    return FlopsPerSecond(perClock * smCount * boostClock.value());
  }
};

} // namespace gpucost

#endif // GPUCOST_MODEL_GPU_H
