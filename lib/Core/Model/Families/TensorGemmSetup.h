//===- TensorGemmSetup.h - GEMM without its tile ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_FAMILIES_TENSORGEMMSETUP_H
#define GPUCOST_LIB_CORE_MODEL_FAMILIES_TENSORGEMMSETUP_H

#include "TensorGemm.h"

namespace gpucost {

/// Everything that does not depend on the candidate.
struct GemmSetup {
  const TensorGemm &gemm;
  const TensorGemmCoefficients &c;
  double smCount, clock, rate;
  double dramRate, l2Rate, l2Capacity, latencyCycles;
  double windowCycles; ///< (C11) per element of a tile
  double missA, missB; ///< bytes of one batch item that come from DRAM
  double storeBytes, resultBytes;
};

/// The setup of `gemm`, whose format runs `rate` FLOP per clock and SM.
GemmSetup prepareTensorGemm(const CostModel &model, const TensorGemm &gemm,
                            double rate, const KernelQuery &query);

const TensorGemmCoefficients &coefficientsOf(const CostModel &model,
                                             const TensorGemm &gemm);

/// (G14) Some operand is not contiguous along k, and the instructions of a warp
/// group need that.
bool takesStridedOperands(const Gpu &gpu, const TensorGemm &gemm);

/// `tensorRate`, or the error that names the missing coefficients.
Expected<double> tensorGemmRate(const CostModel &model, const TensorGemm &gemm);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_FAMILIES_TENSORGEMMSETUP_H
