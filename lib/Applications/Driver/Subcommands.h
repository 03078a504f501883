//===- Subcommands.h - Subcommands of gpu-cost-opt --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_SUBCOMMANDS_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_SUBCOMMANDS_H

#include "CommandFlags.h"
#include "gpucost/Applications/Driver/Driver.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace gpucost {

/// A subcommand, which precedes all flags.
struct Subcommand {
  llvm::StringLiteral name, help;
  /// Takes the arguments that follow the name. Null if the subcommand takes the
  /// flags of a report.
  ExitCode (*run)(llvm::ArrayRef<char *> arguments);
  /// The flags that are not settings; null if `run` is.
  llvm::ArrayRef<OwnFlag> (*flags)();
  TakesSettings settings = TakesSettings::Yes;
};
llvm::ArrayRef<Subcommand> subcommands();

ExitCode runBuildCommand(llvm::ArrayRef<char *> arguments);
llvm::ArrayRef<OwnFlag> buildFlags();
ExitCode runInspect(llvm::ArrayRef<char *> arguments);
llvm::ArrayRef<OwnFlag> inspectFlags();
ExitCode runSweepCommand(llvm::ArrayRef<char *> arguments);
llvm::ArrayRef<OwnFlag> sweepFlags();
ExitCode runOptimizeCommand(llvm::ArrayRef<char *> arguments);
llvm::ArrayRef<OwnFlag> optimizeFlags();
ExitCode runPlanCommand(llvm::ArrayRef<char *> arguments);
llvm::ArrayRef<OwnFlag> planFlags();
ExitCode runCompareCommand(llvm::ArrayRef<char *> arguments);
llvm::ArrayRef<OwnFlag> compareFlags();
ExitCode runTransferCommand(llvm::ArrayRef<char *> arguments);
llvm::ArrayRef<OwnFlag> transferFlags();
ExitCode runServeCommand(llvm::ArrayRef<char *> arguments);
llvm::ArrayRef<OwnFlag> serveFlags();
ExitCode runGenerateCommand(llvm::ArrayRef<char *> arguments);
llvm::ArrayRef<OwnFlag> generateFlags();
ExitCode runDeployCommand(llvm::ArrayRef<char *> arguments);
llvm::ArrayRef<OwnFlag> deployFlags();
ExitCode runPostTrainCommand(llvm::ArrayRef<char *> arguments);
llvm::ArrayRef<OwnFlag> postTrainFlags();
ExitCode runCalibrateCommand(llvm::ArrayRef<char *> arguments);
llvm::ArrayRef<OwnFlag> calibrateFlags();

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_SUBCOMMANDS_H
