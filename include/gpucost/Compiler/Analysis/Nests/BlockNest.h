//===- BlockNest.h - Tiled loops that are one kernel ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiler that has tiled a kernel writes it as a loop whose iterations are
// CTAs, with the ops of one tile inside. What it costs is what the ops cost on
// the whole tensors, computed in these tiles. docs/CostModel.md, (J1) to (J7).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_ANALYSIS_NESTS_BLOCKNEST_H
#define GPUCOST_COMPILER_ANALYSIS_NESTS_BLOCKNEST_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "mlir/IR/Builders.h"
#include <string>

namespace gpucost {

/// Whether the iterations of `op` are CTAs: `scf.forall` with a mapping to
/// `#gpu.block`, `scf.parallel` with one to `block_x` and so on, `gpu.launch`
/// and `gpu.launch_func`.
bool isBlockNest(mlir::Operation *op);

/// One kernel that a nest was read as.
struct BlockKernel {
  /// Null when the nest does something that is not understood.
  KernelOp kernel;
  /// For each result of the nest the result of `kernel`.
  llvm::SmallVector<mlir::Value> results;
  /// Why `kernel` is null.
  std::string reason;
  /// Why the model chooses the tile of `kernel`, or ""; for the report.
  std::string note;
};

/// Makes, at `builder`, the kernel that `nest` is, of ops on whole tensors and
/// with the schedule that its loops are, and leaves `nest` as it is. `import`
/// gives the tensor that stands for a tensor, buffer or scalar from outside of
/// the nest.
BlockKernel readBlockNest(mlir::Operation *nest, mlir::OpBuilder &builder,
                          llvm::function_ref<mlir::Value(mlir::Value)> import);

/// Bytes that a nest reads and writes at least, from the accesses whose extents
/// are known: vector transfers, loads, stores and structured ops.
struct NestBytes {
  int64_t read = 0, written = 0;
};
NestBytes boundNestBytes(mlir::Operation *nest);

} // namespace gpucost

#endif // GPUCOST_COMPILER_ANALYSIS_NESTS_BLOCKNEST_H
