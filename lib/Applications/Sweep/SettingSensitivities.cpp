//===- SettingSensitivities.cpp - What time and energy depend on ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Sweep/SettingSensitivities.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Core/Iteration/Sensitivities.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include <cmath>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::sweep;

/// The iteration with other settings; nullopt where they are not valid.
static std::optional<IterationTotals> totalsOf(const Session &session,
                                               const Scenario &scenario,
                                               const PlacedModel &model,
                                               bool otherKernels) {
  // Invalid values are skipped.
  ScopedDiagnosticHandler handler(session.model().getContext(),
                                  [](Diagnostic &) { return success(); });
  if (!otherKernels) {
    Settings settings = resolve(scenario, std::nullopt);
    const Gpu &gpu = model.model().gpu();
    if (settings.clock &&
        (*settings.clock > gpu.maxClock || *settings.clock < gpu.minClock))
      return std::nullopt;
    if (settings.powerLimit &&
        !model.model().refusePowerLimit(*settings.powerLimit).empty())
      return std::nullopt;
    return model.solve(settings);
  }
  FailureOr<Session::Prepared> prepared = session.prepare(scenario);
  if (failed(prepared))
    return std::nullopt;
  FailureOr<PlacedModel> placed = session.place(*prepared);
  if (failed(placed))
    return std::nullopt;
  return placed->solve(prepared->model->settings);
}

/// The defaults of unstated settings for `model`.
static Scenario defaultsFor(const PlacedModel &model) {
  Scenario scenario;
  scenario.clock = model.model().gpu().maxClock;
  scenario.powerLimit = model.model().gpu().powerLimit;
  scenario.hostLaunch = model.model().coefficients().runtime->hostLaunch;
  return scenario;
}

/// `value` times `factor` in the same type; false if the result is not valid.
static bool scale(int64_t &value, double factor) {
  double scaled = static_cast<double>(value) * factor;
  if (scaled < 1 || scaled != std::floor(scaled) || scaled > 1e15)
    return false;
  value = static_cast<int64_t>(scaled);
  return true;
}
template <typename Tag> static bool scale(Quantity<Tag> &value, double factor) {
  value *= factor;
  return true;
}

static double valueOf(int64_t value) { return static_cast<double>(value); }
template <typename Tag> static double valueOf(Quantity<Tag> value) {
  return value.value();
}

template <typename Row>
static std::optional<Sensitivity>
sensitivityTo(const Row &row, const Session &session, const Scenario &scenario,
              const PlacedModel &model) {
  using T = typename Row::Type;
  Scenario middle = scenario;
  auto &value = middle.*row.stated;
  if (!value)
    value = defaultsFor(model).*row.stated;
  if (!value || !(valueOf(*value) > 0))
    return std::nullopt;
  constexpr bool whole = std::is_same_v<T, int64_t>;
  double less = whole ? 0.5 : 0.9, more = whole ? 2 : 1.1;
  struct End {
    double x;
    IterationTotals totals;
  };
  std::vector<End> ends;
  for (double factor : {less, 1.0, more}) {
    Scenario other = middle;
    if (!scale(*(other.*row.stated), factor) ||
        !row.spec.allows(valueOf(*(other.*row.stated)) /
                         (whole ? 1 : row.spec.unitSize)))
      continue;
    if (auto totals = totalsOf(session, other, model,
                               row.affects != SettingEffect::Evaluation))
      ends.push_back({valueOf(*(other.*row.stated)), *totals});
  }
  Sensitivity sensitivity;
  sensitivity.name = std::string(row.flag);
  sensitivity.value = toText(*value, row.spec);
  if (*row.spec.unit)
    sensitivity.value += std::string(" ") + row.spec.unit;
  if (ends.size() > 1) {
    const End &low = ends.front(), &high = ends.back();
    sensitivity.time = elasticityOf(low.x, high.x, low.totals.time.value(),
                                    high.totals.time.value());
    sensitivity.energy = elasticityOf(low.x, high.x, low.totals.energy.value(),
                                      high.totals.energy.value());
  }
  return sensitivity;
}

std::vector<Sensitivity> sweep::findSensitivities(const Session &session,
                                                  const Scenario &scenario,
                                                  const PlacedModel &model) {
  std::vector<Sensitivity> found =
      factSensitivities(model, model.prepared().settings);
  Scenario all = getScenario(session.model());
  stateAll(all, scenario);
  forEachSetting([&](const auto &row) {
    using Row = std::decay_t<decltype(row)>;
    if constexpr (Row::isNumber)
      // Numbers of GPUs come with their plans; a run only adds up.
      if (row.group != SettingGroup::Parallelism &&
          row.group != SettingGroup::Run)
        if (auto sensitivity = sensitivityTo(row, session, all, model))
          found.push_back(std::move(*sensitivity));
  });
  return found;
}
