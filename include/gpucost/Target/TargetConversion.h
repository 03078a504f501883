//===- TargetConversion.h - Attributes to model structures ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost model is free of MLIR: it takes the plain structures that these
// functions fill. They only copy; all checks are the attributes' verifiers.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_TARGET_TARGETCONVERSION_H
#define GPUCOST_TARGET_TARGETCONVERSION_H

#include "gpucost/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Model/Coefficients.h"
#include "gpucost/Model/Gpu.h"
#include "llvm/Support/Error.h"

namespace gpucost {

Gpu toGpu(GpuAttr gpu);

/// Groups that are absent stay nullopt. `borrowed` of the result lists the
/// groups that another die stands in for; with a `format` only those that its
/// kernels need. Error when `coefficients` is null.
llvm::Expected<Coefficients>
toCoefficients(CoefficientsAttr coefficients,
               std::optional<NumericFormat> format = std::nullopt);

/// "tensor_gemm from L40S, power from A100 PCIe 40GB"; empty when nothing is.
std::string
describeBorrowed(CoefficientsAttr coefficients,
                 std::optional<NumericFormat> format = std::nullopt);

/// Names of the groups that kernels in `format` need and that are absent.
std::vector<std::string> missingGroups(CoefficientsAttr coefficients,
                                       NumericFormat format);

} // namespace gpucost

#endif // GPUCOST_TARGET_TARGETCONVERSION_H
