//===- TargetFileFuzzer.cpp - Any text as a target or coefficients file ---===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/CostModel.h"
#include "gpucost/Core/Targets/CoefficientsWriter.h"
#include "gpucost/Core/Targets/DataText.h"
#include "gpucost/Core/Targets/TargetChoice.h"

using namespace gpucost;

/// A file of coefficients by itself is for a GPU of the library.
static const Gpu &gpuOf(const DataFile &file) {
  static const Gpu known = cantFail(chooseTarget("a100-bf16")).target.gpu;
  return file.gpu ? *file.gpu : known;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  (void)scanAliases(text);
  Expected<DataFile> file = parseDataFile(text, "t.mlir");
  if (!file)
    return -1;
  if (!file->coefficients)
    return 0;
  if (auto model = CostModel::create(gpuOf(*file), *file->coefficients)) {
    KernelWork work;
    work.family = KernelFamily::Elementwise;
    work.instructions = InstructionClass::Copy;
    work.problem = ElementsProblem{1 << 20, /*strided=*/false};
    work.count.bytesRead = work.count.bytesWritten = 1 << 21;
    (void)model->estimate(work);
    work.family = KernelFamily::Matmul;
    work.instructions = InstructionClass::None;
    work.problem = MatmulProblem{1, 512, 512, 512};
    work.count.tensorFlops = 2 * 512 * 512 * 512;
    (void)model->estimate(work);
  }
  // A file that was written can be read.
  if (!parseDataFile(printCoefficientsFile(*file->coefficients, ""), "t.mlir"))
    abort();
  return 0;
}
