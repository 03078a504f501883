//===- QuietModel.h - A model that does not print errors --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_SESSION_QUIETMODEL_H
#define GPUCOST_COMPILER_SESSION_QUIETMODEL_H

#include "gpucost/Compiler/Session/LoadedModel.h"

namespace gpucost {

/// A model that keeps its first error instead of printing it.
class QuietModel : public LoadedModel {
public:
  QuietModel() {
    context().getDiagEngine().registerHandler(
        [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
              error.empty())
            error = diagnostic.str();
          return mlir::success();
        });
  }
  std::string error;
};

} // namespace gpucost

#endif // GPUCOST_COMPILER_SESSION_QUIETMODEL_H
