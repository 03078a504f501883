//===- LargestBatch.h - The largest batch that fits -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory grows with the batch: doubled until it does not fit, then bisected.
// Only the passes that decide about memory run.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_DRIVER_LARGESTBATCH_H
#define GPUCOST_LIB_DRIVER_LARGESTBATCH_H

#include "gpucost/Scenario/Scenario.h"
#include "mlir/IR/BuiltinOps.h"

namespace gpucost {

/// Largest batch, per GPU, whose step fits into the target's memory; diagnoses
/// a model that does not fit with a batch of 1.
mlir::FailureOr<int64_t> findLargestBatch(mlir::ModuleOp module,
                                          const Scenario &scenario,
                                          bool verifyEach);

} // namespace gpucost

#endif // GPUCOST_LIB_DRIVER_LARGESTBATCH_H
