//===- CostState.cpp - Cached state of CostAnalysis -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CostState.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostScenarioAttr.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Compiler/Targets/ModuleTarget.h"
#include "gpucost/Core/Support/Text.h"

using namespace mlir;
using namespace gpucost;

/// Settings of the nearest module with any, completed by a runtime.
static Scenario findScenario(Operation *op) {
  Scenario scenario;
  for (; op; op = op->getParentOp())
    if (auto module = dyn_cast<ModuleOp>(op);
        module && (module->hasAttr(scenarioAttrName) ||
                   module->hasAttr(formedForAttrName))) {
      scenario = getScenario(module);
      scenario.runtime = getDefaultRuntime(module);
      return scenario;
    }
  scenario.runtime = Runtime::AsWritten;
  return scenario;
}

static llvm::Expected<ModuleTarget> findTarget(Operation *root,
                                               const Scenario &stated) {
  if (!stated.target && !stated.targetFile)
    return findModuleTarget(root);
  // The most frequent case is cached.
  llvm::Expected<ResolvedTarget> named =
      stated.targetFile || stated.coefficients || stated.changes ||
              stated.interconnect || stated.network
          ? toAttributes(root->getContext(), chooseTarget(stated))
          : resolveTargetOnce(root->getContext(), *stated.target);
  if (!named)
    return named.takeError();
  return ModuleTarget{*named, ""};
}

/// `found` with the coefficients of this name, file or hash.
static llvm::Expected<ModuleTarget>
withCoefficients(Operation *root, ModuleTarget found, StringRef coefficients) {
  const Target &target = found.target.target.getValue();
  Scenario named;
  named.target =
      concat(target.gpu.name, "-", stringifyNumericFormat(target.format));
  named.coefficients = coefficients.str();
  llvm::Expected<ResolvedTarget> resolved =
      toAttributes(root->getContext(), chooseTarget(named));
  if (!resolved)
    return resolved.takeError();
  found.target.coefficients = resolved->coefficients;
  return found;
}

/// The model of a device if `root` does not name a GPU, correctly or not.
static std::unique_ptr<opwork::TargetCostModel>
findOtherModel(Operation *root) {
  llvm::Expected<std::optional<ModuleTarget>> gpu = searchModuleTarget(root);
  if (!gpu) {
    llvm::consumeError(gpu.takeError());
    return nullptr;
  }
  return *gpu ? nullptr : opwork::findCostModel(root);
}

CostAnalysis::Impl::Impl(Operation *root, const Scenario &stated) {
  Scenario scenario = findScenario(root);
  bool hasTarget = stated.target || stated.targetFile;
  stateAll(scenario, stated);
  settings.runtime = *scenario.runtime;
  // The module's target is the result of resolving `gpucost.scenario`.
  Scenario named = scenario;
  if (!hasTarget)
    named.target = named.targetFile = std::nullopt;
  llvm::Expected<ModuleTarget> found = findTarget(root, named);
  if (!found && !hasTarget && (scenario.target || scenario.targetFile)) {
    llvm::consumeError(found.takeError());
    found = findTarget(root, scenario);
  }
  // Coefficients for a GPU that something else names.
  bool isModuleTarget = found && (stated.coefficients || !scenario.target);
  if (scenario.coefficients && !hasTarget && !scenario.targetFile &&
      isModuleTarget)
    found = withCoefficients(root, *std::move(found), *scenario.coefficients);
  if (!found) {
    whyNot = llvm::toString(found.takeError());
    if (!hasTarget && !scenario.target && !scenario.targetFile)
      otherModel = findOtherModel(root);
    return;
  }
  assumption = found->assumption;
  if (!scenario.precisionMode)
    scenario.precisionMode = PrecisionMode::AsIs;
  ScenarioTarget target = getScenarioTarget(
      found->target.target, found->target.coefficients.getValue());
  if (llvm::Error error = validate(scenario, target)) {
    whyNot = llvm::toString(std::move(error));
    return;
  }
  settings = resolve(scenario, target);
  Expected<CostModel> created = CostModel::create(
      found->target.target->gpu, found->target.coefficients.getValue(),
      settings.kernels());
  if (!created) {
    whyNot = created.error().message;
    return;
  }
  costModel.emplace(std::move(*created));
  coefficients = found->target.coefficients;
  rules = generated = UnitRules::of(settings);
  generated.generates = true;
  query.clock = settings.clock;
  query.powerLimit = settings.powerLimit;
  partitionOptions = PartitionOptions::of(settings);
  // Only a compiler changes the kernels of ops that are analyzed in place.
  partitionOptions.onDemand = !partitionOptions.fuses;
  isPlain = !settings.trains() &&
            settings.precisionMode == PrecisionMode::AsIs &&
            settings.gpus == 1 && settings.weights == StorageFormat::AsIs;
  lowering = std::make_unique<PrivateLowering>(found->target, scenario);
}

