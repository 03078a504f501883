//===- Normalization.cpp - Layer, group and RMS norm ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The normalising pass reads each row again; it finds the row in L2 while the
// rows in flight fit, equation (M7).
//
//===----------------------------------------------------------------------===//

#include "../Streaming.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

/// (M16) Bytes of a row that one warp loads at once.
static constexpr double warpLoadBytes = 512;

template <bool rowPerCta>
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
  if (rowPerCta) {
    double start = all.rowCtaNorm->startClocks;
    s.rowCycles = rows * start * model.gpu().smCount;
    if (query.steps)
      query.steps->equation("one-warp norm (M16)", "cr = {}*{}*{} = {} cycles",
                            {rows, start, model.gpu().smCount, s.rowCycles});
  } else {
    s.rowCycles = rowCycles(rows, columns, c.normRow0, c.normRow1, query.steps);
  }
  return streamTerms(model, c, s, query);
}

namespace gpucost::kernels {
extern const KernelModel nativeNorm, normRowPerCta;
const KernelModel nativeNorm = {tileStream, normTerms<false>};
const KernelModel normRowPerCta = {tileStream, normTerms<true>};

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
