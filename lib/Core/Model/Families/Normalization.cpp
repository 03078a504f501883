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

/// Columns that one step of the per-row loop covers.
static constexpr double rowStep = 512;
/// (M16) Bytes of a row that one warp loads at once.
static constexpr double warpLoadBytes = 512;

static Expected<LaunchTerms> normTerms(const CostModel &model,
                                       const KernelWork &work, const Tiling &,
                                       const KernelQuery &query) {
  auto set = streamingCoefficients(model);
  if (!set)
    return fail(set.error());
  const StreamingCoefficients &c = **set;
  const RowsProblem &p = work.as<RowsProblem>();
  if (p.rows < 0 || p.cols < 0)
    return fail("expected non-negative rows and columns");
  const auto &limits = model.coefficients().streamLimits;
  if (!limits)
    return missingGroup(model, "stream_limits");
  double rows = p.rows, columns = p.cols;
  Stream s = streamOf(work);
  countInstructions(model, c, classOf(work, InstructionClass::Norm),
                    rows * columns, /*strided=*/false, query, s);
  if (const auto &counts = model.coefficients().instructions)
    s.instructions *= counts->normScale;
  // (M7) A fused kernel that stores the sum which it normalizes reads that
  // again, not what it is the sum of. No more rows are in flight than there
  // are.
  double rowBytes = columns * work.inputBytes();
  double others = s.writeBytes - rows * columns * work.outputBytes();
  bool storesRows = others >= rows * rowBytes;
  s.rereadBytes =
      storesRows ? std::min(s.readBytes, rows * rowBytes) : s.readBytes;
  // Gradients read two tensors.
  double rereadRow = rows > 0 ? s.rereadBytes / rows : 0;
  s.inFlightBytes = rereadRow * std::min(limits->normRowsInFlight,
                                         rows / model.gpu().smCount);
  if (query.steps)
    query.steps->equation("norm (M7)", "ws = {}/{}*min({}, {}/{}) = {} bytes",
                          {s.rereadBytes, rows, limits->normRowsInFlight, rows,
                           model.gpu().smCount, s.inFlightBytes});
  if (query.steps && storesRows)
    query.steps->equation("norm of a stored sum (M7)",
                          "re = min({}, {}*{}) = {} bytes",
                          {s.readBytes, rows, rowBytes, s.rereadBytes});
  s.refinements = groupSet(CoefficientGroup::streamLimits);
  // (M5) The reductions of a row; (M16) a warp waits for no other one.
  if (p.ctaPerRow && rowBytes <= warpLoadBytes) {
    const auto &starts = model.coefficients().rowCtaNorm;
    if (!starts)
      return missingGroup(model, "row_cta_norm");
    s.rowCycles = rows * starts->startClocks * model.gpu().smCount;
    if (query.steps)
      query.steps->equation(
          "one-warp norm (M16)", "cr = {}*{}*{} = {} cycles",
          {rows, starts->startClocks, model.gpu().smCount, s.rowCycles});
    s.refinements |= groupSet(CoefficientGroup::rowCtaNorm);
  } else {
    s.rowCycles =
        rows * (c.normRow0 + c.normRow1 * std::ceil(columns / rowStep));
    if (query.steps)
      query.steps->equation(
          "row cycles (M5)", "cr = {}*({} + {}*ceil({}/512)) = {} cycles",
          {rows, c.normRow0, c.normRow1, columns, s.rowCycles});
  }
  return streamTerms(model, c, s, query);
}

namespace gpucost {
extern const KernelFamilyModel normalizationFamily;
const KernelFamilyModel normalizationFamily = {tileStream, normTerms};
} // namespace gpucost
