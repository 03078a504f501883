//===- SimtGemm.h - fp32 GEMM on CUDA cores ---------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four roofs joined by a 4-norm, equations (S1)-(S6) of docs/CostModel.md; used
// by matmul and by the GEMM stages of fp32 convolution.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_FAMILIES_SIMTGEMM_H
#define GPUCOST_LIB_CORE_MODEL_FAMILIES_SIMTGEMM_H

#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Support/Span.h"

namespace gpucost {

struct SimtGemm {
  double batch = 1, m = 0, n = 0, k = 0;
  double inputBytes = 0, outputBytes = 0; ///< per element
  double bytes = 0;                       ///< compulsory, whole batch
  /// Bytes touched since the operands were last used; unset = the query's value
  /// (set for a stage whose input was just written).
  std::optional<double> footprint;
};

/// The coefficients that the equations need, from either a GEMM or a
/// convolution set.
struct SimtGemmParameters {
  double efficiency, k0, saturationWarps;
  double dramEfficiency, l2BytesPerClock, l2Fraction, l2Speedup;
  Seconds latency;
  JoulesPerEvent energyPerFlop;
  double powerFraction;
  Span<Tile> tiles;
  Span<int32_t> splitK;
  /// Minimum K per split, if more than that of all sets (S6).
  double leastDepth = 0;
  /// Of a FLOP, relative to those of other kernels (S9).
  double relativeEnergy = 1;
};

/// `stridedK`: an operand is not contiguous along k.
SimtGemmParameters simtGemmParameters(const SimtGemmCoefficients &c,
                                      bool stridedK = false);

/// Seconds to move `bytes`; their fraction in L2 follows from `footprint` (S3).
double simtMemoryTime(const Gpu &gpu, const SimtGemmParameters &c, double bytes,
                      double footprint, Steps *steps = nullptr);

Expected<Tiling> selectSimtTiling(const CostModel &model,
                                  const SimtGemmParameters &parameters,
                                  const SimtGemm &gemm,
                                  const KernelQuery &query);
/// The tiles and splits that `selectSimtTiling` compares.
std::vector<Tiling> simtCandidates(const CostModel &model,
                                   const SimtGemmParameters &parameters,
                                   const SimtGemm &gemm);
Expected<LaunchTerms> simtGemmTerms(const CostModel &model,
                                    const SimtGemmParameters &parameters,
                                    const SimtGemm &gemm, const Tiling &tiling,
                                    const KernelQuery &query);

/// A kernel without tiles, which reads its operands once: matrix-vector
/// products (S7), and few rows or columns at `efficiency`, a fraction of the
/// peak (S8).
LaunchTerms matrixVectorTerms(const CostModel &model,
                              const SimtGemmParameters &parameters,
                              const SimtGemm &gemm, double efficiency,
                              const KernelQuery &query);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_FAMILIES_SIMTGEMM_H
