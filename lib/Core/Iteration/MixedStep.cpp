//===- MixedStep.cpp - Steps with unequal sequences -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MixedStep.h"
#include "ShapeSizes.h"
#include <algorithm>
#include <set>

using namespace gpucost;

/// Terms in tokens and sequences, as in projections and norms.
static bool isOfTotals(const ShapeTerm &term) {
  return term.query <= 1 && term.past == 0 && term.blocks == 0;
}

bool MixedStep::growsWithContext(int32_t size) const {
  if (size < 0)
    return false;
  auto place = static_cast<size_t>(size);
  auto sizeIn = [&](const RegionSizes &sizes) -> const ShapePolynomial & {
    return sizes.distinct[sizes.numbers[place]].halves;
  };
  for (size_t region = 0; region < mostRegions; ++region) {
    const RegionSizes &sizes = family.sizes(region);
    if (sizes.numbers.empty())
      continue;
    // Sizes that a window changes depend on the context.
    if (sizeIn(sizes) != sizeIn(family.sizes()))
      return true;
    for (const auto &[term, half] : sizeIn(sizes))
      if (!isOfTotals(family.terms()[term]))
        return true;
  }
  return false;
}

MixedStep::MixedStep(const ShapeFamily &family, size_t groups)
    : family(family), count(static_cast<uint32_t>(groups)),
      mixed(std::make_shared<PreparedModel>(family.base())) {
  findShared();
  addWorks();
  addKinds();
  addLaunches();
  bind();
  fold();
}

void MixedStep::findShared() {
  varying.assign(family.firstOfMemory(), -1);
  for (size_t i = 0; i < family.varying().size(); ++i)
    if (uint32_t index = family.varying()[i]; index < varying.size())
      varying[index] = static_cast<int32_t>(i);
  size_t index = 0;
  for (const KernelWork &work : family.base().works) {
    KernelWork copy = work;
    std::vector<int64_t *> sizes;
    addSizes(copy, sizes);
    firstSize.push_back(index);
    bool grows = false;
    for (size_t i = 0; i < sizes.size(); ++i)
      grows |= growsWithContext(varying[index + i]);
    isOfGroup.push_back(grows);
    index += sizes.size();
  }
  firstSize.push_back(index);
}

void MixedStep::addWorks() {
  mixed->works.clear();
  const std::vector<KernelWork> &works = family.base().works;
  for (uint32_t work = 0; work < works.size(); ++work) {
    firstWork.push_back(static_cast<uint32_t>(mixed->works.size()));
    mixed->works.insert(mixed->works.end(), copiesOf(work), works[work]);
  }
}

void MixedStep::addKinds() {
  mixed->kinds.clear();
  for (const KernelKind &kind : family.base().kinds) {
    firstKind.push_back(static_cast<uint32_t>(mixed->kinds.size()));
    for (uint32_t group = 0; group < copiesOf(kind.work); ++group) {
      mixed->kinds.push_back(kind);
      mixed->kinds.back().work = firstWork[kind.work] + group;
    }
  }
}

void MixedStep::addLaunches() {
  const PreparedModel &base = family.base();
  mixed->launches.clear();
  mixed->reads.clear();
  mixed->persistentReads.clear();
  mixed->touches.clear();
  // Each group has separate caches.
  uint32_t tensors = 0;
  for (const PersistentRead &read : base.persistentReads)
    tensors = std::max(tensors, read.tensor + 1);
  uint32_t touched = 0;
  for (const TensorTouch &touch : base.touches)
    touched = std::max(touched, touch.tensor + 1);
  size_t readSizes = firstSize.back();
  size_t touchSizes = readSizes + 2 * base.persistentReads.size();
  std::vector<uint32_t> last; // per launch of the family
  uint32_t read = 0, persistent = 0, touch = 0;
  for (const Launch &launch : base.launches) {
    uint32_t copies = copiesOf(launch.work);
    uint32_t readBegin = std::exchange(read, launch.readsEnd);
    uint32_t persistentBegin =
        std::exchange(persistent, launch.persistentReadsEnd);
    uint32_t touchBegin = std::exchange(touch, launch.touchesEnd);
    for (uint32_t group = 0; group < copies; ++group) {
      uint32_t owner = copies > 1 || isOfGroup[launch.work] ? group : total;
      Launch copy = launch;
      copy.work = firstWork[launch.work] + group;
      copy.kind = firstKind[launch.kind] + group;
      for (uint32_t i = readBegin; i < launch.readsEnd; ++i)
        mixed->reads.push_back(last[base.reads[i]]);
      for (uint32_t i = persistentBegin; i < launch.persistentReadsEnd; ++i) {
        mixed->persistentReads.push_back(base.persistentReads[i]);
        int32_t bytes = varying[readSizes + 2 * i];
        int32_t all = varying[readSizes + 2 * i + 1];
        if (growsWithContext(all))
          mixed->persistentReads.back().tensor += group * tensors;
        reads.push_back({bytes, owner});
        reads.push_back({all, owner});
      }
      for (uint32_t i = touchBegin; i < launch.touchesEnd; ++i) {
        mixed->touches.push_back(base.touches[i]);
        int32_t bytes = varying[touchSizes + i];
        if (growsWithContext(bytes))
          mixed->touches.back().tensor += group * touched;
        touches.push_back({bytes, owner});
      }
      copy.readsEnd = static_cast<uint32_t>(mixed->reads.size());
      copy.persistentReadsEnd =
          static_cast<uint32_t>(mixed->persistentReads.size());
      copy.touchesEnd = static_cast<uint32_t>(mixed->touches.size());
      mixed->launches.push_back(copy);
    }
    last.push_back(static_cast<uint32_t>(mixed->launches.size() - 1));
  }
}

