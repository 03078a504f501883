//===- FoldedLaunches.cpp - Launches with repeated blocks folded ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/FoldedLaunches.h"
#include "gpucost/Core/Scenario/TrainingStack.h"
#include <algorithm>
#include <string_view>
#include <unordered_map>

using namespace gpucost;

/// Periods that are tried; layers of one model have few.
static constexpr size_t mostPeriods = 8;

namespace {
/// Launches [begin, begin + period * times), of which those of each period
/// repeat the others.
struct Run {
  uint32_t begin = 0, period = 0, times = 0;
  uint32_t end() const { return begin + period * times; }
};
} // namespace

class FoldedLaunches::Builder {
public:
  Builder(FoldedLaunches &result, const PreparedModel &model, bool folds)
      : result(result), model(model), folds(folds),
        count(static_cast<uint32_t>(model.launches.size())) {}

  void build();

private:
  bool isCommunication(uint32_t launch) const {
    return model.kinds[model.launches[launch].kind].phase ==
           Phase::Communication;
  }
  /// (X31) These all-reduces have another stream than the collectives whose
  /// results they read.
  bool isOfCopies(uint32_t launch) const {
    return model.kinds[model.launches[launch].kind].origin ==
           hybridShardingOrigin;
  }
  void linkTouches();
  void linkReads();
  void linkWaits();
  /// The launches of equal classes differ only in their names.
  void classify();
  void addAccesses(uint32_t launch, std::vector<int64_t> &key) const;
  void findRuns();
  std::vector<uint32_t> periods() const;
  std::vector<Run> runsOf(uint32_t period) const;
  std::optional<Run> shorten(Run run) const;
  void place();
  void addEntry(uint32_t launch, uint32_t block, int64_t repetitions);
  void addTouches();
  void addReads();
  void addWaits();

  /// The range of `launch` in a list whose ranges end at `ends`.
  template <uint32_t Launch::*ends> uint32_t begin(uint32_t launch) const {
    return launch == 0 ? 0 : model.launches[launch - 1].*ends;
  }

  FoldedLaunches &result;
  const PreparedModel &model;
  bool folds;
  uint32_t count;
  bool hasRings = false;
  /// Launch of each touch.
  std::vector<uint32_t> launchOf;
  /// For each touch the previous and the next one of its tensor; `none`.
  std::vector<uint32_t> previous, next;
  /// For each touch without a previous one: the last one of its tensor.
  std::vector<uint32_t> lastTouch;
  /// For each persistent read: the launch before that reads the tensor, or
  /// `none`, and then the last one that does.
  std::vector<uint32_t> previousRead, lastRead;
  /// For each launch, the launches that it waits for: all that it reads if some
  /// transfers are rings, otherwise those on another stream, because a stream
  /// is in order.
  std::vector<std::vector<uint32_t>> waits;
  /// Distance of the farthest launch that the hits of each launch depend on,
  /// and of the farthest one that waits for it or that it waits for.
  std::vector<uint32_t> span, waitSpan;
  std::vector<uint32_t> classes;
  std::vector<Run> runs;
  std::vector<bool> taken;
  std::vector<Position> positions;
};

void FoldedLaunches::Builder::linkTouches() {
  size_t touches = model.touches.size();
  launchOf.resize(touches);
  previous.assign(touches, none);
  next.assign(touches, none);
  lastTouch.assign(touches, none);
  std::vector<uint32_t> last, first;
  uint32_t touch = 0;
  for (uint32_t launch = 0; launch < count; ++launch)
    for (; touch < model.launches[launch].touchesEnd; ++touch) {
      launchOf[touch] = launch;
      uint32_t tensor = model.touches[touch].tensor;
      if (tensor >= last.size()) {
        last.resize(tensor + 1, none);
        first.resize(tensor + 1, none);
      }
      if (last[tensor] == none) {
        first[tensor] = touch;
      } else {
        previous[touch] = last[tensor];
        next[last[tensor]] = touch;
      }
      last[tensor] = touch;
    }
  for (size_t tensor = 0; tensor < first.size(); ++tensor)
    if (first[tensor] != none)
      lastTouch[first[tensor]] = last[tensor];
}

void FoldedLaunches::Builder::linkReads() {
  size_t reads = model.persistentReads.size();
  previousRead.assign(reads, none);
  lastRead.assign(reads, none);
  std::vector<uint32_t> last;
  uint32_t read = 0;
  for (uint32_t launch = 0; launch < count; ++launch) {
    uint32_t end = model.launches[launch].persistentReadsEnd;
    for (uint32_t i = read; i < end; ++i) {
      uint32_t tensor = model.persistentReads[i].tensor;
      if (tensor >= last.size())
        last.resize(tensor + 1, none);
      previousRead[i] = last[tensor];
    }
    for (; read < end; ++read)
      last[model.persistentReads[read].tensor] = launch;
  }
  for (size_t i = 0; i < reads; ++i)
    if (previousRead[i] == none)
      lastRead[i] = last[model.persistentReads[i].tensor];
}

