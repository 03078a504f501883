//===- TensorGemmSetup.cpp - Rates, latency and bytes of a GEMM -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorGemmSetup.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

/// Latency of a pipeline step relative to 16-bit operands (G2): k times wider
/// operands need k times as many steps and leave 1/k of them in flight, hence
/// k^2.
static double operandLatencyFactor(double bytes) {
  constexpr double narrowBytes = 2;
  double wider = std::max(1.0, bytes / narrowBytes);
  return wider * wider;
}

/// (G2), (G13) Fraction of the full rate. Misaligned operands are loaded in
/// parts: 4 bytes or one element. The heads of early Megatron are views of one
/// matrix, which begin at any element.
static double alignedShare(const CostModel &model,
                           const TensorGemmCoefficients &c,
                           const TensorGemm &gemm) {
  constexpr double narrowBytes = 2;
  if (!gemm.misaligned)
    return 1.0;
  bool isView =
      gemm.batch > 1 && (model.software() == Software::MegatronLm3 ||
                         model.software() == Software::MegatronDeepSpeed);
  double batched = isView ? c.misalignedBatch : 1.0;
  double bytes =
      isView ? gemm.inputBytes : std::max(gemm.loadBytes, gemm.inputBytes);
  return std::min(1.0, c.misalignedEfficiency * batched * bytes / narrowBytes);
}

const TensorGemmCoefficients &gpucost::coefficientsOf(const CostModel &model,
                                                      const TensorGemm &gemm) {
  return gemm.own ? *gemm.own : *model.coefficients().tensorGemm;
}

/// (G16) Tensor cycles relative to whole groups of rows.
static double oddRowFactor(const TensorGemmCoefficients &c,
                           const TensorGemm &gemm) {
  constexpr double rowGroup = 16, fewestRows = 128;
  bool odd = gemm.m > fewestRows && std::fmod(gemm.m, rowGroup) != 0;
  return odd ? 1 + c.oddRows : 1.0;
}

/// (G19) Likewise with a split accumulator.
static double accumulatorFactor(const TensorGemmCoefficients &c,
                                const TensorGemm &gemm) {
  return gemm.splitAccumulator ? 1 + c.splitAccumulator : 1.0;
}

bool gpucost::takesStridedOperands(const Gpu &gpu, const TensorGemm &gemm) {
  return gpu.warpMatrixShare < 1 && gemm.strided != StridedOperands::None;
}

/// (G14) Wait of a step relative to one with both operands contiguous along k.
/// One strided operand goes through registers; warp-level instructions read
/// two.
static double stepWait(const CostModel &model, const TensorGemm &gemm) {
  if (!takesStridedOperands(model.gpu(), gemm) || gemm.convolution)
    return 1.0;
  const Tf32StridedCoefficients &c = *model.coefficients().tf32Strided;
  return gemm.strided == StridedOperands::Both ? c.warpWait : c.registerWait;
}

/// (G14) Fraction of the full rate. Warp-group instructions require TF32
/// operands that are contiguous along k; one of them may be in registers
/// instead.
static double instructionShare(const CostModel &model, const TensorGemm &gemm) {
  if (!takesStridedOperands(model.gpu(), gemm))
    return 1.0;
  return gemm.strided == StridedOperands::Both
             ? model.gpu().warpMatrixShare
             : model.coefficients().tf32Strided->registerShare;
}

/// (G2), (C4) Efficiency relative to a matmul.
static double kindOfProduct(const TensorGemmCoefficients &c,
                            const TensorGemm &gemm) {
  if (!gemm.convolution)
    return 1.0;
  return gemm.weightGradient && c.weightGradientEfficiency > 0
             ? c.weightGradientEfficiency
             : c.convolutionEfficiency;
}

GemmSetup gpucost::prepareTensorGemm(const CostModel &model,
                                     const TensorGemm &gemm, double rate,
                                     const KernelQuery &query) {
  const Gpu &gpu = model.gpu();
  const TensorGemmCoefficients &c = coefficientsOf(model, gemm);
  double clock = gpu.maxClock.value();
  double capacity = gpu.l2Capacity.value();
  // Loads of single elements hide the cost of other instructions.
  double kind = kindOfProduct(c, gemm);
  double aligned = alignedShare(model, c, gemm);
  double instructions = instructionShare(model, gemm);
  double extra = oddRowFactor(c, gemm) * accumulatorFactor(c, gemm);
  double efficiency =
      c.efficiency * kind * std::min(aligned, instructions) / extra;
  // (G13) Misaligned rows are loaded in parts.
  double feed = c.l2BytesPerClock * aligned;
  // (G5) Data still in L2 from its last use is not read from DRAM.
  double hitA = cubicHit(query.reuseBytesA, c.l2Fraction * capacity);
  double hitB = cubicHit(query.reuseBytesB, c.l2Fraction * capacity);
  double result = gemm.batch * gemm.bytesC;
  double wider = operandLatencyFactor(gemm.inputBytes);
  double wait = stepWait(model, gemm);
  GemmSetup p = {gemm,
                 c,
                 static_cast<double>(gpu.smCount),
                 clock,
                 rate * efficiency,
                 gpu.dramBandwidth.value() * c.dramEfficiency,
                 feed * clock,
                 capacity,
                 c.latencyCycles * wider * wait,
                 gemm.windows ? c.windowCycles : 0.0,
                 gemm.bytesA * (1 - hitA),
                 gemm.bytesB * (1 - hitB),
                 result * (1 - hitA),
                 result};
  if (query.steps) {
    query.steps->equation("tensor rate (G2)",
                          "Re = {}*{}*{}*min({}, {})/{} = {}; lk = {}*{}*{} = "
                          "{} cycles",
                          {rate, c.efficiency, kind, aligned, instructions,
                           extra, p.rate, c.latencyCycles, wider, wait,
                           p.latencyCycles});
    query.steps->equation(
        "L2 rate of an SM (G13)", "Rl = {}*{}*{} = {}",
        {c.l2BytesPerClock, aligned, gpu.maxClock, BytesPerSecond(p.l2Rate)});
    query.steps->equation(
        "DRAM rate (G6)", "Rd = {}*{} = {}",
        {gpu.dramBandwidth, c.dramEfficiency, BytesPerSecond(p.dramRate)});
    query.steps->equation(
        "L2 hits (G5)",
        "hA = 1/(1 + ({}/({}*{}))^3) = {}; hB = 1/(1 + ({}/({}*{}))^3) = {}",
        {query.reuseBytesA, c.l2Fraction, gpu.l2Capacity, hitA,
         query.reuseBytesB, c.l2Fraction, gpu.l2Capacity, hitB});
    query.steps->equation("DRAM bytes (G5)",
                          "A = {}*(1 - hA) = {} bytes; B = {}*(1 - hB) = {} "
                          "bytes; C = {}*{}*(1 - hA) = {} bytes",
                          {gemm.bytesA, p.missA, gemm.bytesB, p.missB,
                           gemm.batch, gemm.bytesC, p.storeBytes});
  }
  return p;
}

Expected<double> gpucost::tensorGemmRate(const CostModel &model,
                                         const TensorGemm &gemm) {
  if (takesStridedOperands(model.gpu(), gemm) &&
      !model.coefficients().tf32Strided)
    return missingGroup(model, "tf32_strided");
  return tensorRate(model.gpu(), gemm.format);
}
