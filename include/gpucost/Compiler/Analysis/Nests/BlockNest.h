//===- BlockNest.h - Tiled loop nests that are one kernel -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiler that has tiled a kernel writes it as a loop whose iterations are
// CTAs, with the ops of one tile inside. Its cost is the cost of the ops on the
// whole tensors, computed in these tiles. docs/CostModel.md, (J1) to (J11).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_ANALYSIS_NESTS_BLOCKNEST_H
#define GPUCOST_COMPILER_ANALYSIS_NESTS_BLOCKNEST_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "mlir/IR/Builders.h"
#include <string>

namespace gpucost {

/// The kernel that a CTA-mapped loop nest implements.
struct BlockKernel {
  /// Null if the nest contains something unsupported.
  KernelOp kernel;
  /// For each result of the nest the corresponding result of `kernel`.
  llvm::SmallVector<mlir::Value> results;
  /// Why `kernel` is null.
  std::string reason;
  /// For the report: why the model chooses the tile; "" if the nest fixes it.
  std::string note;
};

/// Creates at `builder` the kernel that `nest` implements: ops on whole
/// tensors, with the schedule of its loops. `nest` is not changed. `import`
/// returns the tensor for a tensor, buffer or scalar from outside the nest.
BlockKernel readBlockNest(mlir::Operation *nest, mlir::OpBuilder &builder,
                          llvm::function_ref<mlir::Value(mlir::Value)> import);

/// Minimal bytes that a nest reads and writes, from the accesses whose extents
/// are known: vector transfers, loads, stores and structured ops.
struct NestBytes {
  int64_t read = 0, written = 0;
};
NestBytes boundNestBytes(mlir::Operation *nest);

} // namespace gpucost

#endif // GPUCOST_COMPILER_ANALYSIS_NESTS_BLOCKNEST_H
