//===- OutputFile.h - Writes files as a whole ----------------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_SUPPORT_OUTPUTFILE_H
#define GPUCOST_COMPILER_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace gpucost {

/// Runs `write` on the output `path` ("-": standard output).
///
/// A file is written under a temporary name in its folder and then renamed, so
/// that an error leaves an earlier file as it was. Symbolic links are kept, and
/// so are the permissions of an earlier file. Pipes, devices, files with
/// several names and files in a folder without permission to create files are
/// written in place.
llvm::Error
writeFile(llvm::StringRef path,
          llvm::function_ref<llvm::Error(llvm::raw_ostream &)> write);
/// Writes `text`.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef text);

} // namespace gpucost

#endif // GPUCOST_COMPILER_SUPPORT_OUTPUTFILE_H
