//===- ImportFuzzer.cpp - Any bytes into the importer ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelMutator.h"
#include "SharedContext.h"
#include "gpucost/Compiler/Import/OnnxImport.h"
#include "mlir/IR/Verifier.h"
#include <cstdlib>

using namespace gpucost;

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  setOperatorNames(listOperators());
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  return mutateModelOrBytes(data, size, maxSize, seed, /*period=*/2);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::MLIRContext &context = sharedContext();
  ImportOptions options;
  options.maxNodes = 20'000;
  options.maxInlinedNodes = 20'000;
  auto module = importOnnxBuffer(
      context, {reinterpret_cast<const char *>(data), size}, "m", options);
  if (!module) {
    std::string error = llvm::toString(module.takeError());
    if (error.compare(0, 3, "m: ") != 0 || error.size() > 4096)
      abort();
    return 0;
  }
  if (failed(mlir::verify(**module)))
    abort();
  return 0;
}
