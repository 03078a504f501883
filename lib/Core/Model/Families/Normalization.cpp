//===- Normalization.cpp - Layer, group and RMS norm ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The normalising pass reads each row again; it finds the row in L2 while the
// rows in flight fit, equation (M7). Layer and RMS norm of PyTorch depend on
// the width of a row (M19), (M21).
//
//===----------------------------------------------------------------------===//

#include "../Streaming.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

/// (M16) Bytes of a row that one warp loads at once.
static constexpr double warpLoadBytes = 512;

namespace {
/// Which kernel normalizes: of one warp (M16), of PyTorch (M19), (M21), or
/// another one.
enum class NormKernel { Other, OneWarp, SingleElements, Layer, Rms };
} // namespace

/// (M21) Columns that a CTA of PyTorch's kernels with vector loads, and (M19)
/// of those with loads of single elements, processes in one step.
static constexpr double vectorColumns = 512, singleColumns = 256;

/// (M19), (M21) SM cycles of all rows in a kernel of PyTorch.
static double cyclesOfRows(const Coefficients &all, NormKernel kernel,
                           double rows, double columns, Steps *report) {
  const RowNormCoefficients &c = *all.rowNorm;
  double cycles;
  if (kernel == NormKernel::SingleElements) {
    cycles = rows *
             (c.singleRow + c.singleStep * std::ceil(columns / singleColumns));
    if (report)
      report->equation("single elements (M19)",
                       "cr = {}*({} + {}*ceil({}/256)) = {} cycles",
                       {rows, c.singleRow, c.singleStep, columns, cycles});
    return cycles;
  }
  bool isRms = kernel == NormKernel::Rms;
  double row = isRms ? c.rmsRow : all.streaming->normRow0;
  double step = isRms ? c.rmsColumns : all.streaming->normRow1;
  cycles = rows * (row + step * columns / vectorColumns);
  if (report)
    report->equation("rows of vectors (M21)",
                     "cr = {}*({} + {}*{}/512) = {} cycles",
                     {rows, row, step, columns, cycles});
  return cycles;
}

/// (M21) The steps of the last rows have nothing to overlap with.
static void addLastRow(const CostModel &model, double columns, double step,
                       Steps *report, LaunchTerms &terms) {
  const Gpu &gpu = model.gpu();
  terms.serialIssue =
      Seconds(std::ceil(columns / vectorColumns) * step / gpu.maxClock.value());
  if (report)
    report->equation("last row (M21)", "serialIssue = ceil({}/512)*{}/{} = {}",
                     {columns, step, gpu.maxClock, terms.serialIssue});
}

template <NormKernel kernel>
static Expected<LaunchTerms> normTerms(const CostModel &model,
                                       const KernelWork &work, const Tiling &,
                                       const KernelQuery &query) {
  const Coefficients &all = model.coefficients();
  const StreamingCoefficients &c = *all.streaming;
  const RowsProblem &p = work.as<RowsProblem>();
  if (p.rows < 0 || p.cols < 0)
    return fail("expected non-negative rows and columns");
  double rows = p.rows, columns = p.cols;
  Stream s = streamOf(work);
  countInstructions(model, c, classOf(work, InstructionClass::Norm),
                    rows * columns, /*strided=*/false, query, s);
  if (const auto &counts = all.instructions)
    s.instructions *= counts->normScale;
  // (M7) A fused kernel that stores the sum which it normalizes rereads the
  // sum, not the addends. At most all rows are in flight at the same
  // time.
  double rowBytes = columns * work.inputBytes();
  double others = s.writeBytes - rows * columns * work.outputBytes();
  bool storesRows = others >= rows * rowBytes;
  s.rereadBytes =
      storesRows ? std::min(s.readBytes, rows * rowBytes) : s.readBytes;
  // Bytes per row; gradient kernels reread two tensors.
  double rereadRow = rows > 0 ? s.rereadBytes / rows : 0;
  s.inFlightBytes = rereadRow * std::min(all.streamLimits->normRowsInFlight,
                                         rows / model.gpu().smCount);
  if (query.steps)
    query.steps->equation("norm (M7)", "ws = {}/{}*min({}, {}/{}) = {} bytes",
                          {s.rereadBytes, rows,
                           all.streamLimits->normRowsInFlight, rows,
                           model.gpu().smCount, s.inFlightBytes});
  if (query.steps && storesRows)
    query.steps->equation("norm of a stored sum (M7)",
                          "re = min({}, {}*{}) = {} bytes",
                          {s.readBytes, rows, rowBytes, s.rereadBytes});
  // (M5) Reductions of a row; (M16) a one-warp CTA does not wait for other
  // warps.
  if (kernel == NormKernel::OneWarp) {
    double start = all.rowCtaNorm->startClocks;
    s.rowCycles = rows * start * model.gpu().smCount;
    if (query.steps)
      query.steps->equation("one-warp norm (M16)", "cr = {}*{}*{} = {} cycles",
                            {rows, start, model.gpu().smCount, s.rowCycles});
  } else if (kernel == NormKernel::Other) {
    s.rowCycles = rowCycles(rows, columns, c.normRow0, c.normRow1, query.steps);
  } else {
    s.rowCycles = cyclesOfRows(all, kernel, rows, columns, query.steps);
  }
  LaunchTerms terms = streamTerms(model, c, s, query);
  bool usesVectors = kernel == NormKernel::Layer || kernel == NormKernel::Rms;
  if (usesVectors && rows * columns > 0)
    addLastRow(model, columns,
               kernel == NormKernel::Rms ? all.rowNorm->rmsStep
                                         : all.rowNorm->layerStep,
               query.steps, terms);
  return terms;
}

