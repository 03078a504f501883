//===- InferOpaque.cpp - Types of ops that run on the host ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Strings, image files, classical machine learning and generation loops do not
// launch GPU kernels, but later ops need their shapes.

#include "Inference.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gpucost::onnx;

static Type stringType(InferenceContext &context) {
  return StringType::get(context.getMLIRContext());
}

static Type floatType(InferenceContext &context) {
  return Float32Type::get(context.getMLIRContext());
}

static Type i64Type(InferenceContext &context) {
  return IntegerType::get(context.getMLIRContext(), 64);
}

static unsigned listSize(InferenceContext &context, StringRef name) {
  Attribute attr = context.getOperation()->getAttr(name);
  if (auto strings = dyn_cast_or_null<ArrayAttr>(attr))
    return strings.size();
  if (auto ints = dyn_cast_or_null<DenseI64ArrayAttr>(attr))
    return ints.size();
  auto floats = dyn_cast_or_null<DenseF32ArrayAttr>(attr);
  return floats ? floats.size() : 0;
}

static LogicalResult setShapeOf(InferenceContext &context, Type elementType) {
  RankedTensorType type = context.getInputType(0);
  return type ? context.setType(0, type.getShape(), elementType) : success();
}

/// Without stop words every string remains; else their number depends on them.
LogicalResult gpucost::onnx::inferStringNormalizer(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  Dims shape(type.getShape());
  if (!shape.empty() && listSize(context, "stopwords"))
    shape.back() = unknownDim;
  return context.setType(0, shape, stringType(context));
}

/// Results: parts [..., maximum number of parts], number of parts [...].
LogicalResult gpucost::onnx::inferStringSplit(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  Dims parts(type.getShape());
  parts.push_back(unknownDim);
  if (failed(context.setType(1, type.getShape(), i64Type(context))))
    return failure();
  return context.setType(0, parts, stringType(context));
}

/// [n] -> [features], [batch, n] -> [batch, features].
LogicalResult gpucost::onnx::inferTfIdfVectorizer(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  auto indexes = context.getInts("ngram_indexes");
  if (!type || !indexes || indexes->empty() || type.getRank() < 1)
    return success();
  Dims shape(type.getShape().drop_back());
  shape.push_back(addDims(*llvm::max_element(*indexes), 1));
  return context.setType(0, shape, floatType(context));
}

/// Height, width and three channels (one of grey).
LogicalResult gpucost::onnx::inferImageDecoder(InferenceContext &context) {
  int64_t channels = context.getString("pixel_format") == "Grayscale" ? 1 : 3;
  return context.setType(0, {unknownDim, unknownDim, channels},
                         getElementType(context.getMLIRContext(), 2));
}

//===----------------------------------------------------------------------===//
// ai.onnx.ml
//===----------------------------------------------------------------------===//

LogicalResult gpucost::onnx::inferFloatLikeFirst(InferenceContext &context) {
  return setShapeOf(context, floatType(context));
}

/// The type of the attributes with the results, or of their default.
LogicalResult gpucost::onnx::inferLabelEncoder(InferenceContext &context) {
  Type elementType;
  if (auto tensor =
          context.getOperation()->getAttrOfType<ElementsAttr>("values_tensor"))
    elementType = tensor.getElementType();
  else if (context.hasAttr("values_tensor"))
    elementType = context.getInputElementType(0);
  else if (listSize(context, "values_strings"))
    elementType = stringType(context);
  else if (listSize(context, "values_int64s"))
    elementType = i64Type(context);
  else if (listSize(context, "values_floats"))
    elementType = floatType(context);
  else // opset 1, CategoryMapper: strings to numbers and back
    elementType = isa_and_nonnull<StringType>(context.getInputElementType(0))
                      ? i64Type(context)
                      : stringType(context);
  return setShapeOf(context, elementType);
}

