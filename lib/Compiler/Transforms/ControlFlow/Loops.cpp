//===- Loops.cpp - Loop and Scan ------------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A short loop is unrolled: every iteration then has its own types and values.
// Of a long one the body stands once, and its ops say how often they run.

#include "Loop.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Support/CheckedMath.h"

using namespace mlir;
using namespace gpucost;

/// Rounds until types that change from one iteration to the next are given up.
static constexpr unsigned maxRounds = 3;
/// A larger maximum trip count stands for none.
static constexpr int64_t maxBound = 1'000'000;

Operation *BlockInference::resolveLoop(Operation *op) {
  if (op->getNumRegions() != 1)
    return fail(op, "expected a body");
  Loop loop;
  loop.op = op;
  loop.counts = true;
  for (unsigned i = 2; i < op->getNumOperands(); ++i)
    loop.inits.push_back(op->getOperand(i));
  unsigned inputs = loop.body().getNumArguments();
  unsigned yields = loop.body().getTerminator()->getNumOperands();
  if (inputs != loop.carried() + 2 || yields < loop.carried() + 1 ||
      op->getNumResults() > yields - 1)
    return fail(op, "has " + Twine(loop.carried()) + " carried values and " +
                        Twine(op->getNumResults()) +
                        " results, but a body with " + Twine(inputs) +
                        " inputs and " + Twine(yields) + " outputs");
  loop.outAxes.assign(yields - 1 - loop.carried(), 0);

  auto exists = [&](unsigned i) {
    return i < op->getNumOperands() &&
           !isa<onnx::NoneType>(op->getOperand(i).getType());
  };
  std::optional<int64_t> condition = 1;
  if (exists(0))
    if (std::optional<int64_t> most = getScalar(op->getOperand(0)))
      loop.limit = std::max<int64_t>(*most, 0);
  if (exists(1))
    condition = getScalar(op->getOperand(1));
  if (std::optional<int64_t> stated = trips.find(op))
    loop.trips = loop.limit = *stated;
  else if (loop.limit == 0 || (condition && !*condition))
    loop.trips = loop.limit = 0;
  return expand(loop);
}

/// `axis` of a type of `rank`, in [0, rank]; nullopt outside.
static std::optional<int64_t> toAxis(int64_t axis, int64_t rank) {
  axis += axis < 0 ? rank : 0;
  return axis >= 0 && axis < rank ? std::optional(axis) : std::nullopt;
}

Operation *BlockInference::resolveScan(Operation *op) {
  if (op->getNumRegions() != 1)
    return fail(op, "expected a body");
  Loop loop;
  loop.op = op;
  onnx::InferenceContext context(op, state);
  auto own = op->getAttrOfType<IntegerAttr>("onnx.opset");
  // The first Scan has lengths as first operand and a batch in all others.
  bool batched = (own ? own.getInt() : opset) < 9;
  int64_t first = batched ? 1 : 0;
  int64_t scanned = context.getInt("num_scan_inputs");
  int64_t inits = static_cast<int64_t>(op->getNumOperands()) - first - scanned;
  if (scanned < 1 || scanned > op->getNumOperands() || inits < 0)
    return fail(op,
                "expected 'num_scan_inputs' from 1 to the number of inputs, "
                "but got " +
                    Twine(scanned));
  for (int64_t i = 0; i < inits; ++i)
    loop.inits.push_back(op->getOperand(first + i));
  unsigned yields = loop.body().getTerminator()->getNumOperands();
  if (loop.body().getNumArguments() != inits + scanned || yields < inits ||
      op->getNumResults() > yields)
    return fail(op, "has " + Twine(inits) + " carried and " + Twine(scanned) +
                        " scanned values, but a body with " +
                        Twine(loop.body().getNumArguments()) + " inputs and " +
                        Twine(yields) + " outputs");

  auto axes = context.getInts("scan_input_axes");
  std::optional<int64_t> length;
  for (int64_t i = 0; i < scanned; ++i) {
    Value value = op->getOperand(first + inits + i);
    loop.scanned.push_back(value);
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type) {
      loop.slices.push_back(onnx::UnknownType::get(op->getContext()));
      continue;
    }
    SmallVector<int64_t> dims(type.getShape());
    if (batched && !dims.empty()) {
      if (!ShapedType::isDynamic(dims[0]))
        loop.batch = dims[0];
      dims.erase(dims.begin());
    }
    std::optional<int64_t> axis =
        toAxis(axes && i < static_cast<int64_t>(axes->size()) ? (*axes)[i] : 0,
               dims.size());
    if (!axis)
      return fail(op, "scan axis is out of range for input " +
                          Twine(first + inits + i) + " of rank " +
                          Twine(type.getRank()));
    if (!ShapedType::isDynamic(dims[*axis])) {
      if (length && *length != dims[*axis])
        return fail(op, "scanned values have " + Twine(*length) + " and " +
                            Twine(dims[*axis]) + " slices");
      length = dims[*axis];
    }
    dims.erase(dims.begin() + *axis);
    loop.slices.push_back(RankedTensorType::get(dims, type.getElementType()));
  }
  auto outAxes = context.getInts("scan_output_axes");
  for (unsigned i = 0; i < yields - inits; ++i)
    loop.outAxes.push_back(outAxes && i < outAxes->size() ? (*outAxes)[i] : 0);
  if (std::optional<int64_t> stated = trips.find(op))
    loop.trips = *stated;
  else if (length)
    loop.trips = checkedProduct({*length, loop.batch.value_or(1)});
  loop.limit = loop.trips.value_or(INT64_MAX);
  return expand(loop);
}

