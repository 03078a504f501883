//===- LaunchView.cpp - Launches of existing IR ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchView.h"
#include "gpucost/Compiler/Analysis/Iteration/IterationAnalysis.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/Analysis/Kernels/WidenedOperands.h"
#include "gpucost/Compiler/Analysis/Nests/BlockNest.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/Utils/LoopTrips.h"
#include "gpucost/Compiler/Transforms/Structure/ForeignFunctions.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace gpucost;

bool gpucost::isFunction(Operation *op) {
  return isa<FunctionOpInterface>(op) || isForeignFunction(op);
}

Operation *gpucost::findTopLevelOp(Operation *op) {
  while (Operation *parent = op->getParentOp()) {
    // Regions of unknown ops, such as dispatches, are bodies too.
    if (isa<ModuleOp>(parent) || isFunction(parent) ||
        !parent->isRegistered() ||
        parent->hasTrait<OpTrait::IsIsolatedFromAbove>())
      break;
    op = parent;
  }
  return op;
}

Operation *gpucost::findLoopOfKernels(Operation *op) {
  Operation *loop = nullptr;
  for (Operation *at = op; at; at = at->getParentOp())
    if (isLoop(at) && !isBlockNest(at))
      loop = at;
  return loop;
}

std::string gpucost::describeLoop(Operation *loop, Operation *kernel) {
  std::string text =
      "'" + loop->getName().getStringRef().str() + "' is not mapped to CTAs: ";
  if (loop == kernel)
    return text + "its scalar ops are one kernel, without tensor cores, and "
                  "kernels run one after the other";
  text += "its kernels run ";
  if (isa<affine::AffineParallelOp>(loop))
    return text + "one after the other, each over all iterations; as "
                  "'scf.parallel' with a mapping to #gpu.block it is one "
                  "kernel";
  if (isa<scf::ForallOp, scf::ParallelOp>(loop))
    return text + "one after the other, each over all iterations; with "
                  "mapping = [#gpu.block<x>, ...] it is one kernel";
  return text + "in each iteration, one after the other";
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
                                      isa<CallOpInterface>(inner) ||
                                      !findWidenedOperands(inner).empty()
                                  ? WalkResult::interrupt()
                                  : WalkResult::advance();
                     }).wasInterrupted();
  auto isDynamic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && (!shaped.hasRank() || !shaped.hasStaticShape());
  };
  // Ops on buffers have no results.
  return isForeign || llvm::any_of(op->getResultTypes(), isDynamic) ||
         (op->getNumResults() == 0 &&
          llvm::any_of(op->getOperandTypes(), isDynamic));
}

bool gpucost::hasKnownSizes(Operation *op) {
  auto isKnown = [](Value value) {
    Operation *def = value.getDefiningOp();
    return !value.getType().isIndex() ||
           (def && def->hasTrait<OpTrait::ConstantLike>());
  };
  llvm::SetVector<Value> read(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  if (!llvm::all_of(read, isKnown))
    return false;
  auto isStatic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || (shaped.hasRank() && shaped.hasStaticShape());
  };
  return !op->walk([&](Operation *inner) {
              return llvm::all_of(inner->getOperandTypes(), isStatic) &&
                             llvm::all_of(inner->getResultTypes(), isStatic)
                         ? WalkResult::advance()
                         : WalkResult::interrupt();
            }).wasInterrupted();
}

LaunchView gpucost::viewMembers(const KernelMembers &members, OpFacts &facts,
                                const UnitRules &rules) {
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

LaunchView gpucost::viewKernel(KernelOp kernel) {
  LaunchView view;
  WorkAttr work = kernel.getWorkAttr();
  view.work = work ? work.getValue() : KernelWork();
  view.coverage = work ? kernel.getCoverage() : Coverage::Unmodelled;
  if (auto reason = kernel->getAttrOfType<StringAttr>(reasonAttrName))
    view.reason = reason.str();
  view.count = static_cast<int64_t>(kernel.getCount());
  if (ScheduleAttr schedule = getSchedule(kernel))
    view.schedule = schedule.getValue();
  return view;
}

Schedule gpucost::statedSchedule(ArrayRef<Operation *> members) {
  for (Operation *member : members)
    if (auto stated = member->getAttrOfType<ScheduleAttr>(scheduleAttrName))
      return stated.getValue();
  return {};
}

LaunchView gpucost::viewLaunch(Operation *op, const KernelPartition &partition,
                               OpFacts &facts, const UnitRules &rules) {
  Operation *first = partition.firstOf(op);
  if (!first)
    return {};
  if (first != op) {
    LaunchView view;
    view.reason =
        "part of the kernel of '" + first->getName().getStringRef().str() + "'";
    return view;
  }
  SmallVector<Operation *> members;
  for (KernelMember member : partition.groupOf(op).body)
    members.push_back(cast<Operation *>(member));
  LaunchView view = viewMembers(KernelMembers(members), facts, rules);
  if (view.coverage == Coverage::Modelled)
    view.schedule = statedSchedule(members);
  if (auto trips = op->getAttrOfType<IntegerAttr>(tripCountAttrName))
    view.count = trips.getInt();
  return view;
}
