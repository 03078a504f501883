//===- Candidates.h - Schedule candidates -----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// (V2) The space of schedules: the candidates of libraries and tuners. All loop
// nests call their visitor in a fixed order.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_SCHEDULES_CANDIDATES_H
#define GPUCOST_LIB_CORE_MODEL_SCHEDULES_CANDIDATES_H

#include "../Families/Attention.h"
#include "ScheduleSetup.h"
#include <algorithm>

namespace gpucost::detail {

inline constexpr int32_t warpThreads = 32, mostCtaThreads = 1024;
inline constexpr int32_t tensorRows[] = {16, 32, 64, 128, 256};
inline constexpr int32_t tensorColumns[] = {32, 64, 128, 256};
inline constexpr int32_t tensorStepBytes[] = {64, 128};
inline constexpr int32_t tensorWarps[] = {4, 8};
inline constexpr int32_t tensorStages[] = {2, 3, 4, 5};
inline constexpr int32_t simtEdges[] = {16, 32, 64, 128};
/// The only K step of the measured schedules, and their minimum number of
/// threads.
inline constexpr int32_t simtSteps[] = {32};
inline constexpr int32_t fewestThreads = 64;
inline constexpr int32_t simtThreadEdges[] = {1, 2, 4, 8, 16};
inline constexpr int32_t simtVectors[] = {4, 2, 1};
inline constexpr int32_t attentionRows[] = {16, 32, 64, 128, 256};
inline constexpr int32_t attentionColumns[] = {16, 32, 64, 128, 256};
inline constexpr int32_t attentionWarps[] = {4, 8, 12, 16};
inline constexpr int32_t attentionStages[] = {1, 2, 3};
inline constexpr int32_t decodeRows[] = {16, 32, 64};
inline constexpr int32_t decodeKeys[] = {32, 64, 128};
inline constexpr int32_t streamVectors[] = {16, 8, 4, 2, 1};
inline constexpr int32_t streamWarps[] = {4, 8, 16, 32};

/// Visits `value`, or each of `choices` if it is 0.
template <typename Visitor>
void choose(int32_t value, Span<int32_t> choices, Visitor &&visit) {
  if (value)
    return visit(value);
  for (int32_t choice : choices)
    visit(choice);
}

template <typename Visitor>
void forEachTensorCandidate(const ScheduleSetup &setup, const Schedule &fixed,
                            Visitor &&visit) {
  Schedule s = fixed;
  auto element = static_cast<int32_t>(std::max(setup.product.inputBytes, 1.0));
  int32_t steps[std::size(tensorStepBytes)];
  std::transform(std::begin(tensorStepBytes), std::end(tensorStepBytes), steps,
                 [&](int32_t bytes) { return bytes / element; });
  if (!s.cluster)
    s.cluster = 1;
  choose(fixed.tileM, tensorRows, [&](int32_t m) {
    s.tileM = m;
    choose(fixed.tileN, tensorColumns, [&](int32_t n) {
      s.tileN = n;
      choose(fixed.warps, tensorWarps, [&](int32_t warps) {
        s.warps = warps;
        choose(fixed.tileK, steps, [&](int32_t k) {
          s.tileK = k;
          choose(fixed.stages, tensorStages, [&](int32_t stages) {
            s.stages = stages;
            choose(fixed.splitK, setup.splits, [&](int32_t split) {
              s.splitK = split;
              visit(s);
            });
          });
        });
      });
    });
  });
}

/// Threads of the cheapest staging copy: as many along the edge as can copy
/// whole vectors; with fewer threads it would read more rows at a time.
inline int32_t copyThreads(int32_t edge, int32_t vector, int32_t threads) {
  return std::max(1, std::min(edge / std::max(vector, 1), threads));
}

/// Visits loads and paths of a CUDA-core schedule with a given thread grid.
template <typename Visitor>
void forEachSimtLoad(const Schedule &fixed, Schedule s, Visitor &&visit) {
  auto paths = [](OperandPath path, auto &&use) {
    if (path != OperandPath::Auto)
      return use(path);
    use(OperandPath::Shared);
    use(OperandPath::Cache);
  };
  auto vectors = [](int32_t value, int32_t elements, auto &&use) {
    choose(value, simtVectors, [&](int32_t vector) {
      if (value || vector <= elements)
        use(vector);
    });
  };
  int32_t threads = warpThreads * s.warps;
  vectors(fixed.vectorM, s.threadTileM, [&](int32_t vectorM) {
    s.vectorM = vectorM;
    s.copyM =
        fixed.copyM ? fixed.copyM : copyThreads(s.tileM, vectorM, threads);
    vectors(fixed.vectorN, s.threadTileN, [&](int32_t vectorN) {
      s.vectorN = vectorN;
      s.copyN =
          fixed.copyN ? fixed.copyN : copyThreads(s.tileN, vectorN, threads);
      paths(fixed.stageA, [&](OperandPath a) {
        s.stageA = a;
        paths(fixed.stageB, [&](OperandPath b) {
          s.stageB = b;
          visit(s);
        });
      });
    });
  });
}

template <typename Visitor>
void forEachSimtCandidate(const ScheduleSetup &setup, const Schedule &fixed,
                          Visitor &&visit) {
  Schedule s = fixed;
  s.stages = std::max(s.stages, 1);
  s.cluster = std::max(s.cluster, 1);
  auto withGrid = [&](int32_t threadM, int32_t threadN) {
    s.threadTileM = threadM;
    s.threadTileN = threadN;
    int32_t threads = threadM > s.tileM || threadN > s.tileN
                          ? 0
                          : (s.tileM / threadM) * (s.tileN / threadN);
    bool isFixed = fixed.threadTileM && fixed.threadTileN;
    if (!isFixed && (threads < (fixed.warps ? warpThreads : fewestThreads) ||
                     threads > mostCtaThreads ||
                     (fixed.warps && threads != warpThreads * fixed.warps)))
      return;
    s.warps = fixed.warps ? fixed.warps : threads / warpThreads;
    choose(fixed.tileK, simtSteps, [&](int32_t k) {
      s.tileK = k;
      choose(fixed.splitK, setup.splits, [&](int32_t split) {
        s.splitK = split;
        forEachSimtLoad(fixed, s, visit);
      });
    });
  };
  choose(fixed.tileM, simtEdges, [&](int32_t m) {
    s.tileM = m;
    choose(fixed.tileN, simtEdges, [&](int32_t n) {
      s.tileN = n;
      choose(fixed.threadTileM, simtThreadEdges, [&](int32_t a) {
        choose(fixed.threadTileN, simtThreadEdges,
               [&](int32_t b) { withGrid(a, b); });
      });
    });
  });
}

template <typename Visitor>
void forEachStreamCandidate(const Schedule &fixed, Visitor &&visit) {
  Schedule s = fixed;
  choose(fixed.vectorM, streamVectors, [&](int32_t vector) {
    s.vectorM = vector;
    choose(fixed.warps, streamWarps, [&](int32_t warps) {
      s.warps = warps;
      visit(s);
    });
  });
}

/// Visits the tiles of attention. Without a given tile, the library's comes
/// first, whose time is calibrated.
template <typename Visitor>
void forEachAttentionTile(const ScheduleSetup &setup, const Schedule &fixed,
                          Span<int32_t> rows, Span<int32_t> columns,
                          Visitor &&visit) {
  Schedule s = fixed;
  const Tile &own = setup.attention->tile;
  int32_t firstM = fixed.tileM ? fixed.tileM : own.m;
  int32_t firstN = fixed.tileN ? fixed.tileN : own.n;
  auto visitTile = [&](int32_t m, int32_t n) {
    s.tileM = m;
    s.tileN = n;
    visit(s);
  };
  visitTile(firstM, firstN);
  choose(fixed.tileM, rows, [&](int32_t m) {
    choose(fixed.tileN, columns, [&](int32_t n) {
      if (m != firstM || n != firstN)
        visitTile(m, n);
    });
  });
}

/// Visits warps and stages of an attention tile. The fewest come first, because
/// the equations do not rank them.
template <typename Visitor>
void forEachAttentionPipeline(const Schedule &fixed, Schedule s,
                              Visitor &&visit) {
  choose(fixed.warps, attentionWarps, [&](int32_t warps) {
    s.warps = warps;
    choose(fixed.stages, attentionStages, [&](int32_t stages) {
      s.stages = stages;
      visit(s);
    });
  });
}

template <typename Visitor>
void forEachAttentionCandidate(const ScheduleSetup &setup,
                               const Schedule &fixed, Visitor &&visit) {
  forEachAttentionTile(
      setup, fixed, attentionRows, attentionColumns, [&](Schedule s) {
        Tile tile;
        tile.m = s.tileM;
        tile.n = s.tileN;
        // (A2)
        auto tiling = tileAttentionAs(*setup.model, setup.work,
                                      setup.attention->implementation, tile);
        s.splitK = fixed.splitK ? fixed.splitK : tiling ? tiling->splitK : 1;
        forEachAttentionPipeline(fixed, s, visit);
      });
}

/// Likewise for one query token per sequence, whose split of the keys is also
/// open.
template <typename Visitor>
void forEachDecodeCandidate(const ScheduleSetup &setup, const Schedule &fixed,
                            Visitor &&visit) {
  const ScheduledAttention &attention = *setup.attention;
  Span<int32_t> rows = attention.separatesHeads
                           ? Span<int32_t>(&attention.tile.m, 1)
                           : Span<int32_t>(decodeRows);
  forEachAttentionTile(setup, fixed, rows, decodeKeys, [&](Schedule s) {
    choose(fixed.splitK, setup.splits, [&](int32_t split) {
      s.splitK = split;
      forEachAttentionPipeline(fixed, s, visit);
    });
  });
}

template <typename Visitor>
void forEachCandidate(const ScheduleSetup &setup, const Schedule &fixed,
                      Visitor &&visit) {
  if (setup.isStream)
    forEachStreamCandidate(fixed, visit);
  else if (setup.attention && setup.attention->decodes)
    forEachDecodeCandidate(setup, fixed, visit);
  else if (setup.attention)
    forEachAttentionCandidate(setup, fixed, visit);
  else if (setup.tensor)
    forEachTensorCandidate(setup, fixed, visit);
  else
    forEachSimtCandidate(setup, fixed, visit);
}

} // namespace gpucost::detail

#endif // GPUCOST_LIB_CORE_MODEL_SCHEDULES_CANDIDATES_H
