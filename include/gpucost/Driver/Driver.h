//===- Driver.h - What the tool does, as a library -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `gpu-cost-opt` without its main: so that tests, benchmarks and other tools
// can run the same path.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DRIVER_DRIVER_H
#define GPUCOST_DRIVER_DRIVER_H

#include "gpucost/Report/IterationReport.h"
#include "gpucost/Scenario/Scenario.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace gpucost {

/// Exit codes of the tool.
enum class ExitCode : int {
  Success = 0,
  Failure = 1,         ///< one diagnostic has said why; nothing was printed
  NotFullyModelled = 3 ///< `--strict` and the coverage report is not empty
};

/// Every dialect and external model that the tool knows.
void registerDialects(mlir::DialectRegistry &registry);
/// The same, and every pass and pipeline for textual use; once per process.
void registerEverything(mlir::DialectRegistry &registry);

/// Runs `parse`; MLIR's own parser crashes on some malformed text, which is an
/// error here. `context` is of no further use after that.
mlir::OwningOpRef<mlir::ModuleOp>
parseModule(mlir::MLIRContext &context,
            llvm::function_ref<mlir::OwningOpRef<mlir::ModuleOp>()> parse);

/// Parses `path` by its contents: ONNX, or MLIR text for names in `.mlir`; "-"
/// reads MLIR text from standard input. Diagnostics go to the context's
/// handler. Reports can do without origins (`ImportOptions::keepOrigins`).
mlir::OwningOpRef<mlir::ModuleOp> loadModel(mlir::MLIRContext &context,
                                            llvm::StringRef path,
                                            bool keepOrigins = true);

/// Whether analyses verify the IR between passes when nobody says otherwise:
/// builds with asserts do. The tool's flag is `--verify-each`.
#ifdef NDEBUG
inline constexpr bool verifyEachByDefault = false;
#else
inline constexpr bool verifyEachByDefault = true;
#endif

/// What `analyzeModule` does beside the report.
struct AnalyzeFlags {
  /// Kernels and module are annotated with the results.
  bool predict = true;
  /// The verifier runs after each pass: an invalid module is then an error.
  bool verifyEach = verifyEachByDefault;
};

/// Runs `gpucost-analyze` with `scenario` on `module` and returns the report.
/// The module is annotated in place. Diagnostics go to the context's handler.
mlir::FailureOr<IterationReport> analyzeModule(mlir::ModuleOp module,
                                               const Scenario &scenario,
                                               AnalyzeFlags flags = {});

/// The whole tool.
int runDriver(int argc, char **argv);

} // namespace gpucost

#endif // GPUCOST_DRIVER_DRIVER_H
