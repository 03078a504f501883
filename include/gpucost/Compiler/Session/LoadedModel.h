//===- LoadedModel.h - A model with its context -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps common to all users of a model file: a context with all dialects,
// the checks of settings before the file is read, the check for a target and a
// model to analyze afterwards, and a session. Use from one thread at a time.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_SESSION_LOADEDMODEL_H
#define GPUCOST_COMPILER_SESSION_LOADEDMODEL_H

#include "gpucost/Compiler/Session/Session.h"
#include "mlir/IR/MLIRContext.h"
#include <memory>
#include <string>

namespace gpucost {

class LoadedModel {
public:
  LoadedModel();

  /// Register diagnostic handlers on this context before loading.
  mlir::MLIRContext &context() { return *ownContext; }

  /// `loadModel`. False after a diagnostic.
  bool load(llvm::StringRef path, bool keepOrigins = false);
  /// Loads the module of the configuration at `path` that predicts further
  /// tokens.
  llvm::Error loadPredictor(llvm::StringRef path);
  /// Parses the contents of a file, which need not be null-terminated.
  bool parse(llvm::StringRef contents, llvm::StringRef name);

  /// Reports an unknown GPU or an unsupported setting, before a model is read.
  llvm::Error checkSettings(const Scenario &scenario);
  /// Reports that there is nothing to analyze or no GPU.
  llvm::Error checkQuestion(const Scenario &scenario) const;
  /// Reports that there is nothing to analyze.
  llvm::Error checkHasFunction() const;
  /// The checks of settings and of the question.
  llvm::Error check(const Scenario &scenario);

  mlir::OwningOpRef<mlir::ModuleOp> &module() { return ownModule; }
  Session &session() { return *ownSession; }
  const Session &session() const { return *ownSession; }
  /// The settings recorded in the module.
  Scenario stated() const;
  /// The path that the model was loaded from.
  const std::string &path() const { return ownPath; }

private:
  bool open(mlir::OwningOpRef<mlir::ModuleOp> module);

  std::string ownPath;
  std::unique_ptr<mlir::MLIRContext> ownContext;
  mlir::OwningOpRef<mlir::ModuleOp> ownModule;
  std::unique_ptr<Session> ownSession;
};

} // namespace gpucost

#endif // GPUCOST_COMPILER_SESSION_LOADEDMODEL_H
