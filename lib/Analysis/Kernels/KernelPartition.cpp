//===- KernelPartition.cpp - Which ops share a kernel ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Analysis/Kernels/KernelPartition.h"
#include "gpucost/Analysis/Kernels/LinearLayer.h"
#include "gpucost/Analysis/LaunchRules.h"
#include "gpucost/Analysis/TrainingAnnotations.h"
#include "gpucost/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Scenario/FrameworkRules.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace gpucost;

/// Kernels that an op may continue are tried up to this number: one with more
/// operands from different kernels is no fusion that a compiler makes.
static constexpr unsigned maxProducers = 8;
/// Views between two fused ops, and ops without a launch that one of them
/// needs.
static constexpr unsigned maxViews = 64, maxHoisted = 64;

/// Longest row that one block of threads reads before it goes on.
static constexpr int64_t longestRow = 16384;

PartitionOptions PartitionOptions::of(const Settings &settings) {
  PartitionOptions options;
  options.fuse = settings.runtime == Runtime::Compiled;
  options.fusesLayers = !settings.trains() &&
                        frameworkRules(settings.software).fusesDecoderLayers;
  options.plans.channelsLast = settings.channelsLast;
  options.plans.library = !options.fuse;
  options.plans.tensorFloatConvolution = settings.tf32 != Tf32Mode::Off;
  return options;
}

/// Results of `op` when it reduces rows of at most `longestRow` elements.
static std::optional<int64_t> rowsOf(Operation *op, CostClass shape) {
  if (shape != CostClass::Reduction || op->getNumOperands() == 0 ||
      op->getNumResults() != 1)
    return std::nullopt;
  auto all = elementCount(op->getOperand(0).getType());
  auto rows = elementCount(op->getResult(0).getType());
  if (!all || !rows || *rows < 1 || *all / *rows > longestRow)
    return std::nullopt;
  return rows;
}

static bool isPointwise(CostClass shape) {
  return shape == CostClass::Elementwise ||
         shape == CostClass::RowNormalization ||
         shape == CostClass::Reduction || shape == CostClass::DataMovement;
}

static bool isView(Operation *op) {
  auto work = dyn_cast_or_null<WorkOpInterface>(op);
  return work && work.getCostClass() == CostClass::View;
}

/// Elements that `member` of class `shape` runs over.
static std::optional<int64_t> domainOf(KernelMember member, CostClass shape) {
  if (auto *copy = dyn_cast<const PlannedCopy *>(member))
    return elementCount(copy->type);
  auto *op = cast<Operation *>(member);
  if (shape == CostClass::Reduction && op->getNumOperands())
    return elementCount(op->getOperand(0).getType());
  return op->getNumResults() ? elementCount(op->getResult(0).getType())
                             : std::nullopt;
}

/// The loops that `member` runs in; of copies only the number is known.
static Loops loopsOfMember(KernelMember member) {
  if (auto *copy = dyn_cast<const PlannedCopy *>(member))
    return {copy->op->getAttr(tripCountAttrName), Attribute(), false};
  return loopsOf(cast<Operation *>(member));
}

KernelPartition::KernelPartition(Block &block, const PartitionOptions &options)
    : block(block), options(options), planner(options.plans) {
  SmallVector<Operation *> ops;
  size_t size = block.getOperations().size();
  ops.reserve(size);
  allGroups.reserve(size);
  position.reserve(size);
  groupOf.reserve(size);
  for (Operation &op : block) {
    if (isConstantWork(&op, [&](Operation *def) { return isConstant(def); }))
      constants.insert(&op);
    position[&op] = position.size();
    ops.push_back(&op);
  }
  for (Operation *op : ops)
    visit(op);
}

const OpPlan *KernelPartition::planOf(Operation *op) const {
  auto plan = plans.find(op);
  return plan == plans.end() ? nullptr : &plan->second;
}

bool KernelPartition::launchesNothing(Operation *op) const {
  return isConstant(op) || gpucost::launchesNothing(op);
}

void KernelPartition::addGroup(KernelMember member, CostClass shape) {
  KernelGroup group;
  group.shape = shape;
  group.elements = domainOf(member, shape);
  auto *copy = dyn_cast<const PlannedCopy *>(member);
  group.insideLibraryCall = copy && copy->reason == CopyReason::Layout;
  if (!copy)
    group.rows = rowsOf(cast<Operation *>(member), shape);
  allGroups.push_back(std::move(group));
  addTo(allGroups.size() - 1, member);
}

void KernelPartition::addTo(unsigned group, KernelMember member) {
  allGroups[group].members.push_back(member);
  groupOf[member] = group;
}

