//===- GradContraction.cpp - Backward rules of matmuls and convolutions ---===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Two matmuls for each forward matmul, one for the gradient of each operand.

#include "Gradients.h"
#include "Work/OpShapes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/Onnx/Work/Einsum.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

static Value transpose(GradientContext &context, Value matrix) {
  RankedTensorType type = tensorOf(matrix);
  SmallVector<int64_t> shape(type.getShape()), perm;
  for (int64_t i = 0; i < type.getRank(); ++i)
    perm.push_back(i);
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
  Builder builder(matrix.getContext());
  return context.createOne<TransposeOp>(
      RankedTensorType::get(shape, type.getElementType()), {matrix},
      builder.getNamedAttr("perm", builder.getDenseI64ArrayAttr(perm)));
}

static Value flatten(GradientContext &context, Value value) {
  RankedTensorType type = tensorOf(value);
  if (type.getRank() == 2)
    return value;
  int64_t rows = 1, cols = type.getShape().back();
  for (int64_t size : type.getShape().drop_back())
    rows = saturatingProduct(rows, size);
  return context.createOne<ReshapeOp>(
      RankedTensorType::get({rows, cols}, type.getElementType()), {value});
}

/// a[.., m, k] * b[.., k, n] with NumPy's batch rules, summed to `type`.
static Value product(GradientContext &context, Value a, Value b, Type type) {
  RankedTensorType left = tensorOf(a), right = tensorOf(b);
  ArrayRef<int64_t> longer =
      left.getRank() >= right.getRank() ? left.getShape() : right.getShape();
  SmallVector<int64_t> shape(longer);
  for (int64_t i = 0; i + 2 < static_cast<int64_t>(shape.size()); ++i) {
    auto dim = [&](RankedTensorType t) {
      int64_t index = i - (static_cast<int64_t>(shape.size()) - t.getRank());
      return index >= 0 ? t.getDimSize(index) : 1;
    };
    shape[i] = std::max(dim(left), dim(right));
  }
  shape[shape.size() - 2] = left.getDimSize(left.getRank() - 2);
  shape[shape.size() - 1] = right.getShape().back();
  return sumTo(context,
               context.createOne<MatMulOp>(
                   RankedTensorType::get(shape, left.getElementType()), {a, b}),
               type);
}

static bool flag(Operation *op, StringRef name) {
  auto attr = op->getAttrOfType<IntegerAttr>(name);
  return attr && attr.getInt();
}

/// (B1) Y = A B: dA = dY B^T, dB = A^T dY; for a weight matrix, batch items and
/// positions are rows.
static LogicalResult matmulGradient(Operation *op, GradientContext &context) {
  bool transA = flag(op, "transA"), transB = flag(op, "transB");
  RankedTensorType a = tensorOf(context.operand(0)),
                   b = tensorOf(context.operand(1));
  if (!a || !b || a.getRank() < 2 || b.getRank() < 2)
    return failure();
  Value dy = context.gradient();
  Value left = context.operand(0), right = context.operand(1);
  if (context.needsGradient(0)) {
    Value factor = transB ? right : transpose(context, right);
    RankedTensorType type = a;
    if (transA) {
      SmallVector<int64_t> shape(a.getShape());
      std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
      type = RankedTensorType::get(shape, a.getElementType());
    }
    Value grad = product(context, dy, factor, type);
    context.setGradient(0, transA ? transpose(context, grad) : grad);
  }
  if (context.needsGradient(1)) {
    Value grad;
    RankedTensorType type = b;
    if (transB)
      type = RankedTensorType::get({b.getShape().back(), b.getShape().front()},
                                   b.getElementType());
    if (b.getRank() == 2 && !transA)
      grad = product(context, transpose(context, flatten(context, left)),
                     flatten(context, dy), type);
    else if (b.getRank() > 2 && transB)
      return failure();
    else
      grad =
          product(context, transA ? left : transpose(context, left), dy, type);
    context.setGradient(1, transB ? transpose(context, grad) : grad);
  }
  return success();
}

