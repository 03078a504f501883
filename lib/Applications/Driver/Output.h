//===- Output.h - Errors and files of the tool ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_OUTPUT_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_OUTPUT_H

#include "gpucost/Applications/Driver/Driver.h"
#include "gpucost/Core/Support/InputFile.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace gpucost {

/// Prints an error in one line; returns the exit code.
ExitCode reportError(const llvm::Twine &message);
ExitCode reportError(llvm::Error error);

/// "; did you mean '--batch'?" if `name` is close to one of `flags`, else "".
std::string suggestFlag(llvm::StringRef name,
                        llvm::ArrayRef<llvm::StringRef> flags);
/// Runs `write`, then `writeFile` with its text. Returns the exit code.
ExitCode
writeOutput(const std::string &path,
            llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write);
/// `readInput` as a buffer.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
openInput(const std::string &path, size_t most = mostBytesOfText);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_OUTPUT_H
