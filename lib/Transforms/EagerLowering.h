//===- EagerLowering.h - Copies and layouts of eager PyTorch ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What PyTorch does between the ops of a graph: which results keep a permuted
// layout, which operands are copied first, which kernels index through strides.
// docs/CostModel.md, section "Lowering", rules (L1) to (L8).

#ifndef GPUCOST_LIB_TRANSFORMS_EAGERLOWERING_H
#define GPUCOST_LIB_TRANSFORMS_EAGERLOWERING_H

#include "TensorLayout.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "mlir/IR/Builders.h"

namespace gpucost {

/// Applies the rules op by op, in program order. Copies are inserted as
/// `gpucost.copy` ops in front of the op that needs them; every copy is
/// reported through `inserted`, every value's layout stays in `layouts`.
class EagerLowering {
public:
  struct Options {
    /// Convolutions run on channels-last tensors: no layout kernels.
    bool channelsLast = false;
    /// Kernels of a framework, not generated ones.
    bool library = true;
    /// fp32 convolutions run on TF32 tensor cores.
    bool tensorFloatConvolution = false;
  };

  EagerLowering(LayoutMap &layouts, Options options)
      : layouts(layouts), options(options) {}

  /// Rules for `op` with cost class `shape`; copies that must precede it are
  /// appended to `before`, those that must follow to `after`.
  void lower(mlir::Operation *op, CostClass shape,
             llvm::SmallVectorImpl<mlir::Operation *> &before,
             llvm::SmallVectorImpl<mlir::Operation *> &after);

private:
  using Ops = llvm::SmallVectorImpl<mlir::Operation *>;
  void lowerView(mlir::Operation *op, Ops &before);
  void lowerElementwise(mlir::Operation *op);
  void lowerContraction(mlir::Operation *op, Ops &before);
  void lowerAttention(mlir::Operation *op);
  void lowerBatchNorm(mlir::Operation *op);
  void lowerConvolution(mlir::Operation *op, Ops &before, Ops &after);
  bool hasChannelsLast(mlir::Value value) const;
  void requireContiguous(mlir::Operation *op, unsigned operand, Ops &before);
  void copyOperand(mlir::Operation *op, unsigned operand, mlir::Type type,
                   llvm::StringRef reason, bool strided, Ops &before);

  bool reuseCopy(mlir::Operation *op, unsigned operand, mlir::Type type);

  LayoutMap &layouts;
  Options options;
  /// Contiguous copies made so far, by what they show: autograd saves them.
  llvm::DenseMap<std::pair<mlir::Value, mlir::Type>, mlir::Value> copies;
};

} // namespace gpucost

#endif // GPUCOST_LIB_TRANSFORMS_EAGERLOWERING_H
