//===- LaunchView.cpp - Launches as they stand in the IR ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchView.h"
#include "gpucost/Analysis/BlockNest.h"
#include "gpucost/Analysis/IterationAnalysis.h"
#include "gpucost/Analysis/LaunchRules.h"
#include "gpucost/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Dialect/GpuCost/Utils/LoopTrips.h"
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

bool gpucost::dependsOnUsers(Operation *op, CostClass shape) {
  StringRef dialect = op->getName().getDialectNamespace();
  return shape == CostClass::DataMovement &&
         (dialect == "linalg" || dialect == "tensor");
}

bool gpucost::needsWholeFunction(Operation *op) {
  bool isForeign = op->walk([](Operation *inner) {
                       StringRef dialect =
                           inner->getName().getDialectNamespace();
                       return dialect == "onnx" || dialect == "tosa" ||
                                      isa<CallOpInterface>(inner)
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     }).wasInterrupted();
  return isForeign || llvm::any_of(op->getResultTypes(), [](Type type) {
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

OpFacts::Shard &OpFacts::shardOf(Operation *op) {
  return shards[(reinterpret_cast<uintptr_t>(op) >> 6) % shards.size()];
}

std::optional<OpFacts::Fact> OpFacts::peek(Operation *op) {
  Shard &shard = shardOf(op);
  std::lock_guard<std::mutex> lock(shard.mutex);
  auto known = shard.facts.find(op);
  return known == shard.facts.end() ? std::nullopt
                                    : std::optional<Fact>(known->second);
}

OpFacts::Fact OpFacts::get(Operation *op) {
  if (std::optional<Fact> known = peek(op))
    return *known;
  Shard &shard = shardOf(op);
  Fact fact;
  fact.own = readWork(op);
  fact.launchesNothing =
      launchesNothing(op, [&](Operation *) { return fact.own.shape; });
  std::lock_guard<std::mutex> lock(shard.mutex);
  shard.facts[op] = fact;
  return fact;
}

void OpFacts::erase(Operation *op) {
  Shard &shard = shardOf(op);
  std::lock_guard<std::mutex> lock(shard.mutex);
  shard.facts.erase(op);
}

bool LaunchReader::launches(Operation *op) const {
  OpFacts::Fact fact = facts.get(op);
  return !fact.launchesNothing && !constants.contains(op) &&
         fact.own.shape != CostClass::View;
}

Operation *LaunchReader::findProduct(Operation *op) const {
  auto isKernel = [&](Operation *other) {
    return other->getBlock() == op->getBlock() && launches(other);
  };
  auto classOfEach = [&](Operation *each) { return classOf(each); };
  Operation *product = findProductOfVector(op, isKernel, classOfEach);
  return product ? product : findProductOfCast(op, isKernel, classOfEach);
}

/// `product`, what is added to it, the cast behind, and the views between.
SmallVector<Operation *> LaunchReader::withEpilogue(Operation *product) const {
  SmallVector<Operation *> members = {product};
  CostClass shape = classOf(product);
  if (shape != CostClass::Contraction && shape != CostClass::Convolution)
    return members;
  Operation *last = product;
  size_t known = 1;
  while (last->hasOneUse()) {
    last = *last->getUsers().begin();
    if (last->getBlock() != product->getBlock())
      break;
    members.push_back(last);
    if (classOf(last) == CostClass::View)
      continue;
    if (findProduct(last) != product)
      break;
    known = members.size();
  }
  members.resize(known);
  return members;
}

LaunchView LaunchReader::viewMembers(const KernelMembers &members) const {
  auto read = [&](Operation *op) { return facts.get(op).own; };
  LaunchView view;
  CountedWork counted = countWork(members, rules, read);
  if (counted.work) {
    view.work = std::move(counted.work);
    return view;
  }
  auto bytes = borderBytes(members, read);
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

LaunchView LaunchReader::viewLaunch(Operation *op) const {
  if (auto kernel = dyn_cast<KernelOp>(op)) {
    LaunchView view;
    if (WorkAttr work = kernel.getWorkAttr()) {
      view.work = work.getValue();
      view.coverage = kernel.getCoverage();
      if (auto reason = kernel->getAttrOfType<StringAttr>(reasonAttrName))
        view.reason = reason.str();
    } else {
      view = viewMembers(KernelMembers(kernel));
    }
    view.count = static_cast<int64_t>(kernel.getCount());
    if (ScheduleAttr schedule = getSchedule(kernel))
      view.schedule = schedule.getValue();
    return view;
  }
  if (!launches(op))
    return {};
  if (Operation *product = findProduct(op)) {
    LaunchView view;
    view.reason = "part of the kernel of '" +
                  product->getName().getStringRef().str() + "'";
    return view;
  }
  SmallVector<Operation *> members = withEpilogue(op);
  LaunchView view = viewMembers(KernelMembers(members));
  // (J5)
  for (Operation *member : llvm::reverse(members))
    if (auto schedule = member->getAttrOfType<ScheduleAttr>(scheduleAttrName);
        schedule && view.coverage == Coverage::Modelled)
      view.schedule = schedule.getValue();
  if (auto trips = op->getAttrOfType<IntegerAttr>(tripCountAttrName))
    view.count = trips.getInt();
  return view;
}
