//===- ProcessFlags.h - The flags of a process ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM keeps one list of flags in a process, which flags cannot leave and enter
// at will: they are registered once and get their defaults back before each
// further run of the tool. None of them ends the process.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_DRIVER_PROCESSFLAGS_H
#define GPUCOST_LIB_DRIVER_PROCESSFLAGS_H

#include "DriverOptions.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpucost {

struct ProcessFlags {
  /// As no flag had been given yet. One run at a time.
  static ProcessFlags &reset();

  /// Reads a command line with the name of the program. False after a message.
  bool parse(llvm::ArrayRef<char *> arguments);
  void printHelp() const;

  mlir::DialectRegistry registry;
  DriverOptions options;

private:
  ProcessFlags();
};

} // namespace gpucost

#endif // GPUCOST_LIB_DRIVER_PROCESSFLAGS_H
