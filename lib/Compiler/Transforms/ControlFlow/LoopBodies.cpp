//===- LoopBodies.cpp - Inlining of loop bodies ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Loop.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace gpucost;

/// Limit for the launches of one kernel; no practical model exceeds it.
static constexpr int64_t maxSteps = int64_t(1) << 40;

/// Whether `value` is a weight, a constant, or computed only from these.
bool BlockInference::isConstant(Value value, unsigned depth) const {
  Operation *def = value.getDefiningOp();
  if (!def || depth > 8)
    return false;
  if (isa<onnx::ParameterOp, onnx::ConstantOp, onnx::NoneOp>(def) ||
      state.values.contains(value))
    return true;
  return isa<onnx::OnnxOp>(def) && def->getNumOperands() &&
         !isa<onnx::CustomOp, onnx::LoopValueOp>(def) &&
         llvm::all_of(def->getOperands(), [&](Value operand) {
           return isConstant(operand, depth + 1);
         });
}

/// A value from outside in the loop: a view that blocks pattern matching.
Value BlockInference::enterLoop(Loop &loop, Value value, Type type) {
  OpBuilder builder(loop.op);
  return create<onnx::LoopValueOp>(builder, loop.op->getLoc(), type, value);
}

/// Copies the body before the loop and infers it. With `keepApart`, values from
/// outside that are not constant enter through views.
BlockInference::Iteration BlockInference::placeBody(Loop &loop,
                                                    ArrayRef<Value> arguments,
                                                    bool keepApart) {
  Iteration iteration;
  if (!mayCopy(loop.op, loop.size))
    return iteration;
  IRMapping mapping;
  OpBuilder builder(loop.op);
  if (keepApart) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(loop.op->getRegion(0), captured);
    for (Value value : captured)
      if (isa<TensorType>(value.getType()) && !isConstant(value))
        mapping.map(value, enterLoop(loop, value, value.getType()));
  }
  for (auto [argument, value] :
       llvm::zip_equal(loop.body().getArguments(), arguments))
    mapping.map(argument, value);
  Operation *first = nullptr, *last = nullptr;
  for (Operation &op : loop.body()) {
    last = clone(&op, builder, mapping);
    first = first ? first : last;
  }
  // The copied terminator tracks replacements of the yielded values.
  inferUntil(first, last);
  llvm::append_range(iteration.yields, last->getOperands());
  erase(last);
  return iteration;
}

/// One iteration that represents all: changing values are unknown.
BlockInference::Iteration BlockInference::placeOpaque(Loop &loop,
                                                      ArrayRef<Type> carried) {
  Operation *previous = loop.op->getPrevNode();
  OpBuilder builder(loop.op);
  Location loc = loop.op->getLoc();
  SmallVector<Value> arguments;
  if (loop.counts) {
    arguments.push_back(create<onnx::LoopIndexOp>(
        builder, loc, RankedTensorType::get({}, builder.getI64Type()), {}));
    arguments.push_back(createScalar(builder, loc, builder.getI1Type(), 1));
  }
  for (auto [init, type] : llvm::zip_equal(loop.inits, carried))
    arguments.push_back(enterLoop(loop, init, type));
  for (auto [value, type] : llvm::zip_equal(loop.scanned, loop.slices))
    arguments.push_back(enterLoop(loop, value, type));
  Iteration iteration = placeBody(loop, arguments, /*keepApart=*/true);
  iteration.before = previous;
  return iteration;
}

void BlockInference::removeBody(Loop &loop, Operation *before) {
  while (loop.op->getPrevNode() != before)
    erase(loop.op->getPrevNode());
}

/// Type of stacked result `i`, with `count` iterations.
Type BlockInference::stackType(Loop &loop, unsigned i, Type slice,
                               std::optional<int64_t> count) {
  auto type = dyn_cast<RankedTensorType>(slice);
  if (!type)
    return onnx::UnknownType::get(slice.getContext());
  SmallVector<int64_t> dims(type.getShape());
  int64_t axis = loop.outAxes[i], rank = dims.size() + 1;
  axis += axis < 0 ? rank : 0;
  if (axis < 0 || axis >= rank)
    return onnx::UnknownType::get(slice.getContext());
  int64_t length = count.value_or(ShapedType::kDynamic);
  if (loop.batch && *loop.batch > 0 && count)
    length = *count / *loop.batch;
  dims.insert(dims.begin() + axis, length);
  if (loop.batch)
    dims.insert(dims.begin(), *loop.batch);
  int64_t bits = 128;
  for (int64_t dim : dims)
    if (!ShapedType::isDynamic(dim) &&
        __builtin_mul_overflow(bits, std::max<int64_t>(dim, 1), &bits))
      return onnx::UnknownType::get(slice.getContext());
  return RankedTensorType::get(dims, type.getElementType());
}

