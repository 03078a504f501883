//===- PipelineTimeline.cpp - Passes of a pipeline over time --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/PipelineTimeline.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include <algorithm>
#include <functional>
#include <limits>

using namespace gpucost;

namespace {

constexpr uint32_t noLink = std::numeric_limits<uint32_t>::max();

/// Puts the passes of all ranks in an order in which they can run.
class PassSorter {
public:
  PassSorter(const PipelineLayout &layout,
             const std::vector<std::vector<PipelinePass>> &orders)
      : layout(layout), orders(orders) {
    for (const auto &order : orders)
      for (const PipelinePass &pass : order)
        count = std::max(count, pass.microBatch + 1);
    size = static_cast<size_t>(layout.stages() * count);
    known.assign(slots * size + 2, false);
    known[startSlot()] = true;
    next.assign(orders.size(), 0);
  }

  /// Whether all passes are sorted.
  bool run() {
    bool isDone = false, moved = true;
    while (!isDone) {
      if (!moved)
        return false;
      isDone = true;
      moved = false;
      for (size_t rank = 0; rank < orders.size(); ++rank) {
        while (next[rank] < orders[rank].size() && addNext(rank))
          moved = true;
        isDone &= next[rank] == orders[rank].size();
      }
    }
    return true;
  }

  std::vector<PassSequence::Step> steps;
  int64_t count = 0;
  /// A time for each step's end and arrival, and two more.
  size_t times() const { return known.size(); }

private:
  /// Ends of forward and backward passes, and arrivals of activations and
  /// gradients at a stage.
  enum Slot : uint32_t { Forward, Backward, Activation, Gradient, slots };

  uint32_t slot(Slot kind, int64_t stage, int64_t microBatch) const {
    return static_cast<uint32_t>(
        kind * size + static_cast<size_t>(stage * count + microBatch));
  }
  /// The time 0.
  uint32_t startSlot() const { return static_cast<uint32_t>(slots * size); }
  /// Times that no pass waits for.
  uint32_t unreadSlot() const { return startSlot() + 1; }

  /// When the inputs of `pass` are on its rank.
  uint32_t readyAt(const PipelinePass &pass) const {
    switch (pass.kind) {
    case PassKind::Forward:
      return pass.stage == 0 ? startSlot()
                             : slot(Activation, pass.stage, pass.microBatch);
    case PassKind::Backward: {
      uint32_t ended = slot(Forward, pass.stage, pass.microBatch);
      return !known[ended] || pass.stage + 1 == layout.stages()
                 ? ended
                 : slot(Gradient, pass.stage, pass.microBatch);
    }
    case PassKind::Weights:
      return slot(Backward, pass.stage, pass.microBatch);
    }
    return unreadSlot();
  }

  bool addNext(size_t rank) {
    const PipelinePass &pass = orders[rank][next[rank]];
    PassSequence::Step step;
    step.ready = readyAt(pass);
    if (!known[step.ready])
      return false;
    step.pass = pass;
    step.rank = static_cast<uint32_t>(rank);
    step.end = step.arrival = unreadSlot();
    step.link = noLink;
    bool isForward = pass.kind == PassKind::Forward;
    if (pass.kind != PassKind::Weights) {
      step.end =
          slot(isForward ? Forward : Backward, pass.stage, pass.microBatch);
      known[step.end] = true;
      int64_t to = isForward ? pass.stage + 1 : pass.stage - 1;
      if (to >= 0 && to < layout.stages()) {
        step.arrival =
            slot(isForward ? Activation : Gradient, to, pass.microBatch);
        known[step.arrival] = true;
        auto sender = static_cast<uint32_t>(layout.rankOf(pass.stage));
        if (layout.rankOf(to) != layout.rankOf(pass.stage))
          step.link = 2 * sender + (isForward ? 0 : 1);
      }
    }
    steps.push_back(step);
    ++next[rank];
    return true;
  }

  const PipelineLayout &layout;
  const std::vector<std::vector<PipelinePass>> &orders;
  size_t size = 0;
  std::vector<bool> known;
  std::vector<size_t> next;
};

} // namespace

