//===- MemoryPlan.h - Reserved and used memory ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes the memory that the framework's allocator reserves for the tensors
// of an iteration and the memory that the GPU then reports as used: equations
// (Y*) of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_MEMORYPLAN_H
#define GPUCOST_CORE_ITERATION_MEMORYPLAN_H

#include "gpucost/Core/Iteration/PreparedModel.h"
#include "gpucost/Core/Model/Coefficients.h"

namespace gpucost {

/// Bytes on one GPU.
struct MemoryPlan {
  int64_t workspace = 0; ///< of the matrix library, for all handles
  int64_t peak = 0;      ///< tensors and `workspace`
  int64_t allocated = 0; ///< blocks that the allocator hands out
  int64_t reserved = 0;  ///< its segments
  /// `reserved`, the CUDA context and the communicators.
  int64_t device = 0;
  /// Bounds of the memory that the GPU reports as used.
  int64_t deviceLow = 0, deviceHigh = 0;
  /// Of the GPU: by its datasheet, and as CUDA reports it.
  Bytes nominal, total;
  /// The part of `total` that the software uses: --memory-fraction.
  int64_t usable = 0;
  /// Whether the allocator finds room for every tensor in `usable`.
  bool fits = true;

  /// "May not fit" if the estimate fits, but the upper bound does not.
  MemoryVerdict verdict() const;
};

/// The part of the memory that `settings` allow, in bytes; `parameters` on the
/// GPU.
int64_t usableMemory(const Gpu &gpu, const Settings &settings,
                     int64_t parameters);

/// Of a pipeline: of its fullest rank. If `coefficients` lack
/// `memory_overhead`, `device` equals `reserved`.
MemoryPlan planMemory(const PreparedModel &model, const Gpu &gpu,
                      const Coefficients &coefficients);

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_MEMORYPLAN_H
