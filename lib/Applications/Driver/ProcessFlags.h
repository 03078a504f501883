//===- ProcessFlags.h - The flags of a process ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM has one list of flags per process, from which flags cannot be removed:
// they are registered once and reset to their defaults before each further run
// of the tool. No flag ends the process.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_PROCESSFLAGS_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_PROCESSFLAGS_H

#include "DriverOptions.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpucost {

struct ProcessFlags {
  /// Resets all flags. Only one run at a time.
  static ProcessFlags &reset();

  /// Reads a command line that includes the program name. Returns false after
  /// printing a message.
  bool parse(llvm::ArrayRef<char *> arguments);
  void printHelp() const;

  mlir::DialectRegistry registry;
  DriverOptions options;

private:
  ProcessFlags();
};

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_PROCESSFLAGS_H
