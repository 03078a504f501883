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
#include "gpucost/Core/Model/Software.h"

using namespace gpucost;

static Expected<void> check(const MatmulProblem &p) {
  if (p.batch >= 0 && p.m >= 0 && p.n >= 0 && p.k >= 0)
    return {};
  return fail("expected a matmul with non-negative sizes");
}

static TensorGemm describeTensor(const CostModel &model,
                                 const KernelWork &work) {
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
  int64_t other = p.transA ? p.m : p.k;
  g.misaligned = loaded && (p.n % loaded != 0 || other % loaded != 0);
  g.loadBytes = static_cast<double>(
      std::min(loadBytesOf(p.n * work.inputBits, work.inputBits),
               loadBytesOf(other * work.inputBits, work.inputBits)));
  // (G15) The matmuls of a serving stack in this format.
  if (const LowPrecisionGemm *set =
          findLowPrecision(model.coefficients(), work.format))
    g.own = &set->gemm;
  constexpr int splitBits = 8;
  g.splitAccumulator =
      p.splitAccumulator && infoOf(work.format).bits == splitBits;
  // (G14) With a transposed A, both operands are strided along k.
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

static SimtGemmParameters simtParameters(const CostModel &model,
                                         const KernelWork &work) {
  const Coefficients &all = model.coefficients();
  const MatmulProblem &p = work.as<MatmulProblem>();
  return simtGemmParameters(p.linear ? *all.simtLinear : *all.simtBatched,
                            p.stridedK);
}

static Expected<Tiling> tileTensor(const CostModel &model,
                                   const KernelWork &work,
                                   const KernelQuery &query) {
  if (auto valid = check(work.as<MatmulProblem>()); !valid)
    return fail(valid.error());
  return selectTensorTiling(model, describeTensor(model, work), query);
}

static Expected<LaunchTerms> tensorTerms(const CostModel &model,
                                         const KernelWork &work,
                                         const Tiling &tiling,
                                         const KernelQuery &query) {
  if (auto valid = check(work.as<MatmulProblem>()); !valid)
    return fail(valid.error());
  return tensorGemmTerms(model, describeTensor(model, work), tiling, query);
}

static Expected<Tiling> tileSimt(const CostModel &model, const KernelWork &work,
                                 const KernelQuery &query) {
  if (auto valid = check(work.as<MatmulProblem>()); !valid)
    return fail(valid.error());
  return selectSimtTiling(model, simtParameters(model, work),
                          describeSimt(work), query);
}

static Expected<LaunchTerms> simtTerms(const CostModel &model,
                                       const KernelWork &work,
                                       const Tiling &tiling,
                                       const KernelQuery &query) {
  if (auto valid = check(work.as<MatmulProblem>()); !valid)
    return fail(valid.error());
  return simtGemmTerms(model, simtParameters(model, work), describeSimt(work),
                       tiling, query);
}

static Expected<LaunchTerms> vectorTerms(const CostModel &model,
                                         const KernelWork &work, const Tiling &,
                                         const KernelQuery &query) {
  return matrixVectorTerms(model, simtParameters(model, work),
                           describeSimt(work), /*efficiency=*/1, query);
}

static Expected<LaunchTerms> fewRowsTerms(const CostModel &model,
                                          const KernelWork &work,
                                          const Tiling &,
                                          const KernelQuery &query) {
  if (auto valid = check(work.as<MatmulProblem>()); !valid)
    return fail(valid.error());
  return matrixVectorTerms(model, simtParameters(model, work),
                           describeSimt(work),
                           model.coefficients().simtFewRows->efficiency, query);
}

static std::vector<Tiling> simtTilings(const CostModel &model,
                                       const KernelWork &work, const Tiling &) {
  return simtCandidates(model, simtParameters(model, work), describeSimt(work));
}

static std::vector<Tiling> vectorTilings(const CostModel &, const KernelWork &,
                                         const Tiling &) {
  return {Tiling()};
}

static std::vector<Tiling>
tensorTilings(const CostModel &model, const KernelWork &work, const Tiling &) {
  return tensorCandidates(model, describeTensor(model, work));
}

template <bool linear>
static bool isProduct(const CostModel &, const KernelWork &work,
                      const KernelQuery &) {
  return work.as<MatmulProblem>().linear == linear;
}

static bool hasOwnSet(const CostModel &model, const KernelWork &work,
                      const KernelQuery &) {
  return findLowPrecision(model.coefficients(), work.format) != nullptr;
}

/// (S7) For one row or one column the libraries have matrix-vector kernels
/// without tiles.
template <bool linear>
static bool isMatrixVector(const CostModel &, const KernelWork &work,
                           const KernelQuery &) {
  const auto &p = work.as<MatmulProblem>();
  return p.linear == linear && (p.m == 1 || p.n == 1) && p.k > 0 && p.m > 0 &&
         p.n > 0 && p.batch > 0;
}

/// (S8) From this number on, a tile is full.
static constexpr int64_t fewestTiledRows = 32;

static bool hasFewRows(const CostModel &model, const KernelWork &work,
                       const KernelQuery &) {
  const auto &p = work.as<MatmulProblem>();
  int64_t least = std::min(p.m, p.n);
  return p.linear && least > 1 && least < fewestTiledRows && p.k > 0 &&
         p.batch > 0 && model.coefficients().simtFewRows;
}

namespace gpucost::kernels {
extern const KernelModel tensorGemm, simtGemm, matrixVector, fewRows;
const KernelModel tensorGemm = {tileTensor, tensorTerms, tensorTilings};
const KernelModel simtGemm = {tileSimt, simtTerms, simtTilings};
const KernelModel matrixVector = {untiled, vectorTerms, vectorTilings};
const KernelModel fewRows = {untiled, fewRowsTerms, vectorTilings};

extern const Condition linearProduct, batchedProduct, linearMatrixVector,
    batchedMatrixVector, linearFewRows, lowPrecisionProduct;
const Condition lowPrecisionProduct = {
    "a product in a format whose kernels were measured", hasOwnSet};
const Condition linearProduct = {"a product with a weight matrix",
                                 isProduct<true>};
const Condition batchedProduct = {"a product of two activations",
                                  isProduct<false>};
const Condition linearMatrixVector = {
    "a product of one row or column with a weight matrix",
    isMatrixVector<true>};
const Condition batchedMatrixVector = {
    "a product of one row or column with an activation", isMatrixVector<false>};
const Condition linearFewRows = {
    "a product of 2 to 31 rows or columns with a weight matrix", hasFewRows};
} // namespace gpucost::kernels
