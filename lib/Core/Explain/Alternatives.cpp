//===- Alternatives.cpp - Other configurations of the kernel --------------===//
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

static std::string describe(const KernelWork &work, const Tiling &tiling) {
  std::string text = tiling.tile.m > 0
                         ? std::to_string(tiling.tile.m) + "x" +
                               std::to_string(tiling.tile.n) + " split " +
                               std::to_string(tiling.splitK)
                     : work.is<AttentionProblem>()
                         ? "split " + std::to_string(tiling.splitK) +
                               (tiling.variant == 1 ? ", second path" : "")
                         : "";
  bool isOneOfSeveral = text.empty() || (work.is<ConvolutionProblem>() &&
                                         work.format == NumericFormat::FP32);
  if (!isOneOfSeveral)
    return text;
  return std::string(stringifyImplementationKind(tiling.implementation)) +
         (text.empty() ? "" : ", " + text);
}

void gpucost::explainAlternatives(const ExplainedKernel &kernel,
                                  ExplainText &text) {
  text.section("alternatives, time in us");
  const CostModel &model = kernel.placed.model();
  const Tiling &chosen = kernel.kernel().tiling;
  auto isChosen = [&](const Tiling &tiling) {
    return tiling.tile == chosen.tile && tiling.splitK == chosen.splitK &&
           tiling.variant == chosen.variant &&
           tiling.implementation == chosen.implementation;
  };
  std::vector<Tiling> tilings = candidatesOf(model, kernel.work(), chosen);
  if (tilings.empty()) {
    text.line("none: kernels of this family have one configuration");
    return;
  }
  // Splits that follow from the number of SMs are in no list.
  if (std::none_of(tilings.begin(), tilings.end(), isChosen))
    tilings.push_back(chosen);
  std::vector<Alternative> found;
  for (const Tiling &tiling : tilings)
    if (auto terms = model.launchTerms(kernel.work(), tiling))
      found.push_back({tiling, timeAt(*terms, kernel.clockRatio())});
  std::stable_sort(found.begin(), found.end(),
                   [](const Alternative &a, const Alternative &b) {
                     return a.time < b.time;
                   });
  bool isFastest = true;
  for (size_t i = 0; i < found.size(); ++i) {
    bool chosenOne = isChosen(found[i].tiling);
    if (chosenOne)
      isFastest = i == 0;
    if (i < mostShown || chosenOne)
      text.line(number(found[i].time) + "  " +
                describe(kernel.work(), found[i].tiling) +
                (chosenOne ? "  <- chosen" : ""));
  }
  if (found.size() > mostShown)
    text.line(std::to_string(found.size()) + " in total");
  if (!isFastest)
    text.equation("library heuristic (G12)",
                  "libraries choose by shape and by the time at the maximum "
                  "clock: the chosen configuration need not be the fastest "
                  "here");
}
