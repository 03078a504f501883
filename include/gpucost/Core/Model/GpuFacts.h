//===- GpuFacts.h - Named and changed GPU facts -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements --set: "sms=132, l2_capacity=60MiB, bf16.flops_per_clock=4096"
// with the names and units of target files; fields of nested records are
// written with a dot. Derived facts are updated: a changed maximum clock
// changes the clocks of the peaks, and peaks are SMs x clock x FLOP per clock.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_GPUFACTS_H
#define GPUCOST_CORE_MODEL_GPUFACTS_H

#include "gpucost/Core/Model/Gpu.h"
#include "gpucost/Core/Support/Expected.h"
#include <string_view>

namespace gpucost {

/// A number from a datasheet.
struct GpuFact {
  std::string name; ///< "sms", "bf16.flops_per_clock", "sm.shared_memory"
  double value = 0; ///< SI base unit
  std::string text; ///< with unit, as in a target file
};

/// The numbers that determine the speed of `gpu` in `format`, without
/// capacities that are counted elsewhere and without clocks below the maximum.
std::vector<GpuFact> factsOf(const Gpu &gpu, NumericFormat format);

/// `gpu` with the fact `name` multiplied by `factor`; counts are rounded. Fails
/// if the result is not a valid GPU.
Expected<Gpu> scaleFact(Gpu gpu, std::string_view name, double factor);

/// `gpu` with comma-separated "name=value" pairs applied. Errors name the fact
/// and the expected value.
Expected<Gpu> changeFacts(Gpu gpu, std::string_view changes);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_GPUFACTS_H
