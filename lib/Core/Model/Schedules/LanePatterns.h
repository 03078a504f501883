//===- LanePatterns.h - Lanes of a warp that load together ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equations (I1)-(I3): what one warp's loads of fp32 fragments and of staging
// copies cost in shared memory, L1 and the texture path. Every size is a power
// of two; the closed forms then equal a simulation of banks, lines and sectors.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_SCHEDULES_LANEPATTERNS_H
#define GPUCOST_LIB_CORE_MODEL_SCHEDULES_LANEPATTERNS_H

#include "gpucost/Core/Model/Coefficients.h"

namespace gpucost {

/// All loads of one operand by one warp.
struct LaneLoads {
  double instructions = 0;
  double wavefronts = 0; ///< (I1) of shared memory
  double lines = 0;      ///< (I2) of 128 bytes, per group of lanes
  double sectors = 0;    ///< (I3) of 32 bytes, per instruction
  int vector = 0;        ///< words that a lane loads at once
};

/// (I3) Clocks of the texture path at the rate of `c`: an instruction moves the
/// words of 32 lanes at two clocks a word.
double textureClocks(const TexturePath &c, const LaneLoads &loads);

/// A fragment: `distinct` lanes of the warp hold different elements, each
/// `elements` consecutive words, loaded `vector` words at a time. `stride`
/// neighbouring lanes hold the same ones (1 along m, the lanes of m along n).
LaneLoads fragmentLoads(int distinct, int stride, int elements, int vector);

/// A staging copy of one K step: `across` threads along an edge of `edge`
/// words, `threads / across` K rows; each thread copies its part of `depth`
/// rows. Threads beyond the last row copy nothing: the mean of all counts.
LaneLoads copyLoads(int across, int threads, int edge, int depth, int vector);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_SCHEDULES_LANEPATTERNS_H
