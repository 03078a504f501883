//===- PlanText.cpp - The best plan as text and JSON ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Plan/Plan.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "gpucost/Applications/Sweep/PointText.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "gpucost/Core/Support/JsonStream.h"
#include "llvm/ADT/STLExtras.h"
#include <fmt/format.h>

using namespace gpucost;
using namespace gpucost::plan;
using namespace gpucost::sweep;

/// The settings of a plan, resolved without a GPU.
static Settings settingsOf(const Space &space, int64_t point) {
  Scenario scenario = space.scenarioOf(point);
  scenario.mode = IterationMode::Training;
  return resolve(scenario, std::nullopt);
}

/// The search in one line.
static std::string describeSearch(const PlanResult &result) {
  if (!result.exactReason.empty())
    return fmt::format("{} plans, all analyzed in full: {}", result.plans,
                       result.exactReason);
  return fmt::format("{} plans; {} do not fit; {} analyzed in full, up to "
                     "{:.1f} % from their estimate",
                     result.plans, result.unfit, result.analyzed,
                     100 * result.difference);
}

/// "computation 81 %, waiting 12 %, ...".
static std::string describeTime(const PlanTerms &terms, Seconds time) {
  std::string text;
  for (const auto &[member, name, phrase] : PlanTerms::parts())
    if (double share = terms.*member / time; share >= 0.0005)
      text += (text.empty() ? "" : ", ") +
              fmt::format("{} {:.1f} %", phrase, 100 * share);
  return text;
}

/// The command that analyzes the choice at its clocks.
static std::string commandAt(const Optimum &o, const Space &space,
                             const StageClockChoice &clocks) {
  int64_t point = o.results[*o.choice.chosen].point;
  Scenario scenario = space.scenarioOf(point);
  scenario.stageClocks = toText(clocks.clocks);
  return "gpu-cost-opt " +
         space.models()[space.modelOf(point / space.blockSize())] + " " +
         flagsOf(scenario);
}

static void printClocks(const PlanResult &result, const Space &space,
                        llvm::raw_ostream &os) {
  if (result.clockChoice == ClockChoice::None)
    return;
  if (!result.clocks) {
    printText(os, "clocks", "the choice has no stages; try --clock");
    return;
  }
  const StageClockChoice &c = *result.clocks;
  printText(os, "clocks",
            fmt::format("{} MHz instead of {}: {:.2f} % less energy, {:.2f} % "
                        "more time",
                        toText(c.clocks), toText(c.usualClocks),
                        100 * (1 - c.energy / c.usualEnergy),
                        100 * (c.time / c.usualTime - 1)));
  printText(os, "", commandAt(result.optimum, space, c));
}

static void printAlternatives(const PlanResult &result, llvm::raw_ostream &os) {
  if (result.alternatives.empty())
    return;
  const Optimum &o = result.optimum;
  Metric metric = o.goal.metric;
  const PointResult &chosen = o.results[*o.choice.chosen];
  os << "\n  the best plan without one property of the choice\n";
  TextTable table({TextTable::left("choice"), TextTable::left("instead"),
                   TextTable::left("change"), TextTable::left("why", 20)});
  for (const Alternative &each : result.alternatives)
    table.addRow(
        {each.property + "=" + each.chosen, each.index ? each.other : "-",
         each.index ? changeText(chosen, o.results[*each.index], metric)
                    : "no plan",
         each.reason});
  table.print(os, 2);
}

