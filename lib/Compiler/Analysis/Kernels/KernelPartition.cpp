//===- KernelPartition.cpp - Partition of ops into kernels ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Analysis/Kernels/KernelPartition.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/Analysis/Kernels/LinearLayer.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Scenario/FrameworkRules.h"
#include "gpucost/Core/Scenario/TrainingStack.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"
#include <array>
#include <climits>

using namespace mlir;
using namespace gpucost;

/// Maximum number of producer kernels that an op may join; compilers do not
/// fuse ops that read more kernels.
static constexpr unsigned maxProducers = 8;
/// Maximum number of views between two fused ops.
static constexpr unsigned maxViews = 64;

PartitionOptions PartitionOptions::of(const Settings &settings) {
  PartitionOptions options;
  options.onDemand = false;
  options.fuses = settings.runtime == Runtime::Compiled;
  options.fusesLayers = settings.fusesDecoderLayers();
  options.fusesQuantization =
      options.fusesLayers &&
      frameworkRules(settings.software).fusesQuantization;
  if (auto stack = trainingStack(settings.software))
    options.fusesGradientSums = settings.trains() && stack->fusesGradientSums;
  options.plans.channelsLast = settings.channelsLast;
  options.plans.library = !options.fuses;
  options.plans.readsEvenRows = options.fusesLayers;
  return options;
}

KernelPartition::KernelPartition(Block &block, const PartitionOptions &options,
                                 OpFacts *facts)
    : block(block), options(options), facts(facts), planner(options.plans) {
  findConstants();
  if (options.onDemand)
    return;
  size_t size = block.getOperations().size();
  allGroups.reserve(size);
  position.reserve(size);
  groupIndex.reserve(size);
  for (Operation &op : block)
    position[&op] = position.size();
  for (Operation &op : block)
    visit(&op);
  llvm::DenseSet<Operation *> taken;
  for (KernelGroup &group : allGroups)
    addViews(group, taken);
}

/// Whether `op` is a constant with elements.
static bool isTensorLiteral(Operation &op) {
  return op.getNumOperands() == 0 && op.getNumResults() == 1 &&
         !isa<tensor::EmptyOp>(op) &&
         isa<ShapedType>(op.getResult(0).getType()) &&
         op.hasTrait<OpTrait::ConstantLike>();
}

void KernelPartition::findConstants() {
  Operation *parent = block.getParentOp();
  if (parent && parent->hasTrait<OpTrait::IsIsolatedFromAbove>() &&
      block.getParent()->hasOneBlock()) {
    // All constants are in this block. Few are tensors, from which the others
    // follow.
    SmallVector<Operation *> readers;
    for (Operation &op : block)
      if (isTensorLiteral(op))
        llvm::append_range(readers, op.getUsers());
    spreadConstants(std::move(readers));
    return;
  }
  for (Operation &op : block)
    if (isConstantWork(&op, [&](Operation *def) { return isConstant(def); }))
      constants.insert(&op);
}

SmallVector<Operation *> KernelPartition::update(Operation *op) {
  assert(options.onDemand && "expected a new partition");
  return spreadConstants({op});
}

SmallVector<Operation *>
KernelPartition::spreadConstants(SmallVector<Operation *> worklist) {
  SmallVector<Operation *> changed;
  while (!worklist.empty()) {
    Operation *next = worklist.pop_back_val();
    if (next->getBlock() != &block)
      continue;
    bool is =
        isConstantWork(next, [&](Operation *def) { return isConstant(def); });
    if (is == isConstant(next))
      continue;
    changed.push_back(next);
    if (is)
      constants.insert(next);
    else
      constants.erase(next);
    llvm::append_range(worklist, next->getUsers());
  }
  return changed;
}

const OpPlan *KernelPartition::planOf(Operation *op) const {
  auto plan = plans.find(op);
  return plan == plans.end() ? nullptr : &plan->second;
}

bool KernelPartition::launchesNothing(Operation *op) const {
  if (isConstant(op)) {
    OpFacts::record(op);
    return true;
  }
  return facts ? facts->get(op).launchesNothing : gpucost::launchesNothing(op);
}

bool KernelPartition::launches(Operation *op) const {
  return !launchesNothing(op) && !isView(op);
}

void KernelPartition::addGroup(KernelMember member, CostClass shape) {
  allGroups.push_back(makeGroup(member, shape));
  groupIndex[member] = allGroups.size() - 1;
}

