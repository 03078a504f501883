//===- ScheduleSetup.h - One product, prepared for its schedules -*- C++ -*-==//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_SCHEDULES_SCHEDULESETUP_H
#define GPUCOST_LIB_CORE_MODEL_SCHEDULES_SCHEDULESETUP_H

#include "AttentionSchedule.h"
#include "ScheduleTerms.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include <array>
#include <memory>

namespace gpucost::detail {

class TileMemory;

/// What all schedules of one product share.
struct ScheduleSetup {
  const CostModel *model = nullptr;
  KernelWork work;
  KernelQuery query;
  ScheduleDevice device;
  ScheduledProduct product;
  /// One of them, or none for a memory-bound kernel; both belong to the model's
  /// coefficients.
  const SimtScheduleCoefficients *simt = nullptr;
  const TensorScheduleCoefficients *tensor = nullptr;
  /// Attention has coefficients in `tensor`, too, but (A*) for its time.
  std::optional<ScheduledAttention> attention;
  /// A memory-bound kernel: its terms as calibrated, tensors that it reads, and
  /// what (M9) needs.
  bool isStream = false;
  LaunchTerms stream;
  double streamInputs = 1;
  Seconds memoryLatency;
  /// Splits of K to try where a schedule states none.
  std::vector<int32_t> splits;
  /// Tiles that are known; null: none are.
  std::unique_ptr<TileMemory> tiles;
  /// (V1) Calibrated over scheduled time.
  double level = 1;
  /// Seconds that a second wave of CTAs, the partial sums, cost with a split.
  double splitTime = 0, partialRate = 1;
  /// What fused members add beside the main loop, at the maximum clock, and
  /// their products over the own one.
  double fusedIssue = 0, fusedDram = 0, fusedProducts = 0;

  /// Nothing but on tensor cores. `fit`, `time` and `leastTime` take that of
  /// their schedule, and its pipes, which they count once.
  TensorTile tileOf(const Schedule &schedule) const {
    return tensor && !attention ? TensorTile(device, *tensor, product, schedule)
                                : TensorTile();
  }
  ScheduleFit fit(const Schedule &schedule, const TensorTile &tile) const;
  double elementBytes() const { return work.inputBytes(); }
  /// (M9)
  LaunchTerms streamTerms(const Schedule &schedule,
                          const ScheduleFit &fit) const;
  /// Time of the partial sums of a split, before (V1).
  double partialsTime(const Schedule &schedule) const;
  /// (V1) without fused members, at the maximum clock; see `tensorTime` for
  /// `giveUp`.
  ScheduleTime
  time(const Schedule &schedule, TensorTile &tile, SimtPipes &pipes,
       const ScheduleFit &fit,
       double giveUp = std::numeric_limits<double>::infinity()) const;
  /// Not above `time(...).total`, but for rounding; on tensor cores not above
  /// that of the same schedule with more stages either, up to `mostStages`.
  double leastTime(const Schedule &schedule, TensorTile &tile, SimtPipes &pipes,
                   const ScheduleFit &fit, int32_t mostStages = 0) const;
  /// (Y12) Attention in this tile, not yet marked as unconfirmed.
  Expected<LaunchTerms> attentionTerms(const Tiling &tiling) const;
  /// The launch as time terms at the maximum clock; `tiling`: as `tilingOf`.
  Expected<LaunchTerms> terms(const Schedule &schedule, const ScheduleFit &fit,
                              const Tiling &tiling,
                              const ScheduleTime &time) const;
};

/// The tiles of schedules that are looked at one after the other.
class TileMemory {
public:
  /// Copies of the tiles that `setup` knows are made as they are asked for.
  explicit TileMemory(const ScheduleSetup &setup) : setup(setup) {
    known.reserve(mostKnown);
  }
  /// Stays valid until the next call.
  TensorTile &of(const Schedule &schedule) {
    if (!setup.tensor || setup.attention)
      return none;
    if (!known.empty() && known[last].isOf(schedule))
      return known[last];
    uint8_t slot = slotOf(schedule);
    if (!slots[slot])
      return add(schedule, slot);
    last = slots[slot] - 1U;
    return known[last];
  }
  /// Not above `ScheduleSetup::leastTime`, but for rounding, and cheaper;
  /// `schedule` need not be one that can run.
  double leastTime(const Schedule &schedule);

private:
  /// Slots stay half empty, and an index fits into a byte.
  static constexpr size_t mostKnown = 128;

  /// That of the tile, or an empty one for it.
  uint8_t slotOf(const Schedule &s) const {
    constexpr uint32_t goldenRatio = 0x9E3779B1U, topByte = 24;
    uint32_t hash = 0;
    for (int32_t field : {s.tileM, s.tileN, s.tileK, s.warps})
      hash = (hash ^ static_cast<uint32_t>(field)) * goldenRatio;
    auto slot = static_cast<uint8_t>(hash >> topByte);
    while (slots[slot] && !known[slots[slot] - 1U].isOf(s))
      ++slot;
    return slot;
  }
  const TensorTile *find(const Schedule &schedule) const {
    uint8_t slot = slotOf(schedule);
    return slots[slot] ? &known[slots[slot] - 1U] : nullptr;
  }
  TensorTile &add(const Schedule &schedule, uint8_t slot) {
    if (known.size() == mostKnown) {
      known.clear();
      slots.fill(0);
      slot = slotOf(schedule);
    }
    last = known.size();
    slots[slot] = static_cast<uint8_t>(last + 1);
    const TensorTile *shared =
        setup.tiles ? setup.tiles->find(schedule) : nullptr;
    return known.emplace_back(shared ? *shared : setup.tileOf(schedule));
  }

  const ScheduleSetup &setup;
  std::vector<TensorTile> known;
  /// By hash: 1 + an index of `known`, or 0.
  std::array<uint8_t, 256> slots = {};
  size_t last = 0; ///< of `known`
  const TensorTile *lastShared = nullptr;
  TensorTile none;
  SimtLoop loop;
};

/// The configuration as reports state it.
Tiling tilingOf(const ScheduleSetup &setup, const Schedule &schedule,
                const ScheduleFit &fit);

} // namespace gpucost::detail

#endif // GPUCOST_LIB_CORE_MODEL_SCHEDULES_SCHEDULESETUP_H