std::string CostAnalysis::Impl::provenance() const {
  return concat("gpucost ", GPUCOST_VERSION, ", ", costModel->gpu().name,
                ", coefficients ", pinOnce(coefficients));
}

Cost CostAnalysis::Impl::refuse(CostStatus status, std::string reason) const {
  CostSum sum = startSum(settings.runtime);
  sum.note(status, reason);
  return sum.total();
}

CostSum CostAnalysis::Impl::startSum(Runtime runtime) const {
  static const Coefficients none;
  return {costModel ? costModel->coefficients() : none, runtime};
}

const PricedWork &CostAnalysis::Impl::price(const KernelWork &work,
                                            const Schedule &schedule) {
  Problem problem(work, schedule);
  {
    std::shared_lock<std::shared_mutex> lock(priceMutex);
    auto known = prices.find(problem);
    if (known != prices.end())
      return known->second;
  }
  PricedWork priced;
  PlacedKernel placed = placeKernel(*costModel, work, schedule);
  priced.reason = placed.reason;
  priced.kind = errorClassOf(placed.work, placed.tiling);
  // Clock and power limit affect neither tiling nor terms.
  Expected<KernelCost> cost =
      placed.terms ? costModel->estimate(placed.work, placed.tiling,
                                         *placed.terms, query)
                   : costModel->estimate(placed.work, query);
  if (cost)
    priced.cost = *cost;
  else
    priced.error = cost.error().message;
  std::unique_lock<std::shared_mutex> lock(priceMutex);
  return prices.try_emplace(problem, std::move(priced)).first->second;
}

PricedLaunch CostAnalysis::Impl::price(const LaunchView &view) {
  PricedLaunch launch;
  launch.reason = view.reason;
  if (!view.work)
    return launch;
  launch.count = view.count;
  if (view.coverage == Coverage::Unmodelled) {
    launch.status = CostStatus::Unknown;
    return launch;
  }
  launch.price = &price(*view.work, view.schedule);
  if (!launch.price->error.empty()) {
    launch.status = CostStatus::Unknown;
    launch.reason = launch.price->error;
    launch.price = nullptr;
  } else if (!launch.price->reason.empty()) {
    launch.status = CostStatus::Bound;
    launch.reason = launch.price->reason;
  } else if (view.coverage == Coverage::Fallback) {
    launch.status = CostStatus::Bound;
  }
  return launch;
}

void CostAnalysis::Impl::add(CostSum &sum, const PricedLaunch &launch) {
  if (launch.price)
    sum.add(launch.price->cost, launch.price->kind, launch.count);
  sum.note(launch.status, launch.reason);
}

bool CostAnalysis::Impl::isReadWithFunction(Operation *top) {
  if (!isPlain)
    return top->getParentOp() && isFunction(top->getParentOp());
  Operation *holder = top->getParentOp();
  if (!holder)
    return false;
  {
    std::shared_lock<std::shared_mutex> lock(mutex);
    auto known = whole.find(holder);
    if (known != whole.end())
      return known->second;
  }
  bool isWhole = false;
  if (isFunction(holder))
    for (Region &region : holder->getRegions()) {
      isWhole |= !region.empty() && !region.hasOneBlock();
      for (Operation &op : region.getOps())
        isWhole = isWhole || isReadWhole(&op);
    }
  std::unique_lock<std::shared_mutex> lock(mutex);
  whole.try_emplace(holder, isWhole);
  return isWhole;
}

