//===- MemoryPlan.h - Memory that a framework and a GPU show ----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the tensors of an iteration to what the framework's allocator reserves
// and what the GPU then shows as used: equations (Y*) of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_MEMORYPLAN_H
#define GPUCOST_CORE_ITERATION_MEMORYPLAN_H

#include "gpucost/Core/Iteration/PreparedModel.h"
#include "gpucost/Core/Model/Coefficients.h"

namespace gpucost {

/// Bytes on one GPU.
struct MemoryPlan {
  int64_t workspace = 0; ///< of the matrix library, all its handles
  int64_t peak = 0;      ///< tensors and `workspace`
  int64_t allocated = 0; ///< blocks that the allocator hands out
  int64_t reserved = 0;  ///< its segments
  /// `reserved` and what no allocator sees: the context and links.
  int64_t device = 0;
  /// The least and the most that a device may show.
  int64_t deviceLow = 0, deviceHigh = 0;
  /// The allocator finds room for every tensor.
  bool fits = true;
};

/// `coefficients` without `memory_overhead`: the device shows what the
/// allocator reserves.
MemoryPlan planMemory(const PreparedModel &model, const Gpu &gpu,
                      const Coefficients &coefficients);

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_MEMORYPLAN_H