void KernelPartition::addTo(unsigned group, KernelMember member,
                            CostClass shape) {
  join(allGroups[group], member, shape);
  groupIndex[member] = group;
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

/// The op or copy that `maker` is a view of.
KernelMember KernelPartition::sourceOf(KernelMember maker) const {
  for (unsigned depth = 0; depth < maxViews; ++depth) {
    auto *op = dyn_cast_if_present<Operation *>(maker);
    if (!op || !isView(op) || !op->getNumOperands())
      break;
    maker = makerOf(op, 0);
  }
  return maker;
}

/// Position in the block of an op, or of a copy's user.
unsigned KernelPartition::positionOf(KernelMember member) const {
  auto *copy = dyn_cast<const PlannedCopy *>(member);
  return position.lookup(copy ? copy->op : cast<Operation *>(member));
}

/// The ops and copies that produce the operands of `member`.
SmallVector<KernelMember, 4>
KernelPartition::makersOf(KernelMember member) const {
  auto *copy = dyn_cast<const PlannedCopy *>(member);
  if (copy)
    return {copy->inputCopy ? KernelMember(copy->inputCopy)
                            : makerOf(copy->input)};
  auto *op = cast<Operation *>(member);
  SmallVector<KernelMember, 4> makers;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    makers.push_back(makerOf(op, i));
  return makers;
}

/// Whether `maker` precedes position `start` or can be moved there, because
/// neither `maker` nor the ops that it depends on launch anything.
bool KernelPartition::isMade(KernelMember maker, unsigned start,
                             unsigned &budget) const {
  if (!maker)
    return true;
  if (auto *copy = dyn_cast<const PlannedCopy *>(maker))
    return position.lookup(copy->op) < start;
  auto *op = cast<Operation *>(maker);
  if (op->getBlock() != &block || position.lookup(op) < start)
    return true;
  if (groupIndex.contains(op) || !launchesNothing(op) || budget == 0)
    return false;
  --budget;
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    if (!isMade(makerOf(op, i), start, budget))
      return false;
  return true;
}

/// Whether a member of `group`, which begins at `start`, can read `maker`: it
/// is a member, exists before `start`, or is a view of such a value.
bool KernelPartition::isReadable(KernelMember maker, unsigned group,
                                 unsigned start) const {
  unsigned budget = maxHoisted;
  for (unsigned depth = 0; depth < maxViews; ++depth) {
    auto known = maker ? groupIndex.find(maker) : groupIndex.end();
    if ((known != groupIndex.end() && known->second == group) ||
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

/// In compiled code, a pointwise op joins the kernel of an operand if both
/// process the same elements, or if the op processes the rows that the kernel
/// has reduced, and if all of its other operands already exist.
bool KernelPartition::joinProducer(KernelMember member, CostClass shape) {
  auto *op = dyn_cast<Operation *>(member);
  if (!isPointwise(shape) ||
      (op && (op->getNumResults() == 0 || op->getNumOperands() == 0)))
    return false;
  SmallVector<KernelMember, 4> makers = makersOf(member);
  size_t operands = makers.size();
  if (op) {
    auto read = valuesRead(op);
    for (Value captured : ArrayRef(read).drop_front(operands))
      makers.push_back(makerOf(captured));
  }
  llvm::SmallSetVector<unsigned, maxProducers> tried;
  for (KernelMember maker : ArrayRef(makers).take_front(operands)) {
    KernelMember source = sourceOf(maker);
    auto it = source ? groupIndex.find(source) : groupIndex.end();
    if (it == groupIndex.end() || !tried.insert(it->second))
      continue;
    if (tried.size() > maxProducers)
      break;
    unsigned index = it->second;
    KernelGroup &group = allGroups[index];
    if (!isPointwise(group.shape) ||
        !whyNotJoined(group, member, shape).empty())
      continue;
    unsigned start = positionOf(group.members.front());
    if (!llvm::all_of(makers, [&](KernelMember other) {
          return isReadable(other, index, start);
        }))
      continue;
    addTo(index, member, shape);
    return true;
  }
  return false;
}

/// Whether `op` computes 8-bit elements with a scale for each block.
static bool hasBlocksOfBytes(Operation *op) {
  return isa<onnx::QuantizeBlocksOp>(op) &&
         getElementTypeOrSelf(op->getResult(0).getType())
                 .getIntOrFloatBitWidth() == CHAR_BIT;
}

/// Whether `op` adds a router's bias to the scores of experts.
static bool isBiasedChoice(Operation *op) {
  if (!isa<onnx::AddOp>(op) || op->getNumOperands() != 2)
    return false;
  return llvm::any_of(std::array{0u, 1u}, [&](unsigned i) {
    return op->getOperand(i).getDefiningOp<onnx::SigmoidOp>() &&
           isParameterOrConstant(op->getOperand(1 - i));
  });
}

/// (L12) Kernels of serving stacks: the norm of a residual sum, an activation
/// with the multiplication by its gate, the quantisation of both, and the
/// scores by which a router chooses experts.
bool KernelPartition::isFusedInLayers(Operation *op) const {
  if (isBiasedChoice(op))
    return true;
  if (isa<onnx::QuantizeLinearOp, onnx::QuantizeBlocksOp>(op)) {
    auto *maker = dyn_cast_if_present<Operation *>(makerOf(op, 0));
    return options.fusesQuantization && maker && !hasBlocksOfBytes(op) &&
           (isa<onnx::RMSNormalizationOp, onnx::SimplifiedLayerNormalizationOp,
                onnx::LayerNormalizationOp>(maker) ||
            isFusedInLayers(maker));
  }
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

/// (L13) A serving stack's kernel for `group` assumes rows with adjacent
/// elements; if they are adjacent, it loads vectors for any row stride.
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
  CostClass shape = classOf(op);
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
    if (!options.fuses || !joinProducer(copy, CostClass::DataMovement))
      addGroup(copy, CostClass::DataMovement);
  if (shape == CostClass::View)
    return;
  // A library runs collectives on a separate stream: nothing fuses with them.
  if (isa<CollectiveOp>(op))
    shape = CostClass::Opaque;
  bool fusedInLayers = options.fusesLayers && isFusedInLayers(op);
  if (Operation *product = findProduct(op))
    addTo(groupIndex.lookup(product), op, shape);
  else if (!(options.fuses || fusedInLayers) || !joinProducer(op, shape))
    addGroup(op, shape);
  else if (fusedInLayers)
    allGroups[groupIndex.lookup(op)].loadsVectors =
        hasAdjacentElements(allGroups[groupIndex.lookup(op)]);
  if (after)
    addGroup(after, CostClass::DataMovement);
}

/// Adds views to the kernel of `group`: views between its members, and later
/// views of values that exist before the kernel. A view belongs to the first
/// kernel that reads it; `taken` contains the views of earlier kernels.
void KernelPartition::addViews(KernelGroup &group,
                               llvm::DenseSet<Operation *> &taken) {
  if (group.members.size() == 1) {
    group.body.assign(group.members.begin(), group.members.end());
    return;
  }
  llvm::SmallSetVector<KernelMember, 8> body(group.members.begin(),
                                             group.members.end());
  unsigned start = positionOf(group.members.front());
  for (KernelMember member : ArrayRef(group.members).drop_front())
    for (KernelMember maker : makersOf(member)) {
      SmallVector<Operation *> views;
      while (auto *def = dyn_cast_if_present<Operation *>(maker)) {
        if (body.contains(def) || def->getBlock() != &block || !isView(def) ||
            taken.contains(def))
          break;
        views.push_back(def);
        maker = def->getNumOperands() ? makerOf(def, 0) : KernelMember();
      }
      bool between = maker && body.contains(maker);
      for (Operation *view : llvm::reverse(views))
        if ((between || position.lookup(view) > start) && body.insert(view))
          taken.insert(view);
    }
  group.body.assign(body.begin(), body.end());
}

Operation *KernelPartition::firstOf(Operation *op) const {
  if (!options.onDemand) {
    auto known = groupIndex.find(op);
    return known == groupIndex.end()
               ? nullptr
               : dyn_cast<Operation *>(
                     allGroups[known->second].members.front());
  }
  if (!launches(op))
    return nullptr;
  Operation *product = findProduct(op);
  return product ? product : op;
}

KernelGroup KernelPartition::groupOf(Operation *first) const {
  if (!options.onDemand)
    return allGroups[groupIndex.lookup(first)];
  KernelGroup group = groupOfOne(first);
  if (!isProduct(group.shape))
    return group;
  // The op that adds to the result, the cast after it, the views in between.
  Operation *last = first;
  SmallVector<KernelMember, 4> chain = {first};
  while (hasOneReader(last)) {
    last = *last->getUsers().begin();
    if (last->getBlock() != &block)
      break;
    chain.push_back(last);
    if (isView(last))
      continue;
    if (findProduct(last) != first)
      break;
    group.members.push_back(last);
    group.body = chain;
  }
  return group;
}