/// A vector is a matrix with one row (left) or one column (right). Its gradient
/// is the other operand scaled or summed by dY, which is again a matmul.
static LogicalResult vectorGradient(GradientContext &context) {
  RankedTensorType a = tensorOf(context.operand(0)),
                   b = tensorOf(context.operand(1));
  if (!a || !b || a.getRank() < 1 || b.getRank() < 1)
    return failure();
  // The other operand may be a batch of matrices.
  ArrayRef<int64_t> longer = (a.getRank() > 1 ? a : b).getShape();
  ArrayRef<int64_t> batch =
      longer.drop_back(std::min<size_t>(2, longer.size()));
  auto matrix = [&](Value value, ArrayRef<int64_t> stack, int64_t rows,
                    int64_t cols) {
    SmallVector<int64_t> shape(stack);
    shape.append({rows, cols});
    return context.createOne<ReshapeOp>(
        RankedTensorType::get(shape, a.getElementType()), {value});
  };
  int64_t m = a.getRank() == 1 ? 1 : a.getDimSize(a.getRank() - 2);
  int64_t k = a.getShape().back();
  int64_t n = b.getRank() == 1 ? 1 : b.getShape().back();
  Value dy = matrix(context.gradient(), batch, m, n);
  Value left = context.operand(0), right = context.operand(1);
  if (a.getRank() == 1)
    left = matrix(left, {}, m, k);
  if (b.getRank() == 1)
    right = matrix(right, {}, k, n);
  if (context.needsGradient(0))
    context.setGradient(0, product(context, dy, transpose(context, right), a));
  if (context.needsGradient(1))
    context.setGradient(1, product(context, transpose(context, left), dy, b));
  return success();
}

LogicalResult gpucost::onnx::gradMatMul(Operation *op,
                                        GradientContext &context) {
  auto isVector = [&](unsigned i) {
    RankedTensorType type = tensorOf(context.operand(i));
    return type && type.getRank() == 1;
  };
  if (isVector(0) || isVector(1))
    return vectorGradient(context);
  return matmulGradient(op, context);
}

LogicalResult gpucost::onnx::gradGemm(Operation *op, GradientContext &context) {
  if (context.size() > 2 && context.needsGradient(2))
    context.setGradient(
        2, sumTo(context, context.gradient(), context.operand(2).getType()));
  return matmulGradient(op, context);
}

/// The gradient of one operand is the contraction of dY with the other
/// operands. Dimensions that only this operand has are broadcast as a view; a
/// diagonal follows (B7).
LogicalResult gpucost::onnx::gradEinsum(Operation *op,
                                        GradientContext &context) {
  std::optional<EinsumLetters> equation = readEinsum(op);
  if (!equation)
    return failure();
  ArrayRef<std::string> terms = equation->terms;
  std::map<char, int64_t> sizes;
  for (auto [i, term] : llvm::enumerate(terms)) {
    RankedTensorType type = tensorOf(context.operand(i));
    for (auto [axis, letter] : llvm::enumerate(term)) {
      // A repeated dimension in one of several operands is not supported.
      if (terms.size() > 1 && llvm::count(term, letter) > 1)
        return failure();
      int64_t &size = sizes.try_emplace(letter, 1).first->second;
      size = std::max(size, type.getDimSize(axis));
    }
  }
  if (terms.size() == 1) {
    StringRef term = terms.front();
    if (llvm::any_of(term, [&](char l) { return term.count(l) > 1; }))
      return gradSlice(op, context);
    return gradReduceSum(op, context);
  }
  Builder builder(op->getContext());
  for (unsigned i = 0; i < terms.size(); ++i) {
    if (!context.needsGradient(i))
      continue;
    std::string inputs = equation->result;
    SmallVector<Value> operands = {context.gradient()};
    for (unsigned other = 0; other < terms.size(); ++other)
      if (other != i) {
        inputs += "," + terms[other];
        operands.push_back(context.operand(other));
      }
    std::string kept;
    SmallVector<int64_t> shape;
    for (char letter : terms[i])
      if (StringRef(inputs).contains(letter)) {
        kept.push_back(letter);
        shape.push_back(sizes[letter]);
      }
    RankedTensorType type = tensorOf(context.operand(i));
    Value grad = context.createOne<EinsumOp>(
        RankedTensorType::get(shape, type.getElementType()), operands,
        builder.getNamedAttr("equation",
                             builder.getStringAttr(inputs + "->" + kept)));
    if (kept.size() == terms[i].size())
      give(context, i, grad);
    else
      context.setGradient(i, context.createOne<ExpandOp>(type, {grad}));
  }
  return success();
}

