//===- PreparePipeline.cpp - Stages of a pipeline -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PreparePipeline.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/Pipelines.h"
#include "gpucost/Compiler/Transforms/StageLayers.h"
#include "gpucost/Core/Scenario/PipelineLayout.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gpucost;

static LogicalResult
runPassPipeline(ModuleOp module, bool verifyEach,
                llvm::function_ref<void(OpPassManager &)> build) {
  PassManager pm(module.getContext());
  pm.enableVerifier(verifyEach);
  build(pm);
  return pm.run(module);
}

/// The structure of a module as text: ops, operands, types and attributes. Of
/// names, numbers are left out, so that equal layers are equal.
static std::string describeStructure(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::DenseMap<Value, size_t> numbers;
  auto numberOf = [&](Value value) {
    return numbers.try_emplace(value, numbers.size()).first->second;
  };
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    os << op->getName().getStringRef();
    for (Value operand : op->getOperands())
      os << ' ' << numberOf(operand);
    os << ':';
    for (Type type : op->getResultTypes())
      os << type.getAsOpaquePointer() << ' ';
    for (NamedAttribute attribute : op->getAttrDictionary()) {
      if (attribute.getName() == scenarioAttrName ||
          attribute.getName() == onnx::OnnxDialect::valueNamesAttrName)
        continue;
      os << attribute.getName().getValue() << '=';
      if (auto name = dyn_cast<StringAttr>(attribute.getValue())) {
        for (char c : name.getValue())
          if (!llvm::isDigit(c))
            os << c;
      } else {
        os << attribute.getValue().getAsOpaquePointer();
      }
      os << ' ';
    }
    for (Value result : op->getResults())
      numberOf(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          os << numberOf(argument) << argument.getType().getAsOpaquePointer();
    os << '\n';
  });
  return text;
}

/// Whether a pattern of parameter names may distinguish layers.
static bool distinguishesLayers(const Settings &settings) {
  auto hasDigit = [](llvm::StringRef patterns) {
    return llvm::any_of(patterns, llvm::isDigit);
  };
  return hasDigit(settings.trainable.value_or("")) ||
         hasDigit(settings.weightsExcept);
}

static double matrixWorkOf(const PreparedModel &model) {
  double flops = 0;
  for (const Launch &launch : model.launches)
    flops += static_cast<double>(model.works[launch.work].count.tensorFlops) *
             static_cast<double>(launch.count);
  return flops;
}

static LogicalResult runForward(ModuleOp module, const Scenario &scenario,
                                bool verifyEach) {
  return runPassPipeline(module, verifyEach, [&](OpPassManager &pm) {
    pm.addPass(createSetScenarioPass(scenario));
    buildForwardPipeline(pm);
  });
}

FailureOr<LayerWork> Session::layerWork(const Scenario &scenario) const {
  OwningOpRef<ModuleOp> copy = model().clone();
  if (failed(applyForm(*copy, scenario)) ||
      failed(runForward(*copy, scenario, verifyEach)))
    return failure();
  LayerWork work;
  for (auto function : copy->getOps<func::FuncOp>())
    if (LayerWork found = findLayerWork(function); !found.layers.empty())
      work = std::move(found);
  return work;
}

FailureOr<Session::Prepared> gpucost::preparePipeline(
    ModuleOp module, const Scenario &scenario, bool verifyEach,
    llvm::function_ref<FailureOr<Session::Prepared>(ModuleOp)> collect) {
  if (failed(runForward(module, scenario, verifyEach)))
    return failure();
  Scenario given = getScenario(module);
  Settings settings = getSettings(module);
  if (settings.plan().pipeline == 1) {
    if (failed(runPassPipeline(module, verifyEach, buildStagePipeline)))
      return failure();
    return collect(module);
  }
  auto pipeline = std::make_shared<PreparedPipeline>();
  FailureOr<Session::Prepared> reported = failure();
  double most = -1;
  int64_t parameters = 0;
  llvm::StringMap<uint32_t> known;
  bool shares = !distinguishesLayers(settings);
  for (int64_t stage = 0; stage < layoutOf(settings).stages(); ++stage) {
    OwningOpRef<ModuleOp> copy = module.clone();
    Scenario one = given;
    one.selectStage = stage;
    setScenario(*copy, one);
    if (failed(runPassPipeline(*copy, verifyEach, buildSplitPipeline)))
      return failure();
    std::string structure =
        shares ? describeStructure(*copy) : std::to_string(stage);
    auto [it, isNew] = known.try_emplace(
        structure, static_cast<uint32_t>(pipeline->models.size()));
    pipeline->stages.push_back(it->second);
    if (isNew) {
      if (failed(runPassPipeline(*copy, verifyEach, buildStagePipeline)))
        return failure();
      FailureOr<Session::Prepared> prepared = collect(*copy);
      if (failed(prepared))
        return failure();
      pipeline->models.push_back(prepared->model);
      if (double work = matrixWorkOf(*prepared->model); work > most) {
        most = work;
        pipeline->reported = stage;
        reported = std::move(prepared);
      }
    }
    parameters = saturatingSum(
        parameters, pipeline->models[it->second]->memory.parameterCount);
  }
  auto model = std::make_shared<PreparedModel>(*reported->model);
  model->given = given;
  model->settings = settings;
  model->memory.parameterCount = parameters;
  model->pipeline = std::move(pipeline);
  reported->model = std::move(model);
  return reported;
}
