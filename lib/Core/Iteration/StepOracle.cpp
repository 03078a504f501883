//===- StepOracle.cpp - Steps of a serving system -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/StepOracle.h"
#include "MixedStep.h"
#include "ShapeSizes.h"
#include "TilingCache.h"
#include "gpucost/Core/Model/Composition.h"
#include <algorithm>
#include <array>
#include <optional>
#include <set>

using namespace gpucost;

/// Maximum number of groups per step for which a model is cached.
static constexpr size_t mostMixtures = 64;
/// Number of steps of equal sequences whose cost is cached.
static constexpr size_t mostKnown = 4096;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Adds a family, or two if sequences within a window of keys have a different
/// structure.
Error StepShapes::add(const ShapeRange &range,
                      const ShapeFamily::Prepare &prepare) {
  auto family = ShapeFamily::create(range, prepare);
  if (family) {
    families.push_back(std::move(*family));
    return {};
  }
  auto longest = prepare(range.high);
  std::set<int64_t> windows;
  if (longest)
    windows = windowsOf(**longest);
  if (windows.size() != 1)
    return family.error();
  ShapeRange within = range, beyond = range;
  within.mostLength = *windows.begin();
  beyond.leastLength = within.mostLength + 1;
  auto longer = ShapeFamily::create(beyond, prepare);
  if (!longer)
    return longer.error();
  auto shorter = ShapeFamily::create(within, prepare);
  if (!shorter)
    return shorter.error();
  families.push_back(std::move(*longer));
  families.push_back(std::move(*shorter));
  return {};
}

Expected<StepShapes> StepShapes::create(const StepLimits &limits,
                                        const ShapeFamily::Prepare &prepare) {
  StepShapes shapes;
  shapes.theLimits = limits;
  // Sizes of long prompts may be too large.
  StepLimits &own = shapes.theLimits;
  int64_t prompts = std::min(limits.batch, 2 + ShapeRange::leastBatches);
  auto addMixed = [&] {
    return shapes.add({{2, 2, 1}, {prompts, own.query, own.past}}, prepare);
  };
  for (Error error = addMixed(); !error.message.empty(); error = addMixed()) {
    own.query /= 2;
    if (own.query < 2 + ShapeRange::leastSpan)
      return fail(std::move(error));
  }
  // One sequence, one new token and an empty cache launch different kernels. If
  // one of these does not form a family, such steps follow the rule for mixed
  // steps.
  for (const ShapeRange &range : {ShapeRange{{1, 1, 1}, {1, 1, own.past}},
                                  {{2, 1, 1}, {own.batch, 1, own.past}},
                                  {{1, 2, 1}, {1, own.query, own.past}},
                                  {{1, 2, 0}, {1, own.query, 0}},
                                  {{2, 2, 0}, {prompts, own.query, 0}}})
    (void)shapes.add(range, prepare);
  return shapes;
}

const ShapeFamily &StepShapes::mixed(int64_t length) const {
  if (families.size() > 1 && mixed().range().leastLength > length)
    return families[1];
  return mixed();
}

