//===- SharedContext.h - One MLIR context for many inputs -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loading the dialects takes longer than most inputs. Attributes and types stay
// with their context for good, so it is replaced from time to time.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_FUZZ_SHAREDCONTEXT_H
#define GPUCOST_FUZZ_SHAREDCONTEXT_H

#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include <memory>
#include <string>
#include <vector>

namespace gpucost {

/// The context of this input; modules of inputs before must be gone.
inline mlir::MLIRContext &
sharedContext(const mlir::DialectRegistry &registry = mlir::DialectRegistry()) {
  static constexpr unsigned inputsOfContext = 200;
  static std::unique_ptr<mlir::MLIRContext> context;
  static unsigned inputs = 0;
  if (inputs++ % inputsOfContext == 0)
    context = std::make_unique<mlir::MLIRContext>(
        registry, mlir::MLIRContext::Threading::DISABLED);
  return *context;
}

/// Names of all onnx operators.
inline std::vector<std::string> listOperators() {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<onnx::OnnxDialect>();
  std::vector<std::string> names;
  for (mlir::RegisteredOperationName op :
       context.getRegisteredOperationsByDialect("onnx"))
    names.push_back(op.stripDialect().str());
  return names;
}

} // namespace gpucost

#endif // GPUCOST_FUZZ_SHAREDCONTEXT_H