void FoldedLaunches::Builder::linkWaits() {
  for (uint32_t launch = 0; launch < count; ++launch)
    hasRings |= isCommunication(launch) &&
                model.kinds[model.launches[launch].kind].origin ==
                    contextParallelOrigin;
  waits.resize(count);
  uint32_t read = 0;
  for (uint32_t launch = 0; launch < count; ++launch)
    for (; read < model.launches[launch].readsEnd; ++read)
      if (uint32_t maker = model.reads[read];
          hasRings || isOfCopies(launch) ||
          isCommunication(maker) != isCommunication(launch))
        waits[launch].push_back(maker);
}

void FoldedLaunches::Builder::addAccesses(uint32_t launch,
                                          std::vector<int64_t> &key) const {
  for (uint32_t i = begin<&Launch::touchesEnd>(launch);
       i < model.launches[launch].touchesEnd; ++i) {
    key.insert(key.end(), {model.touches[i].bytes, model.touches[i].written});
    if (previous[i] != none)
      key.insert(key.end(), {0, launch - launchOf[previous[i]]});
    else
      key.insert(key.end(), {1, launchOf[lastTouch[i]] - launch});
    if (!model.touches[i].written)
      continue;
    for (uint32_t j = next[i]; j != none && !model.touches[j].written;
         j = next[j])
      key.insert(key.end(), {launchOf[j] - launch,
                             j - begin<&Launch::touchesEnd>(launchOf[j])});
    key.push_back(-1);
  }
  key.push_back(-1);
  for (uint32_t i = begin<&Launch::persistentReadsEnd>(launch);
       i < model.launches[launch].persistentReadsEnd; ++i) {
    const PersistentRead &read = model.persistentReads[i];
    key.insert(key.end(), {read.bytes, read.allBytes});
    if (previousRead[i] != none)
      key.insert(key.end(), {0, launch - previousRead[i]});
    else
      key.insert(key.end(), {1, lastRead[i] - launch});
  }
}

void FoldedLaunches::Builder::classify() {
  std::vector<int64_t> keys;
  std::vector<size_t> ends;
  for (uint32_t i = 0; i < count; ++i) {
    const Launch &launch = model.launches[i];
    keys.insert(keys.end(),
                {launch.kind, launch.work, launch.count, launch.passes,
                 launch.hostLaunches, launch.library, launch.recomputes,
                 // The host waits between the segments of a phase.
                 launch.synchronizes ? i : -1});
    for (uint32_t maker : waits[i])
      keys.push_back(i - maker);
    keys.push_back(-1);
    addAccesses(i, keys);
    ends.push_back(keys.size());
  }
  std::unordered_map<std::string_view, uint32_t> known;
  known.reserve(count);
  size_t at = 0;
  for (size_t end : ends) {
    std::string_view key(reinterpret_cast<const char *>(keys.data() + at),
                         (end - at) * sizeof(int64_t));
    classes.push_back(
        known.try_emplace(key, static_cast<uint32_t>(known.size()))
            .first->second);
    at = end;
  }
}

/// Distances between launches of one class, the most frequent ones first.
std::vector<uint32_t> FoldedLaunches::Builder::periods() const {
  std::vector<uint32_t> last(count, none);
  std::unordered_map<uint32_t, uint32_t> distances;
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t &before = last[classes[i]];
    if (before != none)
      ++distances[i - before];
    before = i;
  }
  std::vector<std::pair<uint32_t, uint32_t>> sorted;
  for (auto [period, times] : distances)
    sorted.emplace_back(times, period);
  std::sort(sorted.rbegin(), sorted.rend());
  std::vector<uint32_t> periods;
  for (size_t i = 0; i < std::min(sorted.size(), mostPeriods); ++i)
    periods.push_back(sorted[i].second);
  return periods;
}

/// Without the repetitions at both ends that launches outside may relate to;
/// nullopt if fewer than two remain.
std::optional<Run> FoldedLaunches::Builder::shorten(Run run) const {
  uint32_t farthest = 0, waited = 0;
  std::optional<Phase> phase;
  for (uint32_t i = run.begin; i < run.end(); ++i) {
    farthest = std::max(farthest, span[i]);
    waited = std::max(waited, waitSpan[i]);
    if (isCommunication(i))
      continue;
    Phase own = model.kinds[model.launches[i].kind].phase;
    if (own != phase.value_or(own))
      return std::nullopt;
    phase = own;
  }
  uint32_t margin = (farthest + run.period - 1) / run.period;
  if (waited > run.period || run.times < 2 * margin + 2)
    return std::nullopt;
  return Run{run.begin + margin * run.period, run.period,
             run.times - 2 * margin};
}

