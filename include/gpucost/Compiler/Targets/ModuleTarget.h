//===- ModuleTarget.h - The GPU that a module names -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compilers say in several ways for which GPU a module is: as this project
// does, through DLTI, or by the chip that NVVM or IREE generate code for. One
// function reads them all. docs/Compilers.md lists them.
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
  /// What was assumed of it, for people: "'sm_80' stands for a100-sxm-80gb".
  /// Empty when the board is named.
  std::string assumption;
};

/// The GPU that the nearest ancestor of `op`, or `op`, names: `gpucost.target`
/// with `gpucost.coefficients`; a device of `dlti.target_system_spec` that is a
/// `#gpucost.gpu` or has an entry "gpucost.target"; `#nvvm.target` and
/// `#iree_gpu.target` on it or on what stands in it. nullopt when nothing does,
/// an error when the name is unknown. Thread-safe; names are resolved once for
/// a context.
llvm::Expected<std::optional<ModuleTarget>>
searchModuleTarget(mlir::Operation *op);
/// The same; an error when nothing names one.
llvm::Expected<ModuleTarget> findModuleTarget(mlir::Operation *op);

/// What `gpucost.coefficients` holds: itself, or the embedded set of that name.
llvm::Expected<CoefficientsAttr> readCoefficients(mlir::Attribute coefficients);

/// Spares the next `readCoefficients` of `name` to parse its file.
void rememberCoefficients(llvm::StringRef name, CoefficientsAttr value);

/// The same as `chooseTarget`; a name is resolved once for a context.
llvm::Expected<ResolvedTarget> resolveTargetOnce(mlir::MLIRContext *context,
                                                 llvm::StringRef spec);

} // namespace gpucost

#endif // GPUCOST_COMPILER_TARGETS_MODULETARGET_H