/// A table of plans; `heading` and `cell` describe a column that differs.
static void printPlans(const Space &space,
                       llvm::ArrayRef<const PointResult *> plans,
                       TextTable::Column heading,
                       llvm::function_ref<TextTable::Cell(size_t row)> cell,
                       llvm::raw_ostream &os) {
  TextTable table({TextTable::right("GPUs"), TextTable::left("plan"),
                   TextTable::right("batch"), TextTable::left("recompute"),
                   TextTable::right("virtual"), TextTable::numbers("time", "s"),
                   TextTable::right("samples/s"), std::move(heading),
                   TextTable::numbers("energy of all", "J"),
                   TextTable::right("MFU")});
  for (auto [row, plan] : llvm::enumerate(plans)) {
    const PointResult &r = *plan;
    Settings settings = settingsOf(space, r.point);
    table.addRow(
        {r.gpus, toText(settings.plan()), settings.batch.value_or(1),
         toText(settings.recompute), settings.virtualStages, r.time,
         fmt::format("{:.4g}", static_cast<double>(r.samples) / r.time.value()),
         cell(row), r.energy * static_cast<double>(r.gpus),
         fmt::format("{:.1f} %", 100 * r.mfu)});
  }
  table.print(os, 2);
}

static llvm::ArrayRef<size_t> rankingOf(const PlanResult &result, size_t top) {
  return llvm::ArrayRef(result.optimum.choice.ranking).take_front(top);
}

static void printRanking(const PlanResult &result, const Space &space,
                         size_t top, llvm::raw_ostream &os) {
  std::vector<const PointResult *> plans;
  for (size_t index : rankingOf(result, top))
    plans.push_back(&result.optimum.results[index]);
  os << fmt::format("\n  the best {} of {} plans that meet all bounds\n",
                    plans.size(), result.optimum.choice.ranking.size());
  printPlans(
      space, plans, TextTable::fixed("memory", "GiB"),
      [&](size_t row) {
        return TextTable::Cell(static_cast<double>(plans[row]->deviceBytes) /
                               0x1p30);
      },
      os);
}

static void printScaling(const std::vector<ScalingPoint> &curve,
                         llvm::StringRef title, const Space &space,
                         llvm::raw_ostream &os) {
  if (curve.empty())
    return;
  os << "\n  " << title << '\n';
  std::vector<const PointResult *> plans;
  plans.reserve(curve.size());
  for (const ScalingPoint &point : curve)
    plans.push_back(&point.plan);
  printPlans(
      space, plans, TextTable::right("efficiency"),
      [&](size_t row) {
        return TextTable::Cell(
            fmt::format("{:.1f} %", 100 * curve[row].efficiency));
      },
      os);
}

void plan::printPlan(const PlanResult &result, const Space &space, size_t top,
                     llvm::StringRef launcher, llvm::raw_ostream &os) {
  const Optimum &o = result.optimum;
  printOptimum(o, space, os);
  printText(os, "search", describeSearch(result));
  if (!o.choice.chosen)
    return;
  const PointResult &chosen = o.results[*o.choice.chosen];
  if (result.exactReason.empty())
    printText(os, "time of",
              "the busiest rank: " +
                  describeTime(result.terms[*o.choice.chosen], chosen.time));
  if (result.stated) {
    std::string text = result.statedText + ": ";
    text += result.stated->isFeasible()
                ? "the choice takes " +
                      changeText(*result.stated, chosen, Metric::Time) +
                      " and " +
                      changeText(*result.stated, chosen, Metric::Energy)
                : "does not fit: " + result.stated->reason;
    printText(os, "against", text);
  }
  printClocks(result, space, os);
  printAlternatives(result, os);
  printRanking(result, space, top, os);
  printScaling(result.scaling, "the best plan for each number of GPUs", space,
               os);
  printScaling(result.weakScaling,
               "the same with a global batch in proportion to the GPUs", space,
               os);
  if (launcher.empty())
    return;
  os << "\n  arguments for " << launcher << '\n';
  for (const std::string &argument :
       launchArguments(launcher, settingsOf(space, chosen.point)))
    os << "  " << argument << '\n';
}

static void writeTerms(JsonStream &j, const PlanTerms &terms) {
  j.object([&] {
    for (const auto &[member, name, phrase] : PlanTerms::parts())
      j.number(std::string(name) + "_ms", (terms.*member).value() * 1e3);
  });
}

