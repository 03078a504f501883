//===- LiftImages.cpp - Steps of lifted convolutions and pooling ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Front ends add the bias of a convolution and divide the sums of a pooling in
// separate ops, often behind a change of the layout.

#include "AttentionMatch.h"
#include "LiftRules.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

/// The vector of weights that `value` holds along dimension `dim` of `shape`
/// alone; null for other values.
static Value findVector(Value value, int64_t dim, ArrayRef<int64_t> shape) {
  RankedTensorType type = typeOf(value);
  auto rank = static_cast<int64_t>(shape.size());
  if (!isWeight(value) || type.getRank() > rank || type.getRank() < rank - dim)
    return {};
  for (int64_t i = 0; i < type.getRank(); ++i) {
    int64_t at = i + rank - type.getRank();
    if (type.getDimSize(i) != (at == dim ? shape[dim] : 1))
      return {};
  }
  return value;
}

/// A vector per channel that is added to a convolution is its bias.
bool raising::absorbBias(Operation *op) {
  if (!isa<onnx::AddOp>(op) || op->getNumOperands() != 2)
    return false;
  for (unsigned side : {0u, 1u}) {
    Value image = op->getOperand(side);
    Operation *conv = image.getDefiningOp();
    int64_t channels = 1;
    if (auto transpose = dyn_cast_or_null<onnx::TransposeOp>(conv)) {
      auto perm = transpose->getAttrOfType<DenseI64ArrayAttr>("perm");
      if (!perm)
        continue;
      channels =
          llvm::find(perm.asArrayRef(), channels) - perm.asArrayRef().begin();
      conv = transpose->getOperand(0).getDefiningOp();
    }
    if (!isa_and_nonnull<onnx::ConvOp>(conv) || conv->getNumOperands() != 2 ||
        !conv->getResult(0).hasOneUse() || !image.hasOneUse() ||
        image.getType() != op->getResult(0).getType())
      continue;
    Value vector = findVector(op->getOperand(1 - side), channels,
                              typeOf(image).getShape());
    if (!vector)
      continue;
    OpBuilder builder(conv);
    int64_t size = typeOf(image).getDimSize(channels);
    // The vector may be defined after the convolution.
    conv->moveBefore(op);
    if (Operation *view = image.getDefiningOp(); view != conv)
      view->moveAfter(conv);
    builder.setInsertionPoint(conv);
    Value bias = createReshape(builder, op->getLoc(), vector, size);
    bias.getDefiningOp()->setAttr(onnx::OnnxDialect::constantAttrName,
                                  builder.getUnitAttr());
    conv->insertOperands(2, bias);
    detach(conv);
    detach(op);
    op->getResult(0).replaceAllUsesWith(image);
    return true;
  }
  return false;
}

/// Whether `value` holds the sizes of windows: the number of their elements, or
/// numbers that depend on positions only.
static bool isWindowSize(Value value, int64_t elements) {
  if (std::optional<double> number = getScalar(value))
    return *number == static_cast<double>(elements);
  Operation *def = value.getDefiningOp();
  while (isa_and_nonnull<onnx::CastOp, onnx::ReshapeOp, onnx::ExpandOp>(def) &&
         !isWeight(def->getResult(0)))
    def = def->getOperand(0).getDefiningOp();
  if (!def)
    return false;
  if (auto structured = dyn_cast<linalg::LinalgOp>(def))
    return structured.getNumDpsInputs() == 0;
  return isWeight(def->getResult(0));
}

/// A window sum that is divided by the sizes of the windows.
bool raising::makeAverage(Operation *op) {
  auto quotient = dyn_cast<onnx::DivOp>(op);
  Operation *sum = quotient ? op->getOperand(0).getDefiningOp() : nullptr;
  for (int depth = 0;
       depth < 2 && isa_and_nonnull<onnx::TransposeOp, onnx::CastOp>(sum);
       ++depth) {
    if (!sum->getResult(0).hasOneUse())
      return false;
    sum = sum->getOperand(0).getDefiningOp();
  }
  if (!isa_and_nonnull<onnx::LpPoolOp>(sum) || onnx::getInt(sum, "p") != 1 ||
      !sum->getResult(0).hasOneUse() || !op->getOperand(0).hasOneUse() ||
      op->getOperand(0).getType() != op->getResult(0).getType())
    return false;
  int64_t elements = 1;
  for (int64_t size :
       onnx::findInts(sum, "kernel_shape").value_or(ArrayRef<int64_t>()))
    elements *= size;
  if (!isWindowSize(op->getOperand(1), elements))
    return false;
  OpBuilder builder(sum);
  SmallVector<NamedAttribute> attributes(sum->getAttrs());
  llvm::erase_if(attributes, [](NamedAttribute attribute) {
    return attribute.getName() == "p";
  });
  Operation *average =
      onnx::AveragePoolOp::create(builder, sum->getLoc(), sum->getResultTypes(),
                                  sum->getOperands(), attributes);
  detach(average);
  sum->getResult(0).replaceAllUsesWith(average->getResult(0));
  detach(op);
  op->getResult(0).replaceAllUsesWith(op->getOperand(0));
  return true;
}

