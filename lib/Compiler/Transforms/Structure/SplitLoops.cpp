//===- SplitLoops.cpp - Loops whose iterations differ ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A loop becomes one loop for each group of iterations with the same sizes,
// trip counts and branches: the last tile, a row of a triangle.

#include "LoopNests.h"
#include "ModuleNotes.h"
#include "gpucost/Compiler/Dialect/GpuCost/Utils/LoopTrips.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include <map>

using namespace mlir;
using namespace gpucost;

/// Limits of one function: iterations that are compared, ops that are copied.
/// One loop gets at most `maxGroups`.
static constexpr int64_t maxCompared = 1 << 17, maxCopied = 100'000;
static constexpr int64_t maxGroups = 1024;
/// Ops visited in loop bodies, counted once for each loop around them.
static constexpr int64_t maxVisited = 1 << 21;

namespace {
/// What differs among the iterations of one loop.
class Iterations {
public:
  Iterations(Operation *loop, const LoopRange &range);
  bool differ() const { return !decisive.empty(); }
  /// Groups of equal iterations; at most `most`, nullopt if there are more.
  std::optional<std::vector<IterationGroup>> group(int64_t most);

private:
  void visit(Operation *op);
  void addIfDependent(Operation *op, ValueRange values);
  bool depends(Value value);
  bool isInside(Operation *op) const { return loop->isProperAncestor(op); }
  std::optional<int64_t> evaluate(Value value, int64_t counter);
  void describe(Operation *op, ValueRange values, int64_t counter,
                std::vector<int64_t> &shape);

  Operation *loop;
  LoopRange range;
  /// Ops whose shapes, trip counts or branches depend on the counter, with the
  /// operands that do.
  std::vector<std::pair<Operation *, SmallVector<Value>>> decisive;
  llvm::DenseMap<Value, bool> dependence;
  llvm::DenseMap<Value, std::optional<int64_t>> values;
};
} // namespace

Iterations::Iterations(Operation *loop, const LoopRange &range)
    : loop(loop), range(range) {
  loop->walk([&](Operation *op) {
    if (op != loop)
      visit(op);
  });
}

/// Whether the counter affects `value`, perhaps through an inner counter.
bool Iterations::depends(Value value) {
  if (value == range.counter)
    return true;
  if (auto it = dependence.find(value); it != dependence.end())
    return it->second;
  dependence[value] = false;
  Operation *def = value.getDefiningOp();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    def = argument.getOwner()->getParentOp();
    if (!def || !isLoop(def))
      return false;
  }
  bool is = def && isInside(def) &&
            llvm::any_of(def->getOperands(), [&](Value operand) {
              return operand.getType().isIntOrIndex() && depends(operand);
            });
  return dependence[value] = is;
}

void Iterations::addIfDependent(Operation *op, ValueRange values) {
  SmallVector<Value> found;
  for (Value value : values)
    if (value.getType().isIntOrIndex() && depends(value))
      found.push_back(value);
  if (!found.empty())
    decisive.emplace_back(op, std::move(found));
}

void Iterations::visit(Operation *op) {
  // An offset moves a slice, but does not change its shape.
  if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op))
    return addIfDependent(op, slice.getSizes());
  bool isDynamic = llvm::any_of(op->getResultTypes(), [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && !shaped.hasStaticShape();
  });
  if (isDynamic || isLoop(op) || isBranch(op))
    addIfDependent(op, op->getOperands());
}

/// The value in the iteration with this counter; nullopt if it also depends on
/// an inner counter or on data.
std::optional<int64_t> Iterations::evaluate(Value value, int64_t counter) {
  if (value == range.counter)
    return counter;
  if (auto constant = getConstantIntValue(OpFoldResult(value)))
    return constant;
  Operation *def = value.getDefiningOp();
  if (!def || def->getNumRegions() || def->getNumResults() != 1)
    return std::nullopt;
  if (auto it = values.find(value); it != values.end())
    return it->second;
  values[value] = std::nullopt;
  SmallVector<Attribute> operands;
  for (Value operand : def->getOperands()) {
    std::optional<int64_t> known = operand.getType().isIntOrIndex()
                                       ? evaluate(operand, counter)
                                       : std::nullopt;
    if (!known)
      return std::nullopt;
    operands.push_back(IntegerAttr::get(operand.getType(), *known));
  }
  SmallVector<OpFoldResult> results;
  if (failed(def->fold(operands, results)) || results.size() != 1)
    return std::nullopt;
  return values[value] = getConstantIntValue(results.front());
}

/// Appends what the iteration with this counter makes of `op` to `shape`.
void Iterations::describe(Operation *op, ValueRange dependent, int64_t counter,
                          std::vector<int64_t> &shape) {
  llvm::DenseMap<Value, int64_t> known;
  for (Value value : dependent) {
    std::optional<int64_t> number = evaluate(value, counter);
    if (!number) {
      shape.push_back(counter);
      return;
    }
    known[value] = *number;
  }
  auto ranges = isLoop(op) ? getLoopRanges(op, known) : std::nullopt;
  if (ranges)
    for (const LoopRange &inner : *ranges)
      shape.push_back(inner.trips);
  else
    for (Value value : dependent)
      shape.push_back(known[value]);
}