void MixedStep::bind() {
  auto add = [&](int64_t *place, int32_t size, uint32_t group) {
    if (size >= 0)
      bounds.push_back({place, static_cast<uint32_t>(size), group});
  };
  for (uint32_t work = 0; work < firstWork.size(); ++work)
    for (uint32_t group = 0; group < copiesOf(work); ++group) {
      std::vector<int64_t *> sizes;
      addSizes(mixed->works[firstWork[work] + group], sizes);
      for (size_t i = 0; i < sizes.size(); ++i)
        add(sizes[i], varying[firstSize[work] + i],
            isOfGroup[work] ? group : total);
    }
  for (size_t i = 0; i < mixed->persistentReads.size(); ++i) {
    PersistentRead &read = mixed->persistentReads[i];
    add(&read.bytes, reads[2 * i].size, reads[2 * i].group);
    add(&read.allBytes, reads[2 * i + 1].size, reads[2 * i + 1].group);
  }
  for (size_t i = 0; i < mixed->touches.size(); ++i)
    add(&mixed->touches[i].bytes, touches[i].size, touches[i].group);
}

void MixedStep::fold() {
  std::vector<int64_t> identities = family.identities();
  int64_t owners = int64_t(count) + 1;
  for (const Bound &bound : bounds)
    *bound.place =
        identities[bound.size] * owners - std::min<int64_t>(bound.group, count);
  folded = std::make_shared<const FoldedLaunches>(*mixed);
  std::vector<int64_t *> sizes;
  for (KernelWork &work : mixed->works)
    addSizes(work, sizes);
  folded->addSizes(*mixed, sizes);
  const std::set<int64_t *> used(sizes.begin(), sizes.end());
  bounds.erase(std::remove_if(
                   bounds.begin(), bounds.end(),
                   [&](const Bound &each) { return !used.count(each.place); }),
               bounds.end());
  // Predictions do not depend on names and allocations.
  mixed->nodes.clear();
  mixed->nodeWeights.clear();
  mixed->positions.clear();
  mixed->memory.trace = {};
}

void MixedStep::resize(const std::vector<StepShape> &groups) {
  const std::vector<ShapeTerm> &terms = family.terms();
  ofGroups.resize(groups.size() + 1);
  Values &all = ofGroups.back();
  all.sizes = &family.sizes();
  all.terms.fill(0);
  int64_t tokens = 0;
  for (size_t i = 0; i < groups.size(); ++i) {
    const StepShape &group = groups[i];
    Values &own = ofGroups[i];
    own.sizes = &family.sizes(numberOfRegion(group, family.windows()));
    for (size_t term = 0; term < terms.size(); ++term) {
      own.terms[term] = terms[term].at(group, family.block());
      all.terms[term] += own.terms[term];
    }
    tokens = saturatingSum(tokens, saturatingProduct(group.batch, group.query));
  }
  for (size_t term = 0; term < terms.size(); ++term)
    if (terms[term].isConstant())
      all.terms[term] = 1;
    else if (terms[term].rows > 0)
      all.terms[term] = terms[term].beyondRows(tokens);
  useExperts(family.base(), tokens, uses);
  for (Values &own : ofGroups) {
    own.values.resize(own.sizes->ofKernels);
    own.sizes->evaluate(own.terms.data(), family.base(), uses, own.values);
  }
  for (const Bound &bound : bounds)
    *bound.place =
        ofGroups[std::min<size_t>(bound.group, groups.size())].at(bound.size);
}
