//===- TargetRegistry.cpp - Targets and coefficients as attributes --------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Targets/TargetRegistry.h"
#include "gpucost/Compiler/Support/Errors.h"
#include "gpucost/Core/Targets/CoefficientsPin.h"
#include "gpucost/Core/Targets/TargetData.h"

using namespace mlir;
using namespace gpucost;

llvm::Expected<ResolvedTarget>
gpucost::toAttributes(MLIRContext *context,
                      const Expected<TargetChoice> &choice) {
  if (!choice)
    return toLLVMError(choice.error());
  context->getOrLoadDialect<GpuCostDialect>();
  return ResolvedTarget{TargetAttr::get(context, choice->target),
                        CoefficientsAttr::get(context, choice->coefficients),
                        choice->coefficientsName};
}

CoefficientsAttr gpucost::complete(CoefficientsAttr coefficients) {
  if (isComplete(coefficients.getValue()))
    return coefficients;
  Coefficients set = coefficients.getValue();
  completeCoefficients(set);
  return CoefficientsAttr::get(coefficients.getContext(), set);
}

llvm::Expected<CoefficientsAttr>
gpucost::findEmbeddedCoefficients(MLIRContext *context, StringRef name) {
  auto pinned = parseCoefficientsName(std::string_view(name));
  if (!pinned)
    return toLLVMError(pinned.error());
  const Coefficients *set = findCompiledCoefficients(pinned->source);
  if (!set)
    return llvm::createStringError("unknown coefficient set '" +
                                   pinned->source + "'");
  if (auto checked = checkPin(*pinned, *set); !checked)
    return toLLVMError(checked.error());
  context->getOrLoadDialect<GpuCostDialect>();
  return CoefficientsAttr::get(context, *set);
}
