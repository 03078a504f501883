//===- PipelineTimeline.cpp - Passes of a pipeline over time --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/PipelineTimeline.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include <algorithm>

using namespace gpucost;

namespace {

/// Ends of the passes that have run, and arrivals of their results.
class PassRunner {
public:
  PassRunner(const PipelineLayout &layout,
             const std::vector<std::vector<PipelinePass>> &orders,
             const std::vector<StageTimes> &stages,
             const std::vector<StageTimes> &ends)
      : layout(layout), orders(orders), stages(stages), ends(ends) {
    for (const auto &order : orders)
      for (const PipelinePass &pass : order)
        count = std::max(count, pass.microBatch + 1);
    size_t size = stages.size() * static_cast<size_t>(count);
    forward.assign(size, unknown);
    backward.assign(size, unknown);
    activation.assign(size, unknown);
    gradient.assign(size, unknown);
    auto ranks = static_cast<size_t>(layout.ranks);
    next.assign(ranks, 0);
    free.assign(ranks, 0);
    forwardLink.assign(ranks, 0);
    backwardLink.assign(ranks, 0);
    timeline.busy.assign(ranks, Seconds(0));
    timeline.transfers.assign(ranks, Seconds(0));
    timeline.waiting.assign(ranks, Seconds(0));
    timeline.passes.resize(ranks);
  }

  Expected<PipelineTimeline> run() {
    bool isDone = false, moved = true;
    while (!isDone) {
      if (!moved)
        return fail("the passes of the pipeline wait for each other");
      isDone = true;
      moved = false;
      for (size_t rank = 0; rank < orders.size(); ++rank) {
        while (next[rank] < orders[rank].size() && runNext(rank))
          moved = true;
        isDone &= next[rank] == orders[rank].size();
      }
    }
    finish();
    return std::move(timeline);
  }

private:
  static constexpr double unknown = -1;

  size_t slot(int64_t stage, int64_t microBatch) const {
    return static_cast<size_t>(stage * count + microBatch);
  }

  /// When the inputs of `pass` are on its rank; `unknown` if they are not yet.
  double readyAt(const PipelinePass &pass) const {
    size_t self = slot(pass.stage, pass.microBatch);
    switch (pass.kind) {
    case PassKind::Forward:
      return pass.stage == 0 ? 0 : activation[self];
    case PassKind::Backward:
      if (forward[self] == unknown || pass.stage + 1 == layout.stages())
        return forward[self];
      return gradient[self];
    case PassKind::Weights:
      return backward[self];
    }
    return unknown;
  }

  /// Sends the result of a pass to `stage`; returns when it has arrived.
  double send(int64_t from, int64_t to, double end, Seconds time,
              std::vector<double> &links) {
    if (layout.rankOf(from) == layout.rankOf(to))
      return end;
    double &link = links[static_cast<size_t>(layout.rankOf(from))];
    link = std::max(link, end) + time.value();
    return link;
  }

  bool runNext(size_t rank) {
    const PipelinePass &pass = orders[rank][next[rank]];
    double ready = readyAt(pass);
    if (ready == unknown)
      return false;
    bool isEnd =
        !ends.empty() &&
        pass.microBatch == (pass.kind == PassKind::Forward ? 0 : count - 1);
    const StageTimes &times =
        (isEnd ? ends : stages)[static_cast<size_t>(pass.stage)];
    Seconds duration = pass.kind == PassKind::Forward    ? times.forward
                       : pass.kind == PassKind::Backward ? times.backward
                                                         : times.weights;
    double start = std::max(free[rank], ready);
    double end = start + duration.value();
    double sent = end;
    if (pass.kind == PassKind::Forward) {
      forward[slot(pass.stage, pass.microBatch)] = end;
      if (pass.stage + 1 < layout.stages())
        activation[slot(pass.stage + 1, pass.microBatch)] = sent = send(
            pass.stage, pass.stage + 1, end, times.sendForward, forwardLink);
    } else if (pass.kind == PassKind::Backward) {
      backward[slot(pass.stage, pass.microBatch)] = end;
      if (pass.stage > 0)
        gradient[slot(pass.stage - 1, pass.microBatch)] = sent = send(
            pass.stage, pass.stage - 1, end, times.sendBackward, backwardLink);
    }
    timeline.busy[rank] += duration;
    free[rank] = end;
    if (layout.sendsBlock()) {
      timeline.transfers[rank] += Seconds(sent - end);
      free[rank] = sent;
    }
    PlacedPass placed;
    static_cast<PipelinePass &>(placed) = pass;
    placed.start = Seconds(start);
    placed.end = Seconds(end);
    placed.sent = Seconds(sent);
    timeline.passes[rank].push_back(placed);
    ++next[rank];
    return true;
  }

