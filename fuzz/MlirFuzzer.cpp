//===- MlirFuzzer.cpp - Any MLIR text through the whole tool --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Modules of Linalg, TOSA, SCF and ONNX ops as a compiler writes them, to the
// printed report: also modules that cannot come from an ONNX file, such as
// loops of any length.

#include "CheckedAnalysis.h"
#include "SharedContext.h"
#include "TextMutator.h"
#include "gpucost/Compiler/Session/Session.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>

using namespace gpucost;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  static const std::vector<std::string> operators = [] {
    std::vector<std::string> names = listOperators();
    for (std::string &name : names)
      name.insert(0, "onnx.");
    return names;
  }();
  // MLIR's parser is not tested here: any bytes only for a start.
  if (size == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::string text =
      mutateText({reinterpret_cast<const char *>(data), size}, seed, operators);
  size = std::min(text.size(), maxSize);
  std::memcpy(data, text.data(), size);
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::MLIRContext &context = sharedContext(toolDialects());
  context.allowUnregisteredDialects();
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string text(reinterpret_cast<const char *>(data), size);
  {
    mlir::ScopedDiagnosticHandler quiet(
        &context, [](mlir::Diagnostic &) { return mlir::success(); });
    module = parseModel(context, llvm::MemoryBufferRef(text, "fuzz.mlir"));
  }
  if (!module)
    return -1;
  std::vector<llvm::StringRef> functions;
  for (auto function : module->getOps<mlir::func::FuncOp>())
    if (!function.isExternal())
      functions.push_back(function.getName());
  // The tool requires a body before it analyzes.
  if (functions.empty())
    return -1;
  // Tests hold a case per function.
  std::string entry = functions[size % functions.size()].str();
  analyzeAndCheck(*module, size, entry);
  return 0;
}
