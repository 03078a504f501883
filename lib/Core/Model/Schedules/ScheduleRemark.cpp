//===- ScheduleRemark.cpp - Schedules and the library's kernel ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// (V1) gives the fastest schedule the time of the library's fastest tile. A
// library that chooses in another way is slower; the remark names the choice.
//
//===----------------------------------------------------------------------===//

#include "Candidates.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::detail;

/// Largest ratio of two times that needs no remark.
static constexpr double unremarkable = 1.05;

static std::string sizesOf(const Tile &tile) {
  return std::to_string(tile.m) + "x" + std::to_string(tile.n);
}

/// Whether the library picks a tile by shape, although another one of its table
/// is faster.
static bool picksByShape(const ScheduleSetup &setup, const Tiling &library) {
  if (!setup.asked.is<MatmulProblem>() || !setup.tensor)
    return false;
  KernelQuery best = setup.askedQuery;
  best.bestTile = true;
  auto fastest = setup.model->selectTiling(setup.asked, best);
  return fastest && (!(fastest->tile == library.tile) ||
                     fastest->splitK != library.splitK);
}

/// Whether the library calls kernels that change the layout (C9).
static bool addsConversions(const ScheduleSetup &setup) {
  const auto *asked = setup.asked.getIf<ConvolutionProblem>();
  const auto *own = setup.work.getIf<ConvolutionProblem>();
  return asked && own && asked->channelsLast != own->channelsLast;
}

/// The choices of the library that make `own` faster, from the surest one on.
static std::vector<std::string> choicesOf(const ScheduleSetup &setup,
                                          const ScheduledCost &own,
                                          const KernelCost &library) {
  std::vector<std::string> found;
  const Tile &tile = library.tiling.tile;
  if (picksByShape(setup, library.tiling))
    found.push_back("selects the tile " + sizesOf(tile) +
                    " by a heuristic on the shape ((G12), (G17) in "
                    "CostModel.md), not by time");
  if (setup.asked.is<ConvolutionProblem>() && setup.work.is<MatmulProblem>())
    found.push_back("runs its kernel of convolutions for this matmul ((C4) in "
                    "CostModel.md)");
  if (addsConversions(setup))
    found.push_back("converts the layout of the tensors around its kernel "
                    "((C9) in CostModel.md)");
  if (setup.attention && setup.attention->decodes)
    found.push_back("splits the keys by its own rule ((D2) in CostModel.md)");
  else if (setup.attention)
    found.push_back("has the tile " + sizesOf(tile) +
                    " for this head dimension, whatever the shape ((A1) in "
                    "CostModel.md)");
  else if (setup.simt && tile.m == 0)
    found.push_back("has a kernel without tiles for this shape ((S7), (S8) in "
                    "CostModel.md)");
  else if (setup.simt)
    found.push_back("has only the tiles of its table, here " + sizesOf(tile) +
                    ", and both operands in shared memory ((V1) in "
                    "CostModel.md)");
  if (library.clock < own.cost.clock)
    found.push_back("draws more power with the tile " + sizesOf(tile) +
                    " and runs at a lower clock ((P6) in CostModel.md)");
  return found;
}

Expected<KernelCost> ScheduleModel::library() const {
  return setup->model->estimate(setup->asked, setup->askedQuery);
}

std::string ScheduleModel::remarkOn(const ScheduledCost &own,
                                    Seconds libraryTime) const {
  std::string text;
  Seconds time = own.cost.time.total;
  if (libraryTime > time * unremarkable) {
    text = "faster than the library";
    const char *joint = ", which ";
    if (auto kernel = library())
      for (const std::string &choice : choicesOf(*setup, own, *kernel)) {
        text += joint + choice;
        joint = " and ";
      }
  } else if (time > libraryTime * unremarkable && !setup->isStream &&
             !setup->attention &&
             (setup->library != setup->kernel || !setup->libraryHasTiles)) {
    text = "slower than the library's kernel " +
           std::string(stringifyImplementationKind(setup->library));
  }
  if (isValidated() && !isValidated(own.schedule))
    text += std::string(text.empty() ? "" : "; ") +
            "warps=" + std::to_string(own.schedule.warps) +
            " is outside the set that libraries use (V2)";
  return text;
}