  /// The tails run after the last pass of each rank.
  void finish() {
    std::vector<Seconds> tails(orders.size());
    for (size_t stage = 0; stage < stages.size(); ++stage)
      tails[static_cast<size_t>(layout.rankOf(static_cast<int64_t>(stage)))] +=
          stages[stage].tail;
    for (size_t rank = 0; rank < orders.size(); ++rank) {
      timeline.busy[rank] += tails[rank];
      timeline.time =
          std::max(timeline.time, Seconds(free[rank]) + tails[rank]);
    }
    for (size_t rank = 0; rank < orders.size(); ++rank)
      timeline.waiting[rank] = std::max(timeline.time - timeline.busy[rank] -
                                            timeline.transfers[rank],
                                        Seconds(0));
  }

  const PipelineLayout &layout;
  const std::vector<std::vector<PipelinePass>> &orders;
  const std::vector<StageTimes> &stages, &ends;
  int64_t count = 0;
  /// Ends of forward and backward passes, by stage and micro-batch.
  std::vector<double> forward, backward;
  /// Arrivals of activations and gradients at a stage.
  std::vector<double> activation, gradient;
  std::vector<size_t> next;
  std::vector<double> free, forwardLink, backwardLink;
  PipelineTimeline timeline;
};

} // namespace

Expected<PipelineTimeline>
gpucost::runPasses(const PipelineLayout &layout,
                   const std::vector<std::vector<PipelinePass>> &orders,
                   const std::vector<StageTimes> &stages,
                   const std::vector<StageTimes> &ends) {
  return PassRunner(layout, orders, stages, ends).run();
}

PipelineTimeline
gpucost::runMicroBatches(const PipelineLayout &layout, int64_t microBatches,
                         const std::vector<StageTimes> &stages) {
  auto run = [&](int64_t count) {
    PipelineTimeline timeline =
        cantFail(runPasses(layout, orderPasses(layout, count), stages));
    timeline.passes.clear();
    return timeline;
  };
  // The remainder keeps the number of whole groups of interleaved passes.
  int64_t group = layout.ranks, rest = microBatches % group;
  int64_t fewer = 2 * group + rest, more = fewer + group;
  if (microBatches <= more)
    return run(microBatches);
  PipelineTimeline low = run(fewer), high = run(more);
  double groups =
      static_cast<double>(microBatches - fewer) / static_cast<double>(group);
  auto extend = [&](Seconds &from, Seconds to) {
    from += (to - from) * groups;
  };
  extend(low.time, high.time);
  for (auto member : {&PipelineTimeline::busy, &PipelineTimeline::transfers,
                      &PipelineTimeline::waiting})
    for (size_t rank = 0; rank < (low.*member).size(); ++rank)
      extend((low.*member)[rank], (high.*member)[rank]);
  return low;
}

RankActivations
gpucost::holdActivations(const PipelineLayout &layout,
                         const std::vector<PipelinePass> &order,
                         const std::vector<StageActivations> &stages) {
  RankActivations most;
  int64_t held = 0, inFlight = 0;
  bool splits = layout.splitsBackward();
  for (const PipelinePass &pass : order) {
    const StageActivations &stage = stages[static_cast<size_t>(pass.stage)];
    if (pass.kind == PassKind::Forward) {
      most.peak = std::max(most.peak, saturatingSum(held, stage.forwardPeak));
      if (!layout.trains) {
        most.inFlight = 1;
        continue;
      }
      held = saturatingSum(held, stage.saved);
      most.inFlight = std::max(most.inFlight, ++inFlight);
      continue;
    }
    most.peak =
        std::max(most.peak, saturatingSum(held - stage.saved, stage.peak));
    if ((pass.kind == PassKind::Weights) == splits) {
      held -= stage.saved;
      --inFlight;
    }
  }
  return most;
}