/// A norm of PyTorch with such kernels, since 2.8 for RMS norm.
static bool isNormOfVectors(const KernelWork &work, Software software,
                            NormKind norm) {
  const auto &p = work.as<RowsProblem>();
  return p.norm == norm && p.pass != RowsPass::WeightGradient &&
         (norm == NormKind::Layer ||
          isSince(software, Software::PyTorch, version(2, 8)));
}

namespace gpucost::kernels {
#define NORM_KERNEL(name, kernel)                                              \
  extern const KernelModel name;                                               \
  const KernelModel name = {untiled, normTerms<NormKernel::kernel>};
NORM_KERNEL(nativeNorm, Other)
NORM_KERNEL(normRowPerCta, OneWarp)
NORM_KERNEL(normOfSingleElements, SingleElements)
NORM_KERNEL(layerNormOfVectors, Layer)
NORM_KERNEL(rmsNormOfVectors, Rms)
#undef NORM_KERNEL

GPUCOST_CONDITION(pyTorchLibrary, "PyTorch, without generated kernels", {
  return !model.choice().isGenerated() &&
         isOf(model.software(), Software::PyTorch);
})
GPUCOST_CONDITION(
    oddNormRows,
    "layer norm, or since 2.8 RMS norm, of columns that 4 does not divide", {
      constexpr int64_t vectorElements = 4;
      return work.as<RowsProblem>().cols % vectorElements != 0 &&
             (isNormOfVectors(work, model.software(), NormKind::Layer) ||
              isNormOfVectors(work, model.software(), NormKind::Rms));
    })
GPUCOST_CONDITION(layerNormRows, "layer norm", {
  return isNormOfVectors(work, model.software(), NormKind::Layer);
})
GPUCOST_CONDITION(rmsNormRows, "RMS norm, PyTorch 2.8 or later", {
  return isNormOfVectors(work, model.software(), NormKind::Rms);
})

GPUCOST_CONDITION(oneWarpRmsRows, "RMSNorm of rows of up to 512 bytes", {
  const auto &p = work.as<RowsProblem>();
  return p.norm == NormKind::Rms &&
         static_cast<double>(p.cols) * work.inputBytes() <= warpLoadBytes;
})
// SGLang's separate kernel for the heads of queries and keys (pull request
// 15835, 2025-12) is not modelled.
GPUCOST_CONDITION(callsFlashInferNorm,
                  "SGLang or TensorRT-LLM, without generated kernels", {
                    return !model.choice().isGenerated() &&
                           (isOf(model.software(), Software::Sglang) ||
                            isOf(model.software(), Software::TensorRtLlm));
                  })
} // namespace gpucost::kernels
