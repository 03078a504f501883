//===- FoldedLaunches.h - Launches with repeated blocks folded --*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layers repeat: most launches of a model touch the same bytes, at the same
// distance from their last use, as the launches one layer earlier. Folding
// keeps one such layer with its number of repetitions. The layers next to it,
// which border on other launches, stay unfolded, so that every launch of a
// folded block has the same L2 hits (M12), cold reads (P7) and waits (N3) as
// its repetitions.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_FOLDEDLAUNCHES_H
#define GPUCOST_CORE_ITERATION_FOLDEDLAUNCHES_H

#include "gpucost/Core/Iteration/PreparedModel.h"
#include <optional>

namespace gpucost {

class FoldedLaunches {
public:
  static constexpr uint32_t none = ~uint32_t(0);

  /// The end of a launch, as the end of an entry of `entries`, some repetitions
  /// of its block later.
  struct Position {
    uint32_t entry = none;
    int64_t repetitions = 0;
  };
  /// A touch or a persistent read.
  struct Access {
    uint32_t source = 0; ///< index into the list of the model
    /// The end of the last launch that used the tensor: an earlier one, or, if
    /// `wraps`, one of the previous iteration.
    Position before;
    bool wraps = false;
    /// Of a write: its range of `readers`.
    uint32_t readersBegin = 0, readersEnd = 0;
  };
  /// A launch whose end another launch on the other stream waits for.
  struct Wait {
    uint32_t first = 0; ///< entry, in the first repetition
    uint32_t later = 0; ///< entry, in the other repetitions
  };
  struct Entry {
    uint32_t launch = 0; ///< index into PreparedModel::launches
    uint32_t block = none;
    int64_t repetitions = 1;
    uint32_t touchesEnd = 0, readsEnd = 0, waitsEnd = 0;
    /// Of the launch, whose numbers do not depend on the shape.
    uint32_t work = 0;
    Phase phase = Phase::Forward;
    /// Transfers between the stages of a pipeline are part of its schedule.
    bool isTransfer = false;
    /// Collectives of sequence parallelism (X19) and rings (X20).
    bool isSequence = false, isRing = false, scatters = false;
    /// All-to-alls of expert parallelism (X21).
    bool isExchange = false;
    /// All-reduces of copies of shards (X31).
    bool isOfCopies = false;
    /// (B13) Copies on the link to the host.
    bool isToHost = false, isFromHost = false;
    /// It runs only in the last micro-batch.
    bool isLast = false;
    double launchesPerPass = 1;
  };
  /// Entries that run `repetitions` times one after the other.
  struct Block {
    uint32_t begin = 0, end = 0;
    int64_t repetitions = 1;
    Phase phase = Phase::Forward; ///< of its computation
    /// Its entries that a launch on the other stream waits for, and the earlier
    /// ones that it waits for.
    std::vector<uint32_t> awaited, inputs;
  };

  /// Compares sizes by value: a model whose sizes are replaced by other numbers
  /// that are equal in the same places is folded in the same way.
  /// Without `folds`, every launch has an entry.
  explicit FoldedLaunches(const PreparedModel &model, bool folds = true);

  const std::vector<Entry> &entries() const { return theEntries; }
  const std::vector<Block> &blocks() const { return theBlocks; }
  const std::vector<Access> &touches() const { return theTouches; }
  const std::vector<Access> &reads() const { return theReads; }
  /// Indices into `touches` of the reads of each written tensor.
  const std::vector<uint32_t> &readers() const { return theReaders; }
  const std::vector<Wait> &waits() const { return theWaits; }
  /// Adds the sizes of `model` that predictions depend on, except those of
  /// works.
  void addSizes(PreparedModel &model, std::vector<int64_t *> &sizes) const;

private:
  class Builder;
  std::vector<Entry> theEntries;
  std::vector<Block> theBlocks;
  std::vector<Access> theTouches, theReads;
  std::vector<uint32_t> theReaders;
  std::vector<Wait> theWaits;
};

/// The bytes that the launches of an iteration have touched.
class TouchedBytes {
public:
  explicit TouchedBytes(const FoldedLaunches &folded) : folded(folded) {}

  /// `bytesOf` returns the bytes of an entry's launch.
  template <typename BytesOf> void add(BytesOf bytesOf) {
    double now = 0;
    uint32_t entry = 0;
    auto visit = [&](uint32_t end) {
      for (; entry < end; ++entry)
        ends.push_back(now += bytesOf(folded.entries()[entry]));
    };
    for (const FoldedLaunches::Block &block : folded.blocks()) {
      visit(block.begin);
      double before = now;
      visit(block.end);
      perBlock.push_back(now - before);
      now += perBlock.back() * static_cast<double>(block.repetitions - 1);
    }
    visit(static_cast<uint32_t>(folded.entries().size()));
    sum = now;
  }

  double all() const { return sum; }
  /// From the start of the iteration to `position`.
  double at(const FoldedLaunches::Position &position) const {
    double end = ends[position.entry];
    if (position.repetitions == 0)
      return end;
    return end + perBlock[folded.entries()[position.entry].block] *
                     static_cast<double>(position.repetitions);
  }
  /// Since the last use of a tensor, until the end of `entry` that uses it.
  double since(const FoldedLaunches::Access &access, uint32_t entry) const {
    if (access.before.entry == FoldedLaunches::none)
      return ends[entry];
    double before = at(access.before);
    return ends[entry] - (access.wraps ? before - sum : before);
  }

private:
  const FoldedLaunches &folded;
  std::vector<double> ends, perBlock;
  double sum = 0;
};

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_FOLDEDLAUNCHES_H
