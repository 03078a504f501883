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

#ifndef GPUCOST_TRANSFORMS_PIPELINES_H
#define GPUCOST_TRANSFORMS_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include <string>

namespace gpucost {

/// Options of `gpucost-analyze`; each is that of the pass of the same option.
struct AnalyzeOptions : public mlir::PassPipelineOptions<AnalyzeOptions> {
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("GPU, with an optional format")};
  Option<std::string> targetFile{*this, "target-file",
                                 llvm::cl::desc("a target file")};
  Option<std::string> coefficients{*this, "coefficients",
                                   llvm::cl::desc("a coefficients file")};
  Option<std::string> entry{*this, "entry", llvm::cl::desc("entry function")};
  Option<std::string> bind{*this, "bind", llvm::cl::desc("NAME:VALUE pairs")};
  Option<int64_t> batch{*this, "batch", llvm::cl::init(0)};
  Option<int64_t> seq{*this, "seq", llvm::cl::init(0)};
  Option<std::string> trip{*this, "trip", llvm::cl::desc("NAME:N pairs")};
  Option<std::string> mode{*this, "mode", llvm::cl::init("inference")};
  Option<std::string> precisionMode{*this, "precision-mode",
                                    llvm::cl::init("pure")};
  Option<std::string> tf32{*this, "tf32", llvm::cl::init("")};
  Option<std::string> runtime{*this, "runtime", llvm::cl::init("eager")};
  Option<std::string> attention{*this, "attention", llvm::cl::init("as-is")};
  Option<bool> channelsLast{*this, "channels-last", llvm::cl::init(false)};
  Option<std::string> loss{*this, "loss", llvm::cl::init("auto")};
  Option<std::string> optimizer{*this, "optimizer", llvm::cl::init("adamw")};
  Option<std::string> optimizerVariant{*this, "optimizer-variant",
                                       llvm::cl::init("foreach")};
  Option<std::string> zeroGrad{*this, "zero-grad",
                               llvm::cl::init("set-to-none")};
  Option<int64_t> gradAccum{*this, "grad-accum", llvm::cl::init(1)};
  Option<std::string> dropout{*this, "dropout", llvm::cl::init("as-is")};
  Option<bool> clipGradNorm{*this, "clip-grad-norm", llvm::cl::init(false)};
  Option<std::string> recompute{*this, "recompute", llvm::cl::init("none")};
  Option<int64_t> gpus{*this, "gpus", llvm::cl::init(1)};
  Option<std::string> parallel{*this, "parallel", llvm::cl::init("ddp")};
  Option<double> clock{*this, "clock", llvm::cl::init(0.0)};
  Option<double> powerLimit{*this, "power-limit", llvm::cl::init(0.0)};
  Option<double> hostLaunchUs{*this, "host-launch-us", llvm::cl::init(-1.0)};
  Option<bool> predict{*this, "predict",
                       llvm::cl::desc("annotate kernels and module with results"),
                       llvm::cl::init(true)};
};

/// Adds every pass from shapes to prediction.
void buildAnalyzePipeline(mlir::OpPassManager &pm,
                          const AnalyzeOptions &options);

/// From the target to kernels: what decides about memory.
void buildMemoryPipeline(mlir::OpPassManager &pm,
                         const AnalyzeOptions &options);

/// Only binding, inference and folding. `recordShapes` keeps the type of every
/// ONNX value in the module attribute `gpucost.shapes`.
void buildShapePipeline(mlir::OpPassManager &pm, const AnalyzeOptions &options,
                        bool recordShapes = false);

/// Registers `gpucost-analyze` for textual pipelines.
void registerPipelines();

} // namespace gpucost

#endif // GPUCOST_TRANSFORMS_PIPELINES_H
