//===- Loops.cpp - Loop and Scan ------------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A short loop is unrolled, so that every iteration has its types and values.
// The body of a long loop is inlined once, and its ops carry the trip count.

#include "Loop.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Support/CheckedMath.h"

using namespace mlir;
using namespace gpucost;

/// Number of rounds before types that change between iterations become unknown.
static constexpr unsigned maxRounds = 3;
/// A larger maximum trip count is ignored.
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

/// `axis` normalised to [0, rank] for a type of rank `rank`; nullopt outside.
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
  // The first Scan version has lengths as operand 0 and a batch in all others.
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

/// Estimates the trip count of a loop whose end depends on data.
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

/// Inlines the body of `loop` once or for all iterations.
Operation *BlockInference::expand(Loop &loop) {
  // Values that the body yields unchanged are not carried.
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
    // The length of a list is not part of its type.
    stable &= !isa<onnx::SequenceType, onnx::OptionalType>(type);
    types.push_back(type);
  }
  loop.body().walk([&](Operation *) { ++loop.size; });

  Iteration first = placeOpaque(loop, types);
  if (exhausted)
    return nullptr;
  for (Value yielded :
       llvm::drop_begin(first.yields, loop.firstYield() + loop.carried()))
    loop.stackedSlices.push_back(yielded.getType());
  // Check for a condition that holds independent of the iteration.
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
  // A condition on small integers can be evaluated iteration by iteration.
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
  // If one iteration is counted, the types of the first iteration suffice.
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
