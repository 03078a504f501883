//===- ExpandAttention.cpp - One attention op as separate eager ops -------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The ops of Hugging Face's eager attention: repeated heads of K and V, Q K^T,
// scale, mask, softmax, matmul with V.

#include "AttentionMatch.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Dialect/Onnx/Work/Windows.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

namespace gpucost::raising {

class AttentionExpander {
public:
  AttentionExpander(Raiser &raiser, Operation *op)
      : raiser(raiser), op(op), builder(op), loc(op->getLoc()) {}

  /// Ops with a cache, packed operands or additional results remain unchanged.
  bool run();

private:
  bool readOperands();
  Value repeatHeads(Value value, int64_t heads);
  Value mask();
  Value triangle(RankedTensorType type, int64_t diagonal, bool upper);
  Value scalar(double value, Type elementType);
  template <typename OpT>
  Value create(RankedTensorType type, ValueRange operands,
               ArrayRef<NamedAttribute> attributes = {}) {
    return OpT::create(builder, loc, TypeRange(Type(type)), operands,
                       attributes)
        ->getResult(0);
  }

  Raiser &raiser;
  Operation *op;
  OpBuilder builder;
  Location loc;
  Value q, k, v, bias;
  onnx::KeyWindow window;
  RankedTensorType scoresType;
};

} // namespace gpucost::raising

static Value getOptional(Operation *op, unsigned i) {
  if (i >= op->getNumOperands() ||
      isa<onnx::NoneType>(op->getOperand(i).getType()))
    return {};
  return op->getOperand(i);
}

bool AttentionExpander::readOperands() {
  unsigned maskOperand = isa<onnx::MultiHeadAttentionOp>(op) ? 5 : 3;
  for (unsigned i = 3; i < op->getNumOperands(); ++i)
    if (i != maskOperand && getOptional(op, i))
      return false;
  // The second result of the fused op contains the scores.
  for (unsigned i = isa<onnx::FusedAttentionOp>(op) ? 2 : 1;
       i < op->getNumResults(); ++i)
    if (!op->getResult(i).use_empty())
      return false;
  int64_t heads =
      onnx::findInt(op, "q_num_heads").value_or(onnx::getInt(op, "num_heads"));
  int64_t kvHeads = onnx::findInt(op, "kv_num_heads").value_or(heads);
  if (onnx::getString(op, "layout") == "BSHD")
    return false;
  Value values[3];
  for (unsigned i = 0; i < 3; ++i) {
    values[i] = getOptional(op, i);
    RankedTensorType type =
        values[i] ? getStaticType(values[i]) : RankedTensorType();
    int64_t own = i ? kvHeads : heads;
    if (!type || (type.getRank() != 4 && type.getRank() != 3) ||
        (type.getRank() == 3 && (own <= 0 || type.getDimSize(2) % own)))
      return false;
  }
  auto countHeads = [&](Value value, int64_t packed) {
    auto type = cast<RankedTensorType>(value.getType());
    return type.getRank() == 4 ? type.getDimSize(1) : packed;
  };
  int64_t keyHeads = countHeads(values[1], kvHeads);
  if (keyHeads <= 0 || keyHeads != countHeads(values[2], kvHeads) ||
      countHeads(values[0], heads) % keyHeads)
    return false;
  q = createHeads(builder, loc, values[0], heads);
  k = createHeads(builder, loc, values[1], kvHeads);
  v = createHeads(builder, loc, values[2], kvHeads);
  bias = getOptional(op, maskOperand);
  window = onnx::getKeyWindow(op);
  if (onnx::getInt(op, "is_causal") != 0 ||
      onnx::getInt(op, "unidirectional") != 0)
    window.right = 0;
  return true;
}

/// [b, kv, t, d] to [b, heads, t, d].
Value AttentionExpander::repeatHeads(Value value, int64_t heads) {
  auto type = cast<RankedTensorType>(value.getType());
  ArrayRef<int64_t> shape = type.getShape();
  if (shape[1] == heads)
    return value;
  int64_t group = heads / shape[1];
  Value wide = createReshape(builder, loc, value,
                             {shape[0], shape[1], 1, shape[2], shape[3]});
  auto wideType = type.clone({shape[0], shape[1], group, shape[2], shape[3]});
  auto shapeType = RankedTensorType::get({5}, builder.getI64Type());
  Value target = create<onnx::ConstantOp>(
      shapeType, {},
      {builder.getNamedAttr(
          "value", DenseElementsAttr::get(shapeType, wideType.getShape()))});
  wide = create<onnx::ExpandOp>(wideType, {wide, target});
  return createReshape(builder, loc, wide,
                       {shape[0], heads, shape[2], shape[3]});
}

Value AttentionExpander::scalar(double value, Type elementType) {
  auto type = RankedTensorType::get({}, elementType);
  Attribute number = builder.getFloatAttr(elementType, value);
  return create<onnx::ConstantOp>(
      type, {},
      {builder.getNamedAttr("value", DenseElementsAttr::get(type, number))});
}

