//===- RunModel.h - A model file at one scenario ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_DRIVER_RUNMODEL_H
#define GPUCOST_LIB_DRIVER_RUNMODEL_H

#include "gpucost/Driver/DiagnosticPrinter.h"
#include "gpucost/Session/Session.h"
#include <memory>

namespace gpucost {

/// A loaded model, its context and the printer of its diagnostics.
class LoadedModel {
public:
  /// Null after a diagnostic.
  static std::unique_ptr<LoadedModel> load(const std::string &path);

  /// Errors that the command line shows in place of a diagnostic of the model:
  /// no GPU, a setting that it does not take.
  llvm::Error check(const Scenario &scenario);
  Session &session() { return *theSession; }
  DiagnosticPrinter &printer() { return *thePrinter; }
  const std::string &path() const { return thePath; }

private:
  std::string thePath;
  std::unique_ptr<mlir::MLIRContext> context;
  std::unique_ptr<DiagnosticPrinter> thePrinter;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<Session> theSession;
};

} // namespace gpucost

#endif // GPUCOST_LIB_DRIVER_RUNMODEL_H