bool CostAnalysis::Impl::isReadWhole(Operation *top) const {
  // Compiled code fuses ops in loops with those around them; the rules of a
  // stated runtime recognise groups of structured ops.
  bool isRecognised = settings.runtime != Runtime::AsWritten &&
                      top->getName().getDialectNamespace() == "linalg";
  return isRecognised || needsWholeFunction(top) ||
         (partitionOptions.fuses && needsCopy(top));
}

bool CostAnalysis::Impl::isReadable(Operation *top) const {
  return isPlain && top->getParentRegion()->hasOneBlock() &&
         !isReadWhole(top) && hasKnownSizes(top);
}

const KernelPartition &CostAnalysis::Impl::partitionOf(Block &block) {
  {
    std::shared_lock<std::shared_mutex> lock(mutex);
    auto known = partitions.find(&block);
    if (known != partitions.end())
      return *known->second;
  }
  auto made =
      std::make_unique<KernelPartition>(block, partitionOptions, &facts);
  std::unique_lock<std::shared_mutex> lock(mutex);
  return *partitions.try_emplace(&block, std::move(made)).first->second;
}

std::shared_ptr<const Lowered>
CostAnalysis::Impl::remember(Operation *key,
                             llvm::function_ref<Lowered()> lower) {
  {
    std::shared_lock<std::shared_mutex> lock(mutex);
    auto known = lowered.find(key);
    if (known != lowered.end())
      return known->second;
  }
  auto made = std::make_shared<const Lowered>(lower());
  std::unique_lock<std::shared_mutex> lock(mutex);
  depend(key, made->along);
  return lowered.try_emplace(key, std::move(made)).first->second;
}

PricedLaunch CostAnalysis::Impl::launchOf(Operation *top) {
  {
    std::shared_lock<std::shared_mutex> lock(mutex);
    auto known = launches.find(top);
    if (known != launches.end())
      return known->second;
  }
  const KernelPartition &partition = partitionOf(*top->getBlock());
  OpFacts::Recorder reads;
  auto kernel = dyn_cast<KernelOp>(top);
  PricedLaunch launch = price(
      kernel ? viewFormed(kernel) : viewLaunch(top, partition, facts, rules));
  if (dependsOnUsers(top, facts.classOf(top)))
    for (Operation *user : top->getUsers())
      reads.ops.insert(findTopLevelOp(user));
  std::unique_lock<std::shared_mutex> write(mutex);
  if (partitionOptions.onDemand)
    depend(top, reads.ops.getArrayRef());
  launches[top] = launch;
  return launch;
}

std::shared_ptr<const Lowered>
CostAnalysis::Impl::lowerFunction(Operation *function) {
  return remember(function, [&] { return lowering->lowerFunction(function); });
}

std::shared_ptr<const Lowered>
CostAnalysis::Impl::lowerModule(ModuleOp module) {
  return remember(module, [&] { return lowering->lowerModule(module); });
}

std::shared_ptr<const Lowered> CostAnalysis::Impl::lowerOp(Operation *top) {
  return remember(top, [&] { return lowering->lowerOp(top); });
}

void CostAnalysis::Impl::addLowered(
    CostSum &sum, const Lowered &lowered,
    llvm::function_ref<bool(Operation *)> contains, bool all) {
  if (!lowered.error.empty())
    return sum.note(CostStatus::Unknown, lowered.error);
  for (const LoweredLaunch &launch : lowered.launches)
    if (all || (launch.source && contains(launch.source))) {
      add(sum, price(launch));
      Operation *loop = findLoopOfKernels(launch.source);
      if (loop && (all || contains(loop)))
        sum.explain(describeLoop(loop, launch.source));
    }
}

