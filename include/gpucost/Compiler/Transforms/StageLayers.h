//===- StageLayers.h - Repeated blocks of a graph ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_TRANSFORMS_STAGELAYERS_H
#define GPUCOST_COMPILER_TRANSFORMS_STAGELAYERS_H

#include "gpucost/Core/Scenario/LayerBalance.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gpucost {

/// (X13) The work of the repeated blocks of a forward graph and of its head;
/// empty if the graph has no blocks that a pipeline can distribute.
LayerWork findLayerWork(mlir::func::FuncOp function);

} // namespace gpucost

#endif // GPUCOST_COMPILER_TRANSFORMS_STAGELAYERS_H
