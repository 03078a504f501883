//===- Fusion.cpp - Ops as one kernel, and other schedules ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CostState.h"
#include "FusedForm.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/Analysis/Kernels/WidenedOperands.h"
#include "gpucost/Compiler/CostAnalysis/CostAnalysis.h"
#include "gpucost/Core/Model/Schedule.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace gpucost;

/// Maximum number of views between a producer and a consumer.
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

/// Why a kernel of `consumer` cannot compute `producer`; "" if it can.
static std::string whyNotFused(const KernelPartition &partition,
                               Operation *producer, Operation *consumer) {
  if (consumer == producer)
    return "an op cannot be fused with itself";
  for (Operation *op : {producer, consumer})
    if (!partition.launches(op))
      return nameOf(op) + " launches nothing";
  return partition.whyNotJoined(partition.groupOfOne(producer), consumer);
}

/// (L14) Adds the ops that widen the operands of products in `members`, which
/// launch nothing.
static void addWidening(SmallVectorImpl<Operation *> &members) {
  SmallVector<Operation *, 4> widening;
  for (Operation *op : members)
    for (const WidenedOperand &operand : findWidenedOperands(op))
      for (Operation *step : llvm::reverse(operand.path))
        if (step->getBlock() == op->getBlock() &&
            !llvm::is_contained(members, step) &&
            !llvm::is_contained(widening, step))
          widening.push_back(step);
  members.insert(members.begin(), widening.begin(), widening.end());
}

/// An op with a launch that is not in `members`, but depends on one of them and
/// is needed by another one: no kernel computes both. Null if there is none
/// among the next readers.
static Operation *findBetween(ArrayRef<Operation *> members, OpFacts &facts) {
  constexpr size_t mostReaders = 128;
  auto classOf = [&](Operation *op) { return facts.classOf(op); };
  llvm::SmallPtrSet<Operation *, 8> group(members.begin(), members.end());
  llvm::SmallPtrSet<Operation *, 16> seen;
  auto walk = [&](Operation *from, bool throughLaunches,
                  llvm::function_ref<bool(Operation *)> visit) {
    SmallVector<Operation *, 8> next = {from};
    while (!next.empty() && seen.size() < mostReaders)
      for (Operation *user : next.pop_back_val()->getUsers()) {
        if (visit(user))
          return true;
        bool isIdle =
            classOf(user) == CostClass::View || launchesNothing(user, classOf);
        if (!group.contains(user) && (throughLaunches || isIdle) &&
            seen.insert(user).second)
          next.push_back(user);
      }
    return false;
  };
  llvm::SetVector<Operation *> readers;
  for (Operation *member : members)
    walk(member, /*throughLaunches=*/false, [&](Operation *user) {
      if (user->getBlock() == member->getBlock() && !group.contains(user) &&
          classOf(user) != CostClass::View && !launchesNothing(user, classOf))
        readers.insert(user);
      return false;
    });
  seen.clear();
  for (Operation *reader : readers)
    if (walk(reader, /*throughLaunches=*/true,
             [&](Operation *user) { return group.contains(user); }))
      return reader;
  return nullptr;
}

LaunchView CostAnalysis::Impl::viewGroup(const KernelMembers &members) {
  LaunchView view = viewUnscheduled(members);
  if (view.coverage == Coverage::Modelled)
    view.schedule = statedSchedule(members.ops());
  return view;
}

LaunchView CostAnalysis::Impl::viewFormed(KernelOp kernel) {
  LaunchView view = viewKernel(kernel);
  if (kernel.getWorkAttr())
    return view;
  KernelMembers members(kernel);
  std::optional<LaunchView> counted;
  if (settings.runtime == Runtime::AsWritten && isPlain)
    counted = viewFusedForm(KernelMembers(members.ops()), rules);
  if (!counted)
    counted = viewMembers(members, facts, rulesOf(members.ops().size()));
  std::tie(view.work, view.coverage, view.reason) =
      std::tie(counted->work, counted->coverage, counted->reason);
  return view;
}

LaunchView CostAnalysis::Impl::viewUnscheduled(const KernelMembers &members) {
  size_t count = members.ops().size();
  if (count > 1 && settings.runtime == Runtime::AsWritten && isPlain) {
    Group group(members.ops().vec(), members.results().size());
    {
      std::shared_lock<std::shared_mutex> lock(mutex);
      auto known = fusedForms.find(group);
      if (known != fusedForms.end() && known->second)
        return *known->second;
      if (known != fusedForms.end())
        return viewMembers(members, facts, rulesOf(count));
    }
    std::optional<LaunchView> fused = viewFusedForm(members, rules);
    {
      std::unique_lock<std::shared_mutex> lock(mutex);
      fusedForms.try_emplace(std::move(group), fused);
    }
    if (fused)
      return *fused;
  }
  return viewMembers(members, facts, rulesOf(count));
}

