//===- Sensitivities.cpp - Sensitivities to facts and settings ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/Sensitivities.h"
#include "gpucost/Core/Model/GpuFacts.h"
#include <cmath>

using namespace gpucost;

std::optional<double> gpucost::elasticityOf(double lowX, double highX,
                                            double lowA, double highA) {
  if (!(lowX > 0) || !(highX > lowX) || !(lowA > 0) || !(highA > 0))
    return std::nullopt;
  return std::log(highA / lowA) / std::log(highX / lowX);
}

namespace {

/// Evaluates the model on GPUs with one changed fact.
class ChangedGpu {
public:
  ChangedGpu(const PlacedModel &model, const Settings &settings,
             const std::string &fact)
      : model(model), settings(settings), fact(fact) {}

  struct At {
    double value; ///< of the fact, rounded if it is a count
    IterationTotals totals;
  };
  /// nullopt if the result is not a valid GPU or has no cost.
  std::optional<At> times(double factor) const {
    const CostModel &before = model.model();
    Expected<Gpu> gpu = scaleFact(before.gpu(), fact, factor);
    if (!gpu)
      return std::nullopt;
    double value = 0;
    for (const GpuFact &each : factsOf(*gpu, model.prepared().format))
      if (each.name == fact)
        value = each.value;
    Expected<CostModel> changed =
        CostModel::create(*gpu, before.coefficients(), before.choice());
    if (!changed)
      return std::nullopt;
    Expected<PlacedModel> placed =
        PlacedModel::create(model.sharedModel(), *changed);
    if (!placed)
      return std::nullopt;
    return At{value, placed->solve(settings)};
  }

private:
  const PlacedModel &model;
  const Settings &settings;
  const std::string &fact;
};

} // namespace

/// The smallest factor that halves `time`, to 1 %; nullopt if `most` does not
/// suffice.
static std::optional<double> findDoubling(const ChangedGpu &gpu, Seconds time,
                                          double most) {
  auto halves = [&](double factor) {
    auto at = gpu.times(factor);
    return at && at->totals.time <= time / 2;
  };
  if (!halves(most))
    return std::nullopt;
  // Doubling the speed requires at least twice the value of any fact.
  constexpr double closeEnough = 1.01;
  double low = 1, high = most;
  while (high / low > closeEnough) {
    double middle = std::sqrt(low * high);
    (halves(middle) ? high : low) = middle;
  }
  return high;
}

std::vector<Sensitivity> gpucost::factSensitivities(const PlacedModel &model,
                                                    const Settings &settings) {
  std::vector<Sensitivity> found;
  IterationTotals now = model.solve(settings);
  Seconds time = now.time;
  constexpr double less = 0.9, more = 1.1, most = 64;
  for (const GpuFact &fact :
       factsOf(model.model().gpu(), model.prepared().format)) {
    Sensitivity sensitivity;
    sensitivity.name = fact.name;
    sensitivity.value = fact.text;
    sensitivity.isFact = true;
    ChangedGpu gpu(model, settings, fact.name);
    auto low = gpu.times(less), high = gpu.times(more), twice = gpu.times(2);
    if (low && high) {
      sensitivity.time =
          elasticityOf(low->value, high->value, low->totals.time.value(),
                       high->totals.time.value());
      sensitivity.energy =
          elasticityOf(low->value, high->value, low->totals.energy.value(),
                       high->totals.energy.value());
    }
    if (twice && twice->totals.time > Seconds(0)) {
      sensitivity.speedup = time / twice->totals.time;
      const OperatingPoint &point = twice->totals.point;
      if (point.throttled && point.clock < now.point.clock)
        sensitivity.clockOfTwice = point.clock;
    }
    sensitivity.doubling = findDoubling(gpu, time, most);
    found.push_back(std::move(sensitivity));
  }
  return found;
}
