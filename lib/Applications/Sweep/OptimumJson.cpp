//===- OptimumJson.cpp - The best point, for programs ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Sweep/Optimize.h"
#include "gpucost/Applications/Sweep/PointText.h"
#include "gpucost/Core/Support/JsonStream.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace gpucost;
using namespace gpucost::sweep;

/// Ties that are listed; `ties` counts all of them.
static constexpr size_t mostTies = 1000;

/// Whether a bound excludes a feasible point.
static bool breaksBound(const Optimum &o, const PointResult &result) {
  for (auto [constraint, bound] :
       llvm::zip(o.goal.constraints, o.choice.bounds))
    if (!satisfies(result, constraint, bound))
      return true;
  return false;
}

/// The settings that differ, all points, and which of them break a bound.
static void writeEveryPoint(JsonStream &j, const Optimum &o,
                            const PointText &text) {
  j.attributeArray("settings", [&] {
    for (const std::string &key : text.settingKeys())
      j.value(key);
  });
  j.attributeArray("all_points", [&] {
    for (const PointResult &result : o.results)
      text.write(j, result);
  });
  j.attributeArray("points_beyond_bounds", [&] {
    for (const PointResult &result : o.results)
      if (result.isFeasible() && breaksBound(o, result))
        j.value(result.point);
  });
}

void sweep::printOptimumJson(
    const Optimum &o, const Space &space, llvm::StringRef version,
    llvm::raw_ostream &os, bool everyPoint,
    llvm::function_ref<void(JsonStream &, const PointText &)> addMore) {
  // Points as a sweep prints them.
  PointText text(space, PointFormat::JsonLines, "", version.str());
  auto list = [&](JsonStream &j, llvm::StringRef key,
                  llvm::ArrayRef<size_t> points) {
    j.attributeArray(key, [&] {
      for (size_t i : points)
        text.write(j, o.results[i]);
    });
  };
  std::string output;
  JsonStream j(output);
  j.object([&] {
    j.attribute("schema", 1);
    j.attribute("version", version);
    j.attribute("minimize", stringifyMetric(o.goal.metric));
    j.attribute("per", stringifyPer(o.goal.per));
    j.attribute("points", static_cast<int64_t>(o.results.size()));
    j.attribute("feasible", static_cast<int64_t>(llvm::count_if(
                                o.results, [](const PointResult &r) {
                                  return r.isFeasible();
                                })));
    j.attribute("allowed", static_cast<int64_t>(o.choice.ranking.size()));
    j.attributeArray("constraints", [&] {
      for (size_t i = 0; i < o.goal.constraints.size(); ++i)
        j.object([&] {
          j.attribute("text", o.goal.constraints[i].text);
          j.number("bound", o.choice.bounds[i]);
          j.attribute("broken", static_cast<int64_t>(o.choice.broken[i]));
        });
    });
    j.key("choice");
    if (o.choice.chosen)
      text.write(j, o.results[*o.choice.chosen]);
    else
      j.value(nullptr);
    if (o.choice.chosen) {
      const PointResult &best = o.results[*o.choice.chosen];
      j.attribute(
          "command",
          "gpu-cost-opt " +
              space.models()[space.modelOf(best.point / space.blockSize())] +
              " " + flagsOf(space.scenarioOf(best.point)));
      double unknown = std::numeric_limits<double>::quiet_NaN();
      j.number("value",
               valueOf(best, o.goal.metric, o.goal.per).value_or(unknown));
    }
    j.key("default");
    if (o.standard && o.standard->hasNumbers())
      j.object([&] {
        j.number("time_ms", o.standard->time.value() * 1e3);
        j.number("energy_j", o.standard->energy.value());
        j.number("avg_power_w", o.standard->power.value());
        j.number("clock_mhz", o.standard->clock.value() * 1e-6);
      });
    else
      j.value(nullptr);
    j.attributeArray("reasons", [&] {
      for (const OptimumLine &line : explainOptimum(o, space))
        j.object([&] {
          j.attribute("what", line.label);
          j.attribute("text", line.text);
        });
    });
    j.attribute("ties", static_cast<int64_t>(o.choice.ties.size()));
    list(j, "tied_points", llvm::ArrayRef(o.choice.ties).take_front(mostTies));
    list(j, "best_of_gpus", o.bestOfGpus);
    j.attributeArray("fronts", [&] {
      for (const Front &front : o.fronts)
        j.object([&] {
          j.attributeArray("metrics", [&] {
            j.value(stringifyMetric(front.a));
            j.value(stringifyMetric(front.b));
          });
          list(j, "points", front.points);
        });
    });
    addMore(j, text);
    if (everyPoint)
      writeEveryPoint(j, o, text);
  });
  os << output << '\n';
}
