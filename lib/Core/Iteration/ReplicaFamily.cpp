//===- ReplicaFamily.cpp - Models of many data-parallel sizes -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/ReplicaFamily.h"
#include "ShapeSizes.h"
#include "gpucost/Core/Scenario/PipelineLayout.h"
#include <algorithm>
#include <cmath>
#include <map>

using namespace gpucost;

/// Removes the fields of a group of GPUs and the totals of all GPUs, which do
/// not shrink with their number.
static void clearGroups(PreparedModel &model) {
  for (KernelWork &work : model.works)
    if (auto *p = std::get_if<CollectiveProblem>(&work.problem))
      p->worldSize = p->nodes = p->groups = 0;
  model.samples = model.tokens = 0;
}

/// Keeps the elements of `list` that belong to launches of passes; `end` is the
/// member of a launch that delimits its range. Tensors are numbered anew.
template <typename T>
static void keepPasses(PreparedModel &model, std::vector<T> &list,
                       uint32_t Launch::*end) {
  std::vector<T> kept;
  std::map<uint32_t, uint32_t> numbers;
  uint32_t next = 0;
  for (Launch &launch : model.launches) {
    Phase phase = model.kinds[launch.kind].phase;
    bool isKept = phase == Phase::Forward || phase == Phase::Backward;
    for (; next < launch.*end; ++next) {
      if (!isKept)
        continue;
      uint32_t &tensor = kept.emplace_back(list[next]).tensor;
      tensor = numbers.try_emplace(tensor, numbers.size()).first->second;
    }
    launch.*end = static_cast<uint32_t>(kept.size());
  }
  list = std::move(kept);
}

/// A copy without the tensors of collectives and optimizers: which of them are
/// read depends on the number of GPUs, and all are larger than the L2 cache.
/// Without names for reports.
static PreparedModel copyOf(const PreparedModel &model) {
  PreparedModel copy = model;
  copy.nodes.clear();
  copy.nodeWeights.clear();
  copy.positions.clear();
  copy.notes.clear();
  copy.memory.peakTensors.clear();
  keepPasses(copy, copy.persistentReads, &Launch::persistentReadsEnd);
  keepPasses(copy, copy.touches, &Launch::touchesEnd);
  return copy;
}

/// Gives launches the same kernels in both models: parts of two tensors may
/// have the same size in one of them only.
static void alignKernels(PreparedModel &a, PreparedModel &b) {
  using Pairs = std::map<std::pair<uint32_t, uint32_t>, uint32_t>;
  Pairs works, kinds;
  auto numberOf = [](Pairs &pairs, uint32_t x, uint32_t y) {
    return pairs.try_emplace({x, y}, pairs.size()).first->second;
  };
  for (size_t i = 0; i < a.launches.size(); ++i) {
    Launch &x = a.launches[i], &y = b.launches[i];
    uint32_t work = numberOf(works, x.work, y.work);
    uint32_t kind = numberOf(kinds, x.kind, y.kind);
    x.work = y.work = work;
    x.kind = y.kind = kind;
  }
  auto apply = [&](PreparedModel &model, auto side) {
    std::vector<KernelWork> newWorks(works.size());
    std::vector<KernelKind> newKinds(kinds.size());
    std::vector<ExpertWork> experts;
    for (const auto &[pair, number] : works) {
      newWorks[number] = model.works[side(pair)];
      for (const ExpertWork &expert : model.experts)
        if (expert.work == side(pair))
          experts.push_back({number, expert.layer});
    }
    for (const auto &[pair, number] : kinds)
      newKinds[number] = model.kinds[side(pair)];
    for (const Launch &launch : model.launches)
      newKinds[launch.kind].work = launch.work;
    std::sort(experts.begin(), experts.end(),
              [](const ExpertWork &x, const ExpertWork &y) {
                return x.work < y.work;
              });
    model.works = std::move(newWorks);
    model.kinds = std::move(newKinds);
    model.experts = std::move(experts);
  };
  apply(a, [](const auto &pair) { return pair.first; });
  apply(b, [](const auto &pair) { return pair.second; });
}

Expected<ReplicaFamily> ReplicaFamily::create(const PreparedModel &few,
                                              const PreparedModel &many) {
  PreparedModel low = copyOf(few), high = copyOf(many);
  if (low.launches.size() != high.launches.size())
    return fail("the models differ in launches");
  alignKernels(low, high);
  if (std::string other = findOtherStructure(low, high); !other.empty())
    return fail("the models differ in " + other);
  ReplicaFamily family;
  for (size_t i = 0; i < low.works.size(); ++i) {
    const auto *a = low.works[i].getIf<CollectiveProblem>();
    const auto *b = high.works[i].getIf<CollectiveProblem>();
    if (a && b && a->worldSize != b->worldSize)
      family.collectives.push_back(i);
  }
  family.model = std::make_shared<const PreparedModel>(low);
  clearGroups(low);
  clearGroups(high);
  std::vector<int64_t *> a = sizesOf(low), b = sizesOf(high);
  for (size_t i = 0; i < a.size(); ++i) {
    if (*a[i] == *b[i])
      continue;
    // x(n) = whole + divided / n; traffic of collectives, (n - 1) / n, grows.
    family.sizes.push_back({i, (*b[i] * more - *a[i] * fewer) / (more - fewer),
                            (*a[i] - *b[i]) * fewer * more / (more - fewer)});
  }
  return family;
}

std::shared_ptr<const PreparedModel> ReplicaFamily::at(const Settings &settings,
                                                       bool hasMemory) const {
  auto copy = std::make_shared<PreparedModel>(*model);
  Parallelism plan = settings.plan(), was = model->settings.plan();
  std::vector<int64_t *> all = sizesOf(*copy);
  // `fewer` in proportion to the model's data-parallel GPUs.
  double data =
      static_cast<double>(plan.data) * fewer / static_cast<double>(was.data);
  for (const DividedSize &size : sizes)
    *all[size.index] =
        size.whole + static_cast<int64_t>(
                         std::ceil(static_cast<double>(size.divided) / data));
  for (size_t work : collectives) {
    auto &p = std::get<CollectiveProblem>(copy->works[work].problem);
    GroupSpan group = was.shards ? copiesSpan(settings)
                      : p.worldSize == was.shardGpus()
                          ? shardsSpan(settings)
                          : expertShardsSpan(settings);
    p.worldSize = group.gpus;
    p.nodes = group.nodes;
    p.groups = group.groups;
  }
  int64_t count = settings.microBatches();
  for (Launch &launch : copy->launches)
    if (launch.passes == passes) {
      launch.count = saturatingProduct(launch.count / passes, count);
      launch.passes = count;
    }
  auto scale = [&](int64_t &total) {
    total = saturatingProduct(
        saturatingProduct(total / (was.data * model->settings.microBatches()),
                          plan.data),
        count);
  };
  scale(copy->samples);
  scale(copy->tokens);
  copy->settings = settings;
  if (!hasMemory)
    return copy;
  MemoryUse &memory = copy->memory;
  int64_t passing = memory.passingGradientBytes;
  updatePeak(memory);
  memory.activationBytes =
      std::max<int64_t>(memory.activationBytes - passing, 0);
  return copy;
}
