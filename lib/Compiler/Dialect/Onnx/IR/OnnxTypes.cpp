//===- OnnxTypes.cpp - Types of the onnx dialect --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpucost::onnx;

#define GET_TYPEDEF_CLASSES
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxTypes.cpp.inc"

void OnnxDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxTypes.cpp.inc"
      >();
}

/// Numbers of `TensorProto.DataType`, onnx.proto of ONNX 1.21 (IR version 13).
Type gpucost::onnx::getElementType(MLIRContext *context, int64_t onnxType) {
  Builder b(context);
  auto unsignedType = [&](unsigned width) {
    return IntegerType::get(context, width, IntegerType::Unsigned);
  };
  switch (onnxType) {
  case 1:
    return b.getF32Type();
  case 2:
    return unsignedType(8);
  case 3:
    return b.getIntegerType(8);
  case 4:
    return unsignedType(16);
  case 5:
    return b.getIntegerType(16);
  case 6:
    return b.getI32Type();
  case 7:
    return b.getI64Type();
  case 8:
    return StringType::get(context);
  case 9:
    return b.getI1Type();
  case 10:
    return b.getF16Type();
  case 11:
    return b.getF64Type();
  case 12:
    return unsignedType(32);
  case 13:
    return unsignedType(64);
  case 14:
    return ComplexType::get(b.getF32Type());
  case 15:
    return ComplexType::get(b.getF64Type());
  case 16:
    return b.getBF16Type();
  case 17:
    return Float8E4M3FNType::get(context);
  case 18:
    return Float8E4M3FNUZType::get(context);
  case 19:
    return Float8E5M2Type::get(context);
  case 20:
    return Float8E5M2FNUZType::get(context);
  case 21:
    return unsignedType(4);
  case 22:
    return b.getIntegerType(4);
  case 23:
    return Float4E2M1FNType::get(context);
  case 24:
    return Float8E8M0FNUType::get(context);
  case 25:
    return unsignedType(2);
  case 26:
    return b.getIntegerType(2);
  default:
    return nullptr;
  }
}
