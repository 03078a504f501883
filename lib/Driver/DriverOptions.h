//===- DriverOptions.h - Command line of the tool -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every flag of `gpu-cost-opt` that is not a pass.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_DRIVER_DRIVEROPTIONS_H
#define GPUCOST_LIB_DRIVER_DRIVEROPTIONS_H

#include "gpucost/Transforms/Pipelines.h"
#include "llvm/Support/CommandLine.h"
#include <string>

namespace gpucost {

enum class Emit { Report, IR, Shapes, Import };

/// The flags as LLVM `cl` options; one instance, made by `runDriver`.
struct DriverOptions {
  DriverOptions();

  /// The options of the pipeline that the flags amount to.
  void fill(AnalyzeOptions &options) const;
  /// A flag combination that makes no sense: the message, else "".
  std::string findMisuse() const;

  llvm::cl::OptionCategory inputs{"Input"}, device{"GPU"},
      execution{"Execution"}, training{"Training"}, output{"Output"};
  llvm::cl::opt<std::string> input, entry, target, targetFile, coefficients;
  llvm::cl::list<std::string> bind, trip;
  llvm::cl::opt<int64_t> batch, seq;
  llvm::cl::opt<std::string> precisionMode, tf32, runtime, attention, mode;
  llvm::cl::opt<bool> channelsLast;
  llvm::cl::opt<std::string> loss, optimizer, optimizerVariant, zeroGrad;
  llvm::cl::opt<std::string> dropout, recompute, parallel;
  llvm::cl::opt<int64_t> gradAccum, gpus;
  llvm::cl::opt<bool> clipGradNorm, maxBatch;
  llvm::cl::opt<double> clock, powerLimit, hostLaunchUs;
  llvm::cl::opt<std::string> report, outputFile, kernels, kernel, checkTarget;
  llvm::cl::opt<Emit> emit;
  llvm::cl::opt<unsigned> top;
  llvm::cl::opt<bool> listTargets, dumpCoefficients, strict, explain;
};

} // namespace gpucost

#endif // GPUCOST_LIB_DRIVER_DRIVEROPTIONS_H
