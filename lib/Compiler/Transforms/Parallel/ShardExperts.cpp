//===- ShardExperts.cpp - gpucost-shard-experts ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Rules (X12) and (N15) of docs/CostModel.md.

#include "ModuleNotes.h"
#include "Parallel/ExpertCopies.h"
#include "Parallel/ExpertProducts.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include "gpucost/Core/Scenario/PipelineLayout.h"
#include "gpucost/Core/Scenario/TrainingStack.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gpucost {
#define GEN_PASS_DEF_SHARDEXPERTSPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

/// The first dimension of the weights, scales and biases is the expert.
static LogicalResult divideWeights(Operation *op, int64_t experts,
                                   int64_t gpus) {
  bool packed = isa<onnx::MoEPackedOp>(op); // has a second row of the router
  for (Value weight : op->getOperands().drop_front(2)) {
    auto type = dyn_cast<RankedTensorType>(weight.getType());
    if (!type || type.getRank() == 0 || (packed && type.getRank() != 3) ||
        type.getDimSize(0) != experts)
      continue;
    if (!weight.getDefiningOp<onnx::ParameterOp>() || !weight.hasOneUse())
      return op->emitError(
          "expert parallelism requires weights that a single MoE "
          "layer reads without conversion; use --parallel=tp");
    SmallVector<int64_t> shape(type.getShape());
    shape[0] = experts / gpus;
    weight.setType(type.clone(shape));
  }
  return success();
}

/// An all-to-all of the maximum that one GPU sends and receives. `chosen`:
/// experts of a token.
static Value exchange(OpBuilder &builder, Location loc, Value input,
                      RankedTensorType type, int64_t bytes, int64_t chosen,
                      int64_t tokens, ExpertExchange direction,
                      const Settings &settings) {
  GroupSpan span = spanOf(settings, settings.plan().data, /*stride=*/1);
  bool isDirect = settings.usesDeepEp();
  bool once = isDirect ||
              (settings.moeDispatch == MoeDispatch::Nodes && span.nodes > 1 &&
               settings.moeBalance == MoeBalance::Uniform);
  auto op = CollectiveOp::create(
      builder, loc, TypeRange(Type(type)), input, CollectiveKind::AllToAll,
      bytes, span.gpus, span.nodes, span.groups, once ? chosen : 0,
      /*node_limit=*/0, isDirect ? direction : ExpertExchange::None,
      isDirect ? tokens : 0);
  op->setAttr(originAttrName, builder.getStringAttr(expertParallelOrigin));
  return op.getOutputs()[0];
}

static LogicalResult divideLayer(Operation *op, const Settings &settings,
                                 ExpertMarker &marker) {
  int64_t gpus = settings.plan().data;
  if (failed(marker.mark(op, gpus)))
    return failure();
  std::optional<ExpertLayer> layer = onnx::readExpertLayer(op);
  std::optional<int64_t> tokens = onnx::countExpertTokens(op);
  auto in = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto out = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!layer || !tokens || !in || !out)
    return op->emitError("the shapes of this MoE layer are unknown");
  int64_t copies = layer->experts + layer->redundant;
  if (copies % gpus)
    return op->emitError() << "the layer has " << layer->experts
                           << " experts, which cannot be split across " << gpus
                           << " GPUs; use a number of GPUs that divides "
                           << layer->experts;
  if (failed(divideWeights(op, copies, gpus)))
    return failure();
  layer->shards = gpus;
  layer->busiest = true;
  int64_t rows = useOf(*layer, *tokens).pairs, hidden = in.getShape().back();
  RankedTensorType received = in.clone({rows, hidden});
  std::optional<int64_t> bytes = byteCount(received);
  if (!bytes)
    return op->emitError("a GPU receives too many rows");
  OpBuilder builder(op);
  op->setAttr(expertShardsAttrName, builder.getI64IntegerAttr(gpus));
  if (settings.usesDeepEp())
    op->setAttr(exchangedRowsAttrName, builder.getUnitAttr());
  op->setOperand(0, exchange(builder, op->getLoc(), op->getOperand(0), received,
                             *bytes, layer->chosen, *tokens,
                             ExpertExchange::Dispatch, settings));
  Value results = op->getResult(0);
  results.setType(out.clone({rows, hidden}));
  builder.setInsertionPointAfter(op);
  Value back = exchange(builder, op->getLoc(), results, out,
                        byteCount(results.getType()).value_or(0), layer->chosen,
                        *tokens, ExpertExchange::Combine, settings);
  results.replaceAllUsesExcept(back, back.getDefiningOp());
  return success();
}

