//===- LoadedModel.h - A model in a context of its own ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What everybody does who runs a model file: a context with all dialects, the
// checks of settings before the file is read and of the question afterwards, a
// session. One thread at a time.
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

  /// Handlers of diagnostics go here first.
  mlir::MLIRContext &context() { return *ownContext; }

  /// `loadModel`. False after a diagnostic.
  bool load(llvm::StringRef path, bool keepOrigins = false);
  /// The same of the contents of a file, which need not end with a 0.
  bool parse(llvm::StringRef contents, llvm::StringRef name);

  /// A misspelt GPU or a setting that it does not take: worth knowing before a
  /// model is read.
  llvm::Error checkSettings(const Scenario &scenario);
  /// Nothing to analyze, or no GPU for it.
  llvm::Error checkQuestion(const Scenario &scenario) const;
  /// Both.
  llvm::Error check(const Scenario &scenario);

  mlir::OwningOpRef<mlir::ModuleOp> &module() { return ownModule; }
  Session &session() { return *ownSession; }
  const Session &session() const { return *ownSession; }
  /// The settings that the module states itself.
  Scenario stated() const;
  /// As it was loaded.
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
