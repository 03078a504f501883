//===- Lanes.h - What tensor parallelism divides together -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lane is a number of equal units (heads, hidden units, rows of a vocabulary)
// that all tensors along it divide in the same way. Queries and keys have lanes
// of their own where several query heads share a head of keys; the columns of a
// product that makes queries, keys and values are a lane of three parts. Lanes
// that only work together are one component. No IR.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_SHARDING_LANES_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_SHARDING_LANES_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpucost::sharding {

/// Heads of queries and of keys and values.
struct HeadCounts {
  int64_t queries = 0, keys = 0;
};

/// (X6) The heads of one of `gpus` GPUs. Where there are more GPUs than heads
/// of keys, several GPUs keep a copy of one. nullopt when the heads do not
/// divide; with `pads` they are padded to the next number that does, and
/// `padded` is that number.
std::optional<HeadCounts> divideHeads(HeadCounts all, int64_t gpus, bool pads,
                                      HeadCounts &padded);

class Lanes {
public:
  using Lane = unsigned;

  Lane add(int64_t units);
  Lane find(Lane lane) const;
  /// `lane` consists of whole units of `size / n` for some n.
  void limit(Lane lane, int64_t size);
  void unite(Lane a, Lane b);
  /// Both are divided, or neither.
  void join(Lane a, Lane b);
  /// Each unit of `keys` serves several of `queries`.
  void link(Lane queries, Lane keys);
  /// `size` of the `whole` elements of `lane` are `part`. Parts follow each
  /// other; where `lane` has all of them, the next reader has the same.
  void addPart(Lane lane, Lane part, int64_t size, int64_t whole);
  void fail(Lane lane, const std::string &reason);
  /// It disagrees with another lane about a weight that both read: fails
  /// unless that other one does.
  void contradict(Lane lane, const std::string &reason);

  /// Some kernel computes heads of attention.
  void setHeads(Lane lane) { get(lane).heads = true; }
  /// Units may be added so that they divide.
  void setPadded(Lane lane) { get(lane).padded = true; }
  /// What follows needs no more of it than a part.
  void seal(Lane lane) { components[componentOf(lane)].sealed = true; }

  int64_t units(Lane lane) const { return get(lane).units; }
  bool isSplit(Lane lane) const { return !get(lane).parts.empty(); }

  /// Decides what one of `gpus` GPUs keeps, by component; those that cannot be
  /// divided fail.
  void settle(int64_t gpus, bool padHeads);
  /// Why the component of `lane` is not divided; "" when it is.
  const std::string &failure(Lane lane) const {
    return components[componentOf(lane)].failure;
  }
  const std::string &contradiction(Lane lane) const {
    return components[componentOf(lane)].contradiction;
  }
  /// Of `size` elements along `lane` those of one GPU.
  int64_t local(Lane lane, int64_t size) const;
  /// The heads of a component with attention: all of them, those of one GPU
  /// (nullopt: they do not divide), and all with padding.
  struct Attention {
    HeadCounts all, padded;
    std::optional<HeadCounts> local;
  };
  const std::optional<Attention> &attention(Lane lane) const {
    return components[componentOf(lane)].attention;
  }
  unsigned componentOf(Lane lane) const;

private:
  struct Entry {
    int64_t units = 0, local = 0;
    bool heads = false, padded = false;
    std::vector<std::pair<Lane, int64_t>> parts;
    int64_t whole = 0;   ///< elements of all parts
    size_t nextPart = 0; ///< of the reader that comes next
  };
  struct Component {
    bool sealed = false;
    std::string failure, contradiction;
    std::optional<Attention> attention;
  };
  Entry &get(Lane lane) { return entries[find(lane)]; }
  const Entry &get(Lane lane) const { return entries[find(lane)]; }
  void settleHeads(Lane queries, Lane keys, int64_t gpus, bool pads);

  std::vector<Entry> entries;
  std::vector<Component> components;
  std::vector<Lane> parents;
  std::vector<unsigned> componentParents;
  std::vector<std::pair<Lane, Lane>> links; ///< queries, keys
};

} // namespace gpucost::sharding

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_SHARDING_LANES_H
