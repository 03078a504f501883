//===- SplitStages.cpp - gpucost-split-stages -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Stages/ finds the layers. docs/CostModel.md, rule (X13).

#include "Parallel/Stages/StageGraph.h"
#include "Shapes/Signature.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include "gpucost/Core/Scenario/LayerBalance.h"
#include "gpucost/Core/Scenario/PipelineLayout.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"

namespace gpucost {
#define GEN_PASS_DEF_SPLITSTAGESPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;
using namespace gpucost::stages;

namespace {

/// Keeps one stage of a function.
class StageSplitter {
public:
  StageSplitter(func::FuncOp function, const Settings &settings)
      : function(function), settings(settings), layout(layoutOf(settings)),
        graph(function.getBody().front()) {}

  LogicalResult split(int64_t stage);
  /// One line on the split.
  SmallVector<std::string> notes() const;
  int64_t layersOf(int64_t stage) const { return counts[stage]; }

private:
  LogicalResult chooseCounts();
  void findBoundaries();
  void countSharedParameters(Block &block);
  SmallVector<Value> resultsIn(OpRange range, bool isLast,
                               SetVector<Operation *> &kept);
  void receive(ArrayRef<Value> values, const SetVector<Operation *> &kept);
  void eraseOthers(const SetVector<Operation *> &kept, unsigned received);
  void annotateReceived(int64_t stage, int64_t received);
  void send(int64_t stage, ArrayRef<Value> values);