/// The op or copy that users of `value` read; null for block arguments.
KernelMember KernelPartition::makerOf(Value value) const {
  if (const PlannedCopy *copy = copiesOf.lookup(value))
    return copy;
  return value.getDefiningOp();
}

KernelMember KernelPartition::makerOf(Operation *op, unsigned operand) const {
  if (const OpPlan *plan = planOf(op))
    if (const PlannedRead *read = plan->readOf(operand))
      return read->copy;
  return makerOf(op->getOperand(operand));
}

/// What `maker` is a view of.
KernelMember KernelPartition::sourceOf(KernelMember maker) const {
  for (unsigned depth = 0; depth < maxViews; ++depth) {
    auto *op = dyn_cast_if_present<Operation *>(maker);
    if (!op || !isView(op) || !op->getNumOperands())
      break;
    maker = makerOf(op, 0);
  }
  return maker;
}

/// Whether `maker` precedes position `start` or can be moved there, because
/// neither it nor what it needs launches anything.
bool KernelPartition::isMade(KernelMember maker, unsigned start,
                             unsigned &budget) const {
  if (!maker)
    return true;
  if (auto *copy = dyn_cast<const PlannedCopy *>(maker))
    return position.lookup(copy->op) < start;
  auto *op = cast<Operation *>(maker);
  if (op->getBlock() != &block || position.lookup(op) < start)
    return true;
  if (groupOf.contains(op) || !launchesNothing(op) || budget == 0)
    return false;
  --budget;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    if (!isMade(makerOf(op, i), start, budget))
      return false;
  return true;
}

/// Whether a member of `group`, which begins at `start`, can read `maker`: it
/// is a member, exists before, or is a view of such.
bool KernelPartition::isReadable(KernelMember maker, unsigned group,
                                 unsigned start) const {
  unsigned budget = maxHoisted;
  for (unsigned depth = 0; depth < maxViews; ++depth) {
    auto known = maker ? groupOf.find(maker) : groupOf.end();
    if ((known != groupOf.end() && known->second == group) ||
        isMade(maker, start, budget))
      return true;
    auto *view = dyn_cast<Operation *>(maker);
    if (!view || !isView(view) || !view->getNumOperands())
      return false;
    for (unsigned i = 1; i < view->getNumOperands(); ++i)
      if (!isMade(makerOf(view, i), start, budget))
        return false;
    maker = makerOf(view, 0);
  }
  return false;
}

/// Compiled code: a pointwise op continues the kernel of an operand when both
/// run over the same elements, or it over the rows that the kernel has reduced,
/// and everything else it reads exists before.
bool KernelPartition::joinProducer(KernelMember member, CostClass shape) {
  auto *op = dyn_cast<Operation *>(member);
  if (!isPointwise(shape) ||
      (op && (op->getNumResults() == 0 || op->getNumOperands() == 0)))
    return false;
  SmallVector<KernelMember, 4> makers;
  if (op) {
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      makers.push_back(makerOf(op, i));
  } else {
    auto *copy = cast<const PlannedCopy *>(member);
    makers.push_back(copy->inputCopy ? KernelMember(copy->inputCopy)
                                     : makerOf(copy->input));
  }
  size_t operands = makers.size();
  if (op)
    for (Value captured : ArrayRef(valuesRead(op)).drop_front(operands))
      makers.push_back(makerOf(captured));
  std::optional<int64_t> domain = domainOf(member, shape);
  llvm::SmallSetVector<unsigned, maxProducers> tried;
  for (KernelMember maker : ArrayRef(makers).take_front(operands)) {
    KernelMember source = sourceOf(maker);
    auto it = source ? groupOf.find(source) : groupOf.end();
    if (it == groupOf.end() || !tried.insert(it->second))
      continue;
    if (tried.size() > maxProducers)
      break;
    unsigned index = it->second;
    KernelGroup &group = allGroups[index];
    bool sameDomain =
        group.elements == domain ||
        (shape == CostClass::Elementwise && group.rows && group.rows == domain);
    KernelMember first = group.members.front();
    if (!isPointwise(group.shape) || !sameDomain ||
        loopsOfMember(first) != loopsOfMember(member))
      continue;
    auto *copy = dyn_cast<const PlannedCopy *>(first);
    unsigned start =
        position.lookup(copy ? copy->op : cast<Operation *>(first));
    if (!llvm::all_of(makers, [&](KernelMember other) {
          return isReadable(other, index, start);
        }))
      continue;
    if (op)
      if (auto rows = rowsOf(op, shape))
        group.rows = rows;
    addTo(index, member);
    return true;
  }
  return false;
}