/// A count for a loop that only its data ends.
void BlockInference::estimateTrips(Loop &loop) {
  if (loop.trips)
    return;
  if ((loop.trips = trips.findForAll()))
    return;
  std::string advice =
      ("; state the count with --trip=" + getNodeName(loop.op) + ":<n>").str();
  if (loop.limit <= maxBound) {
    loop.trips = loop.limit;
    assume(loop.op, "trip count is unknown: the upper bound is counted",
           ", " + Twine(loop.limit) + advice, /*atMost=*/true);
    return;
  }
  assume(loop.op, "trip count is unknown: one iteration is counted", advice,
         /*atMost=*/false);
}

/// Puts the body of `loop` in place, or all iterations of it.
Operation *BlockInference::expand(Loop &loop) {
  // Values that the body hands on unchanged are not carried.
  Operation *yield = loop.body().getTerminator();
  unsigned firstCarried = loop.counts ? 2 : 0;
  bool stable = true;
  SmallVector<Type> types;
  for (unsigned i = 0; i < loop.carried(); ++i) {
    BlockArgument argument = loop.body().getArgument(firstCarried + i);
    if (!loop.batch && yield->getOperand(loop.firstYield() + i) == argument) {
      argument.replaceAllUsesWith(loop.inits[i]);
      types.push_back(loop.inits[i].getType());
      continue;
    }
    Type type = loop.inits[i].getType();
    auto ranked = dyn_cast<RankedTensorType>(type);
    if (loop.batch && ranked && ranked.getRank() > 0)
      type = RankedTensorType::get(ranked.getShape().drop_front(),
                                   ranked.getElementType());
    // The length of a list is part of no type.
    stable &= !isa<onnx::SequenceType, onnx::OptionalType>(type);
    types.push_back(type);
  }
  loop.body().walk([&](Operation *) { ++loop.size; });

  Iteration first = placeOpaque(loop, types);
  if (exhausted)
    return nullptr;
  // Does the condition hold, whatever the iteration is?
  if (!loop.trips && loop.counts) {
    std::optional<int64_t> again = getScalar(first.yields[0]);
    if (again && *again && loop.limit <= TripCounts::maxValue)
      loop.trips = loop.limit;
    else if (again && !*again)
      loop.trips = std::min<int64_t>(loop.limit, 1);
  }
  for (unsigned i = 0; i < loop.carried(); ++i)
    stable &= first.yields[loop.firstYield() + i].getType() == types[i];
  int64_t most = stable ? maxUnrolledOps : maxUnrolledChangingOps;
  bool mayUnroll = !loop.batch && copiedOps <= maxFreelyCopiedOps;
  bool isShort =
      loop.trips && (*loop.trips <= 1 || *loop.trips <= most / loop.size);
  // A condition on small integers can be followed iteration by iteration.
  bool isFollowed = !loop.trips && loop.counts;
  Operation *next = loop.op->getNextNode();
  if (mayUnroll && (isShort || isFollowed)) {
    removeBody(loop, first.before);
    if (unroll(loop))
      return exhausted ? nullptr : next;
    first = placeOpaque(loop, types);
    if (exhausted)
      return nullptr;
  }
  estimateTrips(loop);
  // One iteration is what its first one is: types need not hold for all.
  if (loop.trips)
    for (unsigned round = mayUnroll ? 1 : maxRounds;
         !stable && round <= maxRounds; ++round) {
      stable = true;
      for (unsigned i = 0; i < loop.carried(); ++i) {
        Type merged = onnx::mergeTypes(
            types[i], first.yields[loop.firstYield() + i].getType());
        if (round == maxRounds && merged != types[i])
          merged = onnx::UnknownType::get(loop.op->getContext());
        types[i] = merged;
      }
      removeBody(loop, first.before);
      first = placeOpaque(loop, types);
      if (exhausted)
        return nullptr;
      for (unsigned i = 0; i < loop.carried(); ++i)
        stable &= first.yields[loop.firstYield() + i].getType() == types[i];
    }
  repeat(loop, first);
  return next;
}
