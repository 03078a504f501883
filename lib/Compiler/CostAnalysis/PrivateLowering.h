//===- PrivateLowering.h - Kernels of a private copy ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pipeline rewrites before it forms kernels cannot be read where it
// stands: loops, calls, ONNX and TOSA ops. It is copied, the same passes run on
// the copy, and the locations of its ops say which op of the original each
// kernel came from.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_COSTANALYSIS_PRIVATELOWERING_H
#define GPUCOST_LIB_COMPILER_COSTANALYSIS_PRIVATELOWERING_H

#include "LaunchView.h"
#include "gpucost/Compiler/Targets/TargetRegistry.h"
#include "gpucost/Core/Iteration/PreparedModel.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include <mutex>

namespace gpucost {

/// Launches of one kernel.
struct LoweredLaunch : LaunchView {
  /// The op of the original that it came from; null: of none alone.
  mlir::Operation *source = nullptr;
};

/// What a copy was lowered to.
struct Lowered {
  /// The first error of the passes; "" for none.
  std::string error;
  std::vector<LoweredLaunch> launches;
  /// Indices of the launches of each op.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<uint32_t, 1>> bySource;
  /// Of functions and modules: the iteration.
  std::shared_ptr<const PreparedModel> model;
  /// The functions that were copied.
  llvm::SmallVector<mlir::Operation *, 1> functions;
  /// Ops that were copied together with a single op.
  llvm::SmallVector<mlir::Operation *> along;
};

/// Thread-safe.
class PrivateLowering {
public:
  PrivateLowering(ResolvedTarget target, Scenario scenario)
      : target(std::move(target)), scenario(std::move(scenario)) {}

  /// All of `module`.
  Lowered lowerModule(mlir::ModuleOp module);
  /// `function` with what it calls.
  Lowered lowerFunction(mlir::FunctionOpInterface function);
  /// One op of the body of a function, with what it reads that launches
  /// nothing.
  Lowered lowerOp(mlir::Operation *op);

private:
  Lowered run(mlir::OwningOpRef<mlir::ModuleOp> copy,
              llvm::ArrayRef<mlir::Operation *> sources, bool wholeFunctions,
              Scenario settings);
  std::unique_ptr<mlir::PassManager> takePasses(mlir::MLIRContext *context);

  ResolvedTarget target;
  Scenario scenario;
  std::mutex mutex;
  /// Passes that nobody runs at the moment.
  std::vector<std::unique_ptr<mlir::PassManager>> idle;
};

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_COSTANALYSIS_PRIVATELOWERING_H