void CostAnalysis::Impl::addOp(CostSum &sum, Operation *op) {
  Operation *top = findTopLevelOp(op);
  bool withFunction = isReadWithFunction(top);
  if (op->getNumRegions() == 0 && !needsCopy(op) &&
      facts.get(op).launchesNothing)
    return;
  if (withFunction || needsCopy(top)) {
    std::shared_ptr<const Lowered> copy =
        withFunction ? lowerFunction(top->getParentOp()) : lowerOp(top);
    if (withFunction && !copy->error.empty() && isReadable(top)) {
      if (!needsCopy(top))
        return op == top ? add(sum, launchOf(op)) : void();
      copy = lowerOp(top);
    }
    if (op->getNumRegions() || !copy->error.empty())
      return addLowered(sum, *copy, [&](Operation *source) {
        return op->isAncestor(source);
      });
    auto own = copy->bySource.find(op);
    if (own != copy->bySource.end())
      for (uint32_t index : own->second)
        add(sum, price(copy->launches[index]));
    return;
  }
  if (op != top)
    return;
  // Ops in a loop determine whether operands of the loop launch anything.
  if (dependsOnUsers(op, facts.classOf(op))) {
    bool isRead = false;
    for (Operation *user : op->getUsers()) {
      Operation *loop = op->getBlock()->findAncestorOpInBlock(*user);
      if (!loop || !needsCopy(loop))
        continue;
      isRead = true;
      std::shared_ptr<const Lowered> copy = lowerOp(loop);
      for (const LoweredLaunch &launch : copy->launches)
        if (launch.source == op)
          return add(sum, price(launch));
    }
    if (isRead)
      return;
  }
  add(sum, launchOf(op));
}

std::string CostAnalysis::Impl::reasonOf(Operation *op) {
  Operation *top = findTopLevelOp(op);
  if (isReadWithFunction(top)) {
    auto lowered = lowerFunction(top->getParentOp());
    auto part = lowered->partOf.find(op);
    bool launches = lowered->bySource.contains(op);
    return launches || part == lowered->partOf.end()
               ? ""
               : "part of the kernel of '" +
                     part->second->getName().getStringRef().str() + "'";
  }
  if (needsCopy(top))
    return "";
  if (op == top)
    return facts.get(op).launchesNothing ? "" : launchOf(op).reason;
  return "part of '" + top->getName().getStringRef().str() + "'";
}

void CostAnalysis::Impl::addRegion(CostSum &sum, Region &region) {
  if (region.empty() || region.front().empty())
    return;
  Operation *top = findTopLevelOp(&region.front().front());
  auto isInside = [&](Operation *source) {
    return region.isAncestor(source->getParentRegion());
  };
  if (isReadWithFunction(top))
    return addLowered(sum, *lowerFunction(top->getParentOp()), isInside,
                      /*all=*/top->getParentRegion() == &region);
  if (top->getParentRegion() != &region)
    return needsCopy(top) ? addLowered(sum, *lowerOp(top), isInside) : void();
  for (Block &block : region)
    for (Operation &op : block)
      addOp(sum, &op);
}

Cost CostAnalysis::Impl::costOfIteration(const Lowered &lowered) {
  if (!lowered.error.empty() || !lowered.model)
    return unknown(lowered.error.empty() ? "no kernels" : lowered.error);
  Expected<PlacedModel> placed = PlacedModel::create(lowered.model, *costModel);
  if (!placed)
    return unknown(placed.error().message);
  IterationReport report = placed->evaluate();
  Cost cost;
  cost.runtime = settings.runtime;
  cost.time = report.time;
  cost.energy = report.energy;
  cost.power = report.averagePower;
  cost.bound = report.bound;
  cost.halfWidth = std::nullopt;
  if (report.errorBars)
    cost.halfWidth = report.errorBars->time;
  else if (lowered.model->launches.empty())
    cost.halfWidth = 0;
  for (const Launch &launch : lowered.model->launches)
    addSaturating(cost.launches, launch.count, 1);
  if (report.isUnknown())
    return unknown("its kernels are unknown");
  auto assumed = llvm::find_if(lowered.launches, [&](const auto &launch) {
    return !lowered.assumption.empty() && launch.reason == lowered.assumption;
  });
  if (assumed != lowered.launches.end()) {
    cost.status = CostStatus::Bound;
    cost.reason = lowered.assumption;
    return cost;
  }
  if (!report.isLowerBound()) {
    for (const LoweredLaunch &launch : lowered.launches)
      if (Operation *loop = findLoopOfKernels(launch.source);
          loop && cost.reason.empty())
        cost.reason = describeLoop(loop, launch.source);
    return cost;
  }
  cost.status = CostStatus::Bound;
  const CoverageNote &note = lowered.model->fallbacks.empty()
                                 ? lowered.model->unmodelled.front()
                                 : lowered.model->fallbacks.front();
  cost.reason = "'" + note.op + "': " + note.reason;
  return cost;
}

