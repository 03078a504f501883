//===- DiagnosticPlace.h - File and node of a diagnostic --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_SESSION_DIAGNOSTICPLACE_H
#define GPUCOST_COMPILER_SESSION_DIAGNOSTICPLACE_H

#include "mlir/IR/Location.h"
#include <string>

namespace gpucost {

struct DiagnosticPlace {
  std::string file; ///< "model.onnx: "
  std::string node; ///< "node 'relu': "
};

/// The place of a diagnostic at `loc`; parts that `loc` lacks are empty.
DiagnosticPlace findPlace(mlir::Location loc);

} // namespace gpucost

#endif // GPUCOST_COMPILER_SESSION_DIAGNOSTICPLACE_H
