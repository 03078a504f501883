//===- PipelineFuzzer.cpp - Any bytes through the whole tool ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// From the file to the printed report. Diagnostics are swallowed; a failure
// without one is a finding.

#include "ModelMutator.h"
#include "SharedContext.h"
#include "gpucost/Analysis/IterationAnalysis.h"
#include "gpucost/Driver/Driver.h"
#include "gpucost/Import/OnnxImport.h"
#include "gpucost/Report/Report.h"
#include "mlir/IR/Verifier.h"
#include <cstdlib>

using namespace gpucost;

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  setOperatorNames(listOperators());
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  return mutateModelOrBytes(data, size, maxSize, seed, /*period=*/8);
}

static const mlir::DialectRegistry &getRegistry() {
  static const mlir::DialectRegistry registry = [] {
    mlir::DialectRegistry result;
    registerDialects(result);
    return result;
  }();
  return registry;
}

[[noreturn]] static void reportFinding(const char *what) {
  llvm::errs() << "PipelineFuzzer: " << what << '\n';
  abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  mlir::MLIRContext &context = sharedContext(getRegistry());
  bool diagnosed = false;
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) {
        diagnosed |=
            diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
        return mlir::success();
      });
  ImportOptions import;
  import.maxNodes = 20'000;
  import.maxInlinedNodes = 20'000;
  auto module = importOnnxBuffer(
      context, {reinterpret_cast<const char *>(data), size}, "m", import);
  if (!module) {
    llvm::consumeError(module.takeError());
    return -1;
  }
  AnalyzeOptions options;
  // The options that change most follow from the input, so that one corpus
  // covers them all.
  options.target = size % 3 ? "a100-bf16" : "h100-fp32";
  options.bind = "*:3";
  if (size % 7 == 0)
    options.mode = "training";
  if (size % 5 == 0)
    options.runtime = "compiled";
  if (size % 4 == 0)
    options.attention = "flash";
  if (failed(chooseDefaults(context, options)))
    reportFinding("the options are refused");
  mlir::FailureOr<IterationReport> report = analyzeModule(**module, options);
  if (failed(report)) {
    if (!diagnosed)
      reportFinding("failed without a diagnostic");
    return 0;
  }
  if (failed(mlir::verify(**module)))
    reportFinding("the analyzed module is invalid");
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::Error error = writeReport("json", *report, {}, os))
    reportFinding(llvm::toString(std::move(error)).c_str());
  return 0;
}
