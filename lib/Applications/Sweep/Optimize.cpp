//===- Optimize.cpp - The best point of a space ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Sweep/Optimize.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace gpucost;
using namespace gpucost::sweep;

bool sweep::needsPerSample(const Space &space) {
  if (space.models().size() > 1)
    return true;
  return llvm::any_of(space.axes(), [](const Axis &axis) {
    return llvm::is_contained(
        {"batch", "bind", "seq", "gpus", "parallel", "grad-accum", "entry"},
        axis.flag);
  });
}

/// Text quoted for a shell.
static std::string quote(const std::string &text) {
  auto isPlain = [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("-_./:=,+@%").contains(c);
  };
  if (!text.empty() && llvm::all_of(text, isPlain))
    return text;
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string sweep::flagsOf(const Scenario &scenario) {
  std::string text;
  forEachSetting([&](const auto &row) {
    if (const auto &value = scenario.*row.stated)
      text += (text.empty() ? "" : " ") + quote("--" + std::string(row.flag) +
                                                "=" + toText(*value, row.spec));
  });
  return text;
}

/// The report of a point; nullopt if there is none.
static std::optional<IterationReport> reportOf(const Evaluator &evaluator,
                                               int64_t point, bool standard,
                                               double *voltage = nullptr) {
  llvm::Expected<Evaluator::Placed> placed = evaluator.place(point);
  if (!placed) {
    llvm::consumeError(placed.takeError());
    return std::nullopt;
  }
  Settings settings = placed->settings;
  if (standard)
    settings.clock.reset(), settings.powerLimit.reset();
  IterationReport report = placed->model->evaluate(settings);
  if (voltage)
    *voltage = placed->model->model().voltageRatio(report.clock);
  return report;
}

/// Error for a metric that no point has.
static llvm::Error findMissing(llvm::ArrayRef<PointResult> results,
                               const Goal &goal) {
  std::vector<Metric> asked{goal.metric};
  for (const Constraint &constraint : goal.constraints)
    asked.push_back(constraint.metric);
  bool feasible = llvm::any_of(
      results, [](const PointResult &r) { return r.isFeasible(); });
  for (Metric metric : asked) {
    bool known = llvm::any_of(results, [&](const PointResult &r) {
      return r.isFeasible() && valueOf(r, metric).has_value();
    });
    if (!feasible || known)
      continue;
    llvm::StringRef name = stringifyMetric(metric);
    bool hasRun = llvm::any_of(results, [](const PointResult &r) {
      return r.isFeasible() && r.run().has_value();
    });
    llvm::StringRef needs =
        name.starts_with("run_") && !hasRun
            ? "the size of the run: --samples or --tokens"
        : name.ends_with("cost")   ? "a price of these GPUs: --price"
        : name.ends_with("carbon") ? "the CO2e of a kWh: --grid"
                                   : "a batch dimension of the model";
    return llvm::createStringError(name + " needs " + needs);
  }
  return llvm::Error::success();
}

llvm::Expected<Optimum> sweep::optimize(const Evaluator &evaluator,
                                        const SweepOptions &options,
                                        const Goal &goal) {
  const Space &space = evaluator.space();
  if (space.size() > mostOptimizedPoints)
    return llvm::createStringError(llvm::Twine(space.size()) +
                                   " points; optimize takes " +
                                   llvm::Twine(mostOptimizedPoints) +
                                   " at most: use sweep, or fewer values");
  std::vector<PointResult> results(static_cast<size_t>(space.size()));
  SweepOptions all = options;
  all.unfitNumbers = false;
  runSweep(evaluator, all, [&](PointBatch &batch) {
    for (PointResult &result : batch.results)
      results[static_cast<size_t>(result.point)] = std::move(result);
    return true;
  });
  return chooseOptimum(evaluator, goal, std::move(results));
}

llvm::Expected<Optimum> sweep::chooseOptimum(const Evaluator &evaluator,
                                             const Goal &goal,
                                             std::vector<PointResult> results) {
  const Space &space = evaluator.space();
  Optimum optimum;
  optimum.goal = goal;
  optimum.results = std::move(results);
  if (llvm::Error error = findMissing(optimum.results, goal))
    return std::move(error);
  optimum.choice = choose(optimum.results, goal);
  if (!optimum.choice.chosen)
    return optimum;

  int64_t point = optimum.results[*optimum.choice.chosen].point;
  double voltage = 1, standardVoltage = 1;
  optimum.report = reportOf(evaluator, point, /*standard=*/false, &voltage);
  Scenario chosen = space.scenarioOf(point);
  if (chosen.clock || chosen.powerLimit) {
    optimum.standard = evaluator.evaluateAtDefault(point);
    optimum.standardReport =
        reportOf(evaluator, point, /*standard=*/true, &standardVoltage);
    optimum.voltageRatio = voltage / standardVoltage;
  }

  // The best point of each GPU is the first one in the ranking of its points.
  std::map<std::string, std::vector<PointResult>> byGpu;
  std::map<std::string, std::vector<size_t>> indices;
  for (auto [i, result] : llvm::enumerate(optimum.results))
    if (result.isFeasible()) {
      byGpu[result.gpu].push_back(result);
      indices[result.gpu].push_back(i);
    }
  if (byGpu.size() > 1) {
    Goal absolute = goal;
    // Limits are resolved over the whole space.
    for (auto [constraint, bound] :
         llvm::zip(absolute.constraints, optimum.choice.bounds)) {
      constraint.isTimesBest = false;
      constraint.bound = bound;
    }
    for (const auto &[gpu, results] : byGpu)
      if (Choice best = choose(results, absolute); best.chosen)
        optimum.bestOfGpus.push_back(indices[gpu][*best.chosen]);
    auto rank = [&](size_t i) {
      return std::pair(*valueOf(optimum.results[i], goal.metric, goal.per), i);
    };
    llvm::sort(optimum.bestOfGpus,
               [&](size_t a, size_t b) { return rank(a) < rank(b); });
  }
  for (auto [a, b] : {std::pair(Metric::Time, Metric::Energy),
                      {Metric::Time, Metric::Cost},
                      {Metric::Throughput, Metric::Memory}})
    if (std::vector<size_t> points =
            paretoFront(optimum.results, a, b, goal.per);
        !points.empty())
      optimum.fronts.push_back({a, b, std::move(points)});
  return optimum;
}