void CostAnalysis::Impl::depend(Operation *op, ArrayRef<Operation *> ops) {
  for (Operation *read : ops)
    if (auto &known = readers[read]; !llvm::is_contained(known, op))
      known.push_back(op);
}

void CostAnalysis::Impl::forget(Operation *op) {
  auto drop = [&](Operation *each) {
    facts.erase(each);
    launches.erase(each);
    lowered.erase(each);
  };
  drop(op);
  auto known = readers.find(op);
  if (known == readers.end())
    return;
  llvm::for_each(known->second, drop);
  readers.erase(known);
}

void CostAnalysis::Impl::invalidate(Operation *op) {
  std::unique_lock<std::shared_mutex> lock(mutex);
  fusedForms.clear();
  Operation *top = findTopLevelOp(op);
  Operation *holder = top->getParentOp();
  Block *block = top->getBlock();
  // Whole functions and modules that contain a copy of it.
  for (Operation *outer = top; outer; outer = outer->getParentOp())
    lowered.erase(outer);
  if (holder) {
    SmallVector<Operation *> stale;
    for (auto &[key, copy] : lowered)
      if (llvm::is_contained(copy->functions, holder))
        stale.push_back(key);
    for (Operation *key : stale)
      lowered.erase(key);
    auto known = whole.find(holder);
    if (known != whole.end() && (known->second || isReadWhole(top)))
      whole.erase(known);
  }
  if (auto known = partitions.find(block); known != partitions.end()) {
    if (partitionOptions.onDemand) {
      for (Operation *changed : known->second->update(top))
        forget(changed);
    } else {
      // Compiled fusion depends on all preceding ops.
      for (Operation &near : *block)
        launches.erase(&near);
      partitions.erase(known);
    }
  }

  // Work and cost class of an op depend on the ops around it: the bias of a
  // matmul, the readers of a broadcast, chains that compute in place. So two
  // steps in each direction are forgotten; views do not count. Ops may be half
  // rewritten: only cached facts are used here.
  auto isView = [&](Operation *near) {
    std::optional<OpFacts::Fact> fact = facts.peek(near);
    return fact ? fact->own.shape == CostClass::View
                : near->getName().getDialectNamespace() == "tensor";
  };
  // Many ops read a fill or a constant: it is forgotten, its readers are not.
  auto isIdle = [&](Operation *near) {
    std::optional<OpFacts::Fact> fact = facts.peek(near);
    return near->hasTrait<OpTrait::ConstantLike>() ||
           near->getName().getStringRef() == "tensor.empty" ||
           (fact && fact->isIdle());
  };
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<std::pair<Operation *, int>> reached = {{top, 0}};
  for (size_t i = 0; i < reached.size(); ++i) {
    auto [next, steps] = reached[i];
    if (!seen.insert(next).second)
      continue;
    int after = next != top && isView(next) ? steps : steps + 1;
    if (after <= 2 && (next == top || !isIdle(next))) {
      for (Value operand : next->getOperands())
        if (Operation *def = operand.getDefiningOp();
            def && def->getBlock() == block)
          reached.push_back({def, after});
      for (Operation *user : next->getUsers())
        if (Operation *at = block->findAncestorOpInBlock(*user))
          reached.push_back({at, after});
    }
  }
  for (Operation *near : seen)
    forget(near);
}
