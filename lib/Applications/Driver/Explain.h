//===- Explain.h - Remarks of the passes, one line each ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Output of --explain: MLIR's optimization remarks of our passes, one line each
// on standard error. The --remarks-filter flags select other remarks.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_EXPLAIN_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_EXPLAIN_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

namespace gpucost {

/// Sends remarks of `context` to standard error: all of our categories with
/// `explain`, and those that the filters of `config` match. Does nothing if no
/// remarks are requested.
mlir::LogicalResult enableRemarks(mlir::MLIRContext &context, bool explain,
                                  const mlir::MlirOptMainConfig &config);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_EXPLAIN_H
