//===- Matmul.cpp - Matrix products ---------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// fp32 runs on CUDA cores (S*), every other format on tensor cores (G*).
//
//===----------------------------------------------------------------------===//

#include "SimtGemm.h"
#include "TensorGemm.h"

using namespace gpucost;

static Expected<void> check(const MatmulProblem &p) {
  if (p.batch >= 0 && p.m >= 0 && p.n >= 0 && p.k >= 0)
    return {};
  return fail("expected a matmul with non-negative sizes");
}

static TensorGemm describeTensor(const KernelWork &work) {
  const MatmulProblem &p = work.as<MatmulProblem>();
  TensorGemm g;
  g.batch = p.batch;
  g.m = p.m;
  g.n = p.n;
  g.k = p.k;
  g.format = work.format;
  g.inputBytes = work.inputBytes();
  g.outputBytes = work.outputBytes();
  g.bytesA = g.m * g.k * g.inputBytes;
  g.weightBytes = p.weightBits ? p.weightBits / 8.0 : g.inputBytes;
  g.bytesB = g.n * g.k * g.weightBytes;
  g.bytesC = g.m * g.n * g.outputBytes;
  // Tensor cores load 16 bytes at a time, along the dimension in which an
  // operand is contiguous.
  int64_t loaded = infoOf(work.format).loadElements;
  g.misaligned =
      loaded && (p.n % loaded != 0 || (p.transA ? p.m : p.k) % loaded != 0);
  // (G14) A product with a transposed A has neither operand along k.
  if (work.format == NumericFormat::TF32 && p.stridedK)
    g.strided = p.transA ? StridedOperands::Both : StridedOperands::One;
  return g;
}

static SimtGemm describeSimt(const KernelWork &work) {
  const MatmulProblem &p = work.as<MatmulProblem>();
  SimtGemm g;
  g.batch = p.batch;
  g.m = p.m;
  g.n = p.n;
  g.k = p.k;
  g.inputBytes = work.inputBytes();
  g.outputBytes = work.outputBytes();
  double weightBytes = p.weightBits ? p.weightBits / 8.0 : g.inputBytes;
  g.bytes = g.batch * (g.m * g.k * g.inputBytes + g.k * g.n * weightBytes +
                       g.m * g.n * g.outputBytes);
  return g;
}

static Expected<const SimtGemmCoefficients *>
simtCoefficients(const CostModel &model, const KernelWork &work) {
  const auto &set = work.as<MatmulProblem>().linear
                        ? model.coefficients().simtLinear
                        : model.coefficients().simtBatched;
  if (set)
    return &*set;
  return fail(
      "'" + model.gpu().name + "' has no CUDA-core GEMM coefficients for a " +
      (work.as<MatmulProblem>().linear ? "linear" : "batched") + " product");
}

/// (S7) One row or one column: the libraries have matrix-vector kernels, which
/// have no tile.
static bool isMatrixVector(const KernelWork &work, const Tiling &tiling) {
  const auto &p = work.as<MatmulProblem>();
  return (p.m == 1 || p.n == 1) && p.k > 0 && p.m > 0 && p.n > 0 &&
         p.batch > 0 && tiling.tile.m <= 0;
}

static Expected<Tiling> tileMatmul(const CostModel &model,
                                   const KernelWork &work,
                                   const KernelQuery &query) {
  if (auto valid = check(work.as<MatmulProblem>()); !valid)
    return fail(valid.error());
  if (work.format != NumericFormat::FP32)
    return selectTensorTiling(model, describeTensor(work), query);
  auto set = simtCoefficients(model, work);
  if (!set)
    return fail(set.error());
  SimtGemmParameters c = simtGemmParameters(**set);
  SimtGemm g = describeSimt(work);
  auto tiled = selectSimtTiling(model, c, g, query);
  if (!tiled || !isMatrixVector(work, Tiling()))
    return tiled;
  auto terms = simtGemmTerms(model, c, g, *tiled, query);
  bool faster = !terms || timeAt(matrixVectorTerms(model, c, g, query), 1) <
                              timeAt(*terms, 1);
  return faster ? Tiling() : tiled;
}

static Expected<LaunchTerms> matmulTerms(const CostModel &model,
                                         const KernelWork &work,
                                         const Tiling &tiling,
                                         const KernelQuery &query) {
  if (auto valid = check(work.as<MatmulProblem>()); !valid)
    return fail(valid.error());
  if (work.format != NumericFormat::FP32)
    return tensorGemmTerms(model, describeTensor(work), tiling, query);
  auto set = simtCoefficients(model, work);
  if (!set)
    return fail(set.error());
  SimtGemmParameters c = simtGemmParameters(**set);
  if (isMatrixVector(work, tiling))
    return matrixVectorTerms(model, c, describeSimt(work), query);
  return simtGemmTerms(model, c, describeSimt(work), tiling, query);
}

static std::vector<Tiling> matmulCandidates(const CostModel &model,
                                            const KernelWork &work,
                                            const Tiling &chosen) {
  if (work.format != NumericFormat::FP32)
    return tensorCandidates(model, describeTensor(work));
  auto set = simtCoefficients(model, work);
  if (!set)
    return {};
  std::vector<Tiling> found =
      simtCandidates(model, simtGemmParameters(**set), describeSimt(work));
  if (isMatrixVector(work, Tiling()))
    found.push_back(Tiling());
  return found;
}

namespace gpucost {
extern const KernelFamilyModel matmulFamily;
const KernelFamilyModel matmulFamily = {tileMatmul, matmulTerms,
                                        matmulCandidates};
} // namespace gpucost
