//===- Driver.h - What the tool does, as a library -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `gpu-cost-opt` without its main: so that tests, benchmarks and other tools
// can run the same path.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_DRIVER_DRIVER_H
#define GPUCOST_APPLICATIONS_DRIVER_DRIVER_H

#include <string>

namespace gpucost {

/// Exit codes of the tool.
enum class ExitCode : int {
  Success = 0,
  Failure = 1,          ///< one diagnostic has said why; nothing was printed
  NotFullyModelled = 3, ///< `--strict` and the coverage report is not empty
  BudgetBroken = 4      ///< `compare --budget`: a limit is broken
};

/// The whole tool.
int runDriver(int argc, char **argv);

} // namespace gpucost

#endif // GPUCOST_APPLICATIONS_DRIVER_DRIVER_H
