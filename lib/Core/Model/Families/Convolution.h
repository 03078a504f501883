//===- Convolution.h - What convolutions share ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_FAMILIES_CONVOLUTION_H
#define GPUCOST_LIB_CORE_MODEL_FAMILIES_CONVOLUTION_H

#include "SimtGemm.h"
#include "TensorGemm.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include <optional>

namespace gpucost {

/// An error unless the sizes are those of a convolution.
Expected<void> checkConvolution(const ConvolutionProblem &p);

/// (C9), (C10) The copies of input, filter and output with which the library
/// changes their layout inside its call, as one launch. An explanation has them
/// before the terms of the convolution, whose names they share.
std::optional<LaunchTerms> layoutConversions(const CostModel &model,
                                             const KernelWork &work,
                                             const KernelQuery &query);
/// Adds the copies, which are three launches.
void addConversions(const ConvolutionProblem &p, LaunchTerms copies,
                    LaunchTerms &terms, Steps *steps);

/// (C4), (C6), (C10) The product that the implicit GEMM on tensor cores
/// computes in one launch.
TensorGemm describeImplicitGemm(const KernelWork &work, Steps *steps = nullptr);
/// (C1), (C6) Likewise on CUDA cores.
SimtGemm describeSimtImplicitGemm(const KernelWork &work);

/// (C9) Whether the library converts NCHW tensors of TF32 around its kernel.
bool convertsLayout(const CostModel &model, const KernelWork &work);
/// (C10) Whether groups, which do not fill tiles, run one after the other.
bool runsGroupsInTurn(const ConvolutionProblem &p);
/// (C6) Splits of the sum over pixels that a gradient of the filter on CUDA
/// cores may have.
Span<int32_t> filterGradientSplits();

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_FAMILIES_CONVOLUTION_H
