//===- Session.h - From a model file to its cost ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tool, sweeps, calibration and bindings of other languages call:
//
//   load      a file into a module
//   prepare   dimensions, mode, format and parallelism into kernels, without IR
//   place     kernels on a GPU: tilings
//   evaluate  clock, power limit and host cost into time, power and energy
//
// Each step starts from the result of the one before as often as needed;
// PreparedModel and PlacedModel outlive the session. Errors are diagnostics of
// the model's context.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_SESSION_SESSION_H
#define GPUCOST_COMPILER_SESSION_SESSION_H

#include "gpucost/Core/Iteration/PlacedModel.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace gpucost {

/// Every dialect and work model that models may use.
void registerDialects(mlir::DialectRegistry &registry);

/// Runs `parse`; MLIR's own parser crashes on some malformed text, which is an
/// error here. `context` is of no further use after that.
mlir::OwningOpRef<mlir::ModuleOp>
parseModule(mlir::MLIRContext &context,
            llvm::function_ref<mlir::OwningOpRef<mlir::ModuleOp>()> parse);

/// Whether the contents of a file are binary as an ONNX model is, not MLIR.
bool isOnnx(llvm::StringRef contents);

/// Parses ONNX or MLIR, whichever `buffer` has. Null after a diagnostic.
mlir::OwningOpRef<mlir::ModuleOp> parseModel(mlir::MLIRContext &context,
                                             llvm::MemoryBufferRef buffer,
                                             bool keepOrigins = true);

/// Parses `path`: MLIR text for names in `.mlir`, else ONNX; "-" reads either
/// from standard input. Reports can do without origins
/// (`ImportOptions::keepOrigins`). Null after a diagnostic.
mlir::OwningOpRef<mlir::ModuleOp> loadModel(mlir::MLIRContext &context,
                                            llvm::StringRef path,
                                            bool keepOrigins = true);

/// The GPU that `scenario` names; nullopt when it names none.
llvm::Expected<std::optional<ScenarioTarget>>
findTarget(const Scenario &scenario);

/// The scenario that a JSON report, or the text of its object `settings`,
/// records (Scenario/SettingsJson.h), with the defaults of its own GPU.
llvm::Expected<Scenario> readScenario(llvm::StringRef json);

/// An error where there is nothing to analyze, or no GPU to analyze it for:
/// `scenario` has all that is stated. `name` is that of the model.
llvm::Error checkQuestion(mlir::ModuleOp model, const Scenario &scenario,
                          llvm::StringRef name);

/// Whether the verifier runs between passes when nobody says otherwise: it does
/// in builds with asserts. The tool's flag is `--verify-each`.
#ifdef NDEBUG
inline constexpr bool verifyEachByDefault = false;
#else
inline constexpr bool verifyEachByDefault = true;
#endif

/// Runs `gpucost-analyze` with `scenario` on `module`, which holds all results
/// afterwards, and returns the same as a report.
mlir::FailureOr<IterationReport>
annotateModule(mlir::ModuleOp module, const Scenario &scenario,
               bool verifyEach = verifyEachByDefault);

/// One model, for any number of scenarios.
class Session {
public:
  /// Kernels, and the GPU that the module names.
  struct Prepared {
    std::shared_ptr<const PreparedModel> model;
    CostModel costModel;
  };

  explicit Session(mlir::ModuleOp model, bool verifyEach = verifyEachByDefault)
      : imported(model), verifyEach(verifyEach) {}

  /// The module as it was loaded.
  mlir::ModuleOp model() const { return imported; }

  /// The kernels of one iteration. `scenario` adds to the settings that the
  /// module states itself.
  mlir::FailureOr<Prepared> prepare(const Scenario &scenario) const &;
  /// The last use of the model itself, which is changed, not a copy.
  mlir::FailureOr<Prepared> prepare(const Scenario &scenario) &&;
  /// The same as bytes for processes without MLIR (Archive/PreparedFile.h);
  /// `name` is that of the model in reports.
  mlir::FailureOr<std::string> prepareBytes(const Scenario &scenario,
                                            llvm::StringRef name) const;
  /// Its tilings on the GPU that it was prepared for.
  mlir::FailureOr<PlacedModel> place(const Prepared &prepared) const;
  /// The same with other settings: a GPU, coefficients, clock, limits. An error
  /// where one of them asks for other kernels, as another number format does.
  mlir::FailureOr<PlacedModel> place(const Prepared &prepared,
                                     const Scenario &changes) const;
  /// All steps at once; with `details`, those of the report, too.
  mlir::FailureOr<IterationReport> analyze(const Scenario &scenario,
                                           bool details = false) const &;
  /// The last use of the session: the model itself is changed, not a copy.
  mlir::FailureOr<IterationReport> analyze(const Scenario &scenario,
                                           bool details = false) &&;

  /// The largest batch whose peak memory the GPU of `scenario` holds; an error
  /// when not even a batch of 1 fits, or memory does not depend on the batch.
  mlir::FailureOr<int64_t> findLargestBatch(const Scenario &scenario) const;

private:
  mlir::FailureOr<Prepared> prepareModule(mlir::ModuleOp module,
                                          const Scenario &scenario) const;

  mlir::ModuleOp imported;
  bool verifyEach;
};

} // namespace gpucost

#endif // GPUCOST_COMPILER_SESSION_SESSION_H