static void writeScaling(JsonStream &j, const char *key,
                         const std::vector<ScalingPoint> &curve,
                         const PointText &text) {
  j.attributeArray(key, [&] {
    for (const ScalingPoint &point : curve)
      j.object([&] {
        j.attribute("gpus", point.plan.gpus);
        j.attribute("global_batch", point.plan.samples);
        j.number("efficiency", point.efficiency);
        j.key("point");
        text.write(j, point.plan);
      });
  });
}

static void writeClocks(JsonStream &j, const PlanResult &result,
                        const Space &space) {
  const StageClockChoice &c = *result.clocks;
  auto list = [&](const char *key, const std::vector<RankClocks> &clocks) {
    j.attributeArray(key, [&] {
      for (const RankClocks &rank : clocks)
        j.object([&] {
          j.number("forward_mhz", rank.forward.value() * 1e-6);
          j.number("backward_mhz", rank.backward.value() * 1e-6);
        });
    });
  };
  j.object([&] {
    list("ranks", c.clocks);
    list("usual_ranks", c.usualClocks);
    j.number("time_ms", c.time.value() * 1e3);
    j.number("usual_time_ms", c.usualTime.value() * 1e3);
    j.number("energy_j", c.energy.value());
    j.number("usual_energy_j", c.usualEnergy.value());
    j.attribute("command", commandAt(result.optimum, space, c));
  });
}

static void writePlan(JsonStream &j, const PlanResult &result,
                      const Space &space, size_t top, const PointText &text) {
  const Optimum &o = result.optimum;
  j.attribute("plans", result.plans);
  j.attribute("unfit_plans", result.unfit);
  j.attribute("analyzed_plans", result.analyzed);
  j.number("largest_difference", result.difference);
  j.attribute("analyzed_all_because", result.exactReason);
  j.key("terms");
  if (o.choice.chosen && result.exactReason.empty())
    writeTerms(j, result.terms[*o.choice.chosen]);
  else
    j.value(nullptr);
  j.attributeArray("ranking", [&] {
    for (size_t index : rankingOf(result, top))
      text.write(j, o.results[index]);
  });
  j.attributeArray("alternatives", [&] {
    for (const Alternative &each : result.alternatives)
      j.object([&] {
        j.attribute("property", each.property);
        j.attribute("chosen", each.chosen);
        j.attribute("other", each.other);
        j.attribute("reason", each.reason);
        j.key("point");
        if (each.index)
          text.write(j, o.results[*each.index]);
        else
          j.value(nullptr);
      });
  });
  writeScaling(j, "scaling", result.scaling, text);
  writeScaling(j, "weak_scaling", result.weakScaling, text);
  j.key("against");
  if (result.stated)
    j.object([&] {
      j.attribute("text", result.statedText);
      j.attribute("status", stringifyPointStatus(result.stated->status));
      j.number("time_ms", result.stated->time.value() * 1e3);
      j.number("energy_j", result.stated->energy.value());
    });
  else
    j.value(nullptr);
  j.key("stage_clocks");
  if (result.clocks)
    writeClocks(j, result, space);
  else
    j.value(nullptr);
  j.key("launch");
  j.object([&] {
    if (!o.choice.chosen)
      return;
    Settings settings = settingsOf(space, o.results[*o.choice.chosen].point);
    for (std::string_view launcher : launchers())
      j.attributeArray(launcher, [&] {
        for (const std::string &argument : launchArguments(launcher, settings))
          j.value(argument);
      });
  });
}

void plan::printPlanJson(const PlanResult &result, const Space &space,
                         size_t top, llvm::StringRef version,
                         llvm::raw_ostream &os, bool everyPoint) {
  printOptimumJson(result.optimum, space, version, os, everyPoint,
                   [&](JsonStream &j, const PointText &text) {
                     j.key("plan");
                     j.object([&] { writePlan(j, result, space, top, text); });
                   });
}
