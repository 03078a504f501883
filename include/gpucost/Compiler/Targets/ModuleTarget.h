//===- ModuleTarget.h - The GPU that a module names -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compilers specify the GPU of a module in several ways: with the attributes of
// this project, through DLTI, or by the chip that NVVM, ROCDL or IREE generate
// code for. One function reads all of them. docs/Compilers.md lists them.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_TARGETS_MODULETARGET_H
#define GPUCOST_COMPILER_TARGETS_MODULETARGET_H

#include "gpucost/Compiler/Targets/TargetRegistry.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace gpucost {

/// A target and where it was found.
struct ModuleTarget {
  ResolvedTarget target;
  /// A readable note on the assumption made: "the chip 'sm_80' is assumed to be
  /// a100-sxm-80gb". Empty if the module names the board.
  std::string assumption;
};

/// The GPU that `op` or its nearest ancestor with a target names:
/// `gpucost.target` with `gpucost.coefficients`; a device of
/// `dlti.target_system_spec` that is a `#gpucost.gpu` or has an entry
/// "gpucost.target"; `#nvvm.target`, `#rocdl.target` and `#iree_gpu.target` on
/// it or on an op inside it. nullopt without a target, an error if the name is
/// unknown. Thread-safe; names are resolved once per context.
llvm::Expected<std::optional<ModuleTarget>>
searchModuleTarget(mlir::Operation *op);
/// As `searchModuleTarget`, but the absence of a target is an error.
llvm::Expected<ModuleTarget> findModuleTarget(mlir::Operation *op);

/// The coefficients in an attribute: a record or the name of an embedded set.
llvm::Expected<CoefficientsAttr> readCoefficients(mlir::Attribute coefficients);

/// Caches `value` for later calls of `readCoefficients` with `name`.
void rememberCoefficients(llvm::StringRef name, CoefficientsAttr value);

/// pinOf(coefficients), computed once per context.
std::string pinOnce(CoefficientsAttr coefficients);

/// As `chooseTarget`, but resolves a name once per context.
llvm::Expected<ResolvedTarget> resolveTargetOnce(mlir::MLIRContext *context,
                                                 llvm::StringRef spec);

} // namespace gpucost

#endif // GPUCOST_COMPILER_TARGETS_MODULETARGET_H
