//===- Pipelines.h - gpucost-analyze ----------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The complete pipeline, from a parsed to an annotated, summarised module.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_TRANSFORMS_PIPELINES_H
#define GPUCOST_COMPILER_TRANSFORMS_PIPELINES_H

#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "mlir/Pass/PassManager.h"

namespace gpucost {

/// Adds every pass from the settings to tilings and, with `predict`, the one
/// that annotates kernels and module with results.
void buildAnalyzePipeline(mlir::OpPassManager &pm, const Scenario &scenario,
                          bool predict = true);

/// Adds the passes up to kernels with work, the contents of PreparedModel.
void buildPreparePipeline(mlir::OpPassManager &pm, const Scenario &scenario);

/// As `buildPreparePipeline`, for a module that already has `gpucost.target`,
/// `gpucost.coefficients` and its settings.
void buildKernelPipeline(mlir::OpPassManager &pm);

/// The parts of `buildKernelPipeline`: the forward graph of one GPU, the choice
/// of one stage of a pipeline, and the kernels of a step.
void buildForwardPipeline(mlir::OpPassManager &pm);
void buildSplitPipeline(mlir::OpPassManager &pm);
void buildStagePipeline(mlir::OpPassManager &pm);

/// Adds only binding, inference and folding, with the module's
/// `gpucost.scenario`. `recordShapes` keeps the type of every ONNX value in the
/// module attribute `gpucost.shapes`.
void buildShapePipeline(mlir::OpPassManager &pm, bool recordShapes = false);

/// The options of `gpucost-analyze` in a textual pipeline.
struct AnalyzeOptions : public mlir::PassPipelineOptions<AnalyzeOptions> {
  SettingOptions settings{*this};
  Option<bool> predict{
      *this, "predict",
      llvm::cl::desc("annotate kernels and module with results"),
      llvm::cl::init(true)};
};

/// Registers `gpucost-analyze` for textual pipelines.
void registerPipelines();

} // namespace gpucost

#endif // GPUCOST_COMPILER_TRANSFORMS_PIPELINES_H
