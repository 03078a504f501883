//===- PipelineTable.cpp - Stages and ranks of a pipeline -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableParts.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace gpucost;
using Table = TextTable;

/// Rows of each table; the other formats have all of them.
static constexpr size_t mostRows = 16;

static void printStages(llvm::raw_ostream &os, const PipelineReport &p,
                        size_t width) {
  bool splits = llvm::any_of(p.stages, [](const PipelineStage &stage) {
    return stage.weights > Seconds(0);
  });
  bool trains = llvm::any_of(p.stages, [](const PipelineStage &stage) {
    return stage.backward + stage.weights > Seconds(0);
  });
  Table table(
      {Table::right("stage"), Table::right("rank"), Table::right("layers"),
       Table::numbers("forward", "s"),
       Table::numbers("backward", "s").when(trains),
       Table::numbers("weights", "s").when(splits), Table::numbers("send", "s"),
       Table::numbers("tail", "s").when(trains), Table::numbers("work", "FLOP"),
       Table::right("parameters"), Table::right("saved").when(trains)});
  for (auto [i, stage] :
       llvm::enumerate(llvm::ArrayRef(p.stages).take_front(mostRows)))
    table.addRow({i, stage.rank, stage.layers, stage.forward, stage.backward,
                  stage.weights, stage.sendForward, stage.tail,
                  static_cast<double>(stage.flops),
                  memoryText(static_cast<double>(stage.parameterBytes)),
                  memoryText(static_cast<double>(stage.savedBytes))});
  table.print(os, 2, width);
}

/// `hasClocks`: each rank has a stated clock.
static void printRanks(llvm::raw_ostream &os, const PipelineReport &p,
                       bool hasClocks, size_t width) {
  bool trains = llvm::any_of(p.stages, [](const PipelineStage &stage) {
    return stage.backward + stage.weights > Seconds(0);
  });
  Table table({Table::right("rank"), Table::numbers("busy", "s"),
               Table::numbers("transfers", "s"), Table::numbers("waiting", "s"),
               Table::numbers("energy", "J"),
               Table::right("clock MHz").when(hasClocks),
               Table::right("in flight").when(trains), Table::right("memory"),
               Table::right("device"), Table::left("verdict")});
  for (auto [i, rank] :
       llvm::enumerate(llvm::ArrayRef(p.ranks).take_front(mostRows)))
    table.addRow({i, rank.busy, rank.transfers, rank.waiting, rank.energy,
                  std::llround(rank.clock.value() * 1e-6), rank.inFlight,
                  memoryText(static_cast<double>(rank.peakMemoryBytes)),
                  memoryText(static_cast<double>(rank.deviceBytes)),
                  stringifyMemoryVerdict(rank.memoryVerdict)});
  table.print(os, 2, width);
  if (p.stages.size() > mostRows)
    os << "  ... and more; --report=json lists all\n";
}

void gpucost::printPipeline(llvm::raw_ostream &os, const IterationReport &r,
                            size_t width) {
  if (!r.pipeline)
    return;
  os << '\n';
  printStages(os, *r.pipeline, width);
  os << '\n';
  printRanks(os, *r.pipeline, r.settings.stageClocks.has_value(), width);
}

void gpucost::printPipelineLine(llvm::raw_ostream &os,
                                const IterationReport &r) {
  if (!r.pipeline)
    return;
  const PipelineReport &p = *r.pipeline;
  std::string text;
  if (r.settings.trains())
    text = std::string(stringifyEnum(p.schedule)) +
           (p.isUnseen ? " (unseen: no public measurement)" : "") + "; ";
  Seconds waiting;
  for (const PipelineRank &rank : p.ranks)
    waiting += rank.waiting;
  text += std::to_string(p.stages.size()) + " stages on " +
          std::to_string(p.ranks.size()) + " ranks, " +
          std::to_string(p.microBatches) + " micro-batch" +
          (p.microBatches == 1 ? "" : "es") + "; bubble " +
          formatPercent(p.bubble) + " of the passes: each rank waits " +
          siText(waiting / static_cast<double>(p.ranks.size())) + " on average";
  printText(os, "pipeline", text);
}
