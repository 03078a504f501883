//===- SimtConvolution.h - fp32 convolution on CUDA cores -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fastest of implicit GEMM, fused and non-fused Winograd, equations
// (C1)-(C3) of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_FAMILIES_SIMTCONVOLUTION_H
#define GPUCOST_LIB_CORE_MODEL_FAMILIES_SIMTCONVOLUTION_H

#include "gpucost/Core/Model/KernelFamily.h"

namespace gpucost {

/// Values of `Tiling::variant`.
namespace convolution_variant {
constexpr int32_t implicitGemm = 0, fusedWinograd = 1, nonFusedWinograd = 2;
} // namespace convolution_variant

Expected<Tiling> selectSimtConvolution(const CostModel &model,
                                       const KernelWork &work,
                                       const KernelQuery &query);
/// The algorithms, tiles and splits that `selectSimtConvolution` compares.
std::vector<Tiling> simtConvolutionCandidates(const CostModel &model,
                                              const KernelWork &work);
Expected<LaunchTerms> simtConvolutionTerms(const CostModel &model,
                                           const KernelWork &work,
                                           const Tiling &tiling,
                                           const KernelQuery &query);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_FAMILIES_SIMTCONVOLUTION_H
