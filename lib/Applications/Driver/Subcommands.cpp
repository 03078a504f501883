//===- Subcommands.cpp - Subcommands before all flags ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalibrateCommand.h"
#include "CompareCommand.h"
#include "Inspect.h"
#include "OptimizeCommand.h"
#include "Output.h"
#include "ServeCommand.h"
#include "SweepCommand.h"
#include "TransferCommand.h"
#include "UserDocuments.h"
#include "gpucost/Applications/Driver/Driver.h"

using namespace gpucost;

/// A subcommand that reads the arguments after its name.
template <int (*run)(llvm::ArrayRef<char *>)>
static int behindName(llvm::ArrayRef<char *> arguments) {
  return run(arguments.drop_front(2));
}

llvm::ArrayRef<Subcommand> gpucost::subcommands() {
  static constexpr Subcommand list[] = {
      {"inspect", "contents of a model file", behindName<runInspect>},
      {"prepare", "the kernels of an iteration as a file", nullptr},
      {"sweep", "reports for every combination of settings",
       behindName<runSweepCommand>},
      {"optimize", "the best of a sweep", behindName<runOptimizeCommand>},
      {"compare", "differences between two reports and their causes",
       behindName<runCompareCommand>},
      {"transfer", "predict another GPU from a profile",
       behindName<runTransferCommand>},
      {"serve", "prompts and decode steps of a language model",
       behindName<runServeCommand>},
      {"calibrate", "coefficients from measurements",
       behindName<runCalibrateCommand>}};
  return list;
}
