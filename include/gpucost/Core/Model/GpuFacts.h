//===- GpuFacts.h - Facts of a GPU by name, changed -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What --set does: "sms=132, l2_capacity=60MiB, bf16.flops_per_clock=4096" in
// the names and units of target files; fields of records inside of others have
// a dot. What follows from changed facts follows: a changed highest clock moves
// the clocks of the peaks, and peaks are SMs x clock x FLOP per clock.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_GPUFACTS_H
#define GPUCOST_CORE_MODEL_GPUFACTS_H

#include "gpucost/Core/Model/Gpu.h"
#include "gpucost/Core/Support/Expected.h"
#include <string_view>

namespace gpucost {

/// A number that a datasheet states.
struct GpuFact {
  std::string name; ///< "sms", "bf16.flops_per_clock", "sm.shared_memory"
  double value = 0; ///< SI base unit
  std::string text; ///< with its unit, as a target file has it
};

/// The numbers that decide how fast `gpu` computes in `format`: no capacities
/// of what is counted elsewhere, no clocks below the highest.
std::vector<GpuFact> factsOf(const Gpu &gpu, NumericFormat format);

/// `gpu` with the fact `name` times `factor`; counts are rounded. An error when
/// that is no GPU.
Expected<Gpu> scaleFact(Gpu gpu, std::string_view name, double factor);

/// `gpu` with "name=value" pairs, separated by commas. An error names the fact
/// and what is expected.
Expected<Gpu> changeFacts(Gpu gpu, std::string_view changes);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_GPUFACTS_H
