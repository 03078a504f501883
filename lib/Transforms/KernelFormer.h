//===- KernelFormer.h - Groups the ops of a block into launches -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to gpucost-form-kernels: which op continues which kernel
// (JoinKernels.cpp), and the kernels that come of it (FormKernels.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_TRANSFORMS_KERNELFORMER_H
#define GPUCOST_LIB_TRANSFORMS_KERNELFORMER_H

#include "EagerLowering.h"
#include "gpucost/Analysis/TrainingAnnotations.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostOps.h"

namespace gpucost {

/// Ops of one launch, in program order.
struct KernelGroup {
  llvm::SmallVector<mlir::Operation *> ops;
  CostClass shape = CostClass::Opaque; ///< of the first op
  std::optional<int64_t> elements;     ///< iteration domain of pointwise groups
  /// Results of a reduction in the group whose rows one block of threads reads:
  /// the kernel goes on with them, and with the rows.
  std::optional<int64_t> rows;
  bool insideLibraryCall = false; ///< layout conversion of a convolution
};

/// Forms the kernels of one block.
class KernelFormer {
public:
  KernelFormer(mlir::Block &block, bool fuse, bool fusesLayers,
               EagerLowering::Options options)
      : block(block), fuse(fuse), fusesLayers(fusesLayers),
        lowering(layouts, options),
        kernelName(KernelOp::getOperationName(),
                   block.getParentOp()->getContext()),
        originName(mlir::StringAttr::get(block.getParentOp()->getContext(),
                                         originAttrName)) {
    KernelOp::populateDefaultProperties(kernelName, defaults);
  }
  void run();

private:
  void visit(mlir::Operation *op);
  void addGroup(mlir::Operation *op, CostClass shape);
  bool existsBefore(mlir::Operation *def, unsigned start, unsigned &budget);
  bool isReadable(mlir::Operation *def, unsigned group, unsigned start);
  bool joinProducer(mlir::Operation *op, CostClass shape);
  bool joinAsBias(mlir::Operation *op);
  bool joinAsVectorBias(mlir::Operation *op);
  bool joinAsNarrowingCast(mlir::Operation *op);
  void loadVectors(const KernelGroup &group);
  void describe(const KernelGroup &group, mlir::OperationState &state);
  void wrap(KernelGroup &group);
  void hoistBefore(mlir::Operation *op, mlir::Operation *anchor);

  mlir::Block &block;
  bool fuse;        ///< what a compiler fuses
  bool fusesLayers; ///< what the layers of serving stacks have fused
  LayoutMap layouts;
  EagerLowering lowering;
  mlir::OperationName kernelName;
  mlir::StringAttr originName;
  KernelOp::Properties defaults; ///< of every kernel, uniqued once
  std::vector<KernelGroup> groups;
  llvm::DenseMap<mlir::Operation *, unsigned> groupOf;
  llvm::DenseMap<mlir::Operation *, unsigned> position;
};

} // namespace gpucost

#endif // GPUCOST_LIB_TRANSFORMS_KERNELFORMER_H