const ShapeFamily *StepShapes::find(const StepShape &shape) const {
  for (const ShapeFamily &family : families)
    if (family.range().contains(shape))
      return &family;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

class StepOracle::Uniform {
public:
  explicit Uniform(const ShapeFamily &family)
      : family(family), model(std::make_shared<PreparedModel>(family.base())) {
    std::vector<int64_t *> all = sizesOf(*model);
    std::vector<int64_t> identities = family.identities();
    for (size_t i = 0; i < identities.size(); ++i)
      *all[family.varying()[i]] = identities[i];
    launches = std::make_shared<const FoldedLaunches>(*model);
    std::vector<int64_t *> sizes{&model->samples, &model->tokens};
    for (KernelWork &work : model->works)
      gpucost::addSizes(work, sizes);
    launches->addSizes(*model, sizes);
    const std::set<int64_t *> used(sizes.begin(), sizes.end());
    for (uint32_t i = 0; i < identities.size(); ++i)
      if (int64_t *place = all[family.varying()[i]]; used.count(place))
        places.emplace_back(place, i);
  }

  void resize(const StepShape &shape) {
    const RegionSizes &sizes =
        family.evaluate(shape, /*kernelsOnly=*/true, uses, values);
    for (auto [place, size] : places)
      *place = values[sizes.numbers[size]];
  }

  const ShapeFamily &family;
  const std::shared_ptr<PreparedModel> model;
  std::shared_ptr<const FoldedLaunches> launches;
  std::optional<PlacedModel> placed;
  ClockGuess guess;

private:
  /// The sizes that steps depend on, with their positions in
  /// ShapeFamily::varying.
  std::vector<std::pair<int64_t *, uint32_t>> places;
  std::vector<ExpertUse> uses;
  std::vector<int64_t> values;
};

class StepOracle::Mixed {
public:
  Mixed(const ShapeFamily &family, size_t groups)
      : step(family, groups), model(step.model()), launches(step.launches()) {}

  MixedStep step;
  const std::shared_ptr<PreparedModel> model;
  const std::shared_ptr<const FoldedLaunches> launches;
  std::optional<PlacedModel> placed;
  ClockGuess guess;
};

StepOracle::StepOracle(std::shared_ptr<const StepShapes> shapes,
                       const CostModel &model, const Settings &settings)
    : shapes(std::move(shapes)), model(model), settings(settings),
      loops(!settings.stepGap && model.coefficients().runtime),
      tilings(std::make_unique<TilingCache>(this->model)),
      known(mostKnown, {StepShape{0, 0, 0}, StepCost()}) {}
StepOracle::~StepOracle() = default;

template <typename Model>
Expected<StepCost> StepOracle::evaluate(Model &own, int64_t sequences) {
  if (own.placed) {
    auto done =
        own.placed->resize([&](const KernelWork &work, PlacedKernel &kernel) {
          tilings->place(work, kernel);
        });
    if (!done)
      return fail(done.error());
  } else {
    std::vector<PlacedKernel> kernels;
    for (const KernelWork &work : own.model->works)
      tilings->place(work, kernels.emplace_back());
    auto placed = PlacedModel::create(own.model, model, &kernels,
                                      /*failed=*/nullptr, own.launches);
    if (!placed)
      return fail(placed.error());
    own.placed.emplace(std::move(*placed));
  }
  // Resizing for a step does not update `PreparedModel::samples`.
  if (loops) {
    const Coefficients &set = model.coefficients();
    if (!chunks)
      chunks = chunkTime(set, model.software(), own.model->works);
    settings.stepGap =
        loopTime(*set.runtime, model.software(), sequences) + *chunks;
  }
  IterationTotals totals = own.placed->solve(settings, own.guess);
  return StepCost{totals.time,
                  totals.energy,
                  totals.point.clock,
                  totals.point.throttled,
                  totals.point.limitUnreachable,
                  own.placed->isLowerBound()};
}

Expected<StepCost> StepOracle::stepOf(const StepShape &shape) {
  const ShapeFamily *family = shapes->find(shape);
  if (!family)
    return mix({shape});
  size_t hash = 0;
  for (int64_t size : {shape.batch, shape.query, shape.past})
    hash = combineHashes(hash, static_cast<size_t>(size));
  auto &[knownShape, knownCost] = known[hash % known.size()];
  if (knownShape == shape)
    return knownCost;
  std::unique_ptr<Uniform> &own = uniform[family];
  if (!own)
    own = std::make_unique<Uniform>(*family);
  own->resize(shape);
  Expected<StepCost> cost = evaluate(*own, shape.batch);
  if (cost) {
    knownShape = shape;
    knownCost = *cost;
  }
  return cost;
}

Expected<StepCost> StepOracle::mix(std::vector<StepShape> groups) {
  int64_t longest = 0, sequences = 0;
  for (const StepShape &group : groups) {
    longest = std::max(longest, group.query + group.past);
    sequences += group.batch;
  }
  // The kernels of all groups are those of the longest one.
  const ShapeFamily &family = shapes->mixed(longest);
  for (StepShape &group : groups)
    group.past = std::max(group.past, family.range().leastLength - group.query);
  if (mixtures.size() >= mostMixtures)
    mixtures.clear();
  std::unique_ptr<Mixed> &own = mixtures[{&family, groups.size()}];
  if (!own)
    own = std::make_unique<Mixed>(family, groups.size());
  own->step.resize(groups);
  return evaluate(*own, sequences);
}

/// (one new token, at their mean context) and one for each kind of prompt.
static std::vector<StepShape> groupsOf(const StepSequence *sequences,
                                       size_t count) {
  std::vector<StepShape> groups;
  int64_t decodes = 0, past = 0;
  for (size_t i = 0; i < count; ++i) {
    const StepSequence &each = sequences[i];
    if (each.query == 1) {
      ++decodes;
      past += each.past;
    } else {
      groups.push_back({1, each.query, each.past});
    }
  }
  std::sort(groups.begin(), groups.end(),
            [](const StepShape &a, const StepShape &b) {
              return std::pair(a.query, a.past) < std::pair(b.query, b.past);
            });
  size_t end = 0;
  for (const StepShape &each : groups)
    if (end > 0 && groups[end - 1].query == each.query &&
        groups[end - 1].past == each.past)
      ++groups[end - 1].batch;
    else
      groups[end++] = each;
  groups.resize(end);
  // The cache contains at least one computed token, so a context is at least 1.
  if (decodes > 0)
    groups.push_back(
        {decodes, 1, std::max<int64_t>((past + decodes - 1) / decodes, 1)});
  return groups;
}

Expected<StepCost> StepOracle::step(const StepSequence *sequences,
                                    size_t count) {
  const StepLimits &limits = shapes->limits();
  if (count == 0)
    return fail("a step has at least one sequence");
  if (count > static_cast<size_t>(limits.batch))
    return fail("a step of " + std::to_string(count) +
                " sequences is beyond the limit of " +
                std::to_string(limits.batch));
  for (size_t i = 0; i < count; ++i) {
    const StepSequence &each = sequences[i];
    auto beyond = [&](const char *what, int64_t value, int64_t low,
                      int64_t high) {
      return fail("sequence " + std::to_string(i) + " has " +
                  std::to_string(value) + " " + what + ", expected " +
                  std::to_string(low) + " to " + std::to_string(high));
    };
    if (each.query < 1 || each.query > limits.query)
      return beyond("new tokens", each.query, 1, limits.query);
    if (each.past < 0 || each.past > limits.past)
      return beyond("tokens in the cache", each.past, 0, limits.past);
  }
  std::vector<StepShape> groups = groupsOf(sequences, count);
  return groups.size() == 1 ? stepOf(groups.front()) : mix(groups);
}
