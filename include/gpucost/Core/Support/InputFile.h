//===- InputFile.h - Reads files, pipes and devices ----------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SUPPORT_INPUTFILE_H
#define GPUCOST_CORE_SUPPORT_INPUTFILE_H

#include "gpucost/Core/Support/Expected.h"
#include <cstddef>
#include <string>

namespace gpucost {

/// Maximum size of settings, budgets, targets, coefficients, ..., bytes.
inline constexpr size_t mostBytesOfText = size_t(64) << 20;
/// Maximum size of profiles, tables and models in pipes, bytes.
inline constexpr size_t mostBytesOfData = size_t(2) << 30;

/// Contents of a file, pipe or terminal, "-" is standard input. An error if it
/// has more than `most` bytes; devices may have 1 MiB.
Expected<std::string> readInput(const std::string &path, size_t most);

/// Whether `path` exists and can only be read once, from start to end: standard
/// input, a pipe, a terminal or another device.
bool isStream(const std::string &path);

/// During its life, `readInput` returns the contents of a pipe again if it is
/// read again: a run may read a file of coefficients several times.
class PipeMemory {
public:
  PipeMemory();
  ~PipeMemory();
  PipeMemory(const PipeMemory &) = delete;
  PipeMemory &operator=(const PipeMemory &) = delete;
};

} // namespace gpucost

#endif // GPUCOST_CORE_SUPPORT_INPUTFILE_H