std::vector<Run> FoldedLaunches::Builder::runsOf(uint32_t period) const {
  std::vector<Run> found;
  uint32_t equal = 0;
  for (uint32_t i = period; i <= count; ++i) {
    if (i < count && classes[i] == classes[i - period] && !taken[i] &&
        !taken[i - period]) {
      ++equal;
      continue;
    }
    uint32_t length = equal > 0 ? equal + period : 0;
    Run run{i - length, period, length / period};
    equal = 0;
    if (run.times < 2)
      continue;
    if (std::optional<Run> rest = shorten(run))
      found.push_back(*rest);
  }
  return found;
}

void FoldedLaunches::Builder::findRuns() {
  taken.assign(count, false);
  std::vector<uint32_t> candidates = periods();
  for (size_t round = 0; round < candidates.size(); ++round) {
    std::vector<Run> best;
    uint32_t most = 0;
    for (uint32_t period : candidates) {
      std::vector<Run> found = runsOf(period);
      uint32_t saved = 0;
      for (const Run &run : found)
        saved += run.period * (run.times - 1);
      if (saved > most) {
        most = saved;
        best = std::move(found);
      }
    }
    if (best.empty())
      break;
    for (const Run &run : best) {
      std::fill(taken.begin() + run.begin, taken.begin() + run.end(), true);
      runs.push_back(run);
    }
  }
  std::sort(runs.begin(), runs.end(),
            [](const Run &a, const Run &b) { return a.begin < b.begin; });
}

void FoldedLaunches::Builder::addEntry(uint32_t launch, uint32_t block,
                                       int64_t repetitions) {
  positions[launch] = {static_cast<uint32_t>(result.theEntries.size()), 0};
  Entry &entry = result.theEntries.emplace_back();
  entry.launch = launch;
  entry.block = block;
  entry.repetitions = repetitions;
  const Launch &own = model.launches[launch];
  const KernelKind &kind = model.kinds[own.kind];
  entry.work = own.work;
  entry.phase = kind.phase;
  entry.isLast = own.passes == 1;
  entry.launchesPerPass =
      static_cast<double>(own.count) / static_cast<double>(own.passes);
  const auto *collective = model.works[own.work].getIf<CollectiveProblem>();
  entry.isTransfer = collective &&
                     collective->kind == CollectiveKind::SendRecv &&
                     kind.origin != ringStepOrigin;
  if (kind.phase != Phase::Communication)
    return;
  entry.isOfCopies = isOfCopies(launch);
  entry.isToHost = collective && collective->kind == CollectiveKind::ToHost;
  entry.isFromHost = collective && collective->kind == CollectiveKind::FromHost;
  entry.isSequence = kind.origin == sequenceParallelOrigin;
  entry.isExchange = kind.origin == expertParallelOrigin;
  bool isOfRing = kind.origin == contextParallelOrigin;
  entry.scatters = isOfRing && collective &&
                   collective->kind == CollectiveKind::ReduceScatter;
  entry.isRing = isOfRing && !entry.scatters;
}

void FoldedLaunches::Builder::place() {
  positions.resize(count);
  size_t run = 0;
  for (uint32_t launch = 0; launch < count;) {
    if (run == runs.size() || launch < runs[run].begin) {
      addEntry(launch++, none, 1);
      continue;
    }
    const Run &own = runs[run++];
    auto number = static_cast<uint32_t>(result.theBlocks.size());
    Block &block = result.theBlocks.emplace_back();
    block.begin = static_cast<uint32_t>(result.theEntries.size());
    block.end = block.begin + own.period;
    block.repetitions = own.times;
    for (; launch < own.begin + own.period; ++launch) {
      addEntry(launch, number, own.times);
      if (!isCommunication(launch))
        block.phase = model.kinds[model.launches[launch].kind].phase;
    }
    for (; launch < own.end(); ++launch)
      positions[launch] = {block.begin + (launch - own.begin) % own.period,
                           (launch - own.begin) / own.period};
  }
}

