//===- StepOracle.cpp - Steps of a serving system -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/StepOracle.h"
#include "MixedStep.h"
#include "gpucost/Core/Model/Composition.h"
#include <algorithm>
#include <array>

using namespace gpucost;

/// Maximum number of groups per step for which a model is cached.
static constexpr size_t mostMixtures = 64;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Expected<StepShapes> StepShapes::create(const StepLimits &limits,
                                        const ShapeFamily::Prepare &prepare) {
  StepShapes shapes;
  shapes.theLimits = limits;
  auto add = [&](const ShapeRange &range) -> Error {
    auto family = ShapeFamily::create(range, prepare);
    if (!family)
      return family.error();
    shapes.families.push_back(std::move(*family));
    return {};
  };
  // Embedding tables are finite: with more tokens than rows, the bytes read
  // change.
  StepLimits &own = shapes.theLimits;
  int64_t prompts = std::min(limits.batch, 2 + ShapeRange::leastBatches);
  for (Error error = add({{2, 2, 1}, {prompts, own.query, own.past}});
       !error.message.empty();
       error = add({{2, 2, 1}, {prompts, own.query, own.past}})) {
    own.query /= 2;
    if (own.query < 2 + ShapeRange::leastSpan)
      return fail(std::move(error));
  }
  // One sequence, one new token and an empty cache launch different kernels. If
  // one of these does not form a family, such steps follow the rule for mixed
  // steps.
  add({{1, 1, 1}, {1, 1, own.past}});
  add({{2, 1, 1}, {own.batch, 1, own.past}});
  add({{1, 2, 1}, {1, own.query, own.past}});
  add({{1, 2, 0}, {1, own.query, 0}});
  add({{2, 2, 0}, {prompts, own.query, 0}});
  return shapes;
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

class StepOracle::Scratch {
public:
  explicit Scratch(const ShapeFamily &family)
      : model(std::make_shared<PreparedModel>(family.base())),
        sizes(sizesOf(*model)) {}

  const std::shared_ptr<PreparedModel> model;
  const std::vector<int64_t *> sizes;
};

class StepOracle::Mixed : public MixedStep {
public:
  using MixedStep::MixedStep;
};

StepOracle::StepOracle(std::shared_ptr<const StepShapes> shapes,
                       const CostModel &model, const Settings &settings)
    : shapes(std::move(shapes)), model(model), settings(settings),
      loops(!settings.stepGap && model.coefficients().runtime),
      memo(this->model) {}
StepOracle::~StepOracle() = default;

Expected<StepCost>
StepOracle::evaluate(const std::shared_ptr<PreparedModel> &prepared,
                     int64_t sequences) {
  kernels.clear();
  // Contexts seldom repeat, so attention kernels would evict the kernels that
  // do.
  for (const KernelWork &work : prepared->works)
    kernels.push_back(work.is<AttentionProblem>() ? placeKernel(model, work)
                                                  : memo.place(work));
  auto placed = PlacedModel::create(prepared, model, &kernels);
  if (!placed)
    return fail(placed.error());
  // Resizing for a step does not update `PreparedModel::samples`.
  if (loops)
    settings.stepGap =
        loopTime(*model.coefficients().runtime, model.software(), sequences);
  IterationTotals totals = placed->solve(settings);
  return StepCost{totals.time,
                  totals.energy,
                  totals.point.clock,
                  totals.point.throttled,
                  totals.point.limitUnreachable,
                  placed->isLowerBound()};
}

Expected<StepCost> StepOracle::stepOf(const StepShape &shape) {
  const ShapeFamily *family = shapes->find(shape);
  if (!family)
    return mix({shape});
  std::unique_ptr<Scratch> &own = scratch[family];
  if (!own)
    own = std::make_unique<Scratch>(*family);
  family->resize(*own->model, own->sizes, shape, /*timesAlone=*/true);
  return evaluate(own->model, shape.batch);
}

Expected<StepCost> StepOracle::mix(const std::vector<StepShape> &groups) {
  if (mixtures.size() >= mostMixtures)
    mixtures.clear();
  std::unique_ptr<Mixed> &own = mixtures[groups.size()];
  if (!own)
    own = std::make_unique<Mixed>(shapes->mixed(), groups.size());
  own->resize(groups);
  int64_t sequences = 0;
  for (const StepShape &group : groups)
    sequences += group.batch;
  return evaluate(own->model(), sequences);
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