  func::FuncOp function;
  const Settings &settings;
  PipelineLayout layout;
  StageGraph graph;
  SmallVector<OpRange> layers;
  std::vector<int64_t> counts;
  /// Positions of the first op of each stage, and the end.
  SmallVector<size_t> boundaries;
  int64_t sharedParameters = 0;
  std::string sharedName;
};

} // namespace

LogicalResult StageSplitter::chooseCounts() {
  layers = graph.findLayers();
  auto found = static_cast<int64_t>(layers.size());
  if (found < 2)
    return function.emitError(
        "the graph has no repeated blocks to split into stages of a pipeline");
  if (settings.stageLayers) {
    for (int64_t count : parseCounts(*settings.stageLayers))
      counts.push_back(count);
    int64_t stated = 0;
    for (int64_t count : counts)
      stated = saturatingSum(stated, count);
    if (stated != found)
      return function.emitError()
             << "--stages=" << *settings.stageLayers << " has " << stated
             << " layers, but the graph has " << found << " repeated blocks";
    return success();
  }
  counts = balanceLayers(graph.layerWork(layers), layout.stages(),
                         settings.stageSlots);
  if (counts.empty())
    return function.emitError()
           << "the graph has " << found << " repeated blocks, too few for "
           << layout.stages() << " stages of a pipeline";
  return success();
}

void StageSplitter::findBoundaries() {
  boundaries.push_back(0);
  size_t next = 0;
  for (int64_t count : counts) {
    next += static_cast<size_t>(count);
    boundaries.push_back(next < layers.size() ? layers[next].begin
                                              : layers.back().end);
  }
  // An embedding without a layer ends where the first layer begins.
  boundaries.back() = graph.ops().size();
}

/// Ops between the last op and the terminator send `values`.
void StageSplitter::send(int64_t stage, ArrayRef<Value> values) {
  int64_t nodes =
      nodesBetween(settings, layout.rankOf(stage), layout.rankOf(stage + 1));
  OpBuilder builder(function.getBody().front().getTerminator());
  int64_t bytes = 0;
  for (Value value : values)
    bytes = saturatingSum(bytes, byteCount(value.getType()).value_or(0));
  bytes = llvm::divideCeilSigned(bytes, partsOfMessage(settings));
  auto op = CollectiveOp::create(
      builder, function.getLoc(), TypeRange(), values, CollectiveKind::SendRecv,
      bytes, std::min<int64_t>(nodes, 1) + 1, std::max<int64_t>(nodes, 1),
      nodes > 1 ? sendersOfNode(settings) : 1);
  op->setAttr(originAttrName, builder.getStringAttr("send to next stage"));
}

/// Counts the parameters that several stages read.
void StageSplitter::countSharedParameters(Block &block) {
  Operation *end = block.getTerminator();
  for (Operation &op : block.without_terminator()) {
    if (!isTrainableParameter(&op))
      continue;
    llvm::DenseSet<size_t> readers;
    SmallVector<Operation *> open(op.user_begin(), op.user_end());
    while (!open.empty()) {
      Operation *user = open.pop_back_val();
      if (user == end || !user->getNumResults())
        continue;
      if (auto position = graph.positionOf(user->getResult(0)))
        readers.insert(llvm::upper_bound(boundaries, *position) -
                       boundaries.begin());
      else
        open.append(user->user_begin(), user->user_end());
    }
    if (readers.size() > 1 && sharedParameters++ == 0)
      if (auto name = op.getAttrOfType<StringAttr>("name"))
        sharedName = name.str();
  }
}

/// The results of the function that ops of the stage compute, with the ops that
/// compute one from inputs alone added to `kept`.
SmallVector<Value> StageSplitter::resultsIn(OpRange range, bool isLast,
                                            SetVector<Operation *> &kept) {
  Operation *end = function.getBody().front().getTerminator();
  SmallVector<Value> results;
  for (Value value : end->getOperands()) {
    auto position = graph.positionOf(value);
    bool isIn =
        position ? *position >= range.begin && *position < range.end : isLast;
    if (!isIn)
      continue;
    results.push_back(value);
    Operation *def = value.getDefiningOp();
    if (!def || position)
      continue;
    kept.insert(def);
    SmallVector<Operation *> open = {def};
    while (!open.empty())
      for (Value operand : open.pop_back_val()->getOperands())
        if (Operation *source = operand.getDefiningOp();
            source && !graph.positionOf(operand) && kept.insert(source))
          open.push_back(source);
  }
  return results;
}

/// Adds an argument for each received value.
void StageSplitter::receive(ArrayRef<Value> values,
                            const SetVector<Operation *> &kept) {
  Block &block = function.getBody().front();
  for (Value value : values) {
    unsigned index = function.getNumArguments();
    // Fails only for an invalid index.
    (void)function.insertArgument(index, value.getType(), {}, value.getLoc());
    value.replaceUsesWithIf(function.getArgument(index), [&](OpOperand &use) {
      Operation *owner = block.findAncestorOpInBlock(*use.getOwner());
      return owner == block.getTerminator() || kept.contains(owner);
    });
  }
}

/// Erases the ops of other stages, and arguments that no op reads except the
/// last `received` ones.
void StageSplitter::eraseOthers(const SetVector<Operation *> &kept,
                                unsigned received) {
  SmallVector<Operation *> others;
  for (Operation &op : function.getBody().front().without_terminator())
    if (!kept.contains(&op))
      others.push_back(&op);
  for (Operation *op : llvm::reverse(others)) {
    op->dropAllUses();
    op->erase();
  }
  llvm::BitVector unused(function.getNumArguments());
  unsigned original = function.getNumArguments() - received;
  for (unsigned i = 0; i < original; ++i)
    unused[i] = function.getArgument(i).use_empty();
  // Fails only for an invalid index.
  (void)function.eraseArguments(unused);
  updateSignature(function);
}

/// The last `received` arguments come from the previous stage.
void StageSplitter::annotateReceived(int64_t stage, int64_t received) {
  Builder builder(function.getContext());
  auto inputs = llvm::to_vector(llvm::seq<int64_t>(
      function.getNumArguments() - received, function.getNumArguments()));
  function->setAttr(stageInputsAttrName, builder.getDenseI64ArrayAttr(inputs));
  function->setAttr(
      receiveNodesAttrName,
      builder.getI64IntegerAttr(nodesBetween(settings, layout.rankOf(stage - 1),
                                             layout.rankOf(stage))));
}

LogicalResult StageSplitter::split(int64_t stage) {
  if (graph.ops().empty())
    return function.emitError(
        "the graph has no parameters, so no stages of a pipeline");
  if (failed(chooseCounts()))
    return failure();
  findBoundaries();
  Block &block = function.getBody().front();
  Operation *end = block.getTerminator();
  bool isFirst = stage == 0, isLast = stage + 1 == layout.stages();
  OpRange range{boundaries[stage], boundaries[stage + 1]};

  countSharedParameters(block);
  SetVector<Value> sent =
      isLast ? SetVector<Value>() : graph.crossing(range.end);
  SetVector<Value> received =
      isFirst ? SetVector<Value>() : graph.crossing(range.begin);
  SetVector<Operation *> kept;
  SetVector<Value> read;
  graph.collectNeeds(range, kept, read);

  // Results of the function, then those that are sent.
  SmallVector<Value> results = resultsIn(range, isLast, kept);
  bool dropped = results.size() != end->getNumOperands();
  SmallVector<int64_t> outputs;
  for (Value value : sent) {
    outputs.push_back(static_cast<int64_t>(results.size()));
    results.push_back(value);
  }
  end->setOperands(results);
  if (dropped || !sent.empty())
    function.removeResAttrsAttr();

  receive(received.getArrayRef(), kept);
  eraseOthers(kept, received.size());
  if (!isFirst)
    annotateReceived(stage, received.size());
  Builder builder(function.getContext());
  if (!isLast) {
    function->setAttr(stageOutputsAttrName,
                      builder.getDenseI64ArrayAttr(outputs));
    SmallVector<Value> values;
    for (int64_t index : outputs)
      values.push_back(end->getOperand(static_cast<unsigned>(index)));
    send(stage, values);
  }
  if (int64_t passes = settings.microBatches();
      !settings.trains() && passes > 1)
    for (Operation &op : block.without_terminator())
      op.setAttr(accumulationCountAttrName, builder.getI64IntegerAttr(passes));
  return success();
}

SmallVector<std::string> StageSplitter::notes() const {
  std::string text = "pipeline: " + std::to_string(layers.size()) +
                     " repeated blocks in stages of ";
  text += llvm::join(
      llvm::map_range(counts,
                      [](int64_t count) { return std::to_string(count); }),
      ", ");
  SmallVector<std::string> lines = {text};
  if (sharedParameters > 0)
    lines.push_back("pipeline: several stages store and update " +
                    std::to_string(sharedParameters) + " parameter" +
                    (sharedParameters > 1 ? "s" : "") +
                    (sharedName.empty() ? "" : " (" + sharedName + ")") +
                    "; adding up their gradients is not included");
  return lines;
}

namespace {
struct SplitStagesPass
    : public gpucost::impl::SplitStagesPassBase<SplitStagesPass> {
  using SplitStagesPassBase::SplitStagesPassBase;
  SplitStagesPass() = default;
  SplitStagesPass(const SplitStagesPass &other) : SplitStagesPassBase(other) {}

protected:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (asStated && getSettings(module).plan().pipeline == 1)
      return;
    FailureOr<Settings> settings = stateSettings(module, options.stated());
    if (failed(settings))
      return signalPassFailure();
    if (settings->plan().pipeline == 1)
      return;
    if (!settings->selectStage) {
      module.emitError("the IR of a pipeline is that of one stage; choose it "
                       "with --select-stage");
      return signalPassFailure();
    }
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      if (!function.getBody().hasOneBlock()) {
        function.emitError("expected one block to split into stages of a "
                           "pipeline");
        return signalPassFailure();
      }
      StageSplitter splitter(function, *settings);
      if (failed(splitter.split(*settings->selectStage)))
        return signalPassFailure();
      Builder builder(&getContext());
      SmallVector<Attribute> lines;
      for (const std::string &line : splitter.notes())
        lines.push_back(builder.getStringAttr(line));
      module->setAttr(stageNotesAttrName, builder.getArrayAttr(lines));
      module->setAttr(
          stageLayersAttrName,
          builder.getI64IntegerAttr(splitter.layersOf(*settings->selectStage)));
    }
  }

private:
  SettingOptions options{*this,
                         &Scenario::gpus,
                         &Scenario::nodes,
                         &Scenario::parallel,
                         &Scenario::mode,
                         &Scenario::pipelineSchedule,
                         &Scenario::virtualStages,
                         &Scenario::stageLayers,
                         &Scenario::stageSlots,
                         &Scenario::selectStage};
};
} // namespace
