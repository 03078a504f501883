//===- TargetFileFuzzer.cpp - Any text as a target or coefficients file ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetFile.h"
#include "gpucost/Model/CostModel.h"
#include "mlir/IR/MLIRContext.h"

using namespace gpucost;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<GpuCostDialect>();
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  (void)scanAliases(text);
  llvm::Expected<DataFile> file = parseDataFile(&context, text, "t.mlir");
  if (!file) {
    llvm::consumeError(file.takeError());
    return -1;
  }
  if (!file->gpu || !file->coefficients)
    return 0;
  (void)CostModel::create(file->gpu.getValue(), file->coefficients.getValue());
  return 0;
}
