//===- ShardContext.cpp - gpucost-shard-context ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Rule (X20) of docs/CostModel.md. `gpucost-fix-shapes` has bound the sequence
// to the tokens of one GPU.

#include "ModuleNotes.h"
#include "Parallel/Sharding/ShardBlock.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include "gpucost/Core/Scenario/PipelineLayout.h"
#include "gpucost/Core/Scenario/TrainingStack.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gpucost {
#define GEN_PASS_DEF_SHARDCONTEXTPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

static bool mixesTokens(Operation *op) {
  auto work = dyn_cast<WorkOpInterface>(op);
  return isa<onnx::SoftmaxOp>(op) ||
         (work && work.getCostClass() == CostClass::Attention);
}

/// [batch, heads, tokens, size] or [batch, tokens, heads x size].
static int64_t tokenDim(RankedTensorType type) { return type.getRank() - 2; }

/// The keys or values of all GPUs. With a causal mask, a query reads on average
/// half of them; the parts are chosen so that all GPUs have the same work.
static Value gather(OpBuilder &builder, Operation *op, Value part,
                    const GroupSpan &span, bool isCausal) {
  auto type = cast<RankedTensorType>(part.getType());
  SmallVector<int64_t> shape(type.getShape());
  int64_t &tokens = shape[tokenDim(type)];
  tokens = isCausal ? std::max<int64_t>(tokens * span.gpus / 2, 1)
                    : tokens * span.gpus;
  int64_t bytes = saturatingProduct(byteCount(type).value_or(0), span.gpus);
  auto ring = CollectiveOp::create(
      builder, op->getLoc(), TypeRange(Type(type.clone(shape))), part,
      CollectiveKind::AllGather, bytes, span.gpus, span.nodes, span.groups);
  ring->setAttr(originAttrName, builder.getStringAttr(contextParallelOrigin));
  ring->setAttr(reduceGradientAttrName, builder.getI64IntegerAttr(span.gpus));
  return ring.getOutputs()[0];
}

/// Rings of keys and values around attention; fails for other attention.
static LogicalResult divideAttention(Operation *op, const GroupSpan &span) {
  if (!isa<onnx::AttentionOp, onnx::FusedAttentionOp>(op) ||
      op->getNumOperands() < 3 ||
      llvm::any_of(op->getOperands().drop_front(3),
                   [](Value v) { return isa<RankedTensorType>(v.getType()); }))
    return op->emitError("context parallelism needs attention as one op "
                         "without a mask or past keys; use --attention=flash");
  if (sharding::intOf(op, "left_window_size", -1) >= 0)
    return op->emitError("context parallelism does not support attention with "
                         "a sliding window");
  bool isCausal = sharding::intOf(op, "is_causal", 0) != 0;
  OpBuilder builder(op);
  for (unsigned i : {1u, 2u}) {
    auto type = dyn_cast<RankedTensorType>(op->getOperand(i).getType());
    if (!type || !type.hasStaticShape() || type.getRank() < 3)
      return op->emitError("context parallelism needs keys and values of known "
                           "shape");
    op->setOperand(i, gather(builder, op, op->getOperand(i), span, isCausal));
  }
  if (isCausal)
    op->setAttr("is_causal", builder.getI64IntegerAttr(0));
  return success();
}

namespace {
struct ShardContextPass
    : public gpucost::impl::ShardContextPassBase<ShardContextPass> {
  using ShardContextPassBase::ShardContextPassBase;
  ShardContextPass() = default;
  ShardContextPass(const ShardContextPass &other)
      : ShardContextPassBase(other) {}

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (asStated && getSettings(module).plan().context == 1)
      return;
    FailureOr<Settings> settings = stateSettings(module, options.stated());
    if (failed(settings))
      return signalPassFailure();
    Parallelism plan = settings->plan();
    if (plan.context == 1)
      return;
    GroupSpan span = spanOf(*settings, plan.context, plan.tensor);
    WalkResult done = module.walk([&](Operation *op) {
      return mixesTokens(op) ? WalkResult(divideAttention(op, span))
                             : WalkResult::advance();
    });
    if (done.wasInterrupted())
      return signalPassFailure();
    note(module, *settings);
  }

private:
  static void note(ModuleOp module, const Settings &settings) {
    int64_t gpus = settings.plan().context, all = settings.seq.value_or(0);
    addNote(module,
            "context parallelism: each GPU has " + std::to_string(all / gpus) +
                " of the " + std::to_string(all) + " tokens of a sequence",
            parallelNotesAttrName);
  }

  SettingOptions options{*this, &Scenario::gpus, &Scenario::nodes,
                         &Scenario::parallel, &Scenario::seq};
};
} // namespace
