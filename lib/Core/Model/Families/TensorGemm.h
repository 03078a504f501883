//===- TensorGemm.h - Tensor-core GEMM shared by families -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tile/wave + split-K + L2 + DRAM model of one GEMM on tensor cores,
// equations (G1)-(G9) of docs/CostModel.md. Matmul and convolution on tensor
// cores describe themselves as a `TensorGemm` and get tiling and terms.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_FAMILIES_TENSORGEMM_H
#define GPUCOST_LIB_CORE_MODEL_FAMILIES_TENSORGEMM_H

#include "gpucost/Core/Model/KernelFamily.h"

namespace gpucost {

/// Operands of TF32 that are not contiguous along k (G14).
enum class StridedOperands { None, One, Both };

/// Bytes moved per partial sum of a split: one fp32 write and one read.
inline constexpr double partialBytes = 8;

/// `batch` independent matmuls m x n x k and their traffic.
struct TensorGemm {
  double batch = 1, m = 0, n = 0, k = 0;
  NumericFormat format = NumericFormat::BF16;
  /// Bytes of one element of A, B and C.
  double inputBytes = 2, weightBytes = 2, outputBytes = 2;
  /// Bytes in DRAM of A, B and C of one batch item. For an implicit GEMM these
  /// are the real tensors, not the im2col matrices.
  double bytesA = 0, bytesB = 0, bytesC = 0;
  /// Operands are read again when they exceed the L2 (false: implicit GEMM).
  bool rereads = true;
  /// Rows are not a multiple of the tensor cores' 16-byte load.
  bool misaligned = false;
  /// Implicit GEMM of a convolution, of one with windows of several pixels, and
  /// of a weight gradient.
  bool convolution = false, windows = false, weightGradient = false;
  /// Bytes of a load where 16 bytes do not fit; one element if 0.
  double loadBytes = 0;
  StridedOperands strided = StridedOperands::None;
  /// Partial sums of 8-bit products are added up in fp32 registers (G19).
  bool splitAccumulator = false;
  /// In place of `tensor_gemm` (G15); null: that group.
  const TensorGemmCoefficients *own = nullptr;
};

/// Tensor-core FLOP per clock and SM in `format`; an error when the hardware
/// lacks it.
Expected<double> tensorRate(const Gpu &gpu, NumericFormat format);

/// bf16-equivalent FLOPs per FLOP: tf32 moves twice the bits, fp8 and int8
/// half. NaN where the set has no coefficient for `format`.
double tensorEnergyFactor(const CostModel &model, NumericFormat format);

/// 1 / (1 + (bytes / fraction of L2)^3): probability that data is still in L2
/// after `bytes` were touched, equation (G5).
double cubicHit(double bytes, double capacity);

/// The fault of a `tiling` that a GEMM cannot have; `kernel` names the GEMM.
std::string needsTile(const char *kernel, const Tiling &tiling);

/// Fills ctas, waves and SM utilization of a tiling with `ctas` CTAs.
void countWaves(Tiling &tiling, double ctas, int64_t smCount);

Expected<Tiling> selectTensorTiling(const CostModel &model,
                                    const TensorGemm &gemm,
                                    const KernelQuery &query);
/// The tiles and splits of the library's table (G12).
std::vector<Tiling> tensorCandidates(const CostModel &model,
                                     const TensorGemm &gemm);
Expected<LaunchTerms> tensorGemmTerms(const CostModel &model,
                                      const TensorGemm &gemm,
                                      const Tiling &tiling,
                                      const KernelQuery &query);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_FAMILIES_TENSORGEMM_H
