//===- StepFamilies.cpp - Serving steps of a sweep ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepFamilies.h"
#include <algorithm>

using namespace gpucost;
using namespace gpucost::sweep;

/// Minimum number of points for a family, because learning one takes up to five
/// prepared models.
static constexpr size_t fewestPoints = 16;

StepFamilies::Values
StepFamilies::valuesOf(const Space &space, llvm::StringRef flag,
                       std::optional<int64_t> Scenario::*field) {
  const Axis *axis = space.findAxis(flag);
  if (!axis) {
    int64_t value = (space.common().*field).value_or(0);
    return {value, value};
  }
  Values values{INT64_MAX, 0};
  for (const Scenario &each : axis->values)
    if (each.*field) {
      values.low = std::min(values.low, *(each.*field));
      values.high = std::max(values.high, *(each.*field));
    }
  return values;
}

StepFamilies::StepFamilies(const Space &space)
    : batches(valuesOf(space, "batch", &Scenario::batch)),
      pasts(valuesOf(space, "past", &Scenario::past)) {
  auto count = [&](llvm::StringRef flag) {
    const Axis *axis = space.findAxis(flag);
    return axis ? axis->values.size() : size_t(1);
  };
  worthwhile = count("batch") * count("past") >= fewestPoints;
}

Scenario StepFamilies::stating(Scenario scenario, const StepShape &shape) {
  scenario.batch = shape.batch;
  scenario.past = shape.past;
  return scenario;
}

std::string StepFamilies::nameOf(
    const Settings &settings,
    llvm::function_ref<std::string(const Settings &)> keyOf) const {
  if (!worthwhile || settings.trains() || !settings.batch || !settings.past ||
      *settings.past == 0)
    return "";
  Settings others = settings;
  others.batch = others.past = std::nullopt;
  // A single sequence uses other kernels than several: fewer copies.
  return keyOf(others) + (*settings.batch == 1 ? "\none" : "\nmany");
}

StepFamilies::Model StepFamilies::find(const std::string &name,
                                       const Settings &settings,
                                       const ShapeFamily::Prepare &prepare) {
  if (name.empty())
    return nullptr;
  StepShape shape{*settings.batch, settings.seq.value_or(1), *settings.past};
  bool one = shape.batch == 1;
  std::shared_ptr<const Family> found = families.get(name, [&] {
    auto high = [](int64_t low, int64_t value) {
      return std::max(value, low + ShapeRange::leastSpan);
    };
    ShapeRange range{shape, shape};
    if (!one) {
      range.low.batch = std::max<int64_t>(batches.low, 2);
      range.high.batch = high(range.low.batch, batches.high);
    }
    range.low.past = std::max<int64_t>(pasts.low, 1);
    range.high.past = high(range.low.past, pasts.high);
    auto family = ShapeFamily::create(range, prepare);
    return family ? Family{std::move(*family)} : Family();
  });
  if (!found->family || !found->family->range().contains(shape))
    return nullptr;
  return found->family->at(shape);
}
