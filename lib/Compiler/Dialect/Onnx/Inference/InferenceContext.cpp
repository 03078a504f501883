//===- InferenceContext.cpp - State of type inference ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Dialect/Onnx/Inference/InferenceContext.h"
#include "Inference.h"
#include "ShapeArithmetic.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace gpucost::onnx;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// SmallTensor
//===----------------------------------------------------------------------===//

SmallTensor::SmallTensor(RankedTensorType type)
    : type(type), isFloat(isa<FloatType>(type.getElementType())) {
  if (isFloat)
    floats.resize(type.getNumElements());
  else
    ints.resize(type.getNumElements());
}

bool SmallTensor::allKnown() const {
  return llvm::all_of(known, [](bool flag) { return flag; });
}

void SmallTensor::setUnknown(int64_t i) {
  if (known.empty())
    known.assign(size(), true);
  known[i] = false;
}

void SmallTensor::copyElement(int64_t to, const SmallTensor &source,
                              int64_t from) {
  if (!source.isKnown(from))
    return setUnknown(to);
  if (isFloat)
    floats[to] = source.getDouble(from);
  else
    ints[to] = source.isFloat ? 0 : source.ints[from];
}

/// Whether tensors of `type` can be folded: static, small, numeric.
static bool isFoldable(RankedTensorType type) {
  if (!type || !type.hasStaticShape() || !type.getElementType().isIntOrFloat())
    return false;
  if (auto integer = dyn_cast<IntegerType>(type.getElementType()))
    if (integer.getWidth() > 64)
      return false;
  // A dimension of 0 does not hide a large one: folding iterates over each.
  int64_t count = 1;
  return llvm::all_of(type.getShape(), [&](int64_t dim) {
    return !__builtin_mul_overflow(count, std::max<int64_t>(dim, 1), &count) &&
           count <= SmallTensor::maxElements;
  });
}

std::optional<SmallTensor> gpucost::onnx::getSmallTensor(Attribute attribute) {
  auto dense = dyn_cast_or_null<DenseElementsAttr>(attribute);
  auto type =
      dense ? dyn_cast<RankedTensorType>(dense.getType()) : RankedTensorType();
  if (!isFoldable(type))
    return std::nullopt;
  SmallTensor tensor(type);
  if (tensor.isFloat) {
    for (auto [i, value] : llvm::enumerate(dense.getValues<APFloat>())) {
      bool losesInfo;
      APFloat copy = value;
      copy.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &losesInfo);
      tensor.floats[i] = copy.convertToDouble();
    }
    return tensor;
  }
  bool isUnsigned = type.getElementType().isUnsignedInteger() ||
                    type.getElementType().isInteger(1);
  for (auto [i, value] : llvm::enumerate(dense.getValues<APInt>()))
    tensor.ints[i] = isUnsigned ? value.getZExtValue() : value.getSExtValue();
  return tensor;
}

Attribute gpucost::onnx::getElementsAttr(const SmallTensor &tensor) {
  Type elementType = tensor.type.getElementType();
  if (tensor.isFloat) {
    const llvm::fltSemantics &semantics =
        cast<FloatType>(elementType).getFloatSemantics();
    SmallVector<APFloat> values;
    for (double value : tensor.floats) {
      bool losesInfo;
      values.emplace_back(value);
      values.back().convert(semantics, APFloat::rmNearestTiesToEven,
                            &losesInfo);
    }
    return DenseElementsAttr::get(tensor.type, values);
  }
  SmallVector<APInt> values;
  for (int64_t value : tensor.ints)
    values.emplace_back(elementType.getIntOrFloatBitWidth(),
                        static_cast<uint64_t>(value), /*isSigned=*/false,
                        /*implicitTrunc=*/true);
  return DenseElementsAttr::get(tensor.type, values);
}

//===----------------------------------------------------------------------===//
// Operands and attributes
//===----------------------------------------------------------------------===//

bool InferenceContext::hasInput(unsigned i) const {
  return i < op->getNumOperands() &&
         !isa<gpucost::onnx::NoneType>(op->getOperand(i).getType());
}

RankedTensorType InferenceContext::getInputType(unsigned i) const {
  return hasInput(i) ? dyn_cast<RankedTensorType>(op->getOperand(i).getType())
                     : RankedTensorType();
}

Type InferenceContext::getInputElementType(unsigned i) const {
  auto type = hasInput(i) ? dyn_cast<TensorType>(op->getOperand(i).getType())
                          : TensorType();
  return type ? type.getElementType() : Type();
}

const SmallTensor *InferenceContext::getInputValue(unsigned i) const {
  if (!hasInput(i))
    return nullptr;
  auto it = state.values.find(op->getOperand(i));
  return it == state.values.end() ? nullptr : &it->second;
}

std::optional<SmallVector<int64_t>>
InferenceContext::getInputInts(unsigned i) const {
  if (const SmallTensor *value = getInputValue(i)) {
    if (value->isFloat || !value->allKnown())
      return std::nullopt;
    return SmallVector<int64_t>(value->ints.begin(), value->ints.end());
  }
  // All elements of an empty list are known.
  RankedTensorType type = getInputType(i);
  if (type && type.getElementType().isSignlessInteger() &&
      type.getRank() == 1 && type.getDimSize(0) == 0)
    return SmallVector<int64_t>();
  return std::nullopt;
}

/// Positions such as INT64_MIN ("from the front") are not sizes and must not be
/// mistaken for `unknownDim`.
static void separateFromUnknown(SmallVector<int64_t> &values) {
  for (int64_t &value : values)
    value = std::max(value, INT64_MIN / 2);
}

