//===- CheckedAnalysis.h - An analysis with a sound report ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Requirements of all whole-tool fuzzers on any module: a diagnostic or a
// report, a valid module afterwards, and only possible numbers in the report.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_FUZZ_CHECKEDANALYSIS_H
#define GPUCOST_FUZZ_CHECKEDANALYSIS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringRef.h"
#include <cstddef>

namespace gpucost {

/// Every dialect that the tool registers.
const mlir::DialectRegistry &toolDialects();

/// Runs `gpucost-analyze` from `entry` ("" for the default) to the JSON report.
/// Settings follow from `variant`, so that one corpus covers them all. Aborts
/// on a failure without a diagnostic, on a module that is invalid afterwards,
/// and on a number in the report that is negative, not finite, or a share
/// above 1.
void analyzeAndCheck(mlir::ModuleOp module, size_t variant,
                     llvm::StringRef entry = "");

} // namespace gpucost

#endif // GPUCOST_FUZZ_CHECKEDANALYSIS_H