namespace {
struct ShardExpertsPass
    : public gpucost::impl::ShardExpertsPassBase<ShardExpertsPass> {
  using ShardExpertsPassBase::ShardExpertsPassBase;
  ShardExpertsPass() = default;
  ShardExpertsPass(const ShardExpertsPass &other)
      : ShardExpertsPassBase(other) {}

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (asStated && !getSettings(module).plan().experts)
      return;
    Scenario stated = options.stated();
    if (!asStated && !stated.parallel)
      stated.parallel = Parallelism{1, 0, 0, /*experts=*/true};
    FailureOr<Settings> settings = stateSettings(module, stated);
    if (failed(settings))
      return signalPassFailure();
    if (!settings->plan().experts || settings->plan().expertGpus() == 1)
      return;
    int64_t layers = 0;
    if (settings->trains()) {
      for (auto function : module.getOps<func::FuncOp>()) {
        FailureOr<int64_t> found = divideExpertProducts(function, *settings);
        if (failed(found))
          return signalPassFailure();
        layers += *found;
      }
      if (layers == 0) {
        module.emitError("--parallel=ep requires layers of experts: matmuls of "
                         "a batch of weights; the model has none");
        return signalPassFailure();
      }
      noteTraining(module, layers, settings->plan().expertGpus());
      return;
    }
    ExpertMarker marker(*settings);
    std::optional<ExpertLayer> first;
    WalkResult done = module.walk([&](Operation *op) {
      if (!isa<onnx::MoEOp, onnx::QMoEOp, onnx::MoEPackedOp>(op))
        return WalkResult::advance();
      ++layers;
      if (failed(divideLayer(op, *settings, marker)))
        return WalkResult::interrupt();
      if (!first)
        first = onnx::readExpertLayer(op);
      return WalkResult::advance();
    });
    if (done.wasInterrupted())
      return signalPassFailure();
    if (layers == 0) {
      module.emitError(
          "--parallel=ep requires MoE layers (MoE, QMoE, MoEPacked), "
          "but the model has none; use tp");
      return signalPassFailure();
    }
    note(module, layers, *settings, first.value_or(ExpertLayer()));
  }

private:
  static void noteTraining(ModuleOp module, int64_t layers, int64_t gpus) {
    addNote(module,
            "expert parallelism, " + std::to_string(layers) +
                " layers: each of " + std::to_string(gpus) +
                " GPUs has the same number of rows; the all-to-alls and the "
                "experts after them are uncalibrated",
            parallelNotesAttrName);
  }
  static void note(ModuleOp module, int64_t layers, const Settings &settings,
                   const ExpertLayer &layer) {
    std::string text =
        "expert parallelism, " + std::to_string(layers) + " MoE layers: ";
    text += settings.moeBalance == MoeBalance::Worst
                ? "all tokens choose experts of the GPU that is reported"
                : "the others wait for the busiest GPU";
    text += describeLoads(layer);
    if (!settings.usesDeepEp())
      text += "; the all-to-alls and the experts after them are uncalibrated";
    module->setAttr(parallelNotesAttrName,
                    Builder(module.getContext()).getStrArrayAttr({text}));
  }

  SettingOptions options{*this,
                         &Scenario::gpus,
                         &Scenario::nodes,
                         &Scenario::parallel,
                         &Scenario::mode,
                         &Scenario::moeBalance,
                         &Scenario::moeDispatch,
                         &Scenario::expertSkew,
                         &Scenario::redundantExperts,
                         &Scenario::software};
};
} // namespace
