//===- TargetFileFuzzer.cpp - Any text as a target or coefficients file ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/CostModel.h"
#include "gpucost/Core/Targets/CoefficientsWriter.h"
#include "gpucost/Core/Targets/DataText.h"

using namespace gpucost;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  (void)scanAliases(text);
  Expected<DataFile> file = parseDataFile(text, "t.mlir");
  if (!file)
    return -1;
  if (file->gpu && file->coefficients)
    (void)CostModel::create(*file->gpu, *file->coefficients);
  if (!file->coefficients)
    return 0;
  // A file that was written can be read.
  if (!parseDataFile(printCoefficientsFile(*file->coefficients, ""), "t.mlir"))
    abort();
  return 0;
}
