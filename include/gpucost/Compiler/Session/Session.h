//===- Session.h - From a model file to its cost ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interface for the tool, sweeps, calibration and bindings of other languages:
//
//   load      a file into a module
//   prepare   dimensions, mode, format and parallelism into kernels, without IR
//   place     kernels on a GPU: tilings
//   evaluate  clock, power limit and host cost into time, power and energy
//
// Each step can start from the result of the previous one any number of times;
// PreparedModel and PlacedModel outlive the session. Errors are diagnostics of
// the model's context.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_SESSION_SESSION_H
#define GPUCOST_COMPILER_SESSION_SESSION_H

#include "gpucost/Core/Iteration/PlacedModel.h"
#include "gpucost/Core/Scenario/LayerBalance.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace gpucost {

/// Every dialect and work model that models may use.
void registerDialects(mlir::DialectRegistry &registry);

/// Runs `parse`. MLIR's parser crashes on some malformed input; this function
/// reports an error instead, after which `context` must not be used.
mlir::OwningOpRef<mlir::ModuleOp>
parseModule(mlir::MLIRContext &context,
            llvm::function_ref<mlir::OwningOpRef<mlir::ModuleOp>()> parse);

/// Whether the contents of a file are a binary ONNX model instead of MLIR.
bool isOnnx(llvm::StringRef contents);

/// Parses `buffer`, which contains ONNX, MLIR or a model's config.json. Null
/// after a diagnostic.
mlir::OwningOpRef<mlir::ModuleOp> parseModel(mlir::MLIRContext &context,
                                             llvm::MemoryBufferRef buffer,
                                             bool keepOrigins = true);

/// Parses `path`: MLIR if the name ends with `.mlir` or the file begins like
/// bytecode, the config.json of a model if it is a folder or a JSON object,
/// else ONNX; "-" reads any of them from standard input. Reports do not need
/// origins (`ImportOptions::keepOrigins`). Null after a diagnostic.
mlir::OwningOpRef<mlir::ModuleOp> loadModel(mlir::MLIRContext &context,
                                            llvm::StringRef path,
                                            bool keepOrigins = true);

/// The file that contains the model at `path`: config.json in a folder.
std::string modelFile(llvm::StringRef path);

/// The ONNX file, without weights, of the model that a config.json describes:
/// `json`, or, if that is empty, the file or folder `path`. `form` is "prompt",
/// "training" or "cache" (Import/Configuration.h); `scenario` may state
/// adapters.
llvm::Expected<std::string> buildModelFile(llvm::StringRef json,
                                           llvm::StringRef path,
                                           llvm::StringRef form,
                                           const Scenario &scenario = {});

/// A model from a configuration has several graphs (Import/Configuration.h):
/// replaces that of `module` by the one for the mode of `scenario` and for its
/// cached tokens (`past`). An exported module (Dialect/Onnx/IR/ExportAttrs.h)
/// gets its settings for training. Other modules are unchanged.
mlir::LogicalResult applyForm(mlir::ModuleOp module, const Scenario &scenario);

/// The settings `given` for a model that states `own`. Storage formats of a
/// checkpoint do not apply to training, where no kernels read them.
Scenario stateOn(const Scenario &own, const Scenario &given);

/// The GPU that `scenario` names; nullopt when it names none.
llvm::Expected<std::optional<ScenarioTarget>>
findTarget(const Scenario &scenario);

/// The scenario recorded in a JSON report, or in the source of its object
/// `settings` (Support/SettingsJson.h), with the defaults of the report's GPU.
llvm::Expected<Scenario> readScenario(llvm::StringRef json);

/// Returns an error if there is nothing to analyze in the model called `name`.
llvm::Error checkHasFunction(mlir::ModuleOp model, llvm::StringRef name);

/// Returns an error if there is nothing to analyze or no GPU to analyze it for.
/// `scenario` contains all stated settings; `name` is the name of the model.
llvm::Error checkQuestion(mlir::ModuleOp model, const Scenario &scenario,
                          llvm::StringRef name);

/// Whether the verifier runs between passes by default: it does in builds with
/// asserts. The tool's flag is `--verify-each`.
#ifdef NDEBUG
inline constexpr bool verifyEachByDefault = false;
#else
inline constexpr bool verifyEachByDefault = true;
#endif

/// Runs `gpucost-analyze` with `scenario` on `module`, which contains all
/// results afterwards, and returns them as a report.
mlir::FailureOr<IterationReport>
annotateModule(mlir::ModuleOp module, const Scenario &scenario,
               bool verifyEach = verifyEachByDefault);

/// One model, analyzed for any number of scenarios.
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

  /// The kernels of one iteration. Adds `scenario` to the module's settings.
  mlir::FailureOr<Prepared> prepare(const Scenario &scenario) const &;
  /// The last use of the session: changes the model itself instead of a copy.
  mlir::FailureOr<Prepared> prepare(const Scenario &scenario) &&;
  /// Serializes the kernels for processes without MLIR
  /// (Archive/PreparedFile.h); `name` is the name of the model in reports.
  mlir::FailureOr<std::string> prepareBytes(const Scenario &scenario,
                                            llvm::StringRef name) const;
  /// Selects tilings on the GPU that the kernels were prepared for.
  mlir::FailureOr<PlacedModel> place(const Prepared &prepared) const;
  /// Selects tilings with other settings: a GPU, coefficients, clock, limits.
  /// An error if one requires other kernels, such as another number format.
  mlir::FailureOr<PlacedModel> place(const Prepared &prepared,
                                     const Scenario &changes) const;
  /// All steps at once.
  mlir::FailureOr<IterationReport> analyze(const Scenario &scenario) const &;
  /// The last use of the session: changes the model itself instead of a copy.
  mlir::FailureOr<IterationReport> analyze(const Scenario &scenario) &&;

  /// The work of the repeated blocks of the forward graph and of its head;
  /// empty if it has none (Transforms/StageLayers.h).
  mlir::FailureOr<LayerWork> layerWork(const Scenario &scenario) const;

  /// The largest batch whose peak memory fits the GPU of `scenario`; an error
  /// if batch 1 does not fit or if memory does not depend on the batch.
  mlir::FailureOr<int64_t> findLargestBatch(const Scenario &scenario) const;

  /// The least of `recomputationChoices` whose peak memory fits the GPU of
  /// `scenario`; an error if none does.
  mlir::FailureOr<Recomputation>
  chooseRecomputation(const Scenario &scenario) const;

private:
  mlir::FailureOr<Prepared> prepareModule(mlir::ModuleOp module,
                                          const Scenario &scenario) const;

  mlir::ModuleOp imported;
  bool verifyEach;
};

} // namespace gpucost

#endif // GPUCOST_COMPILER_SESSION_SESSION_H