std::optional<std::vector<IterationGroup>> Iterations::group(int64_t most) {
  std::map<std::vector<int64_t>, size_t> known;
  std::vector<IterationGroup> groups;
  for (int64_t i = 0; i < range.trips; ++i) {
    int64_t counter = range.at(i);
    values.clear();
    std::vector<int64_t> shape;
    for (auto &[op, dependent] : decisive)
      describe(op, dependent, counter, shape);
    auto [at, isNew] = known.try_emplace(std::move(shape), groups.size());
    if (isNew)
      groups.push_back({counter, 0});
    ++groups[at->second].iterations;
    if (static_cast<int64_t>(groups.size()) > most)
      return std::nullopt;
  }
  return groups;
}

/// Makes `loop` run `group` with a constant counter.
static void runGroup(Operation *loop, const IterationGroup &group) {
  OpBuilder builder(loop);
  auto constant = [&](Type type, int64_t value) {
    return arith::ConstantOp::create(builder, loop->getLoc(),
                                     builder.getIntegerAttr(type, value));
  };
  Value counter =
      cast<LoopLikeOpInterface>(loop).getLoopInductionVars()->front();
  counter.replaceAllUsesWith(constant(counter.getType(), group.counter));
  if (auto simple = dyn_cast<scf::ForOp>(loop)) {
    simple.setLowerBound(constant(counter.getType(), 0));
    simple.setUpperBound(constant(counter.getType(), group.iterations));
    simple.setStep(constant(counter.getType(), 1));
    return;
  }
  auto affine = cast<affine::AffineForOp>(loop);
  affine.setConstantLowerBound(0);
  affine.setConstantUpperBound(group.iterations);
  affine.setStep(1);
}

namespace {
class LoopSplitter {
public:
  explicit LoopSplitter(func::FuncOp function)
      : module(function->getParentOfType<ModuleOp>()) {}
  void visit(Region &region);

private:
  void visitLoop(Operation *loop);
  void visitBody(Operation *op);
  std::vector<IterationGroup> group(Operation *loop, const LoopRange &range);
  void note(Operation *loop, int64_t groups);

  ModuleOp module;
  int64_t comparisons = maxCompared, copies = maxCopied, visits = maxVisited;
};
} // namespace

void LoopSplitter::note(Operation *loop, int64_t groups) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "sizes in '" << loop->getName() << "' depend on its counter: counted ";
  if (groups > 1)
    os << "in " << groups
       << " groups of iterations, each like its middle iteration";
  else
    os << "as if all iterations were like the middle one";
  addNote(module, text);
}

/// The groups that `loop` is split into; empty if its iterations are equal.
std::vector<IterationGroup> LoopSplitter::group(Operation *loop,
                                                const LoopRange &range) {
  Iterations iterations(loop, range);
  if (!iterations.differ() || range.trips < 2)
    return {};
  int64_t size = 0, integers = 0;
  loop->walk([&](Operation *op) {
    ++size;
    integers += llvm::any_of(op->getResultTypes(),
                             [](Type type) { return type.isIntOrIndex(); });
  });
  visits -= size;
  int64_t most = std::clamp<int64_t>(copies / size, 1, maxGroups);
  int64_t effort = saturatingProduct(range.trips, integers + 1);
  if (effort <= comparisons) {
    comparisons -= effort;
    auto groups = iterations.group(most);
    if (groups && groups->size() == 1)
      return {};
    if (groups) {
      copies -= static_cast<int64_t>(groups->size()) * size;
      return *groups;
    }
  }
  int64_t count = std::min(most, range.trips);
  note(loop, count);
  copies = std::max<int64_t>(copies - count * size, 0);
  return divide(range, count);
}

void LoopSplitter::visitLoop(Operation *loop) {
  if (visits <= 0)
    return note(loop, 1);
  auto ranges = getLoopRanges(loop);
  std::vector<IterationGroup> groups;
  if (ranges && ranges->size() == 1 && ranges->front().counter &&
      isa<scf::ForOp, affine::AffineForOp>(loop) &&
      !loop->hasAttr(statedTripsAttrName))
    groups = group(loop, ranges->front());
  else if (ranges)
    for (const LoopRange &range : *ranges)
      if (range.counter && range.trips > 1 && Iterations(loop, range).differ())
        note(loop, 1);
  if (groups.empty())
    return visitBody(loop);
  // The last part is the loop itself; the others run before it.
  OpBuilder builder(loop);
  SmallVector<Operation *> parts;
  for (size_t i = 1; i < groups.size(); ++i)
    parts.push_back(builder.clone(*loop));
  parts.push_back(loop);
  for (auto [i, part] : llvm::enumerate(parts)) {
    if (i)
      for (auto [init, value] :
           llvm::zip_equal(cast<LoopLikeOpInterface>(part).getInitsMutable(),
                           parts[i - 1]->getResults()))
        init.set(value);
    runGroup(part, groups[i]);
    visitBody(part);
  }
}

void LoopSplitter::visitBody(Operation *op) {
  for (Region &region : op->getRegions())
    visit(region);
}

void LoopSplitter::visit(Region &region) {
  for (Block &block : region)
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (isLoop(&op) && !isScalarNest(&op))
        visitLoop(&op);
      else if (isBranch(&op))
        visitBody(&op);
      else
        foldInteger(&op);
    }
}

void gpucost::splitLoops(func::FuncOp function) {
  LoopSplitter(function).visit(function.getBody());
}