/// Columns of the last dimension by index.
LogicalResult
gpucost::onnx::inferArrayFeatureExtractor(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  RankedTensorType indices = context.getInputType(1);
  if (!type || !indices || type.getRank() == 0)
    return success();
  Dims shape(type.getShape());
  shape.back() = productDims(indices.getShape());
  if (shape.size() == 1)
    shape.insert(shape.begin(), 1);
  return context.setType(0, shape, type.getElementType());
}

LogicalResult gpucost::onnx::inferFeatureVectorizer(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  auto sizes = context.getInts("inputdimensions");
  if (!type || type.getRank() == 0 || !sizes)
    return success();
  int64_t features = 0;
  for (int64_t size : *sizes)
    features = addDims(features, size);
  return context.setType(
      0, {type.getRank() == 1 ? 1 : type.getDimSize(0), features},
      floatType(context));
}

LogicalResult gpucost::onnx::inferOneHotEncoder(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  int64_t categories = std::max(listSize(context, "cats_int64s"),
                                listSize(context, "cats_strings"));
  if (!type || categories == 0)
    return success();
  Dims shape(type.getShape());
  shape.push_back(categories);
  return context.setType(0, shape, floatType(context));
}

static int64_t batchOf(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  return !type ? unknownDim : type.getRank() < 2 ? 1 : type.getDimSize(0);
}

/// Results: labels [batch], scores [batch, classes].
LogicalResult gpucost::onnx::inferClassifier(InferenceContext &context) {
  int64_t classes = 0;
  bool strings = false;
  for (StringRef name :
       {"classlabels_strings", "classlabels_ints", "classlabels_int64s"})
    if (unsigned size = listSize(context, name)) {
      classes = size;
      strings = name == "classlabels_strings";
    }
  if (!context.getInputType(0))
    return success();
  if (failed(context.setType(1,
                             {batchOf(context), classes ? classes : unknownDim},
                             floatType(context))))
    return failure();
  return context.setType(0, batchOf(context),
                         strings ? stringType(context) : i64Type(context));
}

LogicalResult gpucost::onnx::inferRegressor(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  int64_t targets = context.findInt("n_targets")
                        .value_or(context.findInt("targets").value_or(1));
  // TreeEnsemble of version 5 keeps the format of its operand.
  bool keeps = context.hasAttr("tree_roots") && context.hasAttr("leaf_weights");
  return context.setType(0, {batchOf(context), targets},
                         keeps ? type.getElementType() : floatType(context));
}

LogicalResult gpucost::onnx::inferSequenceResult(InferenceContext &context) {
  for (Value result : context.getOperation()->getResults())
    if (!isa<::gpucost::onnx::NoneType>(result.getType()))
      result.setType(SequenceType::get(context.getMLIRContext(), {}));
  return success();
}

//===----------------------------------------------------------------------===//
// Generation loops of com.microsoft
//===----------------------------------------------------------------------===//

/// Operands: ids [batch, length], longest, shortest, beams, sequences returned.
LogicalResult gpucost::onnx::inferBeamSearch(InferenceContext &context) {
  RankedTensorType ids = context.getInputType(0);
  if (!ids || ids.getRank() < 2)
    return success();
  Dims shape = {ids.getDimSize(0), scalarInput(context, 4),
                scalarInput(context, 1)};
  if (failed(context.setType(1, {shape[0], shape[1]}, floatType(context))))
    return failure();
  return context.setType(0, shape,
                         IntegerType::get(context.getMLIRContext(), 32));
}

LogicalResult gpucost::onnx::inferGreedySearch(InferenceContext &context) {
  RankedTensorType ids = context.getInputType(0);
  if (!ids || ids.getRank() < 2)
    return success();
  return context.setType(0, {ids.getDimSize(0), scalarInput(context, 1)},
                         IntegerType::get(context.getMLIRContext(), 32));
}

/// One gradient for each of the operands that `xs` names, which come first.
LogicalResult gpucost::onnx::inferGradient(InferenceContext &context) {
  for (unsigned i = 0; i < context.getNumOutputs(); ++i)
    if (RankedTensorType type = context.getInputType(i))
      if (failed(context.setType(i, type.getShape(), type.getElementType())))
        return failure();
  return success();
}
