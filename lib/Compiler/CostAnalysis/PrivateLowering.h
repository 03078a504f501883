//===- PrivateLowering.h - Kernels of a private copy ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IR that the pipeline rewrites before kernel formation cannot be read in
// place: loops, calls, ONNX and TOSA ops. It is copied, the same passes run on
// the copy, and op locations map each kernel to the original op.
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

/// Launches of one kernel in a copy.
struct LoweredLaunch : LaunchView {
  /// The original op of the kernel; null if there is no single one.
  mlir::Operation *source = nullptr;
};

/// The result of lowering a copy.
struct Lowered {
  /// The first error of the passes; "" if they succeeded.
  std::string error;
  /// Set if sizes without a value are counted as 1: why. Then launches that
  /// depend on them are lower bounds with this reason.
  std::string assumption;
  std::vector<LoweredLaunch> launches;
  /// Launch indices for each original op.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<uint32_t, 1>> bySource;
  /// For original ops that are part of the kernel of another one: that one.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> partOf;
  /// The iteration, for functions and modules.
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

  /// Lowers a copy of `module`.
  Lowered lowerModule(mlir::ModuleOp module);
  /// Lowers a copy of `function` and its callees. If the passes fail because
  /// sizes have no value, each of these is 1.
  Lowered lowerFunction(mlir::Operation *function);
  /// Lowers a copy of one op with the operands that launch nothing.
  Lowered lowerOp(mlir::Operation *op);

private:
  Lowered run(mlir::OwningOpRef<mlir::ModuleOp> copy,
              llvm::ArrayRef<mlir::Operation *> sources, bool wholeFunctions,
              Scenario settings, llvm::StringRef assumption = "");
  Lowered lowerFunction(mlir::Operation *function, const Scenario &settings,
                        llvm::StringRef assumption);
  std::unique_ptr<mlir::PassManager> takePasses(mlir::MLIRContext *context);

  ResolvedTarget target;
  Scenario scenario;
  std::mutex mutex;
  /// Pass managers that are not in use.
  std::vector<std::unique_ptr<mlir::PassManager>> idle;
};

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_COSTANALYSIS_PRIVATELOWERING_H
