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
/// not. The `softmax` rows of calibration/measurements; those of bf16 are equal
/// on H100 and H200 within 9 %.
static std::optional<double> cyclesOfKeptRow(int64_t columns, double rowBytes) {
  constexpr int64_t warpColumns = 2048, ctaColumns = 9216, ctaThreads = 1024;
  constexpr double warpCycles = 0.6, sharedCycles = 0.5; // an element
  constexpr double reductionCycles = 560, stepCycles = 720;
  // From so many columns of a thread on, one CTA fills an SM.
  constexpr double aloneSteps = 8, aloneSlowdown = 1.3;
  if (columns <= warpColumns)
    return columns * warpCycles;
  if (columns <= ctaColumns) {
    double steps = std::ceil(static_cast<double>(columns) / ctaThreads);
    double cycles = reductionCycles + steps * stepCycles;
    return steps >= aloneSteps ? cycles * aloneSlowdown : cycles;
  }
  if (rowBytes <= sharedBytes)
    return columns * sharedCycles;
  return std::nullopt;
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
  double rowBytes = columns * work.inputBits / 8.0;
  bool isLong = p.cols > registerColumns;
  std::optional<double> keptCycles;
  if (isLong && p.inRegisters)
    keptCycles = cyclesOfKeptRow(p.cols, rowBytes);
  Stream s = streamOf(work);
  countInstructions(model, c, classOf(work, InstructionClass::Softmax),
                    rows * columns, /*strided=*/false, s);
  if (const auto &counts = model.coefficients().instructions) {
    if (isLong)
      s.instructions = rows * columns * counts->softmaxWide;
    s.instructions *= counts->softmaxScale;
  }
  if (keptCycles) {
    s.smCycles = rows * *keptCycles;
  } else if (isLong) {
    // (M6) One block of `threads` per row, 4 columns per thread and step; 2048
    // threads per SM in flight.
    double quads = std::min(std::floor(columns / 4), 1024.0);
    double threads = std::max(
        32.0, std::exp2(std::ceil(std::log2(std::max(quads / 2, 1.0)))));
    s.rereadBytes = 2 * s.readBytes;
    s.inFlightBytes = 2048 / threads * rowBytes;
    bool aligned = std::fmod(columns, 4 * threads) == 0 || threads >= 1024;
    s.keptFraction = aligned ? 1.0 : 0.0;
    if (rowBytes > sharedBytes)
      s.energyBytes = 3 * s.readBytes + s.writeBytes; // (P2)
  }
  s.rowCycles =
      rows * (c.softmaxRow0 + c.softmaxRow1 * std::ceil(columns / rowStep));
  return streamTerms(model, c, s, query);
}

namespace gpucost {
extern const KernelFamilyModel softmaxFamily;
const KernelFamilyModel softmaxFamily = {tileStream, softmaxTerms};
} // namespace gpucost
