//===- LastLogits.cpp - Logits of only the last position ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Servable.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::serve;

/// Ops between the matmul and the output: casts, soft caps, scales, a bias.
static constexpr unsigned longestChain = 8;

/// The returned value named logits, or the first one.
static Value findLogits(func::FuncOp function) {
  Operation *end = function.getBody().front().getTerminator();
  if (end->getNumOperands() == 0)
    return {};
  if (auto names = function->getAttrOfType<ArrayAttr>(
          onnx::OnnxDialect::outputNamesAttrName))
    for (auto [i, name] : llvm::enumerate(names.getAsRange<StringAttr>()))
      if (name.getValue() == "logits" && i < end->getNumOperands())
        return end->getOperand(static_cast<unsigned>(i));
  return end->getOperand(0);
}

static bool isProduct(Operation *op) {
  return isa<onnx::MatMulOp>(op) ||
         op->getName().getStringRef() == "onnx.MatMulNBits";
}

/// The matmul that computes `logits`; `chain` receives the ops after it.
static Operation *findProduct(Value logits,
                              SmallVectorImpl<Operation *> &chain) {
  for (unsigned i = 0; i < longestChain; ++i) {
    Operation *def = logits.getDefiningOp();
    if (!def || def->getNumOperands() == 0)
      return nullptr;
    chain.push_back(def);
    if (isProduct(def))
      return def;
    // The rank does not change: positions are the dimension before the last.
    if (!isa<onnx::CastOp, onnx::MulOp, onnx::DivOp, onnx::AddOp, onnx::TanhOp,
             onnx::IdentityOp>(def))
      return nullptr;
    bool isBias = def->getOperand(0).getDefiningOp<onnx::ParameterOp>();
    logits = def->getOperand(isBias && def->getNumOperands() > 1 ? 1 : 0);
  }
  return nullptr;
}

static Value makeIndex(OpBuilder &builder, Location loc, int64_t value) {
  auto type = RankedTensorType::get({1}, builder.getI64Type());
  OperationState state(loc, onnx::ConstantOp::getOperationName());
  state.addTypes(type);
  state.addAttribute("value", DenseElementsAttr::get(type, ArrayRef(value)));
  return builder.create(state)->getResult(0);
}

static bool keepLast(func::FuncOp function, int64_t positions) {
  if (function.isExternal())
    return false;
  Value logits = findLogits(function);
  SmallVector<Operation *> chain;
  Operation *product = logits ? findProduct(logits, chain) : nullptr;
  // Shapes are not inferred yet.
  if (!product || isa<RankedTensorType>(product->getOperand(0).getType()))
    return false;
  OpBuilder builder(product);
  Location loc = product->getLoc();
  OperationState state(loc, onnx::SliceOp::getOperationName());
  state.addTypes(product->getOperand(0).getType());
  state.addOperands(
      {product->getOperand(0), makeIndex(builder, loc, -positions),
       makeIndex(builder, loc, INT64_MAX), makeIndex(builder, loc, 1)});
  product->setOperand(0, builder.create(state)->getResult(0));
  for (Operation *op : chain) {
    op->removeAttr("onnx.declared");
    op->removeAttr("onnx.declared_dims");
  }
  return true;
}

bool serve::keepLastLogits(ModuleOp model, int64_t positions) {
  bool kept = false;
  for (auto function : model.getOps<func::FuncOp>())
    kept |= keepLast(function, positions);
  return kept;
}
