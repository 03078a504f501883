//===- Softmax.cpp - Softmax along rows -----------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of up to 1024 columns stay in registers. What becomes of longer ones
// depends on the release of the framework: they stay on chip, where the threads
// of a CTA wait for its reductions (M14), or they are read again, where the
// geometry of the kernel decides what the second pass finds (M6).
//
//===----------------------------------------------------------------------===//

#include "../Streaming.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>
#include <optional>

using namespace gpucost;

/// Longest row that one warp or block keeps in registers.
static constexpr int64_t registerColumns = 1024;
/// Longest row that shared memory keeps; beyond it a row is read three times.
static constexpr double sharedBytes = 48 * 1024;
/// Columns that one step of the per-row loop covers.
static constexpr double rowStep = 512;

/// (M14) Cycles of an SM that a row which stays on chip takes; nullopt: it does
/// not.
static std::optional<double> cyclesOfKeptRow(const SoftmaxOnChipCoefficients &c,
                                             int64_t columns, double rowBytes,
                                             Steps *report) {
  constexpr int64_t warpColumns = 2048, ctaColumns = 9216, ctaThreads = 1024;
  bool inWarp = columns <= warpColumns;
  if (!inWarp && columns <= ctaColumns) {
    double steps = std::ceil(static_cast<double>(columns) / ctaThreads);
    double cycles = c.reduction + steps * c.step;
    if (steps >= c.aloneSteps)
      cycles *= c.aloneSlowdown;
    if (report)
      report->equation("row on chip (M14)",
                       "s = ceil({}/{}) = {}; cy = ({} + s*{})*(1 + [s >= "
                       "{}]*({} - 1)) = {} cycles",
                       {columns, ctaThreads, steps, c.reduction, c.step,
                        c.aloneSteps, c.aloneSlowdown, cycles});
    return cycles;
  }
  if (!inWarp && rowBytes > sharedBytes)
    return std::nullopt;
  double each = inWarp ? c.warp : c.shared;
  double cycles = columns * each;
  if (report)
    report->equation("row on chip (M14)", "cy = {}*{} = {} cycles",
                     {columns, each, cycles});
  return cycles;
}

static Expected<LaunchTerms> softmaxTerms(const CostModel &model,
                                          const KernelWork &work,
                                          const Tiling &,
                                          const KernelQuery &query) {
  auto set = streamingCoefficients(model);
  if (!set)
    return fail(set.error());
  const StreamingCoefficients &c = **set;
  const RowsProblem &p = work.as<RowsProblem>();
  if (p.rows < 0 || p.cols < 0)
    return fail("expected non-negative rows and columns");
  double rows = p.rows, columns = p.cols;
  double rowBytes = columns * work.inputBytes();
  bool isLong = p.cols > registerColumns;
  std::optional<double> keptCycles;
  if (isLong && p.inRegisters) {
    const auto &onChip = model.coefficients().softmaxOnChip;
    if (!onChip)
      return missingGroup(model, "softmax_on_chip");
    keptCycles = cyclesOfKeptRow(*onChip, p.cols, rowBytes, query.steps);
  }
  Stream s = streamOf(work);
  countInstructions(model, c, classOf(work, InstructionClass::Softmax),
                    rows * columns, /*strided=*/false, query, s);
  if (const auto &counts = model.coefficients().instructions) {
    if (isLong)
      s.instructions = rows * columns * counts->softmaxWide;
    s.instructions *= counts->softmaxScale;
  }
  if (keptCycles) {
    s.smCycles = rows * *keptCycles;
    if (query.steps)
      query.steps->equation("row on chip (M14)", "SM = {}*cy = {} cycles",
                            {rows, s.smCycles});
    s.refinements = groupSet(CoefficientGroup::softmaxOnChip);
  } else if (isLong) {
    const auto &reread = model.coefficients().softmaxReread;
    if (!reread)
      return missingGroup(model, "softmax_reread");
    s.refinements = groupSet(CoefficientGroup::softmaxReread);
    // (M6) One block of `threads` per row, 4 columns per thread and step.
    constexpr double threadColumns = 4, mostThreads = 1024, warpLanes = 32;
    double quads = std::min(std::floor(columns / threadColumns), mostThreads);
    double threads = std::max(
        warpLanes, std::exp2(std::ceil(std::log2(std::max(quads / 2, 1.0)))));
    s.rereadBytes = 2 * s.readBytes;
    s.inFlightBytes = reread->threads / threads * rowBytes;
    bool aligned = std::fmod(columns, threadColumns * threads) == 0 ||
                   threads >= mostThreads;
    s.keptFraction = aligned ? 1.0 : 0.0;
    if (query.steps)
      query.steps->equation(
          "wide softmax (M6)",
          "quads = min(floor({}/4), 1024) = {}; thr = {}; ws = {}/thr*{} = {} "
          "bytes; re = 2*{} = {} bytes",
          {columns, quads, threads, reread->threads, rowBytes, s.inFlightBytes,
           s.readBytes, s.rereadBytes});
    constexpr double passes = 3; // over a row: maximum, sum, results
    if (rowBytes > sharedBytes)
      s.energyBytes = passes * s.readBytes + s.writeBytes; // (P2)
  }
  s.rowCycles =
      rows * (c.softmaxRow0 + c.softmaxRow1 * std::ceil(columns / rowStep));
  if (query.steps)
    query.steps->equation(
        "row cycles (M5)", "cr = {}*({} + {}*ceil({}/512)) = {} cycles",
        {rows, c.softmaxRow0, c.softmaxRow1, columns, s.rowCycles});
  return streamTerms(model, c, s, query);
}

namespace gpucost {
extern const KernelFamilyModel softmaxFamily;
const KernelFamilyModel softmaxFamily = {tileStream, softmaxTerms};
} // namespace gpucost
