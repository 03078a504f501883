//===- Pipelines.h - gpucost-analyze -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The whole path from a parsed module to an annotated, summarised one.
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

/// From the settings to kernels with their work: what PreparedModel holds.
void buildPreparePipeline(mlir::OpPassManager &pm, const Scenario &scenario);

/// The same for a module that has `gpucost.target`, `gpucost.coefficients` and
/// its settings already.
void buildKernelPipeline(mlir::OpPassManager &pm);

/// Only binding, inference and folding, by the module's `gpucost.scenario`.
/// `recordShapes` keeps the type of every ONNX value in the module attribute
/// `gpucost.shapes`.
void buildShapePipeline(mlir::OpPassManager &pm, bool recordShapes = false);

/// What a textual pipeline may state of `gpucost-analyze`.
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