/// A slice that removes rows and columns at the sides of a transposed
/// convolution's result is padding of the convolution.
bool raising::cropTransposedConv(Operation *op) {
  constexpr unsigned sliceOperands = 3;
  if (!isa<onnx::SliceOp>(op) || op->getNumOperands() != sliceOperands)
    return false;
  DenseElementsAttr starts = getConstant(op->getOperand(1)),
                    ends = getConstant(op->getOperand(2));
  Value image = op->getOperand(0);
  int64_t rank = typeOf(image).getRank();
  Operation *view = image.getDefiningOp(), *conv = view;
  SmallVector<int64_t> dims;
  if (auto transpose = dyn_cast_or_null<onnx::TransposeOp>(view)) {
    if (auto perm = transpose->getAttrOfType<DenseI64ArrayAttr>("perm"))
      dims.assign(perm.asArrayRef().begin(), perm.asArrayRef().end());
    conv = transpose->getOperand(0).getDefiningOp();
  } else {
    for (int64_t i = 0; i < rank; ++i)
      dims.push_back(i);
  }
  auto sizeOf = [](DenseElementsAttr values) {
    return values ? values.getNumElements() : 0;
  };
  if (!isa_and_nonnull<onnx::ConvTransposeOp>(conv) || rank < 3 ||
      !image.hasOneUse() || !conv->getResult(0).hasOneUse() ||
      static_cast<int64_t>(dims.size()) != rank || sizeOf(starts) != rank ||
      sizeOf(ends) != rank)
    return false;
  constexpr int64_t leading = 2;
  int64_t spatial = rank - leading;
  SmallVector<int64_t> pads(2 * spatial, 0),
      shape(typeOf(conv->getResult(0)).getShape());
  if (auto given = onnx::findInts(conv, "pads"))
    pads.assign(given->begin(), given->end());
  if (static_cast<int64_t>(pads.size()) != 2 * spatial)
    return false;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    auto at = static_cast<int64_t>(i);
    auto start = static_cast<int64_t>(getElement(starts, at));
    int64_t cut = shape[dim] - static_cast<int64_t>(getElement(ends, at));
    if (dim < leading ? start != 0 || cut != 0 : start < 0 || cut < 0)
      return false;
    if (dim < leading)
      continue;
    pads[dim - leading] += start;
    pads[dim - leading + spatial] += cut;
    shape[dim] -= start + cut;
  }
  conv->setAttr("pads", DenseI64ArrayAttr::get(op->getContext(), pads));
  conv->getResult(0).setType(typeOf(conv->getResult(0)).clone(shape));
  image.setType(typeOf(op->getResult(0)));
  for (Operation *changed : {op, view, conv})
    detach(changed);
  op->getResult(0).replaceAllUsesWith(image);
  return true;
}

/// A convolution of images with one row, as front ends write convolutions in
/// one dimension.
bool raising::dropRowOfConv(Operation *op) {
  auto split = isa<onnx::ConvOp>(op)
                   ? op->getOperand(0).getDefiningOp<onnx::ReshapeOp>()
                   : onnx::ReshapeOp();
  constexpr int64_t rank = 4, rowDim = 2;
  if (!split || typeOf(op->getOperand(0)).getRank() != rank)
    return false;
  auto withoutRow = [](Value value) {
    SmallVector<int64_t> shape(typeOf(value).getShape());
    shape.erase(shape.begin() + rowDim);
    return shape;
  };
  Value x = split->getOperand(0), filter = op->getOperand(1);
  for (Value value : {op->getOperand(0), filter, Value(op->getResult(0))})
    if (typeOf(value).getRank() != rank ||
        typeOf(value).getDimSize(rowDim) != 1)
      return false;
  if (typeOf(x).getShape() != ArrayRef(withoutRow(op->getOperand(0))))
    return false;
  SmallVector<NamedAttribute> attributes;
  Builder context(op->getContext());
  for (NamedAttribute attribute : op->getAttrs()) {
    auto sizes = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    bool isPads = attribute.getName() == "pads";
    if (!sizes || attribute.getName() == liftedAttrName) {
      if (attribute.getName() != liftedAttrName)
        attributes.push_back(attribute);
      continue;
    }
    ArrayRef<int64_t> given = sizes.asArrayRef();
    if (given.size() != (isPads ? 4 : 2) ||
        (isPads && (given[0] != 0 || given[2] != 0)))
      return false;
    attributes.push_back(context.getNamedAttr(
        attribute.getName(),
        isPads ? context.getDenseI64ArrayAttr({given[1], given[3]})
               : context.getDenseI64ArrayAttr(given.drop_front())));
  }
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value row = createReshape(builder, loc, filter, withoutRow(filter));
  if (isWeight(filter))
    row.getDefiningOp()->setAttr(onnx::OnnxDialect::constantAttrName,
                                 builder.getUnitAttr());
  SmallVector<Value> operands(op->getOperands());
  operands[0] = x;
  operands[1] = row;
  RankedTensorType type = typeOf(op->getResult(0));
  Value result =
      onnx::ConvOp::create(builder, loc,
                           Type(type.clone(withoutRow(op->getResult(0)))),
                           operands, attributes)
          ->getResult(0);
  op->getResult(0).replaceAllUsesWith(
      createReshape(builder, loc, result, type.getShape()));
  return true;
}
