//===- Lanes.h - Dimensions that are sharded together -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lane is a number of equal units (heads, hidden units, vocabulary rows) that
// all tensors along it shard in the same way. Queries and keys have separate
// lanes if several query heads share a key head; the columns of a matmul that
// computes queries, keys and values are a lane with three parts. Lanes that
// only work together form a component. No IR.
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

/// Numbers of query and key/value heads.
struct HeadCounts {
  int64_t queries = 0, keys = 0;
};

/// (X6) The heads on each of `gpus` GPUs. If there are more GPUs than key
/// heads, several GPUs store a copy of one head. nullopt if the heads are not
/// divisible; with `pads` they are padded to the next divisible number, which
/// is stored in `padded`.
std::optional<HeadCounts> divideHeads(HeadCounts all, int64_t gpus, bool pads,
                                      HeadCounts &padded);

class Lanes {
public:
  using Lane = unsigned;

  Lane add(int64_t units);
  Lane find(Lane lane) const;
  /// Restricts the units of `lane` to `size / n` for some n.
  void limit(Lane lane, int64_t size);
  void unite(Lane a, Lane b);
  /// Either both are sharded, or none of them.
  void join(Lane a, Lane b);
  /// Each unit of `keys` serves several units in `queries`.
  void link(Lane queries, Lane keys);
  /// `part` contains `size` elements of `lane`, which has `whole` elements.
  /// Parts are consecutive; once `lane` has all of them, the next reader gets
  /// the first part again.
  void addPart(Lane lane, Lane part, int64_t size, int64_t whole);
  void fail(Lane lane, const std::string &reason);
  /// Records a conflict with another lane about a shared weight: `lane` fails
  /// unless the other one does.
  void contradict(Lane lane, const std::string &reason);

  /// The units are attention heads.
  void setHeads(Lane lane) { get(lane).heads = true; }
  /// Units may be padded to a divisible number.
  void setPadded(Lane lane) { get(lane).padded = true; }
  /// Readers need only a part of it.
  void seal(Lane lane) { components[componentOf(lane)].sealed = true; }

  int64_t units(Lane lane) const { return get(lane).units; }
  bool isSplit(Lane lane) const { return !get(lane).parts.empty(); }

  /// Decides, for each component, the part that one of `gpus` GPUs stores;
  /// components that cannot be sharded fail.
  void settle(int64_t gpus, bool padHeads);
  /// Why the component of `lane` is not sharded; "" if it is.
  const std::string &failure(Lane lane) const {
    return components[componentOf(lane)].failure;
  }
  const std::string &contradiction(Lane lane) const {
    return components[componentOf(lane)].contradiction;
  }
  /// The elements on one GPU if a tensor has `size` elements along `lane`.
  int64_t local(Lane lane, int64_t size) const;
  /// The attention heads of a component: all of them, those of one GPU
  /// (nullopt: not divisible), and all with padding.
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
    size_t nextPart = 0; ///< for the next reader
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
