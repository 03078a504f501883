//===- Alternatives.cpp - What the library could have run -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"
#include <algorithm>

using namespace gpucost;

/// Alternatives that are shown.
static constexpr size_t mostShown = 8;

namespace {
struct Alternative {
  Tiling tiling;
  Seconds time;
};
} // namespace

static void addTiles(std::vector<Tiling> &tilings, const Tiles &tiles,
                     const Splits &splits, int32_t variant = 0) {
  for (const Tile &tile : tiles)
    for (int32_t split : splits) {
      Tiling tiling;
      tiling.tile = tile;
      tiling.splitK = split;
      tiling.variant = variant;
      tilings.push_back(tiling);
    }
}

/// (G1), (S6): a split leaves each part at least this much of K.
static bool isTooDeep(const ExplainedKernel &kernel, const Tiling &tiling,
                      double least) {
  const auto *problem = kernel.work().getIf<MatmulProblem>();
  return problem && tiling.splitK > 1 &&
         static_cast<double>(problem->k) / tiling.splitK < least;
}

/// Every configuration of the tables that the kernel's family chooses from.
static std::vector<Tiling> candidatesOf(const ExplainedKernel &kernel) {
  const Coefficients &c = kernel.placed.model().coefficients();
  const KernelWork &work = kernel.work();
  const Tiling &chosen = kernel.kernel().tiling;
  bool onCudaCores = work.format == NumericFormat::FP32;
  std::vector<Tiling> tilings;
  if (const auto *p = work.getIf<MatmulProblem>(); p && onCudaCores) {
    const auto &set = p->linear ? c.simtLinear : c.simtBatched;
    if (set)
      addTiles(tilings, set->tiles, set->splitK);
  } else if (work.is<ConvolutionProblem>() && onCudaCores && c.simtConv) {
    addTiles(tilings, c.simtConv->implicitTiles, {1}, 0);
    Tiling fused = chosen;
    fused.variant = 1;
    tilings.push_back(fused);
    addTiles(tilings, c.simtConv->batchedTiles, {1}, 2);
  } else if ((work.is<MatmulProblem>() || work.is<ConvolutionProblem>()) &&
             c.tensorGemm) {
    addTiles(tilings, c.tensorGemm->tiles, c.tensorGemm->splitK);
    tilings.erase(std::remove_if(tilings.begin(), tilings.end(),
                                 [&](const Tiling &tiling) {
                                   return isTooDeep(
                                       kernel, tiling,
                                       c.tensorGemm->leastSplitDepth);
                                 }),
                  tilings.end());
  } else if (work.is<AttentionProblem>()) {
    for (int32_t split : {1, 2, 4, 8, 16, 32}) {
      Tiling tiling = chosen;
      tiling.splitK = split;
      tilings.push_back(tiling);
    }
  }
  return tilings;
}

static std::string describe(const ExplainedKernel &kernel,
                            const Tiling &tiling) {
  static constexpr const char *algorithms[] = {
      "implicit GEMM", "fused Winograd", "Winograd with separate transforms"};
  std::string text =
      std::to_string(tiling.tile.m) + "x" + std::to_string(tiling.tile.n);
  text += " split " + std::to_string(tiling.splitK);
  if (kernel.work().is<ConvolutionProblem>() &&
      kernel.work().format == NumericFormat::FP32 && tiling.variant >= 0 &&
      tiling.variant <= 2)
    text =
        algorithms[tiling.variant] + (tiling.variant == 1 ? "" : ", " + text);
  return text;
}

static bool isSame(const Tiling &a, const Tiling &b) {
  return a.tile == b.tile && a.splitK == b.splitK && a.variant == b.variant;
}

void gpucost::explainAlternatives(const ExplainedKernel &kernel,
                                  ExplainText &text) {
  text.section("alternatives, time in us");
  const CostModel &model = kernel.placed.model();
  double y = kernel.clockRatio();
  const Tiling &chosen = kernel.kernel().tiling;
  std::vector<Alternative> found;
  for (const Tiling &tiling : candidatesOf(kernel)) {
    auto terms = model.launchTerms(kernel.work(), tiling);
    if (terms)
      found.push_back({tiling, timeAt(*terms, y)});
  }
  if (found.empty()) {
    text.line("none: kernels of this family have one configuration");
    return;
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Alternative &a, const Alternative &b) {
                     return a.time < b.time;
                   });
  auto isChosen = [&](const Alternative &each) {
    return isSame(each.tiling, chosen);
  };
  size_t position =
      std::find_if(found.begin(), found.end(), isChosen) - found.begin();
  for (size_t i = 0; i < found.size(); ++i)
    if (i < mostShown || i == position)
      text.line(us(found[i].time) + "  " + describe(kernel, found[i].tiling) +
                (i == position ? "  <- chosen" : ""));
  if (found.size() > mostShown)
    text.line(std::to_string(found.size()) + " in all");
  if (position > 0 && position < found.size())
    text.equation("G12", "libraries go by shape and by the time at the "
                         "maximum clock: the chosen one need not be the "
                         "fastest here");
  else if (position == found.size())
    text.line("chosen: " + describe(kernel, chosen) +
              ", which is in no table of this family");
}
