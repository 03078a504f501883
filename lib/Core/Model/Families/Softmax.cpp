//===- Softmax.cpp - Softmax along rows -----------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of up to 1024 columns stay in registers. Longer ones depend on the
// framework's release: they stay on chip, and the threads of a CTA wait for its
// reductions (M14), or they are read again, and the geometry of the kernel
// determines how much of them is still in L2 (M6).
//
//===----------------------------------------------------------------------===//

#include "../Streaming.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

/// Longest row that one warp or block keeps in registers.
static constexpr int64_t registerColumns = 1024;
/// Longest row that shared memory keeps; beyond it a row is read three times.
static constexpr double sharedBytes = 48 * 1024;

/// (M14) Longest rows that fit in the registers of a warp and of a CTA.
static constexpr int64_t warpColumns = 2048, ctaColumns = 9216;

/// (M14) SM cycles of a row that stays on chip.
static double cyclesOfKeptRow(const SoftmaxOnChipCoefficients &c,
                              int64_t columns, Steps *report) {
  constexpr int64_t ctaThreads = 1024;
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
  double each = inWarp ? c.warp : c.shared;
  double cycles = columns * each;
  if (report)
    report->equation("row on chip (M14)", "cy = {}*{} = {} cycles",
                     {columns, each, cycles});
  return cycles;
}

/// (M6) One block of `threads` per row, 4 columns per thread and step.
static void countRereads(const SoftmaxRereadCoefficients &c, double rows,
                         double columns, double rowBytes, Steps *report,
                         Stream &s) {
  constexpr double threadColumns = 4, mostThreads = 1024, warpLanes = 32;
  double quads = std::min(std::floor(columns / threadColumns), mostThreads);
  double threads = std::max(
      warpLanes, std::exp2(std::ceil(std::log2(std::max(quads / 2, 1.0)))));
  s.rereadBytes = 2 * s.readBytes;
  s.inFlightBytes = c.threads / threads * rowBytes;
  bool aligned = std::fmod(columns, threadColumns * threads) == 0 ||
                 threads >= mostThreads;
  s.keptFraction = aligned ? 1.0 : 0.0;
  if (report)
    report->equation(
        "wide softmax (M6)",
        "quads = min(floor({}/4), 1024) = {}; thr = {}; ws = {}/thr*{} = {} "
        "bytes; re = 2*{} = {} bytes",
        {columns, quads, threads, c.threads, rowBytes, s.inFlightBytes,
         s.readBytes, s.rereadBytes});
  s.smCycles = rows * (c.rowCycles + c.columnCycles * columns);
  if (report && s.smCycles > 0)
    report->equation("wide softmax (M6)", "SM = {}*({} + {}*{}) = {} cycles",
                     {rows, c.rowCycles, c.columnCycles, columns, s.smCycles});
  constexpr double passes = 3; // over a row: maximum, sum, results
  if (rowBytes > sharedBytes)
    s.energyBytes = passes * s.readBytes + s.writeBytes; // (P2)
}

namespace {
/// Where the second pass finds a row.
enum class RowPlace { Registers, OnChip, Memory };
} // namespace

template <RowPlace place>
static Expected<LaunchTerms>
softmaxTerms(const CostModel &model, const KernelWork &work, const Tiling &,
             const KernelQuery &query) {
  const Coefficients &all = model.coefficients();
  const StreamingCoefficients &c = *all.streaming;
  const RowsProblem &p = work.as<RowsProblem>();
  if (p.rows < 0 || p.cols < 0)
    return fail("expected non-negative rows and columns");
  double rows = p.rows, columns = p.cols;
  Stream s = streamOf(work);
  countInstructions(model, c, classOf(work, InstructionClass::Softmax),
                    rows * columns, /*strided=*/false, query, s);
  if (const auto &counts = all.instructions) {
    if (place != RowPlace::Registers)
      s.instructions = rows * columns * counts->softmaxWide;
    s.instructions *= counts->softmaxScale;
  }
  if (place == RowPlace::OnChip) {
    s.smCycles =
        rows * cyclesOfKeptRow(*all.softmaxOnChip, p.cols, query.steps);
    if (query.steps)
      query.steps->equation("row on chip (M14)", "SM = {}*cy = {} cycles",
                            {rows, s.smCycles});
  } else if (place == RowPlace::Memory) {
    countRereads(*all.softmaxReread, rows, columns, columns * work.inputBytes(),
                 query.steps, s);
  }
  s.rowCycles =
      rowCycles(rows, columns, c.softmaxRow0, c.softmaxRow1, query.steps);
  return streamTerms(model, c, s, query);
}

namespace gpucost::kernels {
extern const KernelModel softmaxRegisters, softmaxOnChip, softmaxReread;
const KernelModel softmaxRegisters = {untiled,
                                      softmaxTerms<RowPlace::Registers>};
const KernelModel softmaxOnChip = {untiled, softmaxTerms<RowPlace::OnChip>};
const KernelModel softmaxReread = {untiled, softmaxTerms<RowPlace::Memory>};

GPUCOST_CONDITION(shortRows, "rows of up to 1024 columns",
                  { return work.as<RowsProblem>().cols <= registerColumns; })
GPUCOST_CONDITION(rowsOnChip, "the forward pass of rows that fit on chip", {
  const auto &p = work.as<RowsProblem>();
  return p.pass == RowsPass::Forward &&
         (p.cols <= ctaColumns ||
          static_cast<double>(p.cols) * work.inputBytes() <= sharedBytes);
})
GPUCOST_CONDITION(
    sincePyTorch2_8,
    "PyTorch 2.8 or later or another software, without generated kernels", {
      return !model.choice().isGenerated() &&
             !isBefore(model.software(), Software::PyTorch, version(2, 8));
    })
} // namespace gpucost::kernels