/// Replaces the results and removes the loop.
void BlockInference::replaceResults(Loop &loop, ArrayRef<Value> carried,
                                    ArrayRef<Value> stacked) {
  OpBuilder builder(loop.op);
  for (OpResult result : loop.op->getResults()) {
    unsigned i = result.getResultNumber();
    if (i < carried.size())
      handOver(result, alias(builder, loop.op->getLoc(), carried[i]));
    else
      handOver(result, stacked[i - carried.size()]);
  }
  erase(loop.op);
}

/// Copies the iterations in order, until the trip count or a known condition
/// ends them. Returns false if they do not end; then nothing has changed.
bool BlockInference::unroll(Loop &loop) {
  Operation *previous = loop.op->getPrevNode();
  OpBuilder builder(loop.op);
  Location loc = loop.op->getLoc();
  SmallVector<Value> carried(loop.inits);
  std::vector<SmallVector<Value>> slices(loop.outAxes.size());
  int64_t done = 0, before = copiedOps;
  bool open = false;
  while (done < loop.trips.value_or(loop.limit) && !exhausted) {
    SmallVector<Value> arguments;
    if (loop.counts) {
      arguments.push_back(
          createScalar(builder, loc, builder.getI64Type(), done));
      arguments.push_back(createScalar(builder, loc, builder.getI1Type(), 1));
    }
    llvm::append_range(arguments, carried);
    for (auto [value, type] : llvm::zip_equal(loop.scanned, loop.slices))
      arguments.push_back(enterLoop(loop, value, type));
    Iteration iteration = placeBody(loop, arguments, /*keepApart=*/false);
    if (exhausted)
      return true;
    ++done;
    for (unsigned i = 0; i < loop.carried(); ++i)
      carried[i] = iteration.yields[loop.firstYield() + i];
    for (unsigned i = 0; i < slices.size(); ++i)
      slices[i].push_back(
          iteration.yields[loop.firstYield() + loop.carried() + i]);
    if (loop.trips)
      continue;
    std::optional<int64_t> again = getScalar(iteration.yields[0]);
    open = !again;
    if (!again || !*again)
      break;
    if (copiedOps - before > maxUnrolledChangingOps) {
      open = true;
      break;
    }
  }
  if (open) {
    removeBody(loop, previous);
    return false;
  }

  SmallVector<Value> stacked;
  for (auto [i, parts] : llvm::enumerate(slices)) {
    if (loop.carried() + i >= loop.op->getNumResults())
      break;
    if (parts.empty()) {
      // Without iterations: an empty tensor of the slices that one would have.
      Type slice = loop.stackedSlices[i];
      Value source =
          loop.op->getNumOperands()
              ? loop.op->getOperand(0)
              : create<onnx::LoopIndexOp>(
                    builder, loc,
                    RankedTensorType::get({}, builder.getI64Type()), {});
      stacked.push_back(create<onnx::LoopStackOp>(
          builder, loc, stackType(loop, i, slice, 0), source));
      continue;
    }
    Type slice = parts.front().getType();
    bool uniform = llvm::all_of(
        parts, [&](Value part) { return part.getType() == slice; });
    stacked.push_back(create<onnx::LoopStackOp>(
        builder, loc,
        uniform ? stackType(loop, i, slice, done)
                : onnx::UnknownType::get(slice.getContext()),
        parts));
  }
  replaceResults(loop, carried, stacked);
  return true;
}

/// (L10) `iteration` represents all iterations; if the trip count is unknown,
/// it is counted once.
void BlockInference::repeat(Loop &loop, const Iteration &iteration) {
  std::optional<int64_t> count = loop.trips;
  int64_t runs = count.value_or(1);
  for (Operation *op = iteration.before ? iteration.before->getNextNode()
                                        : &loop.op->getBlock()->front();
       op != loop.op; op = op->getNextNode()) {
    int64_t &all = steps.try_emplace(op, 1).first->second;
    all = checkedProduct({all, runs}).value_or(INT64_MAX);
    if (all > maxSteps) {
      fail(op, "runs more than " + Twine(maxSteps) + " times in nested loops");
      all = maxSteps;
    }
  }
  SmallVector<Value> carried, stacked;
  SmallVector<Type> declared;
  for (unsigned i = 0; i < loop.carried(); ++i) {
    Value last = iteration.yields[loop.firstYield() + i];
    Type type = last.getType(), all = type;
    if (loop.batch)
      all = type = loop.inits[i].getType();
    else if (!loop.trips)
      all = onnx::mergeTypes(type, loop.inits[i].getType());
    declared.push_back(all);
    carried.push_back(enterLoop(loop, last, type));
  }
  OpBuilder builder(loop.op);
  for (unsigned i = 0; i < loop.outAxes.size(); ++i) {
    Value slice = iteration.yields[loop.firstYield() + loop.carried() + i];
    declared.push_back(stackType(loop, i, slice.getType(), count));
    stacked.push_back(create<onnx::LoopStackOp>(
        builder, loop.op->getLoc(), stackType(loop, i, slice.getType(), runs),
        slice));
  }
  recordTypes(loop.op, declared);
  replaceResults(loop, carried, stacked);
}
