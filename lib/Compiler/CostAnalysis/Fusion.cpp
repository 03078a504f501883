//===- Fusion.cpp - Ops as one kernel, and other schedules ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CostState.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/CostAnalysis/CostAnalysis.h"

using namespace mlir;
using namespace gpucost;

/// Views between a producer and a consumer.
static constexpr unsigned maxViewsBetween = 64;

static std::string nameOf(Operation *op) {
  return "'" + op->getName().getStringRef().str() + "'";
}

/// Adds `op` and the views through which it reads `producer` to `members`.
static bool reaches(const KernelPartition &partition, Operation *op,
                    Operation *producer,
                    SmallVectorImpl<Operation *> &members) {
  bool found = false;
  for (Value operand : op->getOperands()) {
    SmallVector<Operation *, 4> views;
    Operation *def = operand.getDefiningOp();
    while (def && def != producer && views.size() < maxViewsBetween &&
           partition.classOf(def) == CostClass::View && def->getNumOperands()) {
      views.push_back(def);
      def = def->getOperand(0).getDefiningOp();
    }
    if (def != producer)
      continue;
    found = true;
    for (Operation *view : llvm::reverse(views))
      if (!llvm::is_contained(members, view))
        members.push_back(view);
  }
  return found;
}

/// Why a kernel of `consumer` cannot compute `producer` itself; "" when it can.
static std::string whyNotFused(const KernelPartition &partition,
                               Operation *producer, Operation *consumer) {
  if (consumer == producer)
    return "an op does not fuse with itself";
  for (Operation *op : {producer, consumer})
    if (!partition.launches(op))
      return nameOf(op) + " launches nothing";
  return partition.whyNotJoined(partition.groupOfOne(producer), consumer);
}

Cost CostAnalysis::Impl::costAsKernel(ArrayRef<Operation *> ops,
                                      const Schedule &schedule,
                                      KernelWork *workOf) {
  if (ops.empty())
    return infeasible("no ops");
  SmallVector<Operation *, 8> members;
  for (Operation *op : ops) {
    if (op->getBlock() != ops.front()->getBlock())
      return infeasible("the ops stand in different blocks");
    if (ops.size() > 1 && op->getNumResults() == 0)
      return unknown(nameOf(op) + " works on buffers; what one kernel keeps of "
                                  "them is known for tensors alone");
    if (llvm::is_contained(members, op))
      return infeasible(nameOf(op) + " is named twice");
    members.push_back(op);
  }
  // A kernel of several ops is a compiled one.
  Runtime runtime = ops.size() > 1 ? Runtime::Compiled : settings.runtime;
  LaunchView view =
      ops.size() == 1 && isa<KernelOp>(ops.front())
          ? viewLaunch(ops.front(), partitionOf(*ops.front()->getBlock()),
                       facts, rules)
          : viewMembers(KernelMembers(members), facts,
                        ops.size() > 1 ? generated : rules);
  if (!view.work || view.coverage == Coverage::Unmodelled)
    return unknown(view.reason.empty() ? "it launches nothing" : view.reason);
  if (workOf)
    *workOf = *view.work;
  if (schedule == Schedule() || view.coverage != Coverage::Modelled) {
    CostSum sum = startSum(runtime);
    add(sum, price(view));
    return sum.total();
  }
  Expected<ScheduleModel> scheduled =
      ScheduleModel::create(*costModel, *view.work, query);
  if (!scheduled)
    return unknown(scheduled.error().message);
  Expected<ScheduledCost> cost =
      scheduled->estimate(scheduled->complete(schedule));
  if (!cost)
    return infeasible(cost.error().message);
  CostSum sum = startSum(runtime);
  sum.add(cost->cost, errorClassOf(*view.work, cost->cost.tiling), 1);
  return sum.total();
}

Cost CostAnalysis::getCostAsKernel(ArrayRef<Operation *> ops,
                                   const Schedule &schedule) {
  if (!isValid())
    return impl->unknown(impl->whyNot);
  return impl->costAsKernel(ops, schedule);
}

