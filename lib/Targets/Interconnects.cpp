//===- Interconnects.cpp - Links between GPUs by name ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Targets/Interconnects.h"
#include "gpucost/Archive/Links.h"
#include "gpucost/LLVMSupport/Errors.h"
#include "gpucost/Targets/TargetRegistry.h"

using namespace gpucost;
using llvm::StringRef;

static llvm::Expected<CoefficientsAttr>
attributeOf(mlir::MLIRContext *context, const Expected<Coefficients> &changed) {
  if (!changed)
    return toLLVMError(changed.error());
  return CoefficientsAttr::get(context, *changed);
}

llvm::Expected<CoefficientsAttr>
gpucost::setInterconnect(CoefficientsAttr coefficients,
                         StringRef interconnect) {
  mlir::MLIRContext *context = coefficients.getContext();
  auto findSet = [&](std::string_view name) -> Expected<Coefficients> {
    auto set = findEmbeddedCoefficients(context, name);
    if (!set)
      return fail(llvm::toString(set.takeError()));
    return set->getValue();
  };
  return attributeOf(context, withInterconnect(coefficients.getValue(),
                                               interconnect, findSet));
}

llvm::Expected<CoefficientsAttr>
gpucost::setNetwork(CoefficientsAttr coefficients, StringRef network) {
  return attributeOf(coefficients.getContext(),
                     withNetwork(coefficients.getValue(), network));
}

llvm::Expected<CoefficientsAttr>
gpucost::setLinks(CoefficientsAttr coefficients, const Scenario &scenario) {
  if (scenario.interconnect) {
    llvm::Expected<CoefficientsAttr> changed =
        setInterconnect(coefficients, *scenario.interconnect);
    if (!changed)
      return changed.takeError();
    coefficients = *changed;
  }
  if (scenario.network)
    return setNetwork(coefficients, *scenario.network);
  return coefficients;
}