Cost CostAnalysis::Impl::costAsKernel(ArrayRef<Operation *> ops,
                                      const Schedule &schedule,
                                      KernelWork *workOf) {
  if (ops.empty())
    return infeasible("no ops");
  SmallVector<Operation *, 8> members;
  for (Operation *op : ops) {
    if (op->getBlock() != ops.front()->getBlock())
      return infeasible("the ops are in different blocks");
    if (ops.size() > 1 && op->getNumResults() == 0)
      return unknown(nameOf(op) + " operates on buffers; only tensor IR shows "
                                  "which values stay inside a fused kernel");
    if (llvm::is_contained(members, op))
      return infeasible(nameOf(op) + " is listed twice");
    members.push_back(op);
  }
  addWidening(members);
  if (Operation *between =
          ops.size() > 1 ? findBetween(members, facts) : nullptr)
    return infeasible(nameOf(between) +
                      " is not listed, but runs between the ops: it depends "
                      "on one of them and another one on it");
  // A kernel of several ops is generated by a compiler.
  Runtime runtime = ops.size() > 1 ? Runtime::Compiled : settings.runtime;
  LaunchView view = ops.size() == 1 && isa<KernelOp>(ops.front())
                        ? viewFormed(cast<KernelOp>(ops.front()))
                        : viewGroup(KernelMembers(members));
  if (!view.work || view.coverage == Coverage::Unmodelled)
    return unknown(view.reason.empty() ? "it launches nothing" : view.reason);
  if (workOf)
    *workOf = *view.work;
  // A schedule of the caller replaces the stated one.
  if (workOf || !(schedule == Schedule()))
    view.schedule = {};
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
  Cost total = sum.total();
  CostSum library = startSum(runtime);
  add(library, price(view));
  total.reason = scheduled->remarkOn(*cost, library.total().time);
  return total;
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
  // As written, an epilogue and the ops that widen the operands of a product
  // are parts of its kernel, which a fusion with other ops would change.
  auto whyNotApart = [&](Operation *op) -> std::string {
    if (impl->settings.runtime != Runtime::AsWritten)
      return "";
    Operation *first = partition.firstOf(op);
    if (op != producer && first == producer)
      return "";
    if (first && first != op)
      return nameOf(op) + " is part of the kernel of " + nameOf(first);
    // Only functions with widened operands have further parts of kernels.
    if (!impl->isReadWithFunction(findTopLevelOp(op)))
      return "";
    Cost own = getCost(op);
    if (own.status != CostStatus::Exact || own.launches > 0)
      return "";
    return nameOf(op) +
           (own.reason.empty() ? " launches nothing" : " is " + own.reason);
  };
  CostSum unfused = impl->startSum(impl->settings.runtime),
          fused = impl->startSum(Runtime::Compiled);
  // A fused kernel only stores the result of its last op, so other readers of
  // the producer need a separate kernel.
  auto addKernel = [&](CostSum &sum, ArrayRef<Operation *> ops) {
    KernelMembers members(ops, ops.back()->getResults());
    Impl::add(sum, impl->price(impl->viewGroup(members)));
  };
  addKernel(unfused, producer);
  if (consumers.empty())
    benefit.fused = impl->infeasible("no consumers");
  SmallVector<Operation *, 8> all = {producer};
  for (Operation *consumer : consumers) {
    addKernel(unfused, consumer);
    SmallVector<Operation *, 8> members = {producer};
    std::string why = whyNotFused(partition, producer, consumer);
    for (Operation *op : {producer, consumer})
      if (why.empty())
        why = whyNotApart(op);
    if (why.empty() && !reaches(partition, consumer, producer, members))
      why = nameOf(consumer) + " does not read " + nameOf(producer);
    if (!why.empty()) {
      benefit.fused = impl->infeasible(why);
      continue;
    }
    members.push_back(consumer);
    addKernel(fused, members);
    if (isProduct(partition.classOf(consumer)))
      fused.note(CostStatus::Bound, "the producer of a matrix product is "
                                    "counted once, not for each tile");
    for (Operation *member : members)
      if (!llvm::is_contained(all, member))
        all.push_back(member);
  }
  benefit.unfused = unfused.total();
  if (!benefit.whyNot().empty())
    return benefit;
  // If other ops read the producer, it remains as a separate kernel.
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
  std::vector<Schedule> candidates = space.schedules;
  for (Schedule &candidate : candidates)
    candidate = scheduled->complete(candidate);
  if (candidates.empty())
    candidates = scheduled->candidates(space.fixed);
  for (const ScheduledCost &each : scheduled->top(candidates, count, goal)) {
    CostSum sum = impl->startSum(alone.runtime);
    sum.add(each.cost, errorClassOf(work, each.cost.tiling), 1);
    Candidate &candidate =
        best.emplace_back(Candidate{each.schedule, sum.total()});
    candidate.cost.reason = scheduled->remarkOn(each, alone.time);
  }
  if (best.empty())
    return refuse(goal.timeLimit ? "no schedule meets the time limit"
                                 : "no schedule in the space is valid");
  return best;
}