/// The triangle of a filled tensor.
Value AttentionExpander::triangle(RankedTensorType type, int64_t diagonal,
                                  bool upper) {
  auto shapeType = RankedTensorType::get({2}, builder.getI64Type());
  Value shape = create<onnx::ConstantOp>(
      shapeType, {},
      {builder.getNamedAttr(
          "value", DenseElementsAttr::get(shapeType, type.getShape()))});
  auto fillType = RankedTensorType::get({1}, type.getElementType());
  Attribute low = builder.getFloatAttr(
      type.getElementType(), -std::numeric_limits<double>::infinity());
  Value filled = create<onnx::ConstantOfShapeOp>(
      type, shape,
      {builder.getNamedAttr("value", DenseElementsAttr::get(fillType, low))});
  auto diagonalType = RankedTensorType::get({}, builder.getI64Type());
  Value first = create<onnx::ConstantOp>(
      diagonalType, {},
      {builder.getNamedAttr(
          "value", DenseElementsAttr::get(
                       diagonalType, builder.getI64IntegerAttr(diagonal)))});
  return create<onnx::TriluOp>(
      type, {filled, first},
      {builder.getNamedAttr("upper", builder.getI64IntegerAttr(upper))});
}

/// One mask for all layers with the same window, as in models.
Value AttentionExpander::mask() {
  int64_t queries = scoresType.getDimSize(2), keys = scoresType.getDimSize(3);
  auto type =
      RankedTensorType::get({queries, keys}, scoresType.getElementType());
  Value &built = raiser.causalMasks[{type, {window.left, window.right}}];
  if (built)
    return built;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&raiser.block);
  if (window.right >= 0)
    built = triangle(type, saturatingSum(keys - queries + 1, window.right),
                     /*upper=*/true);
  if (window.left >= 0) {
    Value old = triangle(type, keys - queries - 1 - window.left,
                         /*upper=*/false);
    built = built ? create<onnx::AddOp>(type, {built, old}) : old;
  }
  return built;
}

bool AttentionExpander::run() {
  if (!readOperands())
    return false;
  auto queryType = cast<RankedTensorType>(q.getType());
  auto elementType = dyn_cast<FloatType>(queryType.getElementType());
  int64_t heads = queryType.getDimSize(1), headDim = queryType.getDimSize(3);
  if (!elementType)
    return false;
  k = repeatHeads(k, heads);
  v = repeatHeads(v, heads);
  scoresType =
      queryType.clone({queryType.getDimSize(0), heads, queryType.getDimSize(2),
                       cast<RankedTensorType>(k.getType()).getDimSize(2)});
  Value transposed = createTranspose(builder, loc, k, {0, 1, 3, 2});
  Value scores = create<onnx::MatMulOp>(scoresType, {q, transposed});
  if (op->getNumResults() > 1 && !op->getResult(1).use_empty())
    op->getResult(1).replaceAllUsesWith(scores);

  double scale = onnx::getFloat(op, "scale");
  if (scale == 0)
    scale = 1 / std::sqrt(static_cast<double>(headDim));
  if (scale != 1)
    scores =
        create<onnx::MulOp>(scoresType, {scores, scalar(scale, elementType)});
  // softcap * tanh(scores / softcap).
  if (double cap = onnx::getFloat(op, "softcap"); cap != 0) {
    scores =
        create<onnx::MulOp>(scoresType, {scores, scalar(1 / cap, elementType)});
    scores = create<onnx::TanhOp>(scoresType, scores);
    scores =
        create<onnx::MulOp>(scoresType, {scores, scalar(cap, elementType)});
  }
  if (window.left >= 0 || window.right >= 0)
    scores = create<onnx::AddOp>(scoresType, {scores, mask()});
  if (bias && isa<FloatType>(getElementTypeOrSelf(bias.getType())))
    scores = create<onnx::AddOp>(scoresType, {scores, bias});
  else if (bias)
    scores = create<onnx::WhereOp>(
        scoresType,
        {bias, scores,
         scalar(-std::numeric_limits<double>::infinity(), elementType)});
  auto axis = builder.getNamedAttr("axis", builder.getI64IntegerAttr(-1));
  Value probabilities = create<onnx::SoftmaxOp>(scoresType, scores, axis);

  auto resultType = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  auto type =
      queryType.clone({queryType.getDimSize(0), heads, queryType.getDimSize(2),
                       cast<RankedTensorType>(v.getType()).getDimSize(3)});
  Value result = create<onnx::MatMulOp>(type, {probabilities, v});
  if (resultType && resultType.getRank() == 3)
    result = createReshape(builder, loc,
                           createTranspose(builder, loc, result, {0, 2, 1, 3}),
                           resultType.getShape());
  if (Attribute names = op->getAttr(onnx::OnnxDialect::valueNamesAttrName))
    result.getDefiningOp()->setAttr(onnx::OnnxDialect::valueNamesAttrName,
                                    names);
  remark::passed(
      loc, remark::RemarkOpts::name("expanded").category("gpucost-raise-ops"))
      << remark::add("expanded {0}", op->getName().stripDialect());
  op->getResult(0).replaceAllUsesWith(result);
  raiser.discard(op);
  return true;
}

bool Raiser::expandAttention(Operation *attention) {
  return AttentionExpander(*this, attention).run();
}
