//===- Convolution.h - What convolutions share ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_FAMILIES_CONVOLUTION_H
#define GPUCOST_LIB_CORE_MODEL_FAMILIES_CONVOLUTION_H

#include "gpucost/Core/Model/KernelFamily.h"

namespace gpucost {

/// An error unless the sizes are those of a convolution.
Expected<void> checkConvolution(const ConvolutionProblem &p);

/// (C9), (C10) Adds the copies of input, filter and output with which
/// the library changes their layout inside its call.
void addLayoutConversions(const CostModel &model, const KernelWork &work,
                          LaunchTerms &terms, const KernelQuery &query);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_FAMILIES_CONVOLUTION_H