/// (B2) dX and dW cost as many multiply-adds as Y; the bias needs a column sum.
static LogicalResult gradProducts(GradientContext &context,
                                  ArrayRef<NamedAttribute> attributes) {
  Value dy = context.gradient();
  if (context.needsGradient(0))
    context.setGradient(0, context.createOne<ConvInputGradOp>(
                               context.operand(0).getType(),
                               {dy, context.operand(1)}, attributes));
  if (context.needsGradient(1))
    context.setGradient(1, context.createOne<ConvWeightGradOp>(
                               context.operand(1).getType(),
                               {dy, context.operand(0)}, attributes));
  if (context.size() > 2 && context.needsGradient(2))
    context.setGradient(
        2, context.createOne<ReduceSumOp>(context.operand(2).getType(), {dy}));
  return success();
}

LogicalResult gpucost::onnx::gradConv(Operation *op, GradientContext &context) {
  return gradProducts(context,
                      attributesOf(op, {"strides", "group", "kernel_shape"}));
}

LogicalResult gpucost::onnx::gradConvTranspose(Operation *op,
                                               GradientContext &context) {
  Builder builder(op->getContext());
  SmallVector<NamedAttribute> attributes =
      attributesOf(op, {"strides", "group", "kernel_shape"});
  attributes.push_back(
      builder.getNamedAttr("transposed", builder.getUnitAttr()));
  return gradProducts(context, attributes);
}

/// (B8) Operands (x, weight, offsets, bias, mask): a convolution's matmuls,
/// then one kernel that scatters or samples for each operand except the weight.
LogicalResult gpucost::onnx::gradDeformConv(Operation *op,
                                            GradientContext &context) {
  if (context.size() < 3)
    return failure();
  Value dy = context.gradient(), x = context.operand(0);
  SmallVector<NamedAttribute> attributes =
      attributesOf(op, {"strides", "group", "kernel_shape"});
  bool sampled = context.needsGradient(0) || context.needsGradient(2) ||
                 context.needsGradient(4);
  if (sampled) {
    Value columns = context.createOne<ConvInputGradOp>(
        x.getType(), {dy, context.operand(1)}, attributes);
    for (unsigned i : {0u, 2u, 4u})
      if (context.needsGradient(i))
        context.setGradient(i, context.createOne<ActivationGradOp>(
                                   context.operand(i).getType(),
                                   {columns, x, context.operand(2)},
                                   namedAfter(op)));
  }
  if (context.needsGradient(1))
    context.setGradient(
        1, context.createOne<ConvWeightGradOp>(context.operand(1).getType(),
                                               {dy, x}, attributes));
  if (context.needsGradient(3))
    context.setGradient(
        3, context.createOne<ReduceSumOp>(context.operand(3).getType(), {dy}));
  return success();
}

/// The steps of a recurrent layer, which the host does not launch (R5).
static SmallVector<NamedAttribute, 2> stepsOf(Operation *op) {
  SmallVector<NamedAttribute, 2> attributes;
  for (StringRef name :
       {StringRef(tripCountAttrName), StringRef(hostLaunchesAttrName)})
    if (Attribute value = op->getAttr(name))
      attributes.push_back(Builder(op->getContext()).getNamedAttr(name, value));
  return attributes;
}

/// (R3) The gradients of all gates, step by step; they are also the gradients
/// of the input and recurrent matmuls.
LogicalResult gpucost::onnx::gradRecurrentCell(Operation *op,
                                               GradientContext &context) {
  Value gates = context.createOne<RecurrentCellGradOp>(
      context.operand(0).getType(),
      {context.gradient(), context.operand(0), context.result()}, stepsOf(op));
  for (unsigned i = 0; i < 2; ++i)
    context.setGradient(i, gates);
  return success();
}

/// (R4) One matmul computes dR for all steps; the gradient of the state is
/// propagated backwards one step at a time.
LogicalResult gpucost::onnx::gradRecurrentProduct(Operation *op,
                                                  GradientContext &context) {
  Value gates = context.gradient(), recurrence = context.operand(1);
  auto cell = op->getResult(0).getUsers();
  if (cell.empty() || tensorOf(gates).getRank() != 3)
    return failure();
  Value states = (*cell.begin())->getResult(0);
  auto type = RankedTensorType::get(
      {tensorOf(gates).getDimSize(1), tensorOf(recurrence).getDimSize(1)},
      tensorOf(gates).getElementType());
  context.create<RecurrentInputGradOp>(type, {gates, recurrence}, stepsOf(op));
  context.setGradient(
      1, product(context, transpose(context, flatten(context, gates)),
                 flatten(context, states), recurrence.getType()));
  return success();
}
