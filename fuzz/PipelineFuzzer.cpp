//===- PipelineFuzzer.cpp - Any bytes through the whole tool ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Reads a file and writes its report.

#include "CheckedAnalysis.h"
#include "ModelMutator.h"
#include "SharedContext.h"
#include "gpucost/Compiler/Import/OnnxImport.h"

using namespace gpucost;

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  setOperatorNames(listOperators());
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  return mutateModelOrBytes(data, size, maxSize, seed, /*period=*/8);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::MLIRContext &context = sharedContext(toolDialects());
  ImportOptions import;
  import.maxNodes = 20'000;
  import.maxInlinedNodes = 20'000;
  auto module = importOnnxBuffer(
      context, {reinterpret_cast<const char *>(data), size}, "m", import);
  if (!module) {
    llvm::consumeError(module.takeError());
    return -1;
  }
  analyzeAndCheck(**module, size);
  return 0;
}
