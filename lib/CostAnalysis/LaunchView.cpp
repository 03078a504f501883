//===- LaunchView.cpp - Launches as they stand in the IR ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchView.h"
#include "gpucost/Analysis/BlockNest.h"
#include "gpucost/Analysis/LaunchRules.h"
#include "gpucost/Analysis/LoopTrips.h"
#include "gpucost/Dialect/GpuCost/IR/Annotations.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace gpucost;

Operation *gpucost::findTopLevelOp(Operation *op) {
  while (Operation *parent = op->getParentOp()) {
    if (isa<FunctionOpInterface, ModuleOp>(parent) ||
        parent->hasTrait<OpTrait::IsIsolatedFromAbove>())
      break;
    op = parent;
  }
  return op;
}

bool gpucost::needsCopy(Operation *op) {
  if (isLoop(op) || isBranch(op) || isBlockNest(op))
    return true;
  return op->hasTrait<OpTrait::Elementwise>() && op->getNumResults() &&
         isa<RankedTensorType>(op->getResult(0).getType()) &&
         op->getName().getDialectNamespace() != "onnx";
}

bool gpucost::dependsOnUsers(Operation *op) {
  auto work = dyn_cast<WorkOpInterface>(op);
  StringRef dialect = op->getName().getDialectNamespace();
  return work && (dialect == "linalg" || dialect == "tensor") &&
         work.getCostClass() == CostClass::DataMovement;
}

bool gpucost::needsWholeFunction(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  if (dialect == "onnx" || dialect == "tosa" || isa<CallOpInterface>(op))
    return true;
  return llvm::any_of(op->getResultTypes(), [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && (!shaped.hasRank() || !shaped.hasStaticShape());
  });
}

void ConstantOps::addBlock(Block &block) {
  for (Operation &op : block)
    if (isConstantWork(&op, [&](Operation *def) { return contains(def); }))
      known.insert(&op);
}

void ConstantOps::update(Operation *op) {
  SmallVector<Operation *> worklist = {op};
  while (!worklist.empty()) {
    Operation *next = worklist.pop_back_val();
    bool is =
        isConstantWork(next, [&](Operation *def) { return contains(def); });
    if (is == contains(next))
      continue;
    if (is)
      known.insert(next);
    else
      known.erase(next);
    for (Operation *user : next->getUsers())
      if (user->getBlock() == next->getBlock())
        worklist.push_back(user);
  }
}

static CostClass classOf(Operation *op) {
  auto work = dyn_cast<WorkOpInterface>(op);
  return work ? work.getCostClass() : CostClass::Opaque;
}

bool gpucost::launches(Operation *op, const ConstantOps &constants) {
  return !launchesNothing(op) && !constants.contains(op) &&
         classOf(op) != CostClass::View;
}

Operation *gpucost::findProduct(Operation *op, const ConstantOps &constants) {
  if (op->getName().getDialectNamespace() != "linalg" ||
      op->getNumOperands() != 3)
    return nullptr;
  for (OpOperand &operand : op->getOpOperands().take_front(2)) {
    Operation *product = findProductOfVector(op, operand);
    if (!product || !launches(product, constants))
      continue;
    // The bias must exist before the product runs.
    Operation *bias =
        op->getOperand(1 - operand.getOperandNumber()).getDefiningOp();
    while (bias && bias->getNumOperands() && isa<WorkOpInterface>(bias) &&
           !launches(bias, constants))
      bias = bias->getOperand(0).getDefiningOp();
    if (!bias || bias->getBlock() != op->getBlock() ||
        !launches(bias, constants))
      return product;
  }
  return nullptr;
}

/// `product`, the bias that is added to its only use, and the views between.
static SmallVector<Operation *> withEpilogue(Operation *product,
                                             const ConstantOps &constants) {
  SmallVector<Operation *> members = {product};
  CostClass shape = classOf(product);
  if (shape != CostClass::Contraction && shape != CostClass::Convolution)
    return members;
  Operation *last = product;
  while (last->hasOneUse()) {
    last = *last->getUsers().begin();
    if (last->getBlock() != product->getBlock())
      break;
    members.push_back(last);
    if (classOf(last) == CostClass::View)
      continue;
    if (findProduct(last, constants) == product)
      return members;
    break;
  }
  return {product};
}

LaunchView gpucost::viewMembers(const KernelMembers &members,
                                const UnitRules &rules) {
  LaunchView view;
  CountedWork counted = countWork(members, rules);
  if (counted.work) {
    view.work = std::move(counted.work);
    return view;
  }
  auto bytes = borderBytes(members);
  view.work = bytes ? makeBound(bytes->first, bytes->second) : KernelWork();
  view.coverage = bytes ? Coverage::Fallback : Coverage::Unmodelled;
  std::string name =
      counted.unknown
          ? "'" + counted.unknown->getName().getStringRef().str() + "': "
          : "";
  view.reason =
      name + (bytes ? reasonOfUnknown(counted.unknown) : "unknown shapes");
  return view;
}

LaunchView gpucost::viewLaunch(Operation *op, const ConstantOps &constants,
                               const UnitRules &rules) {
  if (auto kernel = dyn_cast<KernelOp>(op)) {
    LaunchView view;
    if (WorkAttr work = kernel.getWorkAttr()) {
      view.work = work.getValue();
      view.coverage = kernel.getCoverage();
      if (auto reason = kernel->getAttrOfType<StringAttr>(reasonAttrName))
        view.reason = reason.str();
    } else {
      view = viewMembers(KernelMembers(kernel), rules);
    }
    view.count = static_cast<int64_t>(kernel.getCount());
    return view;
  }
  if (!launches(op, constants))
    return {};
  if (Operation *product = findProduct(op, constants)) {
    LaunchView view;
    view.reason = "part of the kernel of '" +
                  product->getName().getStringRef().str() + "'";
    return view;
  }
  LaunchView view =
      viewMembers(KernelMembers(withEpilogue(op, constants)), rules);
  if (auto trips = op->getAttrOfType<IntegerAttr>(tripCountAttrName))
    view.count = trips.getInt();
  return view;
}
