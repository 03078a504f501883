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

void gpucost::buildShapePipeline(OpPassManager &pm, bool recordShapes) {
  pm.addPass(createInlineCallsPass());
  DeriveDecodePassOptions decode;
  decode.asStated = true;
  pm.addPass(createDeriveDecodePass(decode));
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
  AutocastPassOptions autocast;
  autocast.asStated = true;
  pm.addPass(createAutocastPass(autocast));
  ShardTensorsPassOptions shard;
  shard.asStated = true;
  pm.addPass(createShardTensorsPass(shard));
  ShardSequencePassOptions sequence;
  sequence.asStated = true;
  pm.addPass(createShardSequencePass(sequence));
  ShardContextPassOptions context;
  context.asStated = true;
  pm.addPass(createShardContextPass(context));
  ShardExpertsPassOptions experts;
  experts.asStated = true;
  pm.addPass(createShardExpertsPass(experts));
}

void gpucost::buildSplitPipeline(OpPassManager &pm) {
  SplitStagesPassOptions stages;
  stages.asStated = true;
  pm.addPass(createSplitStagesPass(stages));
}

void gpucost::buildStagePipeline(OpPassManager &pm) {
  ExpandTrainingPassOptions training;
  training.asStated = true;
  pm.addPass(createExpandTrainingPass(training));
  ParallelizePassOptions parallel;
  parallel.asStated = true;
  pm.addPass(createParallelizePass(parallel));
  pm.addPass(createFuseProjectionsPass());
  pm.addPass(createQuantizePass());
  pm.addPass(createExpandSelectionPass());
  pm.addPass(createFormKernelsPass());
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
