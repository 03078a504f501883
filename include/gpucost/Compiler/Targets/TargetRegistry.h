//===- TargetRegistry.h - Targets and coefficients as attributes -*- C++ -*-==//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The results of Archive/TargetChoice.h as module attributes.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_TARGETS_TARGETREGISTRY_H
#define GPUCOST_COMPILER_TARGETS_TARGETREGISTRY_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/CoefficientAttrs.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuAttrs.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Core/Targets/TargetChoice.h"
#include "llvm/Support/Error.h"

namespace gpucost {

/// The values of the module attributes `gpucost.target` and
/// `gpucost.coefficients`.
struct ResolvedTarget {
  TargetAttr target;
  CoefficientsAttr coefficients;
  /// Name of the embedded set in `coefficients`; "" for others.
  std::string coefficientsName = "";
};

llvm::Expected<ResolvedTarget>
toAttributes(mlir::MLIRContext *context, const Expected<TargetChoice> &choice);

/// `coefficients`, completed with the shared groups.
CoefficientsAttr complete(CoefficientsAttr coefficients);

CoefficientsAttr complete(CoefficientsAttr coefficients);

/// The embedded set of a file in targets/coefficients.
llvm::Expected<CoefficientsAttr>
findEmbeddedCoefficients(mlir::MLIRContext *context, llvm::StringRef name);

} // namespace gpucost

#endif // GPUCOST_COMPILER_TARGETS_TARGETREGISTRY_H
