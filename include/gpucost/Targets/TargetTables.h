//===- TargetTables.h - Targets for libraries without MLIR ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_TARGETS_TARGETTABLES_H
#define GPUCOST_TARGETS_TARGETTABLES_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpucost {

/// lib/Archive/CompiledTables.inc for the embedded targets and coefficients.
llvm::Expected<std::string> printTargetTables(mlir::MLIRContext *context);

/// A target or coefficients file as bytes (Archive/TargetData.h); `name` stands
/// in messages.
llvm::Expected<std::string> compileTarget(mlir::MLIRContext *context,
                                          llvm::StringRef text,
                                          llvm::StringRef name);

} // namespace gpucost

#endif // GPUCOST_TARGETS_TARGETTABLES_H
