//===- AttentionBlocks.cpp - KV blocks of tiled attention (A1) ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionBlocks.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace gpucost;

/// Sum of floor((a * i + b) / m) for i in [0, n), for a, b >= 0: Euclid's
/// algorithm on the lattice points below the line.
static double floorSum(int64_t n, int64_t m, int64_t a, int64_t b) {
  double sum = 0;
  while (n > 0) {
    int64_t slope = a / m, offset = b / m;
    sum += n * (n - 1.0) / 2 * slope + static_cast<double>(n) * offset;
    a %= m;
    b %= m;
    int64_t top = a * n + b;
    n = top / m;
    b = top % m;
    std::swap(a, m);
  }
  return sum;
}

static int64_t ceilDivide(int64_t a, int64_t b) {
  return a <= 0 ? 0 : (a + b - 1) / b;
}

namespace {

/// Positions scaled by the numerator of rows per query, so that the edges of
/// all tiles are integers: tile i covers [i * step, (i + 1) * step).
struct ScaledGrid {
  int64_t tiles, step, block, offset, window, lastBlock;
  bool causal;

  int64_t begin(int64_t tile) const {
    if (window == 0)
      return 0;
    int64_t oldest = tile * step + offset - window;
    return oldest <= 0 ? 0 : oldest / block;
  }
  int64_t end(int64_t tile) const {
    if (!causal || tile == tiles - 1)
      return lastBlock;
    return std::min(ceilDivide((tile + 1) * step + offset, block), lastBlock);
  }
  int64_t count(int64_t tile) const {
    return std::max<int64_t>(end(tile) - begin(tile), 1);
  }
};

} // namespace

static double sumEnds(const ScaledGrid &g) {
  if (!g.causal)
    return static_cast<double>(g.tiles) * g.lastBlock;
  // Tiles before the first key still run one block.
  int64_t before = 0;
  if (g.offset < 0)
    before = std::min(g.tiles - 1, -g.offset / g.step);
  int64_t inner = g.tiles - 1 - before;
  // ceil(x / block) = floor((x + block - 1) / block)
  int64_t first = (before + 1) * g.step + g.offset + g.block - 1;
  return before + floorSum(inner, g.block, g.step, first) + g.lastBlock;
}

static double sumBegins(const ScaledGrid &g) {
  if (g.window == 0)
    return 0;
  int64_t start = 0;
  if (g.offset < g.window)
    start = std::min(g.tiles, ceilDivide(g.window - g.offset, g.step));
  return floorSum(g.tiles - start, g.block, g.step,
                  start * g.step + g.offset - g.window);
}

/// Longest tile. Without a window it is the last one; with one, the counts
/// repeat with period block / gcd(step, block) once the window has filled.
static double longest(const ScaledGrid &g) {
  if (g.window == 0 || !g.causal)
    return std::max(g.count(0), g.count(g.tiles - 1));
  int64_t filled = std::clamp<int64_t>(
      ceilDivide(g.window - g.offset, g.step) - 1, 0, g.tiles - 1);
  int64_t period = g.block / std::gcd(g.step, g.block);
  constexpr int64_t mostTiles = 1024;
  int64_t stop = std::min({g.tiles, filled + period + 1, filled + mostTiles});
  int64_t most = g.count(g.tiles - 1);
  for (int64_t tile = filled; tile < stop; ++tile)
    most = std::max(most, g.count(tile));
  return most;
}

AttentionBlocks gpucost::countBlocks(const AttentionGrid &grid) {
  AttentionBlocks r;
  if (grid.queries <= 0 || grid.keys <= 0)
    return r;
  constexpr int64_t largest = int64_t(1) << 30;
  double rows = static_cast<double>(grid.queries) * grid.rowsNumerator /
                grid.rowsDenominator;
  double span = std::max({grid.queries, grid.keys, grid.window});
  if (span * std::max(grid.rowsNumerator, grid.rowsDenominator) > largest) {
    double last = std::ceil(static_cast<double>(grid.keys) / grid.tileColumns);
    r.tiles = std::ceil(rows / grid.tileRows);
    int64_t ofWindow = grid.window / grid.tileColumns + 2;
    r.most = grid.window > 0 ? std::min<double>(last, ofWindow) : last;
    double mean = grid.causal && grid.window == 0 ? (last + 1) / 2 : r.most;
    r.total = r.tiles * mean;
    return r;
  }
  ScaledGrid g;
  g.step = grid.tileRows * grid.rowsDenominator;
  g.block = grid.tileColumns * grid.rowsNumerator;
  g.tiles = ceilDivide(grid.queries * grid.rowsNumerator, g.step);
  g.offset = (grid.keys - grid.queries) * grid.rowsNumerator;
  g.window = grid.window * grid.rowsNumerator;
  g.lastBlock = ceilDivide(grid.keys, grid.tileColumns);
  g.causal = grid.causal;
  r.tiles = g.tiles;
  r.total = sumEnds(g) - sumBegins(g);
  r.most = longest(g);
  return r;
}

void gpucost::addAttentionEvents(const CostModel &model, double flops,
                                 double scores, double bytes, double l2Bytes,
                                 LaunchTerms &terms) {
  terms.events.tensorFlops = flops;
  if (const auto &counts = model.coefficients().instructions)
    terms.events.instructions = counts->attentionScore * scores;
  terms.events.dramBytes = bytes;
  terms.events.l2Bytes = l2Bytes;
}
