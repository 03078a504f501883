//===- ScheduleSetup.h - A problem prepared for schedules -------*- C++ -*-===//
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

/// Data shared by all schedules of one problem.
struct ScheduleSetup {
  const CostModel *model = nullptr;
  /// The kernel of the library, and the one that schedules describe.
  KernelWork asked, work;
  KernelQuery askedQuery, query;
  ScheduleDevice device;
  ScheduledProduct product;
  /// At most one of them is set, for kernels with tiles; they point into the
  /// model's coefficients.
  const SimtScheduleCoefficients *simt = nullptr;
  const TensorScheduleCoefficients *tensor = nullptr;
  /// Attention also uses `tensor`, but equations (A*) for its time.
  std::optional<ScheduledAttention> attention;
  /// Memory-bound kernels: the calibrated terms, the number of tensors read,
  /// and the facts for the bytes in flight (M9).
  bool isStream = false;
  LaunchTerms stream;
  double streamInputs = 1;
  Seconds memoryLatency;
  /// Splits of K to try if the schedule does not state one.
  std::vector<int32_t> splits;
  /// Cached tiles; null: no cache.
  std::unique_ptr<TileMemory> tiles;
  /// (V1) Ratio of calibrated to scheduled time, without `launchTime`: the
  /// launch of a kernel on CUDA cores, which a schedule does not change.
  double level = 1, launchTime = 0;
  /// The kernel that `level` refers to, and the one that the library runs.
  ImplementationKind kernel = ImplementationKind::None;
  ImplementationKind library = ImplementationKind::None;
  /// Whether the library's kernel has tiles.
  bool libraryHasTiles = true;
  /// Time for the partial sums of a split: fixed seconds, and partial results
  /// per second.
  double splitTime = 0, partialRate = 1;
  /// Cost of fused ops in addition to the main loop at the maximum clock, and
  /// their matrix products relative to the main one.
  double fusedIssue = 0, fusedDram = 0, fusedProducts = 0;

  /// Empty except on tensor cores. `fit`, `time` and `leastTime` take the tile
  /// and the pipes of their schedule and compute them once.
  TensorTile tileOf(const Schedule &schedule) const {
    return tensor && !attention ? TensorTile(device, *tensor, product, schedule)
                                : TensorTile();
  }
  ScheduleFit fit(const Schedule &schedule, const TensorTile &tile) const;
  double elementBytes() const { return work.inputBytes(); }
  /// (M9)
  LaunchTerms streamTerms(const Schedule &schedule,
                          const ScheduleFit &fit) const;
  /// Time of a split's partial sums, before applying the level (V1).
  double partialsTime(const Schedule &schedule) const;
  /// Time with the level (V1) but without fused ops, at the maximum clock; see
  /// `tensorTime` for `giveUp`.
  ScheduleTime
  time(const Schedule &schedule, TensorTile &tile, SimtPipes &pipes,
       const ScheduleFit &fit,
       double giveUp = std::numeric_limits<double>::infinity()) const;
  /// Lower bound of `time(...).total`, except for rounding; on tensor cores
  /// also for the same schedule with more stages, up to `mostStages`.
  double leastTime(const Schedule &schedule, TensorTile &tile, SimtPipes &pipes,
                   const ScheduleFit &fit, int32_t mostStages = 0) const;
  /// (Y12), (Y13) Terms of attention with this schedule and its tiling, not
  /// yet marked as outside the calibrated domain.
  Expected<LaunchTerms> attentionTerms(const Schedule &schedule,
                                       const Tiling &tiling) const;
  /// The launch as time terms at the maximum clock; `tiling` is the result of
  /// `tilingOf`.
  Expected<LaunchTerms> terms(const Schedule &schedule, const ScheduleFit &fit,
                              const Tiling &tiling,
                              const ScheduleTime &time) const;
};

/// Caches the tiles of consecutively evaluated schedules.
class TileMemory {
public:
  /// Tiles cached in `setup` are copied at first use.
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
  /// Lower bound of `ScheduleSetup::leastTime`, except for rounding, and
  /// cheaper; `schedule` may be infeasible.
  double leastTime(const Schedule &schedule);

private:
  /// Keeps at least half of the slots empty, and indices fit in a byte.
  static constexpr size_t mostKnown = 128;

  /// The slot of the tile, or an empty slot.
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
  /// By hash: 1 + an index into `known`, or 0.
  std::array<uint8_t, 256> slots = {};
  size_t last = 0; ///< index into `known`
  const TensorTile *lastShared = nullptr;
  TensorTile none;
  SimtLoop loop;
};

/// The configuration as printed in reports.
Tiling tilingOf(const ScheduleSetup &setup, const Schedule &schedule,
                const ScheduleFit &fit);

} // namespace gpucost::detail

#endif // GPUCOST_LIB_CORE_MODEL_SCHEDULES_SCHEDULESETUP_H
