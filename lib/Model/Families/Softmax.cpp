//===- Softmax.cpp - Softmax along rows -----------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of up to 1024 columns stay in registers. Longer ones are read again; the
// geometry of that kernel decides what the second pass finds, equation (M6).
//
//===----------------------------------------------------------------------===//

#include "../Streaming.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

/// Longest row that one warp or block keeps in registers.
static constexpr int64_t registerColumns = 1024;
/// Longest row that shared memory keeps; beyond it a row is read three times.
static constexpr double sharedBytes = 48 * 1024;
/// Columns that one step of the per-row loop covers.
static constexpr double rowStep = 512;

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
  bool wide = p.cols > registerColumns;
  Stream s = streamOf(work);
  countInstructions(model, c, classOf(work, InstructionClass::Softmax),
                    rows * columns, /*strided=*/false, s);
  if (const auto &counts = model.coefficients().instructions) {
    if (wide)
      s.instructions = rows * columns * counts->softmaxWide;
    s.instructions *= counts->softmaxScale;
  }
  if (wide) {
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
