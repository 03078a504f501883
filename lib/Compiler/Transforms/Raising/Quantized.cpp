//===- Quantized.cpp - Matrix kernels on quantised tensors ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quantized.h"
#include "Matchers.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

namespace {

/// The source of a dequantised float operand.
struct Quantised {
  onnx::DequantizeLinearOp source;
  onnx::TransposeOp transpose; ///< of the float tensor, if any
  RankedTensorType type;       ///< stored elements, in the operand's shape

  Value scale() const { return source->getOperand(1); }
  Value zeroPoint(Value none) const {
    return source->getNumOperands() > 2 ? source->getOperand(2) : none;
  }
  int64_t bits() const { return storedBits(type.getElementType()).value_or(0); }
};

/// One matmul or convolution and the ops that its kernel includes.
class QuantisedProduct {
public:
  QuantisedProduct(Operation *op,
                   llvm::function_ref<bool(NumericFormat)> hasUnit)
      : op(op), builder(op), hasUnit(hasUnit) {}

  bool run();

private:
  std::optional<Quantised> read(unsigned operand) const;
  bool fuseBoth(const Quantised &a, const Quantised &b);
  bool fuseWeight(const Quantised &weight);
  Value stored(const Quantised &operand);
  void findResult();
  void finish(Operation *kernel, Operation *root, StringRef what);

  Operation *op;
  OpBuilder builder;
  llvm::function_ref<bool(NumericFormat)> hasUnit;
  // The bias, and the op whose result the kernel writes: the matmul, or the
  // last of the ops that follow it, up to the quantisation.
  Value bias;
  Operation *last = nullptr;
  onnx::QuantizeLinearOp quantise;
};

} // namespace

std::optional<Quantised> QuantisedProduct::read(unsigned operand) const {
  if (operand >= op->getNumOperands())
    return std::nullopt;
  Value value = op->getOperand(operand);
  Quantised q;
  RankedTensorType shape = getStaticType(value);
  if (auto transpose = value.getDefiningOp<onnx::TransposeOp>();
      transpose && transpose->getNumOperands()) {
    q.transpose = transpose;
    value = transpose->getOperand(0);
  }
  q.source = value.getDefiningOp<onnx::DequantizeLinearOp>();
  if (!q.source || q.source->getNumOperands() < 2 || !shape)
    return std::nullopt;
  RankedTensorType stored = getStaticType(q.source->getOperand(0));
  if (!stored)
    return std::nullopt;
  q.type = RankedTensorType::get(shape.getShape(), stored.getElementType());
  return q;
}

/// The stored tensor in the shape of the operand: a view of it.
Value QuantisedProduct::stored(const Quantised &operand) {
  Value tensor = operand.source->getOperand(0);
  if (!operand.transpose)
    return tensor;
  Operation *view = builder.clone(*operand.transpose);
  view->setOperand(0, tensor);
  view->getResult(0).setType(operand.type);
  return view->getResult(0);
}

/// Follows the result through a bias and a ReLU, which kernels apply before the
/// store, to its quantisation. Without one the matmul is the last op.
void QuantisedProduct::findResult() {
  last = op;
  Value found;
  Operation *current = op;
  for (int step = 0; step < 3 && current->hasOneUse(); ++step) {
    Operation *user = *current->user_begin();
    if (auto quantised = dyn_cast<onnx::QuantizeLinearOp>(user)) {
      if (user->getOperand(0) == current->getResult(0) &&
          getStaticType(user->getResult(0))) {
        quantise = quantised;
        last = user;
        bias = found;
      }
      return;
    }
    if (isa<onnx::AddOp>(user) && step == 0 && user->getNumOperands() == 2) {
      Value other =
          user->getOperand(user->getOperand(0) == current->getResult(0));
      RankedTensorType type = getStaticType(other),
                       out = getStaticType(op->getResult(0));
      if (!isWeight(other) || !type || !out || out.getRank() == 0 ||
          type.getNumElements() != out.getShape().back())
        return;
      found = other;
    } else if (!isa<onnx::ReluOp, onnx::ClipOp>(user) ||
               user->getOperand(0) != current->getResult(0)) {
      return;
    }
    current = user;
  }
}

void QuantisedProduct::finish(Operation *kernel, Operation *root,
                              StringRef what) {
  if (Attribute names = root->getAttr(onnx::OnnxDialect::valueNamesAttrName))
    kernel->setAttr(onnx::OnnxDialect::valueNamesAttrName, names);
  remark::passed(
      op->getLoc(),
      remark::RemarkOpts::name("quantised").category("gpucost-raise-ops"))
      << remark::add("{0} as one {1} kernel", op->getName().stripDialect(),
                     what);
  root->getResult(0).replaceAllUsesWith(kernel->getResult(0));
  // The included ops have no other users and are erased with the root.
  SmallVector<Operation *> dead = {root};
  while (!dead.empty()) {
    Operation *next = dead.pop_back_val();
    if (!isOpTriviallyDead(next))
      continue;
    llvm::SmallPtrSet<Operation *, 4> sources;
    for (Value operand : next->getOperands())
      if (Operation *def = operand.getDefiningOp())
        sources.insert(def);
    next->erase();
    dead.append(sources.begin(), sources.end());
  }
}

