//===- KernelsCsvFuzzer.cpp - Any bytes as a kernels file ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Query/KernelQueries.h"
#include "gpucost/Core/Targets/TargetChoice.h"
#include "mlir/IR/MLIRContext.h"
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

using namespace gpucost;

static CostModel makeModel() {
  TargetChoice choice = cantFail(chooseTarget("a100-bf16"));
  return cantFail(CostModel::create(choice.target.gpu, choice.coefficients));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const CostModel model = makeModel();
  // The reader takes a path: a file that lives in memory.
  static const int file = memfd_create("kernels", 0);
  if (ftruncate(file, 0) || pwrite(file, data, size, 0) != ssize_t(size))
    abort();
  static constexpr const char *reports[] = {"table", "json", "csv"};
  KernelQueryOptions options;
  options.file = "/proc/self/fd/" + std::to_string(file);
  options.report = reports[size % 3];
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::Error error =
          runKernelQueries(model, NumericFormat::BF16, options, os))
    llvm::consumeError(std::move(error));
  return 0;
}