void FoldedLaunches::Builder::addTouches() {
  std::vector<std::pair<uint32_t, uint32_t>> writes; // access, touch
  for (Entry &entry : result.theEntries) {
    for (uint32_t i = begin<&Launch::touchesEnd>(entry.launch);
         i < model.launches[entry.launch].touchesEnd; ++i) {
      Access access;
      access.source = i;
      bool written = model.touches[i].written;
      if (previous[i] != none) {
        access.before = positions[launchOf[previous[i]]];
      } else if (!written) {
        access.before = positions[launchOf[lastTouch[i]]];
        access.wraps = true;
      }
      if (written)
        writes.emplace_back(static_cast<uint32_t>(result.theTouches.size()), i);
      result.theTouches.push_back(access);
    }
    entry.touchesEnd = static_cast<uint32_t>(result.theTouches.size());
  }
  for (auto [access, touch] : writes) {
    std::vector<uint32_t> readers;
    for (uint32_t j = next[touch]; j != none && !model.touches[j].written;
         j = next[j]) {
      uint32_t entry = positions[launchOf[j]].entry;
      uint32_t first = entry == 0 ? 0 : result.theEntries[entry - 1].touchesEnd;
      readers.push_back(first + j - begin<&Launch::touchesEnd>(launchOf[j]));
    }
    std::sort(readers.begin(), readers.end());
    readers.erase(std::unique(readers.begin(), readers.end()), readers.end());
    Access &own = result.theTouches[access];
    own.readersBegin = static_cast<uint32_t>(result.theReaders.size());
    result.theReaders.insert(result.theReaders.end(), readers.begin(),
                             readers.end());
    own.readersEnd = static_cast<uint32_t>(result.theReaders.size());
  }
}

void FoldedLaunches::Builder::addReads() {
  for (Entry &entry : result.theEntries) {
    for (uint32_t i = begin<&Launch::persistentReadsEnd>(entry.launch);
         i < model.launches[entry.launch].persistentReadsEnd; ++i) {
      Access access;
      access.source = i;
      access.wraps = previousRead[i] == none;
      access.before = positions[access.wraps ? lastRead[i] : previousRead[i]];
      result.theReads.push_back(access);
    }
    entry.readsEnd = static_cast<uint32_t>(result.theReads.size());
  }
}

void FoldedLaunches::Builder::addWaits() {
  std::vector<bool> awaited(result.theEntries.size());
  for (uint32_t number = 0; number < result.theEntries.size(); ++number) {
    Entry &entry = result.theEntries[number];
    for (uint32_t maker : waits[entry.launch]) {
      uint32_t first = positions[maker].entry, later = first;
      awaited[first] = true;
      if (entry.block != none) {
        Block &block = result.theBlocks[entry.block];
        if (first < block.begin) {
          block.inputs.push_back(first);
          later = number + (block.end - block.begin) - (entry.launch - maker);
          awaited[later] = true;
        }
      }
      result.theWaits.push_back({first, later});
    }
    entry.waitsEnd = static_cast<uint32_t>(result.theWaits.size());
  }
  for (Block &block : result.theBlocks)
    for (uint32_t entry = block.begin; entry < block.end; ++entry)
      if (awaited[entry])
        block.awaited.push_back(entry);
  for (Block &block : result.theBlocks) {
    std::sort(block.inputs.begin(), block.inputs.end());
    block.inputs.erase(std::unique(block.inputs.begin(), block.inputs.end()),
                       block.inputs.end());
  }
}

void FoldedLaunches::Builder::build() {
  linkTouches();
  linkReads();
  linkWaits();
  span.assign(count, 0);
  waitSpan.assign(count, 0);
  auto relate = [&](uint32_t launch, uint32_t other) {
    span[launch] = std::max(span[launch],
                            launch < other ? other - launch : launch - other);
  };
  for (uint32_t i = 0; i < launchOf.size(); ++i) {
    relate(launchOf[i],
           launchOf[previous[i] != none ? previous[i] : lastTouch[i]]);
    if (model.touches[i].written)
      for (uint32_t j = next[i]; j != none && !model.touches[j].written;
           j = next[j])
        relate(launchOf[i], launchOf[j]);
  }
  for (uint32_t launch = 0; launch < count; ++launch) {
    for (uint32_t i = begin<&Launch::persistentReadsEnd>(launch);
         i < model.launches[launch].persistentReadsEnd; ++i)
      relate(launch, previousRead[i] != none ? previousRead[i] : lastRead[i]);
    for (uint32_t maker : waits[launch]) {
      waitSpan[launch] = std::max(waitSpan[launch], launch - maker);
      waitSpan[maker] = std::max(waitSpan[maker], launch - maker);
    }
  }
  // Tensors that the backward pass reads are used at a different distance in
  // each layer.
  if (folds && !hasRings && !model.settings.trains()) {
    classify();
    findRuns();
  }
  place();
  addTouches();
  addReads();
  addWaits();
}

FoldedLaunches::FoldedLaunches(const PreparedModel &model, bool folds) {
  Builder(*this, model, folds).build();
}

void FoldedLaunches::addSizes(PreparedModel &model,
                              std::vector<int64_t *> &sizes) const {
  for (const Access &read : theReads) {
    sizes.push_back(&model.persistentReads[read.source].bytes);
    sizes.push_back(&model.persistentReads[read.source].allBytes);
  }
  for (const Access &touch : theTouches)
    sizes.push_back(&model.touches[touch.source].bytes);
}
