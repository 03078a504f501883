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
      {"inspect", "contents of a model file", runInspect},
      {"prepare", "the kernels of an iteration as a file", nullptr},
      {"sweep", "reports for every combination of settings", runSweepCommand},
      {"optimize", "the best of a sweep", runOptimizeCommand},
      {"compare", "differences between two reports and their causes",
       runCompareCommand},
      {"transfer", "predict another GPU from a profile", runTransferCommand},
      {"serve", "prompts and decode steps of a language model",
       runServeCommand},
      {"calibrate", "coefficients from measurements", runCalibrateCommand}};
  return list;
}
