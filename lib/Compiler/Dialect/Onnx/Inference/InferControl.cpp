//===- InferControl.cpp - Types of sequences and optionals ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// These functions only handle sequences of unknown length; gpucost-fix-shapes
// replaces other sequences with their elements.

#include "Inference.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gpucost::onnx;

Type gpucost::onnx::mergeTypes(Type a, Type b) {
  if (a == b)
    return a;
  auto unknown = UnknownType::get(a.getContext());
  if (auto sequence = dyn_cast<SequenceType>(a)) {
    auto other = dyn_cast<SequenceType>(b);
    if (!other || !sequence.getElementType() || !other.getElementType())
      return other ? Type(SequenceType::get(a.getContext(), {})) : unknown;
    return SequenceType::get(
        a.getContext(),
        mergeTypes(sequence.getElementType(), other.getElementType()));
  }
  auto left = dyn_cast<TensorType>(a), right = dyn_cast<TensorType>(b);
  if (!left || !right || left.getElementType() != right.getElementType())
    return unknown;
  if (!left.hasRank() || !right.hasRank() || left.getRank() != right.getRank())
    return UnrankedTensorType::get(left.getElementType());
  Dims dims(left.getShape());
  for (auto [dim, other] : llvm::zip_equal(dims, right.getShape()))
    if (dim != other)
      dim = unknownDim;
  return RankedTensorType::get(dims, left.getElementType());
}

/// The element type of a sequence or optional; the type itself for any other
/// value, because operators on optionals accept plain values; null if unknown.
static Type getElement(Type type) {
  if (auto sequence = dyn_cast<SequenceType>(type))
    return sequence.getElementType();
  if (auto optional = dyn_cast<OptionalType>(type))
    return optional.getElementType();
  return type;
}

static void setResult(InferenceContext &context, Type type) {
  Operation *op = context.getOperation();
  if (op->getNumResults() && type)
    op->getResult(0).setType(type);
}

static Type getOperandType(InferenceContext &context, unsigned i) {
  return context.hasInput(i) ? context.getOperation()->getOperand(i).getType()
                             : Type();
}

LogicalResult gpucost::onnx::inferSequenceConstruct(InferenceContext &context) {
  Type element;
  for (Value operand : context.getOperation()->getOperands())
    element =
        element ? mergeTypes(element, operand.getType()) : operand.getType();
  setResult(context, SequenceType::get(context.getMLIRContext(), element));
  return success();
}

LogicalResult gpucost::onnx::inferSequenceEmpty(InferenceContext &context) {
  Type element = getElementType(context.getMLIRContext(),
                                context.findInt("dtype").value_or(1));
  setResult(context, SequenceType::get(
                         context.getMLIRContext(),
                         element ? UnrankedTensorType::get(element) : Type()));
  return success();
}

LogicalResult gpucost::onnx::inferSequenceInsert(InferenceContext &context) {
  Type sequence = getOperandType(context, 0),
       added = getOperandType(context, 1);
  if (!sequence || !isa<SequenceType>(sequence))
    return success();
  Type element = getElement(sequence);
  setResult(context,
            SequenceType::get(context.getMLIRContext(),
                              element && added ? mergeTypes(element, added)
                                               : Type()));
  return success();
}

LogicalResult gpucost::onnx::inferSameSequence(InferenceContext &context) {
  setResult(context, getOperandType(context, 0));
  return success();
}

LogicalResult gpucost::onnx::inferSequenceAt(InferenceContext &context) {
  if (Type type = getOperandType(context, 0))
    setResult(context, getElement(type));
  return success();
}

LogicalResult gpucost::onnx::inferSequenceMap(InferenceContext &context) {
  for (Value result : context.getOperation()->getResults())
    result.setType(SequenceType::get(context.getMLIRContext(), {}));
  return success();
}

LogicalResult gpucost::onnx::inferSplitToSequence(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  Type element;
  if (type) {
    Dims dims(type.getShape());
    auto axis = normalizeAxis(context.getInt("axis"), type.getRank());
    if (!axis)
      return context.emitError()
             << "axis is out of range for rank " << type.getRank();
    bool single = !context.hasInput(1);
    dims[*axis] = single ? 1 : unknownDim;
    if (single && !context.getInt("keepdims"))
      dims.erase(dims.begin() + *axis);
    element = RankedTensorType::get(dims, type.getElementType());
  }
  setResult(context, SequenceType::get(context.getMLIRContext(), element));
  return success();
}

LogicalResult
gpucost::onnx::inferConcatFromSequence(InferenceContext &context) {
  Type sequence = getOperandType(context, 0);
  auto element = dyn_cast_or_null<RankedTensorType>(
      sequence ? getElement(sequence) : Type());
  if (!element)
    return success();
  bool isNew = context.getInt("new_axis") != 0;
  Dims dims(element.getShape());
  auto axis = normalizeAxis(context.getInt("axis"), dims.size() + isNew);
  if (!axis)
    return context.emitError()
           << "axis is out of range for elements of rank " << dims.size();
  if (isNew)
    dims.insert(dims.begin() + *axis, unknownDim);
  else
    dims[*axis] = unknownDim;
  return context.setType(0, dims, element.getElementType());
}

LogicalResult gpucost::onnx::inferOptional(InferenceContext &context) {
  auto declared = context.getOperation()->getAttrOfType<TypeAttr>("type");
  Type element = getOperandType(context, 0);
  if (!element && declared)
    element = declared.getValue();
  setResult(context, OptionalType::get(context.getMLIRContext(), element));
  return success();
}

LogicalResult
gpucost::onnx::inferOptionalHasElement(InferenceContext &context) {
  return context.setType(0, {}, IntegerType::get(context.getMLIRContext(), 1));
}