/// Adds `op` to the kernel of `product`, if there is one.
bool KernelPartition::joinProduct(Operation *product, Operation *op) {
  auto known = product ? groupOf.find(product) : groupOf.end();
  if (known == groupOf.end())
    return false;
  addTo(known->second, op);
  return true;
}

/// A bias vector added to a product is the epilogue of its kernel.
bool KernelPartition::joinAsBias(Operation *op) {
  auto isKernel = [&](Operation *other) { return groupOf.contains(other); };
  if (Operation *product = findProductOfVector(op, isKernel))
    return joinProduct(product, op);
  Operation *product = findProductOfBias(op);
  if (!product || !runTogether(product, op))
    return false;
  // The kernel runs where the product is: the bias must be there by then.
  unsigned start = position.lookup(product), budget = maxHoisted;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    if (KernelMember maker = makerOf(op, i);
        maker != KernelMember(product) && !isMade(maker, start, budget))
      return false;
  return joinProduct(product, op);
}

/// (L12) Kernels of serving stacks: the norm of a residual sum, and an
/// activation with the product of its gate.
bool KernelPartition::isFusedInLayers(Operation *op) const {
  if (isa<onnx::RMSNormalizationOp, onnx::SimplifiedLayerNormalizationOp,
          onnx::LayerNormalizationOp>(op)) {
    auto *maker = dyn_cast_if_present<Operation *>(makerOf(op, 0));
    auto sum = dyn_cast_or_null<onnx::AddOp>(maker);
    return sum && sum->getNumOperands() == 2 &&
           sum->getOperand(0).getType() == sum->getOperand(1).getType();
  }
  return isa<onnx::MulOp>(op) &&
         llvm::any_of(op->getOperands(), [](Value operand) {
           Operation *gate = operand.getDefiningOp();
           return operand.hasOneUse() &&
                  isa_and_nonnull<onnx::SwishOp, onnx::SiluOp, onnx::GeluOp,
                                  onnx::QuickGeluOp>(gate);
         });
}

/// (L13) The kernel that a stack wrote for `group` knows its rows: where their
/// elements are adjacent, it loads vectors at any distance of the rows.
bool KernelPartition::hasAdjacentElements(const KernelGroup &group) const {
  auto isAdjacent = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return !type || type.getRank() == 0 || !type.hasStaticShape() ||
           type.getShape().back() == 1 || planner.hasAdjacentElements(value);
  };
  for (KernelMember member : group.members) {
    if (auto *copy = dyn_cast<const PlannedCopy *>(member)) {
      if (!copy->inputCopy && !isAdjacent(copy->input))
        return false;
      continue;
    }
    auto *op = cast<Operation *>(member);
    const OpPlan *plan = planOf(op);
    for (OpOperand &operand : op->getOpOperands())
      if (!(plan && plan->readOf(operand.getOperandNumber())) &&
          !isAdjacent(operand.get()))
        return false;
  }
  return true;
}

void KernelPartition::visit(Operation *op) {
  if (launchesNothing(op))
    return;
  CostClass shape = getCostClass(op);
  OpPlan plan = planner.plan(op, shape);
  const PlannedCopy *after = plan.after;
  SmallVector<const PlannedCopy *, 2> before;
  for (const PlannedRead &read : plan.reads)
    if (read.copy->op == op && !llvm::is_contained(before, read.copy))
      before.push_back(read.copy);
  if (after)
    copiesOf[after->input] = after;
  if (!plan.empty())
    plans[op] = std::move(plan);
  for (const PlannedCopy *copy : before)
    if (!options.fuse || !joinProducer(copy, CostClass::DataMovement))
      addGroup(copy, CostClass::DataMovement);
  if (shape == CostClass::View)
    return;
  // A library runs collectives on a separate stream: nothing fuses with them.
  if (isa<CollectiveOp>(op))
    shape = CostClass::Opaque;
  bool fusedInLayers = options.fusesLayers && isFusedInLayers(op);
  auto isKernel = [&](Operation *other) { return groupOf.contains(other); };
  if (!joinAsBias(op) && !joinProduct(findProductOfCast(op, isKernel), op) &&
      !((options.fuse || fusedInLayers) && joinProducer(op, shape)))
    addGroup(op, shape);
  else if (fusedInLayers)
    allGroups[groupOf.lookup(op)].loadsVectors =
        hasAdjacentElements(allGroups[groupOf.lookup(op)]);
  if (after)
    addGroup(after, CostClass::DataMovement);
}
