//===- ExpertProducts.h - Experts on several GPUs in training ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_EXPERTPRODUCTS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_EXPERTPRODUCTS_H

#include "gpucost/Core/Scenario/Scenario.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gpucost {

/// (X21) Distributes the experts of a training graph, batched matmuls of rows
/// [experts, rows, in] and weights [experts, in, out], over the GPUs of
/// `Parallelism::expertGpus`: all-to-alls before and after them. Returns the
/// number of layers, 0 if the graph has none, after a diagnostic if it cannot
/// be divided.
mlir::FailureOr<int64_t> divideExpertProducts(mlir::func::FuncOp function,
                                              const Settings &settings);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_EXPERTPRODUCTS_H
