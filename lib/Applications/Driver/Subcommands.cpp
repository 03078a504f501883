//===- Subcommands.cpp - Subcommands before all flags ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Subcommands.h"

using namespace gpucost;

llvm::ArrayRef<Subcommand> gpucost::subcommands() {
  static constexpr Subcommand list[] = {
      {"inspect", "contents of a model file", runInspect, inspectFlags,
       TakesSettings::No},
      {"build", "an ONNX file from the config.json of a model", runBuildCommand,
       buildFlags, TakesSettings::No},
      {"prepare", "the kernels of an iteration as a file", nullptr, nullptr},
      {"sweep", "reports for every combination of settings", runSweepCommand,
       sweepFlags},
      {"optimize", "the best of a sweep", runOptimizeCommand, optimizeFlags},
      {"plan", "the best way to train a model on many GPUs", runPlanCommand,
       planFlags},
      {"compare", "differences between two reports and their causes",
       runCompareCommand, compareFlags},
      {"transfer", "predict another GPU from a profile", runTransferCommand,
       transferFlags},
      {"serve", "prompts and decode steps of a language model", runServeCommand,
       serveFlags},
      {"generate", "a pipeline that generates images or videos",
       runGenerateCommand, generateFlags},
      {"deploy", "the best way to serve a language model on many GPUs",
       runDeployCommand, deployFlags},
      {"post-train", "a round of reinforcement learning or DPO",
       runPostTrainCommand, postTrainFlags},
      {"calibrate", "coefficients from measurements", runCalibrateCommand,
       calibrateFlags, TakesSettings::No}};
  return list;
}
