//===- MixedStep.h - Steps with unequal sequences ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_ITERATION_MIXEDSTEP_H
#define GPUCOST_LIB_CORE_ITERATION_MIXEDSTEP_H

#include "gpucost/Core/Iteration/FoldedLaunches.h"
#include "gpucost/Core/Iteration/ShapeFamily.h"

namespace gpucost {

/// The launches of a family for several groups of equal sequences. Launches
/// whose sizes depend only on tokens and sequences occur once, with the sums
/// over all groups; the others occur once per group, with the sizes of the
/// group.
class MixedStep {
public:
  MixedStep(const ShapeFamily &family, size_t groups);

  void resize(const std::vector<StepShape> &groups);
  const std::shared_ptr<PreparedModel> &model() const { return mixed; }
  const std::shared_ptr<const FoldedLaunches> &launches() const {
    return folded;
  }

private:
  static constexpr uint32_t total = ~uint32_t(0);
  /// A size of the model and its group, or `total`.
  struct Bound {
    int64_t *place;
    uint32_t size; ///< index into ShapeFamily::varying
    uint32_t group;
  };
  struct Origin {
    int32_t size;
    uint32_t group;
  };

  void findShared();
  void addWorks();
  void addKinds();
  void addLaunches();
  void bind();
  void fold();
  uint32_t copiesOf(uint32_t work) const { return isOfGroup[work] ? count : 1; }
  bool growsWithContext(int32_t size) const;

  const ShapeFamily &family;
  uint32_t count;
  std::shared_ptr<PreparedModel> mixed;
  std::shared_ptr<const FoldedLaunches> folded;
  /// Position of each size in ShapeFamily::varying; -1 for constants.
  std::vector<int32_t> varying;
  /// For each work of the family: the index of its first size, whether it runs
  /// once per group, and its first copy.
  std::vector<size_t> firstSize;
  std::vector<bool> isOfGroup;
  std::vector<uint32_t> firstWork, firstKind;
  /// Origins of read and touch sizes, in order.
  std::vector<Origin> reads, touches;
  std::vector<Bound> bounds;
  /// Sizes of one group, or of all groups together.
  struct Values {
    const RegionSizes *sizes;
    std::array<int64_t, ShapeFamily::mostTerms> terms;
    std::vector<int64_t> values; ///< of RegionSizes::distinct

    int64_t at(uint32_t size) const { return values[sizes->numbers[size]]; }
  };
  std::vector<Values> ofGroups; ///< the last element: all groups together
  std::vector<ExpertUse> uses;
};

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_ITERATION_MIXEDSTEP_H
