//===- RunModel.h - Model file of a subcommand ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DRIVER_RUNMODEL_H
#define GPUCOST_LIB_APPLICATIONS_DRIVER_RUNMODEL_H

#include "gpucost/Applications/Driver/DiagnosticPrinter.h"
#include "gpucost/Compiler/Session/LoadedModel.h"
#include <memory>

namespace gpucost {

/// A model whose diagnostics are printed to standard error.
class CommandModel : public LoadedModel {
public:
  explicit CommandModel(llvm::raw_ostream &os) : thePrinter(context(), os) {}
  /// Null after a diagnostic on `os`.
  static std::unique_ptr<CommandModel>
  load(const std::string &path, llvm::raw_ostream &os = llvm::errs()) {
    auto model = std::make_unique<CommandModel>(os);
    return model->LoadedModel::load(path) ? std::move(model) : nullptr;
  }
  DiagnosticPrinter &printer() { return thePrinter; }

private:
  DiagnosticPrinter thePrinter;
};

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_DRIVER_RUNMODEL_H
