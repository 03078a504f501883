//===- NestBranches.cpp - Conditions on the counters of a nest ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// (J7) A condition on a counter, such as a bounds check or "first step", holds
// for a part of the counter's range: the branch runs in these iterations.
//
//===----------------------------------------------------------------------===//

#include "NestReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace gpucost;

namespace {

/// The iterations in which a condition holds.
struct Holding {
  enum { Never, Always, Sometimes } when = Always;
  /// For `Sometimes`: counter index and the part of its range that matches.
  SmallVector<std::pair<size_t, LoopRange>, 2> in;
  /// The part of the range that does not match, if it is contiguous.
  std::optional<std::pair<size_t, LoopRange>> elsewhere;
};

} // namespace

static bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b) {
  using P = arith::CmpIPredicate;
  auto ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  switch (predicate) {
  case P::eq:
    return a == b;
  case P::ne:
    return a != b;
  case P::slt:
    return a < b;
  case P::sle:
    return a <= b;
  case P::sgt:
    return a > b;
  case P::sge:
    return a >= b;
  case P::ult:
    return ua < ub;
  case P::ule:
    return ua <= ub;
  case P::ugt:
    return ua > ub;
  case P::uge:
    return ua >= ub;
  }
  return false;
}

/// The values of `range` from index `first` to index `last`.
static LoopRange partOf(LoopRange range, int64_t first, int64_t last) {
  range.first += first * range.step;
  range.trips = last - first + 1;
  return range;
}

/// When a comparison holds whose indices depend on one counter; nullopt if
/// unknown. Evaluates at most `values` counter values and updates `values`.
static std::optional<Holding> holds(arith::CmpIOp op, NestCounters counters,
                                    int64_t &values) {
  auto everything = [](const NestCounter &) { return true; };
  auto a = counters.evaluate(op.getLhs(), everything);
  auto b = counters.evaluate(op.getRhs(), everything);
  if (!a || !b)
    return std::nullopt;
  uint64_t moving = a->counters | b->counters;
  Holding result;
  if (a->extent() == 0 && b->extent() == 0) {
    result.when = compare(op.getPredicate(), a->low, b->low) ? Holding::Always
                                                             : Holding::Never;
    return result;
  }
  size_t counter = 0;
  while (counter < counters.size() && !(moving >> counter & 1))
    ++counter;
  LoopRange range =
      counter < counters.size() ? counters[counter].range : LoopRange();
  if (moving != uint64_t(1) << counter || range.trips > values)
    return std::nullopt;
  values -= range.trips;
  int64_t first = -1, last = -1, count = 0;
  for (int64_t i = 0; i < range.trips; ++i) {
    counters.narrow(counter, partOf(range, i, i));
    a = counters.evaluate(op.getLhs(), everything);
    b = counters.evaluate(op.getRhs(), everything);
    if (!a || !b || a->extent() != 0 || b->extent() != 0)
      return std::nullopt;
    if (!compare(op.getPredicate(), a->low, b->low))
      continue;
    first = count == 0 ? i : first;
    last = i;
    ++count;
  }
  if (count == 0 || count == range.trips) {
    result.when = count ? Holding::Always : Holding::Never;
    return result;
  }
  if (last - first + 1 != count)
    return std::nullopt;
  result.when = Holding::Sometimes;
  result.in.emplace_back(counter, partOf(range, first, last));
  if (first == 0)
    result.elsewhere = {counter, partOf(range, last + 1, range.trips - 1)};
  else if (last == range.trips - 1)
    result.elsewhere = {counter, partOf(range, 0, first - 1)};
  return result;
}

static std::optional<Holding> holds(Value condition,
                                    const NestCounters &counters,
                                    int64_t &values, unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  Operation *def = condition.getDefiningOp();
  if (!def || depth > deepest)
    return std::nullopt;
  Holding result;
  if (auto constant = dyn_cast<arith::ConstantOp>(def)) {
    auto value = dyn_cast<IntegerAttr>(constant.getValue());
    result.when =
        value && value.getValue().isZero() ? Holding::Never : Holding::Always;
    return value ? std::optional(result) : std::nullopt;
  }
  if (auto comparison = dyn_cast<arith::CmpIOp>(def))
    return holds(comparison, counters, values);
  if (!isa<arith::AndIOp>(def))
    return std::nullopt;
  for (Value operand : def->getOperands()) {
    NestCounters narrowed = counters;
    for (auto [counter, range] : result.in)
      narrowed.narrow(counter, range);
    auto part = holds(operand, narrowed, values, depth + 1);
    if (!part || part->when == Holding::Never)
      return part;
    if (part->when == Holding::Sometimes) {
      result.when = Holding::Sometimes;
      result.elsewhere =
          result.in.empty() ? part->elsewhere : decltype(part->elsewhere)();
      result.in.append(part->in);
    }
  }
  if (result.in.size() > 1)
    result.elsewhere = std::nullopt;
  return result;
}

bool NestReader::visitIf(scf::IfOp branch) {
  std::optional<Holding> holding =
      holds(branch.getCondition(), counters, valuesLeft);
  if (!holding)
    return fail(branch);
  NestCounters around = counters;
  size_t before = members.size();
  bool understood = true, computes = false; // for the branch that is executed
  Block *taken = nullptr;
  auto visitWhere = [&](Block *block,
                        ArrayRef<std::pair<size_t, LoopRange>> where) {
    for (auto [counter, range] : where)
      counters.narrow(counter, range);
    understood &= visitBlock(*block);
    counters = around;
  };
  if (holding->when != Holding::Never) {
    visitWhere(branch.thenBlock(), holding->in);
    taken = branch.thenBlock();
    computes = members.size() > before;
  }
  if (holding->when != Holding::Always && branch.elseBlock()) {
    size_t own = members.size();
    SmallVector<std::pair<size_t, LoopRange>, 1> where;
    if (holding->elsewhere)
      where.push_back(*holding->elsewhere);
    visitWhere(branch.elseBlock(), where);
    bool also = members.size() > own;
    bool known = holding->when == Holding::Never || holding->elsewhere;
    // The two parts of a result may have different tiles.
    if (understood && also &&
        (!known ||
         (computes && !branch->getResults().empty() &&
          counters[where.front().first].level == CounterLevel::Block)))
      return fail(branch);
    if (!taken || (also && !computes))
      taken = branch.elseBlock();
  }
  if (!understood)
    return false;
  for (OpResult result : branch->getResults()) {
    if (std::optional<Part> part = findCarried(
            taken->getTerminator()->getOperand(result.getResultNumber())))
      parts[result] = *part;
  }
  return true;
}