/// Both operands have 8 bits: one kernel, with the scales in its epilogue.
bool QuantisedProduct::fuseBoth(const Quantised &a, const Quantised &b) {
  NumericFormat format = formatOf(a.type.getElementType());
  if (a.bits() != 8 || b.bits() != 8 || !hasUnit(format) ||
      infoOf(formatOf(b.type.getElementType())).rate != infoOf(format).rate)
    return false;
  findResult();
  builder.setInsertionPoint(last);
  OperationState missing(op->getLoc(), onnx::NoneOp::getOperationName());
  missing.addTypes(onnx::NoneType::get(op->getContext()));
  Value none = builder.create(missing)->getResult(0);
  SmallVector<Value> operands = {stored(a), a.scale(), a.zeroPoint(none),
                                 stored(b), b.scale(), b.zeroPoint(none)};
  Value scale = none, zero = none;
  if (quantise) {
    scale = quantise->getOperand(1);
    zero = quantise->getNumOperands() > 2 ? quantise->getOperand(2) : none;
  }
  if (!bias && op->getNumOperands() > 2)
    bias = op->getOperand(2);
  bool gemm = isa<onnx::GemmOp>(op), conv = isa<onnx::ConvOp>(op);
  if (gemm)
    operands.push_back(bias ? bias : none);
  operands.append({scale, zero});
  if (!gemm && bias)
    operands.push_back(bias);
  const onnx::OpInfo &info = conv   ? onnx::QLinearConvOp::getOpInfo()
                             : gemm ? onnx::QGemmOp::getOpInfo()
                                    : onnx::QLinearMatMulOp::getOpInfo();
  OperationState state(op->getLoc(), info.name);
  state.addTypes(last->getResult(0).getType());
  state.addOperands(operands);
  state.addAttributes(onnx::getAttributesFor(info, op));
  finish(builder.create(state), last, stringifyNumericFormat(format));
  return true;
}

/// A weight [k, n] of at most 8 bits and float activations: the kernel
/// reads the stored weight and its scales.
bool QuantisedProduct::fuseWeight(const Quantised &weight) {
  RankedTensorType a = getStaticType(op->getOperand(0));
  if (!a || isa<onnx::ConvOp>(op) || weight.type.getRank() != 2 ||
      weight.bits() < 1 || weight.bits() > 8 ||
      !isWeight(weight.source->getOperand(0)) || a.getRank() == 0 ||
      (isa<onnx::GemmOp>(op) && op->getNumOperands() > 2))
    return false;
  if (onnx::getInt(op, "transA") != 0)
    return false;
  bool transposed = onnx::getInt(op, "transB") != 0;
  int64_t k = weight.type.getDimSize(transposed),
          n = weight.type.getDimSize(!transposed);
  if (a.getShape().back() != k)
    return false;
  builder.setInsertionPoint(op);
  SmallVector<Value> operands = {op->getOperand(0),
                                 weight.source->getOperand(0), weight.scale()};
  if (weight.source->getNumOperands() > 2)
    operands.push_back(weight.source->getOperand(2));
  OperationState state(op->getLoc(), onnx::MatMulNBitsOp::getOperationName());
  state.addTypes(op->getResult(0).getType());
  state.addOperands(operands);
  auto integer = [&](StringRef name, int64_t value) {
    state.addAttribute(name, builder.getI64IntegerAttr(value));
  };
  integer("K", k);
  integer("N", n);
  integer("bits", weight.bits());
  std::string what = std::to_string(weight.bits()) + "-bit weight";
  finish(builder.create(state), op, what);
  return true;
}

bool QuantisedProduct::run() {
  if (op->getNumOperands() < 2 || op->getNumResults() == 0 ||
      !getStaticType(op->getResult(0)) ||
      op->hasAttr(onnx::OnnxDialect::constantAttrName))
    return false;
  std::optional<Quantised> a = read(0), b = read(1);
  if (a && b)
    return fuseBoth(*a, *b);
  return b && fuseWeight(*b);
}

/// A float weight that is quantised and dequantised in the graph is stored
/// quantised: inference quantises it ahead of time.
static void storeQuantised(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!isa<onnx::QuantizeLinearOp>(op) || op.getNumOperands() == 0 ||
        !getStaticType(op.getResult(0)) ||
        !llvm::all_of(op.getUsers(), [](Operation *user) {
          return isa<onnx::DequantizeLinearOp>(user);
        }))
      continue;
    auto weight = op.getOperand(0).getDefiningOp<onnx::ParameterOp>();
    if (!weight)
      continue;
    OpBuilder builder(&op);
    Operation *stored = builder.clone(*weight);
    stored->getResult(0).setType(op.getResult(0).getType());
    op.getResult(0).replaceAllUsesWith(stored->getResult(0));
    op.erase();
    if (weight->use_empty())
      weight->erase();
  }
}

void gpucost::raising::raiseQuantized(
    Block &block, llvm::function_ref<bool(NumericFormat)> hasUnit) {
  storeQuantised(block);
  SmallVector<Operation *> products;
  for (Operation &op : block)
    if (isa<onnx::MatMulOp, onnx::GemmOp, onnx::ConvOp>(op))
      products.push_back(&op);
  // A rewrite erases only the matmul that it replaces.
  for (Operation *op : products)
    QuantisedProduct(op, hasUnit).run();
}
