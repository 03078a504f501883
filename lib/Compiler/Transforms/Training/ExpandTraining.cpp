//===- ExpandTraining.cpp - gpucost-expand-training -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quantization/Recipe.h"
#include "TrainingGraph.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include "gpucost/Core/Scenario/FrameworkRules.h"
#include "gpucost/Core/Scenario/PipelineLayout.h"
#include "gpucost/Core/Scenario/TrainingStack.h"

namespace gpucost {
#define GEN_PASS_DEF_EXPANDTRAININGPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

namespace {
struct ExpandTrainingPass
    : public gpucost::impl::ExpandTrainingPassBase<ExpandTrainingPass> {
  using ExpandTrainingPassBase::ExpandTrainingPassBase;
  ExpandTrainingPass() = default;
  ExpandTrainingPass(const ExpandTrainingPass &other)
      : ExpandTrainingPassBase(other) {}

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (asStated && !getSettings(module).trains())
      return;
    Scenario stated = options.stated();
    stated.mode = IterationMode::Training;
    FailureOr<Settings> settings = stateSettings(module, stated);
    if (failed(settings))
      return signalPassFailure();
    training::Options trainingOptions = getOptions(*settings);
    for (const auto &[flag, text, patterns] :
         {std::tuple("trainable", settings->trainable,
                     &trainingOptions.trainable),
          {"muon-parameters", settings->muonParameters,
           &trainingOptions.muonParameters}}) {
      llvm::Expected<training::NamePatterns> parsed =
          training::NamePatterns::parse(text.value_or(""));
      if (!parsed) {
        module.emitError() << "--" << flag << ": "
                           << llvm::toString(parsed.takeError());
        return signalPassFailure();
      }
      *patterns = std::move(*parsed);
    }
    // A graph that contains gradients is already a training step.
    SmallVector<Attribute> notes;
    Builder builder(&getContext());
    bool hasTraining = false;
    size_t parameters = 0, trained = 0, orthogonalized = 0;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal() || !function.getBody().hasOneBlock())
        continue;
      if (isTrainingGraph(function)) {
        hasTraining = true;
        continue;
      }
      if (settings->recipe != Recipe::None)
        if (llvm::Error error = quantization::markNarrowProducts(
                function.getBody().front(), settings->weightsExcept)) {
          module.emitError()
              << "weights-except: " << llvm::toString(std::move(error));
          return signalPassFailure();
        }
      training::TrainingGraph graph(function, trainingOptions);
      graph.prepareForward();
      trained += graph.findTrainable();
      parameters += graph.parameters.size();
      orthogonalized +=
          llvm::count_if(graph.parameters, [&](Operation *parameter) {
            return graph.needsGradient(parameter->getResult(0)) &&
                   graph.isOrthogonalized(parameter);
          });
      graph.addLoss();
      graph.addBackward();
      graph.sendGradients();
      graph.addMetrics();
      graph.addOptimizer();
      for (const std::string &note : graph.notes)
        notes.push_back(builder.getStringAttr(note));
    }
    // Other stages of a pipeline may have the trained parameters.
    if (parameters && !trained && !settings->selectStage) {
      module.emitError() << "no parameter name matches --trainable="
                         << settings->trainable.value_or("");
      return signalPassFailure();
    }
    if (settings->optimizer == OptimizerKind::Muon && trained &&
        !orthogonalized && !settings->selectStage) {
      module.emitError() << "--optimizer=muon needs a trained matrix, but no "
                            "parameter of two dimensions "
                         << (settings->muonParameters
                                 ? "matches --muon-parameters=" +
                                       *settings->muonParameters
                                 : "is trained");
      return signalPassFailure();
    }
    if (hasTraining)
      notes.push_back(builder.getStringAttr(
          "the file has gradient ops and is costed unchanged"));
    else if (!trained)
      notes.push_back(builder.getStringAttr(
          "no trainable parameter: the step is the unchanged graph"));
    if (settings->optimizer == OptimizerKind::LBFGS && trained)
      notes.push_back(builder.getStringAttr(
          "lbfgs: an iteration is one evaluation of the closure and one "
          "direction, with a full history; step() of PyTorch has up to "
          "max_iter (20) of them"));
    module->setAttr(trainingNotesAttrName, builder.getArrayAttr(notes));
  }

private:
  training::Options getOptions(const Settings &settings) {
    training::Options result;
    result.loss = settings.loss;
    result.optimizer = settings.optimizer;
    result.lbfgsHistory = settings.lbfgsHistory;
    result.variant = settings.optimizerVariant;
    result.zeroGrad = settings.zeroGrad;
    result.recompute = settings.recompute;
    result.stopsRecomputationEarly =
        frameworkRules(settings.software).stopsRecomputationEarly;
    if (auto stack = trainingStack(settings.software))
      result.fusesLayers = stack->fusesLayers;
    result.lossVariant = settings.lossVariant;
    result.trainMetrics = settings.trainMetrics;
    result.mainGrads = settings.mainGrads;
    result.masterWeights = settings.masterWeights;
    result.optimizerStates = settings.optimizerStates;
    result.stage = settings.plan().stage;
    result.gradAccum = settings.gradAccum;
    result.senders = sendersOfNode(settings);
    result.messageParts = partsOfMessage(settings);
    result.dropout = settings.dropout == DropoutMode::AsIs;
    result.clipGradNorm = settings.clipGradNorm;
    result.capturable = settings.runtime == Runtime::CudaGraph;
    // Required for fp16 gradients.
    auto autocast = getOperation()->getAttrOfType<TypeAttr>(autocastAttrName);
    result.autocast = static_cast<bool>(autocast);
    result.lossScaling =
        lossScaling || (autocast && autocast.getValue().isF16());
    return result;
  }

  /// Ops of the com.microsoft training set, recognized by name.
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

  SettingOptions options{*this,
                         &Scenario::loss,
                         &Scenario::lossVariant,
                         &Scenario::trainMetrics,
                         &Scenario::trainable,
                         &Scenario::optimizer,
                         &Scenario::optimizerVariant,
                         &Scenario::muonParameters,
                         &Scenario::lbfgsHistory,
                         &Scenario::mainGrads,
                         &Scenario::masterWeights,
                         &Scenario::optimizerStates,
                         &Scenario::zeroGrad,
                         &Scenario::gradAccum,
                         &Scenario::dropout,
                         &Scenario::clipGradNorm,
                         &Scenario::recompute,
                         &Scenario::recipe,
                         &Scenario::weightsExcept,
                         &Scenario::software,
                         &Scenario::runtime};
};
} // namespace
