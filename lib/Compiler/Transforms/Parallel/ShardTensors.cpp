//===- ShardTensors.cpp - gpucost-shard-tensors ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Sharding/ selects the ops. docs/CostModel.md, rules (X4), (X6) to (X8) and
// (X28).

#include "Parallel/ExpertCopies.h"
#include "Parallel/Sharding/ShardBlock.h"
#include "Shapes/Signature.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FormatVariadic.h"

namespace gpucost {
#define GEN_PASS_DEF_SHARDTENSORSPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;
using namespace gpucost::sharding;

/// One line for each kind of note.
static ArrayAttr describe(ArrayRef<ShardNote> notes, MLIRContext *context) {
  Builder builder(context);
  SmallVector<Attribute> lines;
  for (const ShardNote &note : notes) {
    std::string text = "tensor parallelism, " + std::to_string(note.count) +
                       " x " + note.subject;
    if (!note.name.empty())
      text += " (" + note.name + (note.count > 1 ? ", ...)" : ")");
    lines.push_back(builder.getStringAttr(text + ": " + note.reason));
  }
  return builder.getArrayAttr(lines);
}

namespace {
struct ShardTensorsPass
    : public gpucost::impl::ShardTensorsPassBase<ShardTensorsPass> {
  using ShardTensorsPassBase::ShardTensorsPassBase;
  ShardTensorsPass() = default;
  ShardTensorsPass(const ShardTensorsPass &other)
      : ShardTensorsPassBase(other) {}

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (asStated && getSettings(module).plan().tensor == 1)
      return;
    Scenario stated = options.stated();
    if (!asStated && !stated.parallel)
      stated.parallel = Parallelism{0, 1, 0};
    FailureOr<Settings> settings = stateSettings(module, stated);
    if (failed(settings))
      return signalPassFailure();
    ShardOptions shard{settings->plan().tensor, settings->padHeads,
                       settings->trains(), settings->wholeExperts};
    if (shard.gpus == 1)
      return;
    if (shard.wholeExperts && failed(markExperts(module, *settings)))
      return signalPassFailure();
    bool divides = false;
    Operation *experts = nullptr;
    SmallVector<ShardNote> notes;
    for (auto function : module.getOps<func::FuncOp>())
      for (Block &block : function.getBody()) {
        ShardBlock sharded(block, shard);
        if (failed(sharded.follow()))
          return signalPassFailure();
        sharded.takeNotes(notes);
        sharded.apply();
        divides |= sharded.divides();
        if (!experts)
          experts = sharded.firstExperts();
        // This GPU may return a part of a result.
        updateSignature(function);
      }
    if (!divides)
      return refuse(notes, shard.gpus);
    if (shard.wholeExperts && !experts) {
      module.emitError("--whole-experts requires MoE layers (MoE, QMoE) whose "
                       "experts can be split across ")
          << shard.gpus << " GPUs; the model has none";
      return signalPassFailure();
    }
    if (shard.wholeExperts)
      notes.push_back(noteExperts(module, experts));
    if (!notes.empty())
      module->setAttr(parallelNotesAttrName, describe(notes, &getContext()));
  }

private:
  static LogicalResult markExperts(ModuleOp module, const Settings &settings) {
    ExpertMarker marker(settings);
    return failure(module
                       .walk([&](Operation *op) {
                         return WalkResult(
                             marker.mark(op, settings.plan().tensor));
                       })
                       .wasInterrupted());
  }
  static ShardNote noteExperts(ModuleOp module, Operation *op) {
    ShardNote note{"layer of whole experts", "", "", 0};
    module.walk([&](Operation *each) {
      note.count += each->hasAttr(sharedTokensAttrName);
    });
    std::optional<ExpertLayer> layer = onnx::readExpertLayer(op);
    std::optional<int64_t> tokens = onnx::countExpertTokens(op);
    if (layer && tokens && *tokens > 0)
      note.reason = llvm::formatv(
          "the busiest GPU reads {0:f1} of its {1} experts, the "
          "others wait for it{2}",
          useOf(*layer, *tokens).active, layer->local(), describeLoads(*layer));
    return note;
  }
  void refuse(ArrayRef<ShardNote> notes, int64_t gpus) {
    auto error = getOperation().emitError()
                 << "no transformer block can be split across " << gpus
                 << " GPUs; use another number of GPUs, ddp or fsdp";
    for (Attribute line : describe(notes, &getContext()))
      error.attachNote() << cast<StringAttr>(line).getValue();
    signalPassFailure();
  }

  SettingOptions options{*this,
                         &Scenario::gpus,
                         &Scenario::parallel,
                         &Scenario::padHeads,
                         &Scenario::wholeExperts,
                         &Scenario::expertSkew,
                         &Scenario::redundantExperts};
};
} // namespace