FusionBenefit CostAnalysis::getFusionBenefit(Operation *producer,
                                             ArrayRef<Operation *> consumers) {
  FusionBenefit benefit;
  if (!isValid()) {
    benefit.unfused = benefit.fused = impl->unknown(impl->whyNot);
    return benefit;
  }
  const KernelPartition &partition = impl->partitionOf(*producer->getBlock());
  CostSum unfused = impl->startSum(impl->settings.runtime),
          fused = impl->startSum(Runtime::Compiled);
  // What a kernel leaves is the result of its last op: others that read the
  // producer get it from a kernel of its own.
  auto addKernel = [&](CostSum &sum, ArrayRef<Operation *> ops) {
    KernelMembers members(ops, ops.back()->getResults());
    Impl::add(sum, impl->price(viewMembers(members, impl->facts,
                                           ops.size() > 1 ? impl->generated
                                                          : impl->rules)));
  };
  addKernel(unfused, producer);
  if (consumers.empty())
    benefit.fused = impl->infeasible("no consumers");
  SmallVector<Operation *, 8> all = {producer};
  for (Operation *consumer : consumers) {
    addKernel(unfused, consumer);
    SmallVector<Operation *, 8> members = {producer};
    std::string why = whyNotFused(partition, producer, consumer);
    if (why.empty() && !reaches(partition, consumer, producer, members))
      why = nameOf(consumer) + " does not read " + nameOf(producer);
    if (!why.empty()) {
      benefit.fused = impl->infeasible(why);
      continue;
    }
    members.push_back(consumer);
    addKernel(fused, members);
    if (isProduct(partition.classOf(consumer)))
      fused.note(CostStatus::Bound, "what is computed before a product counts "
                                    "once, not for each of its tiles");
    for (Operation *member : members)
      if (!llvm::is_contained(all, member))
        all.push_back(member);
  }
  benefit.unfused = unfused.total();
  if (!benefit.whyNot().empty())
    return benefit;
  // Others read the producer: it is still computed on its own.
  bool stays = false;
  for (Operation *member : all)
    if (member == producer || partition.classOf(member) == CostClass::View)
      stays |= llvm::any_of(member->getUsers(), [&](Operation *user) {
        return !llvm::is_contained(all, user);
      });
  if (stays)
    addKernel(fused, producer);
  benefit.fused = fused.total();
  benefit.recomputations = static_cast<int64_t>(consumers.size()) - 1 + stays;
  return benefit;
}

std::vector<Candidate> CostAnalysis::getTopSchedules(ArrayRef<Operation *> ops,
                                                     const ScheduleSpace &space,
                                                     size_t count,
                                                     const ScheduleGoal &goal,
                                                     std::string *why) {
  std::vector<Candidate> best;
  auto refuse = [&](const std::string &reason) {
    if (why)
      *why = reason;
    return best;
  };
  if (!isValid())
    return refuse(impl->whyNot);
  KernelWork work;
  Cost alone = impl->costAsKernel(ops, {}, &work);
  if (alone.status != CostStatus::Exact)
    return refuse(alone.reason);
  Expected<ScheduleModel> scheduled =
      ScheduleModel::create(model(), work, impl->query);
  if (!scheduled)
    return refuse(scheduled.error().message);
  std::vector<Schedule> candidates = space.schedules.empty()
                                         ? scheduled->candidates(space.fixed)
                                         : space.schedules;
  for (Schedule &candidate : candidates)
    candidate = scheduled->complete(candidate);
  for (const ScheduledCost &each : scheduled->top(candidates, count, goal)) {
    CostSum sum = impl->startSum(alone.runtime);
    sum.add(each.cost, errorClassOf(work, each.cost.tiling), 1);
    best.push_back({each.schedule, sum.total()});
  }
  if (best.empty())
    return refuse(goal.timeLimit ? "no schedule keeps the time limit"
                                 : "no schedule of the space fits");
  return best;
}
