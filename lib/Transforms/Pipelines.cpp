//===- Pipelines.cpp - gpucost-analyze ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Transforms/Pipelines.h"
#include "gpucost/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace gpucost;

void gpucost::buildShapePipeline(OpPassManager &pm,
                                 const AnalyzeOptions &options,
                                 bool recordShapes) {
  InlineCallsPassOptions calls;
  calls.entry = options.entry;
  pm.addPass(createInlineCallsPass(calls));
  FixShapesPassOptions shapes;
  shapes.bind = options.bind;
  shapes.batch = options.batch;
  shapes.seq = options.seq;
  shapes.trip = options.trip;
  shapes.recordShapes = recordShapes;
  pm.addPass(createFixShapesPass(shapes));
  pm.addPass(createLowerTosaPass());
  pm.addPass(createFlattenLoopsPass());
}

/// From the forward graph to that of one step, on one or several GPUs.
static void buildTrainingPipeline(OpPassManager &pm,
                                  const AnalyzeOptions &options) {
  bool shards = options.gpus > 1 &&
                options.parallel == stringifyParallelism(Parallelism::TP);
  if (shards) {
    ShardTensorsPassOptions shard;
    shard.ways = options.gpus;
    pm.addPass(createShardTensorsPass(shard));
  }
  if (options.mode != stringifyIterationMode(IterationMode::Training))
    return;
  ExpandTrainingPassOptions training;
  training.loss = options.loss;
  training.optimizer = options.optimizer;
  training.variant = options.optimizerVariant;
  training.zeroGrad = options.zeroGrad;
  training.gradAccum = options.gradAccum;
  training.dropout = options.dropout;
  training.clipGradNorm = options.clipGradNorm;
  training.recompute = options.recompute;
  pm.addPass(createExpandTrainingPass(training));
  if (options.gpus > 1 && !shards) {
    ParallelizePassOptions parallel;
    parallel.gpus = options.gpus;
    parallel.mode = options.parallel;
    pm.addPass(createParallelizePass(parallel));
  }
}

void gpucost::buildMemoryPipeline(OpPassManager &pm,
                                  const AnalyzeOptions &options) {
  SetTargetPassOptions target;
  target.target = options.target;
  target.targetFile = options.targetFile;
  target.coefficientsFile = options.coefficients;
  pm.addPass(createSetTargetPass(target));

  buildShapePipeline(pm, options);

  ApplyPrecisionPassOptions precision;
  precision.mode = options.precisionMode;
  precision.tf32 = options.tf32;
  pm.addPass(createApplyPrecisionPass(precision));

  RecomposePassOptions recompose;
  recompose.runtime = options.runtime;
  recompose.attention = options.attention;
  recompose.training =
      options.mode == stringifyIterationMode(IterationMode::Training);
  pm.addPass(createRecomposePass(recompose));

  if (options.precisionMode == stringifyPrecisionMode(PrecisionMode::Amp))
    pm.addPass(createAutocastPass());
  buildTrainingPipeline(pm, options);

  FormKernelsPassOptions kernels;
  kernels.runtime = options.runtime;
  kernels.channelsLast = options.channelsLast;
  pm.addPass(createFormKernelsPass(kernels));
}

void gpucost::buildAnalyzePipeline(OpPassManager &pm,
                                   const AnalyzeOptions &options) {
  buildMemoryPipeline(pm, options);
  pm.addPass(createAnnotateWorkPass());
  pm.addPass(createSelectTilingPass());

  if (!options.predict)
    return;
  PredictPassOptions predict;
  predict.clock = options.clock;
  predict.powerLimit = options.powerLimit;
  predict.runtime = options.runtime;
  predict.hostLaunchUs = options.hostLaunchUs;
  pm.addPass(createPredictPass(predict));
}

void gpucost::registerPipelines() {
  PassPipelineRegistration<AnalyzeOptions>(
      "gpucost-analyze", "predict time, power and energy of a module on a GPU",
      buildAnalyzePipeline);
}
