//===- Reductions.cpp - Sums of 16-bit numbers ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Raiser.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

static constexpr StringLiteral promotionName = "convert_element_type";

static Type elementOf(Value value) {
  return getElementTypeOrSelf(value.getType());
}

/// Whether `op` is a cast that PyTorch's exporter adds where an operator
/// accumulates in fp32; it names the node after a primitive. The casts of a
/// model have other names.
static bool isPromotion(Operation *op) {
  if (!isa_and_nonnull<onnx::CastOp>(op))
    return false;
  return op->getLoc()
      ->walk([](Location inner) {
        auto named = dyn_cast<NameLoc>(inner);
        return named && named.getName().strref().contains(promotionName)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// PyTorch's kernel reads 16-bit numbers and accumulates in fp32; its exporter
/// writes a cast before the reduction and, if it has a reader, one after it.
bool Raiser::raiseReduction(Operation *reduce) {
  Operation *widen = reduce->getOperand(0).getDefiningOp();
  if (!isPromotion(widen) || !widen->hasOneUse())
    return false;
  Value x = widen->getOperand(0);
  Type type = elementOf(x);
  if (!(type.isF16() || type.isBF16()) ||
      !elementOf(widen->getResult(0)).isF32())
    return false;
  Operation *narrow = getOnlyUser(reduce->getResult(0));
  bool isNarrowed =
      isPromotion(narrow) && elementOf(narrow->getResult(0)) == type;
  Match match;
  match.root = isNarrowed ? narrow : reduce;
  match.add(reduce);
  match.add(widen);
  SmallVector<Value> operands(reduce->getOperands());
  operands.front() = x;
  OperationState state(fuseLocations(match), reduce->getName());
  state.addOperands(operands);
  state.addTypes(match.root->getResultTypes());
  state.addAttributes(reduce->getAttrs());
  OpBuilder builder(match.root);
  Operation *op = builder.create(state);
  finish(match, op, op);
  return true;
}