Expected<PassSequence>
PassSequence::create(const PipelineLayout &layout,
                     const std::vector<std::vector<PipelinePass>> &orders) {
  PassSorter sorter(layout, orders);
  if (!sorter.run())
    return fail("the passes of the pipeline wait for each other");
  PassSequence sequence;
  sequence.layout = layout;
  sequence.steps = std::move(sorter.steps);
  sequence.microBatches = sorter.count;
  sequence.times = sorter.times();
  return sequence;
}

template <bool keepsPasses>
PipelineTimeline PassSequence::run(const std::vector<StageTimes> &stages,
                                   const std::vector<StageTimes> &ends) const {
  auto ranks = static_cast<size_t>(layout.ranks);
  std::vector<double> at(times, 0), free(ranks, 0), links(2 * ranks, 0);
  PipelineTimeline timeline;
  timeline.busy.assign(ranks, Seconds(0));
  timeline.transfers.assign(ranks, Seconds(0));
  timeline.waiting.assign(ranks, Seconds(0));
  if (keepsPasses)
    timeline.passes.resize(ranks);
  bool sendsBlock = layout.sendsBlock();
  for (const Step &step : steps) {
    const PipelinePass &pass = step.pass;
    bool isForward = pass.kind == PassKind::Forward;
    bool isEnd =
        !ends.empty() && pass.microBatch == (isForward ? 0 : microBatches - 1);
    const StageTimes &own =
        (isEnd ? ends : stages)[static_cast<size_t>(pass.stage)];
    Seconds duration = isForward                         ? own.forward
                       : pass.kind == PassKind::Backward ? own.backward
                                                         : own.weights;
    double start = std::max(free[step.rank], at[step.ready]);
    double end = start + duration.value(), sent = end;
    if (step.link != noLink) {
      double &link = links[step.link];
      link = std::max(link, end) +
             (isForward ? own.sendForward : own.sendBackward).value();
      sent = link;
    }
    at[step.end] = end;
    at[step.arrival] = sent;
    timeline.busy[step.rank] += duration;
    free[step.rank] = end;
    if (sendsBlock) {
      timeline.transfers[step.rank] += Seconds(sent - end);
      free[step.rank] = sent;
    }
    if (keepsPasses) {
      PlacedPass placed;
      static_cast<PipelinePass &>(placed) = pass;
      placed.start = Seconds(start);
      placed.end = Seconds(end);
      placed.sent = Seconds(sent);
      timeline.passes[step.rank].push_back(placed);
    }
  }
  // The tails run after the last pass of each rank.
  std::vector<Seconds> tails(ranks);
  for (size_t stage = 0; stage < stages.size(); ++stage)
    tails[static_cast<size_t>(layout.rankOf(static_cast<int64_t>(stage)))] +=
        stages[stage].tail;
  for (size_t rank = 0; rank < ranks; ++rank) {
    timeline.busy[rank] += tails[rank];
    timeline.time = std::max(timeline.time, Seconds(free[rank]) + tails[rank]);
  }
  for (size_t rank = 0; rank < ranks; ++rank)
    timeline.waiting[rank] =
        std::max(timeline.time - timeline.busy[rank] - timeline.transfers[rank],
                 Seconds(0));
  return timeline;
}

PipelineTimeline
PassSequence::runAll(const std::vector<StageTimes> &stages,
                     const std::vector<StageTimes> &ends) const {
  return run<true>(stages, ends);
}

PipelineTimeline
PassSequence::runTotals(const std::vector<StageTimes> &stages) const {
  return run<false>(stages, {});
}

Expected<PipelineTimeline>
gpucost::runPasses(const PipelineLayout &layout,
                   const std::vector<std::vector<PipelinePass>> &orders,
                   const std::vector<StageTimes> &stages,
                   const std::vector<StageTimes> &ends) {
  auto sequence = PassSequence::create(layout, orders);
  if (!sequence)
    return fail(sequence.error());
  return sequence->runAll(stages, ends);
}

