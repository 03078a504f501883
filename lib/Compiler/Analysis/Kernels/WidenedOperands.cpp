//===- WidenedOperands.cpp - Matrix products of widened tensors -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Analysis/Kernels/WidenedOperands.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxViews.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace gpucost;

/// Maximum number of ops between a product and the widening of an operand.
static constexpr size_t maxPath = 32;
/// Integers that a matrix unit multiplies, and those that it adds in.
static constexpr unsigned integerBits = 8, accumulatorBits = 32;

static Type elementOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getElementType() : Type();
}

/// Whether matrix units multiply floats of this type.
static bool isNarrowFloat(Type type) {
  return type.isF16() || type.isBF16() ||
         isa<Float8E4M3FNType, Float8E4M3FNUZType, Float8E5M2Type,
             Float8E5M2FNUZType>(type);
}

/// Whether a matrix unit multiplies `narrow` and adds in `wide`.
static bool isWidening(Type narrow, Type wide) {
  if (!narrow || !wide)
    return false;
  return wide.isF32()
             ? isNarrowFloat(narrow)
             : wide.isInteger(accumulatorBits) && narrow.isInteger(integerBits);
}

static bool isExtension(Operation *op) {
  return isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op);
}

/// The only value that each element of the structured op `op` is computed from,
/// if it has one input and one result without a reduction.
static Value findYielded(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured || !structured.hasPureTensorSemantics() ||
      structured.getNumDpsInputs() != 1 || structured.getNumDpsInits() != 1 ||
      structured.getNumReductionLoops() ||
      !cast<ShapedType>(op->getResult(0).getType()).hasStaticShape())
    return {};
  return structured.getBlock()->getTerminator()->getOperand(0);
}

static bool isInput(Operation *op, Value value) {
  auto structured = cast<linalg::LinalgOp>(op);
  return value ==
         structured.getMatchingBlockArgument(structured.getDpsInputOperand(0));
}

/// Whether `op` only widens its first operand, perhaps to another layout.
static bool widens(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      !isWidening(elementOf(op->getOperand(0)), elementOf(op->getResult(0))))
    return false;
  if (isExtension(op) || isa<onnx::CastOp>(op))
    return true;
  Value yielded = findYielded(op);
  Operation *def = yielded ? yielded.getDefiningOp() : nullptr;
  return def && isExtension(def) && isInput(op, def->getOperand(0));
}

/// Whether `op` only moves or repeats the elements of its first operand.
static bool moves(Operation *op) {
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp,
          tensor::ExtractSliceOp>(op) ||
      onnx::movesElements(op))
    return op->getNumResults() == 1 && op->getNumOperands() &&
           elementOf(op->getOperand(0)) == elementOf(op->getResult(0));
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value padding = pad.getConstantPaddingValue();
    return padding && padding.getDefiningOp<arith::ConstantOp>();
  }
  Value yielded = findYielded(op);
  return yielded && isInput(op, yielded);
}

static WidenedOperand trace(OpOperand &operand) {
  WidenedOperand traced;
  traced.operand = &operand;
  for (Operation *op = operand.get().getDefiningOp();
       op && traced.path.size() < maxPath;
       op = op->getOperand(0).getDefiningOp()) {
    traced.path.push_back(op);
    if (widens(op))
      return traced;
    if (!moves(op))
      break;
  }
  traced.path.clear();
  return traced;
}

/// Whether `use` passes the elements of a product on: a view, a bias, a scale
/// or a division by a number.
static bool passesOn(OpOperand &use) {
  Operation *reader = use.getOwner();
  if (reader->getNumResults() != 1 || reader->use_empty())
    return false;
  return isa<onnx::AddOp, onnx::MulOp>(reader) ||
         (use.getOperandNumber() == 0 &&
          (isa<onnx::DivOp>(reader) || moves(reader)));
}

/// Whether all readers of an ONNX product cast its result to a 16-bit float or
/// less, through additions, scales and views. PyTorch executes the casts of an
/// exported model: a product whose result stays in fp32 (a router, a loss) was
/// requested in fp32.
static bool isNarrowedAgain(Operation *product) {
  SmallVector<OpOperand *> uses;
  auto addUses = [&](Operation *op) {
    for (OpOperand &use : op->getUses())
      uses.push_back(&use);
  };
  addUses(product);
  for (size_t i = 0; i < uses.size() && i < maxPath; ++i) {
    Operation *reader = uses[i]->getOwner();
    Type element =
        isa<onnx::CastOp>(reader) ? elementOf(reader->getResult(0)) : Type();
    if (element && isNarrowFloat(element))
      continue;
    if (!passesOn(*uses[i]))
      return false;
    addUses(reader);
  }
  return !uses.empty() && uses.size() <= maxPath;
}

static bool isMatrixProduct(Operation *op) {
  if (op->getNumOperands() < 2 || op->getNumResults() != 1)
    return false;
  if (isa<onnx::MatMulOp, onnx::GemmOp, onnx::ConvOp>(op))
    return isNarrowedAgain(op);
  return isa<linalg::LinalgOp>(op) && isProduct(getCostClass(op));
}

/// Whether `op` can be a matrix product with a widened operand: a check without
/// queries of other ops, since most ops are not.
static bool mayWiden(Operation *op) {
  if (op->getNumOperands() < 2)
    return false;
  auto isWide = [](Value value) {
    Type element = elementOf(value);
    return element && (element.isF32() || element.isInteger(accumulatorBits));
  };
  if (!isWide(op->getOperand(0)) && !isWide(op->getOperand(1)))
    return false;
  if (isa<onnx::MatMulOp, onnx::GemmOp, onnx::ConvOp>(op))
    return true;
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && structured.getNumReductionLoops() != 0;
}

Type gpucost::narrowTypeOf(ArrayRef<WidenedOperand> operands) {
  return elementOf(operands.front().source());
}

SmallVector<WidenedOperand, 2> gpucost::findWidenedOperands(Operation *op) {
  SmallVector<WidenedOperand, 2> found;
  Type narrow;
  if (!mayWiden(op))
    return found;
  for (OpOperand &operand : op->getOpOperands().take_front(2)) {
    WidenedOperand traced = trace(operand);
    Type element = traced.path.empty() ? elementOf(operand.get())
                                       : elementOf(traced.source());
    if (!element || (narrow && element != narrow))
      return {};
    narrow = element;
    if (!traced.path.empty())
      found.push_back(std::move(traced));
  }
  if (found.empty() || !isMatrixProduct(op))
    return {};
  return found;
}
