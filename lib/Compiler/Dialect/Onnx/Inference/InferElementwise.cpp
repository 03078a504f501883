//===- InferElementwise.cpp - Types of elementwise ops --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace gpucost::onnx;

/// Common shape of operands `inputs`; nullopt if one is unknown (`*failed` is
/// false) or if they contradict (`*failed` is true, after a diagnostic).
static std::optional<Dims> broadcastInputs(InferenceContext &context,
                                           ArrayRef<unsigned> inputs,
                                           bool &failed) {
  failed = false;
  Dims shape;
  for (unsigned i : inputs) {
    RankedTensorType type = context.getInputType(i);
    if (!type)
      return std::nullopt;
    auto common = broadcastShapes(shape, type.getShape());
    if (!common) {
      context.emitError() << "operand shapes " << formatShape(shape) << " and "
                          << formatShape(type.getShape())
                          << " do not broadcast";
      failed = true;
      return std::nullopt;
    }
    shape = *common;
  }
  return shape;
}

static LogicalResult setBroadcast(InferenceContext &context,
                                  ArrayRef<unsigned> inputs, Type elementType,
                                  unsigned result = 0) {
  bool contradiction;
  auto shape = broadcastInputs(context, inputs, contradiction);
  if (!shape)
    return failure(contradiction);
  return context.setType(result, *shape, elementType);
}

static llvm::SmallVector<unsigned> presentInputs(InferenceContext &context) {
  llvm::SmallVector<unsigned> inputs;
  for (unsigned i = 0; i < context.getNumInputs(); ++i)
    if (context.hasInput(i))
      inputs.push_back(i);
  return inputs;
}

LogicalResult gpucost::onnx::inferBroadcast(InferenceContext &context) {
  // Before opset 7, operand 1 is aligned with operand 0 at `axis`.
  if (context.getInt("broadcast") != 0)
    return inferSameAsFirst(context);
  if (context.getNumInputs() == 0)
    return success();
  return setBroadcast(context, presentInputs(context),
                      context.getInputElementType(0));
}

/// The exponent may have a different element type than base and result.
LogicalResult gpucost::onnx::inferPow(InferenceContext &context) {
  return inferBroadcast(context);
}

LogicalResult gpucost::onnx::inferCompare(InferenceContext &context) {
  Type boolean = IntegerType::get(context.getMLIRContext(), 1);
  if (context.getInt("broadcast") != 0)
    return inferPredicate(context);
  return setBroadcast(context, presentInputs(context), boolean);
}

LogicalResult gpucost::onnx::inferPredicate(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  return type ? context.setType(0, type.getShape(),
                                IntegerType::get(context.getMLIRContext(), 1))
              : success();
}

LogicalResult gpucost::onnx::inferWhere(InferenceContext &context) {
  Type elementType = context.getInputElementType(1);
  return setBroadcast(context, {0, 1, 2},
                      elementType ? elementType
                                  : context.getInputElementType(2));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static LogicalResult setElementType(InferenceContext &context,
                                    Type elementType) {
  RankedTensorType type = context.getInputType(0);
  return type && elementType ? context.setType(0, type.getShape(), elementType)
                             : success();
}

LogicalResult gpucost::onnx::inferCast(InferenceContext &context) {
  int64_t to = context.getInt("to");
  // Before opset 6 the type is a string.
  StringRef spelled = context.getString("to");
  if (!spelled.empty())
    to = llvm::StringSwitch<int64_t>(spelled)
             .Case("FLOAT", 1)
             .Case("UINT8", 2)
             .Case("INT8", 3)
             .Case("UINT16", 4)
             .Case("INT16", 5)
             .Case("INT32", 6)
             .Case("INT64", 7)
             .Case("STRING", 8)
             .Case("BOOL", 9)
             .Case("FLOAT16", 10)
             .Case("DOUBLE", 11)
             .Default(0);
  Type elementType = getElementType(context.getMLIRContext(), to);
  if (!elementType)
    return context.emitError()
           << "has an unknown element type " << to << " in 'to'";
  return setElementType(context, elementType);
}

LogicalResult gpucost::onnx::inferCastLike(InferenceContext &context) {
  return setElementType(context, context.getInputElementType(1));
}

/// uint8 unless the zero point or `output_dtype` defines another type.
LogicalResult gpucost::onnx::inferQuantizeLinear(InferenceContext &context) {
  Type elementType = context.getInputElementType(2);
  if (!elementType)
    elementType = getElementType(context.getMLIRContext(),
                                 context.getInt("output_dtype"));
  if (!elementType)
    elementType = getElementType(context.getMLIRContext(), /*uint8=*/2);
  return setElementType(context, elementType);
}

/// The type of the scale, unless `output_dtype` defines another type.
LogicalResult gpucost::onnx::inferDequantizeLinear(InferenceContext &context) {
  Type elementType =
      getElementType(context.getMLIRContext(), context.getInt("output_dtype"));
  return setElementType(context, elementType ? elementType
                                             : context.getInputElementType(1));
}

/// Results: quantised tensor, its scale, its zero point.
LogicalResult
gpucost::onnx::inferDynamicQuantizeLinear(InferenceContext &context) {
  Type uint8 = getElementType(context.getMLIRContext(), 2);
  Type f32 = Float32Type::get(context.getMLIRContext());
  if (failed(context.setType(1, {}, f32)) ||
      failed(context.setType(2, {}, uint8)))
    return failure();
  return setElementType(context, uint8);
}

/// Operands A, scale, zero point, B, scale, zero point, scale, zero point.
LogicalResult gpucost::onnx::inferQLinearBinary(InferenceContext &context) {
  return setBroadcast(context, {0, 3}, context.getInputElementType(0));
}

/// Operands: condition, X, scale, zero point, Y, scale, zero point, ...
LogicalResult gpucost::onnx::inferQLinearWhere(InferenceContext &context) {
  return setBroadcast(context, {0, 1, 4}, context.getInputElementType(1));
}

/// (A, B, C) -> A combined with B, A combined with C.
LogicalResult gpucost::onnx::inferSharedInput(InferenceContext &context) {
  for (unsigned i = 0; i < context.getNumOutputs(); ++i)
    if (failed(setBroadcast(context, {0, i + 1}, context.getInputElementType(0),
                            i)))
      return failure();
  return success();
}

/// Operands: A, its zero point, B, its zero point.
LogicalResult gpucost::onnx::inferMulInteger(InferenceContext &context) {
  return setBroadcast(context, {0, 2},
                      IntegerType::get(context.getMLIRContext(), 32));
}

LogicalResult gpucost::onnx::inferRandom(InferenceContext &context) {
  auto shape = context.getInts("shape");
  Type elementType =
      getElementType(context.getMLIRContext(), context.getInt("dtype"));
  return shape ? context.setType(0, *shape, elementType) : success();
}

LogicalResult gpucost::onnx::inferRandomLike(InferenceContext &context) {
  Type elementType =
      getElementType(context.getMLIRContext(), context.getInt("dtype"));
  return setElementType(context, elementType ? elementType
                                             : context.getInputElementType(0));
}

/// Half of the last dimension gates the other half.
LogicalResult gpucost::onnx::inferBiasSplitGelu(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type || type.getRank() == 0)
    return success();
  Dims shape(type.getShape());
  shape.back() = floorDivDims(shape.back(), 2);
  return context.setType(0, shape, type.getElementType());
}
