//===- LanePatterns.h - Loads by the lanes of a warp ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equations (I1)-(I3): the cost of a warp's loads (fp32 fragments and staging
// copies) in shared memory, L1 and the texture path. All sizes are powers of
// two, for which the closed forms equal a simulation of banks, lines and
// sectors.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_SCHEDULES_LANEPATTERNS_H
#define GPUCOST_LIB_CORE_MODEL_SCHEDULES_LANEPATTERNS_H

#include "gpucost/Core/Model/Coefficients.h"

namespace gpucost {

/// The loads of one operand by one warp.
struct LaneLoads {
  double instructions = 0;
  double wavefronts = 0; ///< (I1) of shared memory
  double lines = 0;      ///< (I2) 128-byte lines per group of lanes
  double sectors = 0;    ///< (I3) of 32 bytes, per instruction
  int vector = 0;        ///< words per load of a lane
};

/// (I3) Clocks of the texture path at the rate of `c`: an instruction transfers
/// the words of 32 lanes at two clocks per word.
double textureClocks(const TexturePath &c, const LaneLoads &loads);

/// Loads of a fragment: `distinct` lanes of the warp have different elements,
/// `elements` consecutive words each, loaded `vector` words at a time. `stride`
/// neighbouring lanes have the same elements (1 along m, the lanes of m along
/// n).
LaneLoads fragmentLoads(int distinct, int stride, int elements, int vector);

/// Loads of a staging copy per K step: `across` threads along an edge of `edge`
/// words, `threads / across` K rows; each thread copies its part of `depth`
/// rows. The result is the mean over all threads, including idle threads beyond
/// the last row.
LaneLoads copyLoads(int across, int threads, int edge, int depth, int vector);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_SCHEDULES_LANEPATTERNS_H
