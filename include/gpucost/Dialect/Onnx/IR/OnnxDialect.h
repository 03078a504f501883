//===- OnnxDialect.h - The onnx dialect -------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dialect, types, interface, and the work rule that all ops share. Op classes
// are in OnnxOps.h, which only .cpp files include.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXDIALECT_H
#define GPUCOST_DIALECT_ONNX_IR_ONNXDIALECT_H

#include "gpucost/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Dialect/Onnx/IR/InferenceContext.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "gpucost/Dialect/Onnx/IR/OnnxDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxTypes.h.inc"

namespace gpucost::onnx {
/// Failure after a diagnostic when `op` has no result or more than `limit`; a
/// limit of -1 allows any number.
mlir::LogicalResult verifyResultCount(mlir::Operation *op, int64_t limit);
} // namespace gpucost::onnx

#include "gpucost/Dialect/Onnx/IR/OnnxInterfaces.h.inc"

namespace gpucost::onnx {

/// MLIR type of an ONNX `TensorProto.DataType` number; null for those that have
/// none (0 and numbers that are not assigned).
mlir::Type getElementType(mlir::MLIRContext *context, int64_t onnxType);

/// What two types have in common: dimensions that differ are dynamic; unranked
/// where ranks differ, unknown where element types do.
mlir::Type mergeTypes(mlir::Type a, mlir::Type b);

/// Per-element facts that TableGen states for an op.
struct ElementCost {
  InstructionClass instructions;
  int64_t fp32Flops;
  int64_t specialOps;
};

/// Work of `op` by its cost class and static types (OnnxWork.cpp).
mlir::FailureOr<WorkAttr> computeWork(mlir::Operation *op, CostClass shape,
                                      ElementCost element);

} // namespace gpucost::onnx

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXDIALECT_H
