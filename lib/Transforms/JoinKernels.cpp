//===- JoinKernels.cpp - Which op continues which kernel ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelFormer.h"
#include "LinearLayer.h"
#include "gpucost/Analysis/LaunchRules.h"
#include "gpucost/Dialect/GpuCost/IR/ElementTypes.h"
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

void KernelFormer::addGroup(Operation *op, CostClass shape) {
  groupOf[op] = groups.size();
  KernelGroup group;
  group.ops.push_back(op);
  group.shape = shape;
  if (op->getNumResults())
    group.elements = elementCount(op->getResult(0).getType());
  if (shape == CostClass::Reduction && op->getNumOperands())
    group.elements = elementCount(op->getOperand(0).getType());
  group.rows = rowsOf(op, shape);
  if (auto copy = dyn_cast<CopyOp>(op))
    group.insideLibraryCall = copy.getReason() == "layout";
  groups.push_back(std::move(group));
}

/// (J8) A product with an accumulator wider than its operands, perhaps with a
/// bias, stores what the cast behind it makes.
bool KernelFormer::joinAsNarrowingCast(Operation *op) {
  Operation *product = findProductOfCast(
      op, [&](Operation *other) { return groupOf.contains(other); });
  if (!product)
    return false;
  groups[groupOf[product]].ops.push_back(op);
  groupOf[op] = groupOf[product];
  return true;
}

/// The same for structured ops, whose reshapes in between cost nothing.
bool KernelFormer::joinAsVectorBias(Operation *op) {
  Operation *product = findProductOfVector(
      op, [&](Operation *other) { return groupOf.contains(other); });
  if (!product || groups[groupOf[product]].ops.size() != 1)
    return false;
  groups[groupOf[product]].ops.push_back(op);
  groupOf[op] = groupOf[product];
  return true;
}

/// A bias vector added to a weight product is the epilogue of its kernel.
bool KernelFormer::joinAsBias(Operation *op) {
  if (op->getName().getDialectNamespace() == "linalg" &&
      op->getNumOperands() == 3)
    return joinAsVectorBias(op);
  Operation *product = findProductOfBias(op);
  if (!product || !runTogether(product, op) || !groupOf.contains(product))
    return false;
  // The kernel runs where the product stands: the bias must be there by then.
  unsigned start = position.lookup(product), budget = maxHoisted;
  for (Value operand : op->getOperands())
    if (Operation *def = operand.getDefiningOp();
        def != product && !existsBefore(def, start, budget))
      return false;
  groups[groupOf[product]].ops.push_back(op);
  groupOf[op] = groupOf[product];
  return true;
}

/// Whether `def` stands before position `start` or can be moved there, because
/// neither it nor what it needs launches anything.
bool KernelFormer::existsBefore(Operation *def, unsigned start,
                                unsigned &budget) {
  if (!def || def->getBlock() != &block || position.lookup(def) < start)
    return true;
  if (groupOf.contains(def) || !launchesNothing(def) || budget == 0)
    return false;
  --budget;
  return llvm::all_of(def->getOperands(), [&](Value operand) {
    return existsBefore(operand.getDefiningOp(), start, budget);
  });
}

/// Whether an op that goes into `group`, which begins at `start`, can read
/// `def`: a member, what exists before, or views of them.
bool KernelFormer::isReadable(Operation *def, unsigned group, unsigned start) {
  unsigned budget = maxHoisted;
  for (unsigned depth = 0; depth < maxViews; ++depth) {
    auto own = def ? groupOf.find(def) : groupOf.end();
    if ((own != groupOf.end() && own->second == group) ||
        existsBefore(def, start, budget))
      return true;
    auto view = dyn_cast<WorkOpInterface>(def);
    if (!view || view.getCostClass() != CostClass::View ||
        !def->getNumOperands() ||
        !llvm::all_of(def->getOperands().drop_front(), [&](Value more) {
          return existsBefore(more.getDefiningOp(), start, budget);
        }))
      return false;
    def = def->getOperand(0).getDefiningOp();
  }
  return false;
}

/// Compiled code: a pointwise op continues the kernel of an operand when both
/// run over the same elements, or it over the rows that the kernel has reduced,
/// and everything else it reads exists before.
bool KernelFormer::joinProducer(Operation *op, CostClass shape) {
  if (!isPointwise(shape) || op->getNumResults() == 0 ||
      op->getNumOperands() == 0)
    return false;
  auto sourceOf = [](Value value) {
    Operation *def = value.getDefiningOp();
    for (unsigned depth = 0; def && depth < maxViews; ++depth) {
      auto work = dyn_cast<WorkOpInterface>(def);
      if (!work || work.getCostClass() != CostClass::View ||
          !def->getNumOperands())
        break;
      def = def->getOperand(0).getDefiningOp();
    }
    return def;
  };
  std::optional<int64_t> domain = elementCount(op->getResult(0).getType());
  if (shape == CostClass::Reduction)
    domain = elementCount(op->getOperand(0).getType());
  llvm::SmallSetVector<unsigned, maxProducers> tried;
  for (Value operand : op->getOperands()) {
    Operation *def = sourceOf(operand);
    auto it = def ? groupOf.find(def) : groupOf.end();
    if (it == groupOf.end() || !tried.insert(it->second))
      continue;
    if (tried.size() > maxProducers)
      break;
    KernelGroup &group = groups[it->second];
    bool sameDomain =
        group.elements == domain ||
        (shape == CostClass::Elementwise && group.rows && group.rows == domain);
    if (!isPointwise(group.shape) || !sameDomain ||
        !runTogether(group.ops.front(), op))
      continue;
    unsigned start = position[group.ops.front()];
    bool closed = llvm::all_of(valuesRead(op), [&](Value other) {
      return isReadable(other.getDefiningOp(), it->second, start);
    });
    if (!closed)
      continue;
    group.ops.push_back(op);
    if (auto rows = rowsOf(op, shape))
      group.rows = rows;
    groupOf[op] = it->second;
    return true;
  }
  return false;
}