std::optional<SmallVector<int64_t>>
InferenceContext::getInputDims(unsigned i) const {
  if (const SmallTensor *value = getInputValue(i)) {
    if (value->isFloat)
      return std::nullopt;
    SmallVector<int64_t> dims(value->ints.begin(), value->ints.end());
    separateFromUnknown(dims);
    for (int64_t j = 0, e = dims.size(); j < e; ++j)
      if (!value->isKnown(j))
        dims[j] = unknownDim;
    return dims;
  }
  RankedTensorType type = getInputType(i);
  if (!type || type.getRank() != 1 || type.isDynamicDim(0) ||
      type.getDimSize(0) > 64)
    return std::nullopt;
  return SmallVector<int64_t>(type.getDimSize(0), unknownDim);
}

std::optional<SmallVector<int64_t>>
InferenceContext::getInputOrAttrInts(unsigned i, StringRef name) const {
  return hasInput(i) ? getInputInts(i) : getInts(name);
}

std::optional<SmallVector<int64_t>>
InferenceContext::getInts(StringRef name) const {
  std::optional<ArrayRef<int64_t>> given = findInts(op, name);
  if (!given) {
    std::optional<int64_t> single = findInt(name);
    return single ? std::optional(SmallVector<int64_t>{*single}) : std::nullopt;
  }
  SmallVector<int64_t> values(*given);
  separateFromUnknown(values);
  return values;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

LogicalResult InferenceContext::setType(unsigned i, ArrayRef<int64_t> shape,
                                        Type elementType) {
  if (i >= op->getNumResults() || !elementType)
    return success();
  // Assumes elements of up to 128 bits, so that sizes in bits also fit.
  int64_t bits = 128;
  for (int64_t dim : shape) {
    if (dim < 0 && dim != unknownDim)
      return emitError() << "result " << i
                         << " has a dimension that is negative or too large";
    if (dim > 0)
      bits = mulDims(bits, dim);
  }
  if (bits < 0)
    return emitError() << "result " << i << " of shape " << formatShape(shape)
                       << " is too large";
  if (isa<gpucost::onnx::NoneType>(op->getResult(i).getType()))
    return success();
  op->getResult(i).setType(RankedTensorType::get(shape, elementType));
  inferred = true;
  return success();
}

RankedTensorType InferenceContext::getOutputType(unsigned i) const {
  return i < op->getNumResults()
             ? dyn_cast<RankedTensorType>(op->getResult(i).getType())
             : RankedTensorType();
}

std::optional<SmallTensor> InferenceContext::makeOutput(unsigned i) const {
  RankedTensorType type = getOutputType(i);
  if (!isFoldable(type) || type.getNumElements() > state.elementsLeft)
    return std::nullopt;
  return SmallTensor(type);
}

void InferenceContext::setValue(unsigned i, SmallTensor value) {
  if (i >= op->getNumResults() || value.size() > state.elementsLeft)
    return;
  state.elementsLeft -= value.size();
  // A value without known elements is not stored.
  if (!value.known.empty() && value.size() > 0 &&
      llvm::none_of(value.known, [](bool flag) { return flag; }))
    return;
  op->getResult(i).setType(value.type);
  state.values[op->getResult(i)] = std::move(value);
}

InFlightDiagnostic InferenceContext::emitError() {
  bool isFirst = !std::exchange(state.hasContradiction, true);
  InFlightDiagnostic diagnostic = !state.keepsGoing ? op->emitOpError()
                                  : isFirst         ? op->emitWarning()
                                                    : op->emitRemark();
  if (state.keepsGoing)
    diagnostic << "'" << op->getName() << "' op ";
  if (!state.bindings.empty())
    diagnostic.attachNote() << "dimensions are bound as " << state.bindings;
  return diagnostic;
}

//===----------------------------------------------------------------------===//
// Inference of one op
//===----------------------------------------------------------------------===//

/// Declared types are hints from the file: they only replace unknown types.
static void useDeclaredTypes(Operation *op) {
  auto declared =
      op->getAttrOfType<ArrayAttr>(OnnxDialect::declaredTypesAttrName);
  if (!declared || declared.size() != op->getNumResults())
    return;
  for (auto [result, attr] : llvm::zip_equal(op->getResults(), declared)) {
    auto typeAttr = dyn_cast<TypeAttr>(attr);
    if (!typeAttr || isa<UnknownType>(typeAttr.getValue()))
      continue;
    auto hint = dyn_cast<RankedTensorType>(typeAttr.getValue());
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type) {
      if (isa<UnknownType, UnrankedTensorType>(result.getType()))
        result.setType(typeAttr.getValue());
      continue;
    }
    if (type.hasStaticShape() || !hint || hint.getRank() != type.getRank())
      continue;
    Dims dims(type.getShape());
    for (auto [dim, hintDim] : llvm::zip_equal(dims, hint.getShape()))
      if (!isKnownDim(dim))
        dim = hintDim;
    result.setType(RankedTensorType::get(dims, type.getElementType()));
  }
}

LogicalResult gpucost::onnx::inferAndFold(InferenceContext &context,
                                          InferFunction infer,
                                          FoldFunction fold) {
  // Existing types are not checked.
  bool given = static_cast<bool>(context.getOutputType(0));
  LogicalResult result = infer(context);
  if (succeeded(result) && fold && (!given || context.hasInferred()))
    fold(context);
  useDeclaredTypes(context.getOperation());
  return result;
}
