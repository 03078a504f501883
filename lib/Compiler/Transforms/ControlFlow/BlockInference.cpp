//===- BlockInference.cpp - Types of a block with control flow resolved ---===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockInference.h"
#include "ModuleNotes.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/ExportAttrs.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Transforms/Shapes/DecoderValues.h"
#include "gpucost/Compiler/Transforms/Shapes/PositionTables.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "gpucost-fix-shapes"

using namespace mlir;
using namespace gpucost;
using onnx::OnnxDialect;
using onnx::OnnxOp;

LogicalResult BlockInference::run(Block &block) {
  if (!block.empty())
    inferUntil(&block.front(), nullptr);
  return success(ok);
}

/// Number of cached tokens in a derived decode step. They belong only to the
/// decoder, not to an encoder before it.
static int64_t derivedPast(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  if (!module || !module->hasAttr(derivesDecodeAttrName) ||
      !DecoderValues(*op->getBlock()).contains(op->getResult(0)))
    return 0;
  return getSettings(module).past.value_or(0);
}

void BlockInference::inferUntil(Operation *from, Operation *end) {
  for (Operation *op = from; op && op != end && !exhausted;)
    op = visit(op);
}

Operation *BlockInference::visit(Operation *op) {
  if (isa<onnx::IfOp>(op))
    return resolveIf(op);
  if (isa<onnx::LoopOp>(op))
    return resolveLoop(op);
  if (isa<onnx::ScanOp>(op))
    return resolveScan(op);
  auto inferable = dyn_cast<OnnxOp>(op);
  if (!inferable)
    return op->getNextNode();
  // Ops of a local function may have a different opset.
  auto own = op->getAttrOfType<IntegerAttr>("onnx.opset");
  state.opset = own ? own.getInt() : opset;
  if (Operation *next = resolveSequenceOp(op))
    return next;
  if (std::string missing = findMissingPositions(op); !missing.empty())
    return fail(op, missing);
  onnx::InferenceContext context(op, state);
  ok &= succeeded(inferable.inferTypes(context));
  LDBG() << op->getName() << " has " << op->getResultTypes() << " at "
         << op->getLoc();
  if (countPositionRows(op) || countRotaryRows(op))
    if (std::string note = describeLongLookup(op, derivedPast(op));
        !note.empty())
      addNote(op->getParentOfType<ModuleOp>(), note, importNotesAttrName);
  sizes.apply(op);
  return op->getNextNode();
}

Operation *BlockInference::fail(Operation *op, const Twine &message) {
  op->emitError() << message;
  ok = false;
  return op->getNextNode();
}

/// Counts a copy of `size` ops that will be made for `op`.
bool BlockInference::mayCopy(Operation *op, int64_t size) {
  copiedOps = saturatingSum(copiedOps, size);
  if (copiedOps <= maxCopiedOps)
    return true;
  if (!exhausted)
    op->emitError() << "control flow expands to more than " << maxCopiedOps
                    << " ops";
  exhausted = true;
  ok = false;
  return false;
}

//===----------------------------------------------------------------------===//
// Insertion and removal of ops
//===----------------------------------------------------------------------===//

Operation *BlockInference::splice(Block &block, Operation *anchor) {
  Operation *first = nullptr;
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    if (!first)
      first = &op;
    op.moveBefore(anchor);
  }
  return first;
}

Operation *BlockInference::clone(Operation *op, OpBuilder &builder,
                                 IRMapping &mapping) {
  Operation *copy = builder.clone(*op, mapping);
  if (auto it = steps.find(op); it != steps.end())
    steps[copy] = it->second;
  return copy;
}

/// Addresses of erased values are reused, so their facts must be dropped.
void BlockInference::erase(Operation *op) {
  op->walk([&](Operation *inner) {
    steps.erase(inner);
    sizes.forget(inner);
    auto forget = [&](Value value) {
      state.values.erase(value);
      lists.erase(value);
    };
    for (Value result : inner->getResults())
      forget(result);
    for (Region &region : inner->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          forget(argument);
  });
  op->dropAllUses();
  op->erase();
}

void BlockInference::recordTypes(Operation *op, ArrayRef<Type> known) {
  auto names = op->getAttrOfType<ArrayAttr>(OnnxDialect::valueNamesAttrName);
  if (!names)
    return;
  for (auto [name, type] : llvm::zip(names, known))
    if (auto text = dyn_cast<StringAttr>(name); text && !text.empty())
      types.try_emplace(text.getValue(), type);
}

/// A known scalar, as a constant.
Value BlockInference::createScalar(OpBuilder &builder, Location loc,
                                   Type element, int64_t value) {
  onnx::SmallTensor scalar(RankedTensorType::get({}, element));
  scalar.ints[0] = value;
  Value constant = create<onnx::ConstantOp>(
      builder, loc, scalar.type, {},
      builder.getNamedAttr("value", onnx::getElementsAttr(scalar)));
  state.values[constant] = std::move(scalar);
  return constant;
}

void BlockInference::assume(Operation *op, StringRef reason,
                            const Twine &advice, bool atMost) {
  op->emitWarning() << reason << advice;
  assumptions.push_back(
      {op->getName().getStringRef().str(), reason.str(), atMost});
}

std::optional<int64_t> BlockInference::getScalar(Value value) const {
  auto it = state.values.find(value);
  if (it == state.values.end() || it->second.size() != 1 ||
      !it->second.isKnown(0))
    return std::nullopt;
  if (it->second.isFloat)
    return it->second.floats[0] != 0;
  return it->second.ints[0];
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// All ops get a trip count, including those outside loops: ops that later
/// passes create have none and inherit that of the op they were created for.
void BlockInference::markSteps(Block &block) const {
  if (steps.empty())
    return;
  Builder builder(block.getParentOp()->getContext());
  block.getParentOp()->setAttr(loopsAttrName, builder.getUnitAttr());
  for (Operation &op : block.without_terminator()) {
    auto it = steps.find(&op);
    op.setAttr(tripCountAttrName,
               builder.getI64IntegerAttr(it == steps.end() ? 1 : it->second));
  }
}
