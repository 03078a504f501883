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
  FixShapesPassOptions shapes;
  shapes.bind = options.bind;
  shapes.batch = options.batch;
  shapes.seq = options.seq;
  shapes.recordShapes = recordShapes;
  pm.addPass(createFixShapesPass(shapes));
}

void gpucost::buildAnalyzePipeline(OpPassManager &pm,
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
  pm.addPass(createRecomposePass(recompose));

  FormKernelsPassOptions kernels;
  kernels.runtime = options.runtime;
  kernels.channelsLast = options.channelsLast;
  pm.addPass(createFormKernelsPass(kernels));

  pm.addPass(createAnnotateWorkPass());
  pm.addPass(createSelectTilingPass());

  PredictTimePassOptions time;
  time.clock = options.clock;
  pm.addPass(createPredictTimePass(time));

  PredictPowerPassOptions power;
  power.powerLimit = options.powerLimit;
  power.runtime = options.runtime;
  power.hostLaunchUs = options.hostLaunchUs;
  pm.addPass(createPredictPowerPass(power));

  SummarizePassOptions summary;
  summary.runtime = options.runtime;
  summary.hostLaunchUs = options.hostLaunchUs;
  pm.addPass(createSummarizePass(summary));
}

void gpucost::registerPipelines() {
  PassPipelineRegistration<AnalyzeOptions>(
      "gpucost-analyze", "predict time, power and energy of a module on a GPU",
      buildAnalyzePipeline);
}