std::shared_ptr<const KnownSchedule>
ScheduleMemo::find(const PipelineLayout &layout, int64_t microBatches) {
  std::tuple key(layout.ranks, layout.perRank, layout.schedule, layout.trains,
                 layout.forwardsFirst, microBatches);
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto it = schedules.find(key); it != schedules.end())
      return it->second;
  }
  auto orders = orderPasses(layout, microBatches);
  auto made = std::make_shared<KnownSchedule>();
  made->passes = cantFail(PassSequence::create(layout, orders));
  for (const auto &order : orders)
    made->held.push_back(heldPasses(layout, order));
  std::lock_guard<std::mutex> lock(mutex);
  // Bounds the memory of long searches.
  if (passes > mostPasses) {
    schedules.clear();
    passes = 0;
  }
  if (schedules.emplace(key, made).second)
    passes += made->passes.size();
  return made;
}

PipelineTimeline gpucost::runMicroBatches(const PipelineLayout &layout,
                                          int64_t microBatches,
                                          const std::vector<StageTimes> &stages,
                                          ScheduleMemo &memo) {
  auto run = [&](int64_t count) {
    return memo.find(layout, count)->passes.runTotals(stages);
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

/// Whether a state with the passes `a` needs at least the memory of `b`.
static bool needsAsMuch(const HeldPasses::State &a,
                        const HeldPasses::State &b) {
  return a.isForward == b.isForward && a.stage == b.stage &&
         std::equal(a.held.begin(), a.held.end(), b.held.begin(), b.held.end(),
                    std::greater_equal<>());
}

HeldPasses gpucost::heldPasses(const PipelineLayout &layout,
                               const std::vector<PipelinePass> &order) {
  HeldPasses passes;
  std::vector<int64_t> held;
  auto indexOf = [&](int64_t stage) {
    auto it = std::find(passes.stages.begin(), passes.stages.end(), stage);
    auto index = static_cast<size_t>(it - passes.stages.begin());
    if (it == passes.stages.end()) {
      passes.stages.push_back(stage);
      held.push_back(0);
      for (HeldPasses::State &state : passes.states)
        state.held.push_back(0);
    }
    return index;
  };
  int64_t inFlight = 0;
  bool splits = layout.splitsBackward();
  for (const PipelinePass &pass : order) {
    size_t index = indexOf(pass.stage);
    HeldPasses::State state{pass.kind == PassKind::Forward, index, held};
    if (!state.isForward)
      --state.held[index];
    auto covers = [&](const HeldPasses::State &known) {
      return needsAsMuch(known, state);
    };
    if (std::none_of(passes.states.rbegin(), passes.states.rend(), covers)) {
      auto covered = [&](const HeldPasses::State &known) {
        return needsAsMuch(state, known);
      };
      passes.states.erase(
          std::remove_if(passes.states.begin(), passes.states.end(), covered),
          passes.states.end());
      passes.states.push_back(state);
    }
    if (state.isForward && !layout.trains) {
      passes.inFlight = 1;
    } else if (state.isForward) {
      ++held[index];
      passes.inFlight = std::max(passes.inFlight, ++inFlight);
    } else if ((pass.kind == PassKind::Weights) == splits) {
      --held[index];
      --inFlight;
    }
  }
  return passes;
}

RankActivations
gpucost::holdActivations(const HeldPasses &passes,
                         const std::vector<StageActivations> &stages) {
  auto stageOf = [&](size_t index) -> const StageActivations & {
    return stages[static_cast<size_t>(passes.stages[index])];
  };
  RankActivations most;
  most.inFlight = passes.inFlight;
  for (const HeldPasses::State &state : passes.states) {
    int64_t bytes = state.isForward ? stageOf(state.stage).forwardPeak
                                    : stageOf(state.stage).peak;
    for (size_t i = 0; i < state.held.size(); ++i)
      bytes = saturatingSum(bytes,
                            saturatingProduct(state.held[i], stageOf(i).saved));
    most.peak = std::max(most.peak, bytes);
  }
  return most;
}
