//===- Pipelines.cpp - gpucost-analyze ------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Transforms/Pipelines.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace gpucost;

/// Adds a pass that acts only if the settings of the module ask for it.
template <typename Options>
static void addAsStated(OpPassManager &pm,
                        std::unique_ptr<Pass> (*create)(Options)) {
  Options options;
  options.asStated = true;
  pm.addPass(create(std::move(options)));
}

void gpucost::buildShapePipeline(OpPassManager &pm, bool recordShapes) {
  pm.addPass(createInlineCallsPass());
  addAsStated<DeriveDecodePassOptions>(pm, createDeriveDecodePass);
  FixShapesPassOptions shapes;
  shapes.recordShapes = recordShapes;
  pm.addPass(createFixShapesPass(shapes));
  pm.addPass(createLowerTosaPass());
  pm.addPass(createNarrowProductsPass());
  pm.addPass(createFlattenLoopsPass());
}

void gpucost::buildPreparePipeline(OpPassManager &pm,
                                   const Scenario &scenario) {
  pm.addPass(createSetScenarioPass(scenario));
  buildKernelPipeline(pm);
}

void gpucost::buildKernelPipeline(OpPassManager &pm) {
  buildForwardPipeline(pm);
  buildSplitPipeline(pm);
  buildStagePipeline(pm);
}

void gpucost::buildForwardPipeline(OpPassManager &pm) {
  buildShapePipeline(pm);
  pm.addPass(createApplyPrecisionPass());
  // Again: the cast may have chosen a format that the GPU multiplies.
  pm.addPass(createNarrowProductsPass());
  pm.addPass(createRaiseOpsPass());
  // The pipeline is the same for every scenario, because defaults may depend on
  // the target, and a module may contain settings.
  addAsStated<AutocastPassOptions>(pm, createAutocastPass);
  addAsStated<ShardTensorsPassOptions>(pm, createShardTensorsPass);
  addAsStated<ShardSequencePassOptions>(pm, createShardSequencePass);
  addAsStated<ShardContextPassOptions>(pm, createShardContextPass);
  addAsStated<ShardExpertsPassOptions>(pm, createShardExpertsPass);
}

void gpucost::buildSplitPipeline(OpPassManager &pm) {
  addAsStated<SplitStagesPassOptions>(pm, createSplitStagesPass);
}

void gpucost::buildStagePipeline(OpPassManager &pm) {
  addAsStated<ExpandTrainingPassOptions>(pm, createExpandTrainingPass);
  addAsStated<ParallelizePassOptions>(pm, createParallelizePass);
  pm.addPass(createFuseProjectionsPass());
  pm.addPass(createQuantizePass());
  pm.addPass(createExpandSelectionPass());
  pm.addPass(createFormKernelsPass());
  addAsStated<OffloadActivationsPassOptions>(pm, createOffloadActivationsPass);
  pm.addPass(createAnnotateWorkPass());
}

void gpucost::buildAnalyzePipeline(OpPassManager &pm, const Scenario &scenario,
                                   bool predict) {
  buildPreparePipeline(pm, scenario);
  pm.addPass(createSelectTilingPass());
  if (predict)
    pm.addPass(createPredictPass());
}

void gpucost::registerPipelines() {
  PassPipelineRegistration<AnalyzeOptions>(
      "gpucost-analyze", "predict time, power and energy of a module on a GPU",
      [](OpPassManager &pm, const AnalyzeOptions &options) {
        buildAnalyzePipeline(pm, options.settings.stated(), options.predict);
      });
}
