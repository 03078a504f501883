//===- ExpandTraining.cpp - gpucost-expand-training ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainingGraph.h"
#include "gpucost/Analysis/TrainingMarks.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Transforms/Passes.h"

namespace gpucost {
#define GEN_PASS_DEF_EXPANDTRAININGPASS
#include "gpucost/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

namespace {
struct ExpandTrainingPass
    : public gpucost::impl::ExpandTrainingPassBase<ExpandTrainingPass> {
  using ExpandTrainingPassBase::ExpandTrainingPassBase;

  void runOnOperation() override {
    training::Options settings;
    if (failed(readOptions(settings)))
      return signalPassFailure();
    ModuleOp module = getOperation();
    // A graph with gradients of its own is a training step already.
    SmallVector<Attribute> notes;
    Builder builder(&getContext());
    bool hasTraining = false;
    int64_t learned = 0;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal() || !function.getBody().hasOneBlock())
        continue;
      if (isTrainingGraph(function)) {
        hasTraining = true;
        continue;
      }
      training::TrainingGraph graph(function, settings);
      graph.prepareForward();
      graph.findTrainable();
      graph.addLoss();
      graph.addBackward();
      graph.addOptimizer();
      learned += graph.parameters.size();
      for (const std::string &note : graph.notes)
        notes.push_back(builder.getStringAttr(note));
    }
    if (hasTraining)
      notes.push_back(builder.getStringAttr(
          "the file has gradient ops: costed as it stands"));
    else if (!learned)
      notes.push_back(builder.getStringAttr(
          "no trainable parameter: the step is the graph as it stands"));
    module->setAttr(trainingNotesAttrName, builder.getArrayAttr(notes));
  }

  LogicalResult readOptions(training::Options &settings) {
    auto read = [&](auto parsed, auto &to, StringRef what, StringRef value,
                    StringRef expected) -> LogicalResult {
      if (!parsed)
        return emitError(getOperation().getLoc())
               << "unknown " << what << " '" << value << "', expected "
               << expected;
      to = *parsed;
      return success();
    };
    bool keepsDropout = dropout == "as-is";
    if (!keepsDropout && dropout != "off")
      return emitError(getOperation().getLoc())
             << "unknown dropout '" << dropout << "', expected as-is or off";
    if (gradAccum < 1 || gradAccum > 1'000'000)
      return emitError(getOperation().getLoc())
             << "expected grad-accum from 1 to 1000000, but got "
             << static_cast<int64_t>(gradAccum);
    settings.dropout = keepsDropout;
    settings.gradAccum = gradAccum;
    settings.clipGradNorm = clipGradNorm;
    // Gradients in fp16 need it.
    auto autocast = getOperation()->getAttrOfType<TypeAttr>("gpucost.autocast");
    settings.autocast = static_cast<bool>(autocast);
    settings.lossScaling =
        lossScaling || (autocast && autocast.getValue().isF16());
    return success(
        succeeded(read(symbolizeLossKind(loss), settings.loss, "loss", loss,
                       "auto, cross-entropy, mse or none")) &&
        succeeded(read(symbolizeOptimizerKind(optimizer), settings.optimizer,
                       "optimizer", optimizer,
                       "none, sgd, sgd-momentum, adam, adamw, adadelta, "
                       "rmsprop or lamb")) &&
        succeeded(read(symbolizeOptimizerVariant(variant), settings.variant,
                       "optimizer variant", variant,
                       "foreach, fused or unfused")) &&
        succeeded(read(symbolizeZeroGradMode(zeroGrad), settings.zeroGrad,
                       "zero-grad", zeroGrad, "set-to-none, zero or keep")) &&
        succeeded(read(symbolizeRecomputeMode(recompute), settings.recompute,
                       "recompute", recompute, "none, full or attention")));
  }

  /// Ops of the com.microsoft training set, by their names.
  static bool isTrainingGraph(func::FuncOp function) {
    for (Operation &op : function.getBody().front()) {
      if (op.hasAttr(phaseAttrName) || isa<OptimizerStepOp>(op))
        return true;
      StringRef name = op.getName().getStringRef();
      if (auto type = op.getAttrOfType<StringAttr>("op_type"))
        name = type.getValue();
      if (name.ends_with("Grad") || name.ends_with("Grad_13") ||
          name.ends_with("Optimizer") || name.ends_with("OptimizerV2"))
        return true;
    }
    return false;
  }
};
} // namespace
