//===- LanePatterns.cpp - Loads by the lanes of a warp --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LanePatterns.h"
#include <algorithm>

using namespace gpucost;

static constexpr int warpLanes = 32;
static constexpr int banks = 32;       ///< one word wide
static constexpr int lineWords = 32;   ///< 128 bytes
static constexpr int sectorWords = 8;  ///< 32 bytes
static constexpr int widestVector = 4; ///< words per instruction

double gpucost::textureClocks(const TexturePath &c, const LaneLoads &loads) {
  return loads.instructions *
         std::max({2.0 * loads.vector, c.least, c.sector * loads.sectors});
}

LaneLoads gpucost::fragmentLoads(int distinct, int stride, int elements,
                                 int vector) {
  int v = std::min(vector, widestVector);
  // Lanes that an instruction serves at a time, and the number of distinct
  // ones.
  int group = warpLanes / v;
  int differ = std::clamp(group / stride, 1, distinct);
  // (I1) Neighbouring lanes are `elements` words apart; lanes whose distance
  // fills a row of banks share a bank. (I2) Likewise for lines.
  double conflicts =
      std::max(1.0, differ * std::min(elements, banks) / double(banks));
  LaneLoads loads;
  loads.instructions = double(elements) / v;
  loads.wavefronts = elements * conflicts;
  loads.lines = loads.wavefronts;
  loads.vector = v;
  loads.sectors = std::max(1.0, distinct * std::min(elements, sectorWords) /
                                    double(sectorWords));
  return loads;
}

LaneLoads gpucost::copyLoads(int across, int threads, int edge, int depth,
                             int vector) {
  int v = std::min(vector, widestVector);
  int part = edge / across; // words per thread and K row
  // K rows per thread; below 1 if some threads have none.
  double rows = static_cast<double>(depth) * across / threads;
  int stride = std::max(1, static_cast<int>(rows)) * edge;
  int group = warpLanes / v;
  int columns = std::min(group, across);
  // (I1) In units of a vector, a group has as many slots as lanes. Lanes along
  // the edge are `part` words apart, lanes in different rows `stride` words.
  double slots =
      std::min<double>(columns, std::max(1, group * v / part)) *
      std::min<double>(group / columns, std::max(1, group * v / stride));
  // (I2) In DRAM, each row begins a new line.
  double lines =
      std::clamp(columns * part / double(lineWords), 1.0, double(columns)) *
      (group / columns);
  LaneLoads loads;
  loads.instructions = double(part) / v * rows;
  loads.wavefronts = loads.instructions * v * (group / slots);
  loads.lines = loads.instructions * v * lines;
  int wide = std::min(warpLanes, across);
  loads.vector = v;
  loads.sectors =
      std::max(1.0, wide * std::min(part, sectorWords) / double(sectorWords)) *
      (warpLanes / wide);
  return loads;
}
