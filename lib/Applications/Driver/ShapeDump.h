//===- ShapeDump.h - Inferred shapes as JSON -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `--emit=shapes`: inferred types of all ONNX values.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_SHAPEDUMP_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_SHAPEDUMP_H

#include "gpucost/Core/Scenario/Scenario.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace gpucost {

/// Runs shape inference on `module` and returns JSON: ONNX value name ->
/// {"type": element type, "shape": [sizes, null where unknown]}. Fails after
/// emitting a diagnostic.
mlir::FailureOr<std::string>
dumpShapes(mlir::ModuleOp module, const Scenario &scenario, bool verifyEach);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_SHAPEDUMP_H
