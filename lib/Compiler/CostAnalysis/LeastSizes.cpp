//===- LeastSizes.cpp - Sizes for lower bounds ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LeastSizes.h"
#include "LaunchView.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace gpucost;

/// Index arithmetic, whose operands are sizes.
static bool isIndexArithmetic(Operation *op) {
  return llvm::is_contained({"affine", "arith", "index"},
                            op->getName().getDialectNamespace()) &&
         op->getNumRegions() == 0 && op->getNumOperands() != 0;
}

/// Whether `size` falls where a size that it is computed from grows.
static bool mayFall(Value size) {
  Operation *def = size.getDefiningOp();
  if (!def || !size.getType().isIndex() || !isIndexArithmetic(def))
    return false;
  IntegerAttr constant;
  if (isa<arith::SubIOp>(def) &&
      !matchPattern(def->getOperand(1), m_Constant(&constant)))
    return true;
  auto map = def->getAttrOfType<AffineMapAttr>("map");
  bool subtracts = false;
  if (map)
    map.getAffineMap().walkExprs([&](AffineExpr expr) {
      auto factor = dyn_cast<AffineConstantExpr>(expr);
      subtracts |= factor && factor.getValue() == -1;
    });
  return subtracts || llvm::any_of(def->getOperands(), mayFall);
}

/// Gives results of calls and of unknown ops, whose sizes follow from nothing
/// in the function, sizes of 1.
static void assumeLeastResults(Operation *function) {
  OpBuilder builder(function->getContext());
  function->walk([&](Operation *op) {
    if (op == function || (op->isRegistered() && !isa<CallOpInterface>(op)))
      return;
    builder.setInsertionPointAfter(op);
    for (OpResult result : op->getResults()) {
      Type type = result.getType();
      if (!hasDynamicSize(type) || !isa<RankedTensorType, MemRefType>(type))
        continue;
      auto shaped = cast<ShapedType>(type);
      SmallVector<int64_t> least;
      for (int64_t size : shaped.getShape())
        least.push_back(ShapedType::isDynamic(size) ? 1 : size);
      result.setType(shaped.clone(least));
      Operation *cast =
          isa<MemRefType>(type)
              ? memref::CastOp::create(builder, op->getLoc(), type, result)
                    .getOperation()
              : tensor::CastOp::create(builder, op->getLoc(), type, result)
                    .getOperation();
      result.replaceAllUsesExcept(cast->getResult(0), cast);
    }
  });
}

/// Whether `size` is an argument of the function or an element of a tensor that
/// the function does not compute.
static bool isData(Value size) {
  if (auto cast = size.getDefiningOp<CastOpInterface>();
      cast && cast->getNumOperands() == 1)
    size = cast->getOperand(0);
  Operation *def = size.getDefiningOp();
  if (!def)
    return isFunction(size.getParentBlock()->getParentOp());
  return isa<tensor::ExtractOp, memref::LoadOp>(def) &&
         isa<BlockArgument>(def->getOperand(0));
}

void gpucost::assumeLeastSizes(Operation *function) {
  using Bounds = ValueBoundsConstraintSet;
  assumeLeastResults(function);
  SmallVector<OpOperand *> uses;
  function->walk([&](Operation *op) {
    bool isSize = !isIndexArithmetic(op);
    for (OpOperand &use : op->getOpOperands())
      if (use.get().getType().isIndex() &&
          (isData(use.get()) ||
           (isSize && mayFall(use.get()) &&
            failed(Bounds::computeConstantBound(presburger::BoundType::LB,
                                                Bounds::Variable(use.get()))))))
        uses.push_back(&use);
  });
  if (uses.empty())
    return;
  Block &entry = function->getRegion(0).front();
  OpBuilder builder(&entry, entry.begin());
  Value one = arith::ConstantIndexOp::create(builder, function->getLoc(), 1);
  for (OpOperand *use : uses)
    use->set(one);
}
