//===- OptimumText.cpp - The best point, for people -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Report/ModelName.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/Report.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "gpucost/Applications/Sweep/Optimize.h"
#include "gpucost/Applications/Sweep/PointText.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <fmt/format.h>
#include <utility>

using namespace gpucost;
using namespace gpucost::sweep;

/// Smaller fractions of calibrated time are shown, as in a report.
static constexpr double leastCalibrated = 0.9995;

namespace {
/// The output, line by line.
struct Lines : std::vector<OptimumLine> {
  void add(std::string label, std::string text) {
    push_back({std::move(label), std::move(text)});
  }
};
} // namespace

/// Suffix of a metric's name if it is per sample.
static std::string perText(Metric metric, Per per) {
  return per == Per::Sample && rowOf(metric).isPerSample ? " per sample" : "";
}

static std::string valueText(const PointResult &result, Metric metric,
                             Per per) {
  std::optional<double> value = valueOf(result, metric, per);
  return value ? textOf(metric, *value, per) : unknownText.str();
}

std::string sweep::changeText(const PointResult &from, const PointResult &to,
                              Metric metric) {
  double ratio = *valueOf(to, metric) / *valueOf(from, metric);
  auto percent = [](double value) {
    return fmt::format("{:.1f} %", 100 * std::fabs(value - 1));
  };
  std::string noun = std::string(stringifyMetric(metric));
  std::string text = percent(ratio) + (ratio > 1 ? " more " : " less ") + noun;
  std::optional<double> width = widthOfRatio(from, to, metric);
  if (!width)
    return text;
  double low = ratio * std::exp(-*width), high = ratio * std::exp(*width);
  auto end = [](double value) {
    return fmt::format("{:+.0f}", 100 * (value - 1));
  };
  return text + " (" + end(low) + " to " + end(high) + " %)";
}

static void addChosen(Lines &lines, const Optimum &o, const Space &space) {
  const PointResult &best = o.results[*o.choice.chosen];
  std::string axes = axesText(space, best.point);
  lines.add("choice", axes.empty() ? "the only point" : axes);
  std::string numbers =
      valueText(best, Metric::Time, Per::Iteration) + ", " +
      valueText(best, Metric::Energy, Per::Iteration) + ", " +
      valueText(best, Metric::Power, Per::Iteration) +
      fmt::format(" at {:.0f} MHz, ", best.clock.value() * 1e-6) +
      std::string(stringifyNumericFormat(best.format));
  bool isShown = llvm::is_contained(
      {Metric::Time, Metric::Energy, Metric::Power}, o.goal.metric);
  if ((o.goal.per == Per::Sample && rowOf(o.goal.metric).isPerSample) ||
      !isShown)
    numbers += "; " + valueText(best, o.goal.metric, o.goal.per) +
               perText(o.goal.metric, o.goal.per);
  if (best.isLowerBound)
    numbers += "; LOWER BOUNDS: not all ops are modelled";
  lines.add("", numbers);
  if (o.standard && o.standard->hasNumbers()) {
    lines.add(
        "default",
        "the board's own clock and limit: " +
            valueText(*o.standard, Metric::Time, Per::Iteration) + ", " +
            valueText(*o.standard, Metric::Energy, Per::Iteration) +
            fmt::format(" at {:.0f} MHz", o.standard->clock.value() * 1e-6));
    lines.add("", "the choice takes " +
                      changeText(*o.standard, best, Metric::Energy) + " and " +
                      changeText(*o.standard, best, Metric::Time));
  }
}

/// Notes about limits that the intervals of the choice cross.
static void addConstraints(Lines &lines, const Optimum &o) {
  for (size_t i = 0; i < o.goal.constraints.size(); ++i) {
    const Constraint &constraint = o.goal.constraints[i];
    std::string text = constraint.text;
    MetricUnit unit =
        unitOf(constraint.metric, o.choice.bounds[i], Per::Iteration);
    if (constraint.isTimesBest)
      text += " = " + textOf(constraint.metric, o.choice.bounds[i], unit);
    text +=
        fmt::format(": {} of the points that fit break it", o.choice.broken[i]);
    if (o.choice.chosen && !constraint.isTimesBest) {
      const PointResult &best = o.results[*o.choice.chosen];
      double value = *valueOf(best, constraint.metric);
      std::optional<double> width = widthOf(best, constraint.metric);
      double sign = constraint.holds(HUGE_VAL, o.choice.bounds[i]) ? -1 : 1;
      double worst = value * std::exp(sign * width.value_or(0));
      text += "; the choice has " + textOf(constraint.metric, value, unit);
      if (width && !constraint.holds(worst, o.choice.bounds[i]))
        text += ", but its 80 % PI reaches " +
                textOf(constraint.metric, worst, unit);
    }
    lines.add("bound", text);
  }
}

static void addTies(Lines &lines, const Optimum &o, const Space &space) {
  if (o.choice.ties.empty())
    return lines.add("ties",
                     "none: every other point is worse at 80 %, as far as "
                     "intervals are known");
  const std::vector<size_t> &ties = o.choice.ties;
  lines.add("ties", fmt::format("{} other {} tied with it (80 % intervals)",
                                ties.size(),
                                ties.size() == 1 ? "point is" : "points are"));
  // For tied values, time may decide.
  size_t fastest = *llvm::min_element(ties, [&](size_t a, size_t b) {
    return o.results[a].time < o.results[b].time;
  });
  const PointResult &best = o.results[*o.choice.chosen];
  if (o.goal.per == Per::Iteration && o.results[fastest].time < best.time)
    lines.add(
        "",
        "the fastest of them: " + axesText(space, o.results[fastest].point) +
            ": " + changeText(best, o.results[fastest], Metric::Time) + ", " +
            changeText(best, o.results[fastest], Metric::Energy));
}

static std::string boundText(const IterationReport &report) {
  return sharesText(report.boundFractions, 0.05);
}

/// Totals of the run, and what the report of the choice says about itself.
static void addReport(Lines &lines, const Optimum &o) {
  if (!o.report)
    return;
  if (std::string run = runText(*o.report); !run.empty())
    lines.add("run", run);
  if (o.report->calibratedFraction < leastCalibrated)
    lines.add("domain", formatPercent(1 - o.report->calibratedFraction) +
                            " of GPU time outside the calibrated domain");
  bool isFirst = true;
  for (const std::string &note : o.report->notes)
    lines.add(std::exchange(isFirst, false) ? "notes" : "", note);
}

static void addWhy(Lines &lines, const Optimum &o) {
  if (!o.report)
    return;
  const PointResult &best = o.results[*o.choice.chosen];
  if (o.standard && o.standardReport && o.standard->hasNumbers() &&
      best.clock < o.standard->clock) {
    lines.add(
        "why",
        fmt::format(
            "the SM clock is {:.0f} % of the default's, the time {:.0f} "
            "%: GPU time there is bound by ",
            100 * (best.clock / o.standard->clock),
            100 * (best.time / o.standard->time)) +
            boundText(*o.standardReport) +
            (o.standardReport->bound == Bound::Host ? ", and the host" : "") +
            fmt::format("; the core voltage is {:.0f} %, the power {:.0f} %",
                        100 * o.voltageRatio.value_or(1),
                        100 * (best.power / o.standard->power)));
    return;
  }
  lines.add("why",
            "GPU time is bound by " + boundText(*o.report) +
                (o.report->bound == Bound::Host ? "; the host holds up the GPU"
                                                : "") +
                "; MFU " + formatPercent(best.mfu));
}

/// The unit of the values of `points`.
static MetricUnit unitOfPoints(const Optimum &o, llvm::ArrayRef<size_t> points,
                               Metric metric) {
  double smallest = HUGE_VAL;
  for (size_t i : points)
    if (std::optional<double> value = valueOf(o.results[i], metric, o.goal.per))
      smallest = std::min(smallest, *value);
  return unitOf(metric, smallest, o.goal.per);
}

/// A table of points with the metrics; one unit per column.
static void printPoints(llvm::raw_ostream &os, const Optimum &o,
                        const Space &space, llvm::ArrayRef<size_t> points,
                        llvm::ArrayRef<Metric> metrics) {
  std::vector<TextTable::Column> columns;
  std::vector<MetricUnit> units;
  for (Metric metric : metrics) {
    units.push_back(unitOfPoints(o, points, metric));
    columns.push_back(
        units.back().prefixed
            ? TextTable::numbers(stringifyMetric(metric), units.back().name)
            : TextTable::fixed(stringifyMetric(metric), units.back().name));
  }
  columns.push_back(TextTable::left("point", 20));
  TextTable table(std::move(columns));
  for (size_t i : points) {
    std::vector<TextTable::Cell> cells;
    for (auto [metric, unit] : llvm::zip(metrics, units)) {
      std::optional<double> value = valueOf(o.results[i], metric, o.goal.per);
      cells.push_back(value ? TextTable::Cell(*value / unit.size)
                            : TextTable::Cell(unknownText));
    }
    cells.push_back(axesText(space, o.results[i].point));
    table.addRow(std::move(cells));
  }
  table.print(os, 4);
}

/// `lines` evenly spaced `points`, including both ends.
static std::vector<size_t> thin(const std::vector<size_t> &points,
                                size_t lines) {
  if (points.size() <= lines || lines < 2)
    return points;
  std::vector<size_t> some;
  for (size_t i = 0; i < lines; ++i)
    some.push_back(points[i * (points.size() - 1) / (lines - 1)]);
  return some;
}

static std::string titleOf(const Optimum &o, const Space &space) {
  std::string title = "least " + std::string(stringifyMetric(o.goal.metric)) +
                      perText(o.goal.metric, o.goal.per);
  for (const std::string &model : space.models())
    title += (&model == &space.models().front() ? " of " : ", ") +
             printable(modelName(model));
  return title;
}

/// Points that fit but have no value of the compared metric, such as a GPU
/// without a price.
static void addUncompared(Lines &lines, const Optimum &o, const Space &space) {
  auto isUncompared = [&](const PointResult &r) {
    return r.isFeasible() && !valueOf(r, o.goal.metric, o.goal.per);
  };
  size_t count = llvm::count_if(o.results, isUncompared);
  if (count == 0)
    return;
  auto first = llvm::find_if(o.results, isUncompared);
  lines.add(
      "left out",
      fmt::format("{} of the points that fit {} no {}, the first of "
                  "them ",
                  count, count == 1 ? "has" : "have",
                  std::string(stringifyMetric(o.goal.metric))) +
          axesText(space, first->point) +
          (llvm::is_contained({Metric::Cost, Metric::RunCost}, o.goal.metric)
               ? ": --price names no price of "
                 "its GPU"
               : ""));
}

std::string sweep::describeNoChoice(const Optimum &o) {
  if (llvm::any_of(o.results,
                   [](const PointResult &r) { return r.isFeasible(); }))
    return "no point keeps all bounds";
  const PointResult &first = o.results.front();
  return "no point fits and can be set: " +
         std::string(stringifyPointStatus(first.status)) + ", " + first.reason;
}

std::vector<OptimumLine> sweep::explainOptimum(const Optimum &o,
                                               const Space &space) {
  Lines lines;
  size_t feasible = llvm::count_if(
      o.results, [](const PointResult &r) { return r.isFeasible(); });
  lines.add("points",
            fmt::format("{}; {} fit and can be set, {} meet all bounds",
                        o.results.size(), feasible, o.choice.ranking.size()));
  addUncompared(lines, o, space);
  if (o.choice.chosen) {
    addChosen(lines, o, space);
    addConstraints(lines, o);
    addTies(lines, o, space);
    addWhy(lines, o);
    addReport(lines, o);
    return std::move(lines);
  }
  addConstraints(lines, o);
  lines.add("choice", "NONE: " + describeNoChoice(o));
  return std::move(lines);
}

void sweep::printOptimum(const Optimum &o, const Space &space,
                         llvm::raw_ostream &os, size_t frontLines) {
  os << titleOf(o, space) << "\n\n";
  for (const OptimumLine &line : explainOptimum(o, space))
    printText(os, line.label, line.text);
  if (!o.choice.chosen)
    return;
  const PointResult &best = o.results[*o.choice.chosen];
  os << "  command  gpu-cost-opt "
     << printable(
            space.models()[space.modelOf(best.point / space.blockSize())] +
            " " + flagsOf(space.scenarioOf(best.point)))
     << '\n';
  std::vector<Metric> columns{Metric::Time, Metric::Energy};
  if (!llvm::is_contained(columns, o.goal.metric))
    columns.push_back(o.goal.metric);
  if (!o.bestOfGpus.empty()) {
    os << "\n  the best of each GPU" << perText(Metric::Time, o.goal.per)
       << '\n';
    printPoints(os, o, space, o.bestOfGpus, columns);
  }
  for (const Front &front : o.fronts) {
    std::vector<size_t> some = thin(front.points, frontLines);
    os << fmt::format("\n  Pareto front of {} and {}{}: {}{}\n",
                      std::string(stringifyMetric(front.a)),
                      std::string(stringifyMetric(front.b)),
                      perText(front.a, o.goal.per),
                      front.points.size() == 1
                          ? "1 point"
                          : fmt::format("{} points", front.points.size()),
                      some.size() < front.points.size()
                          ? fmt::format(", {} of them", some.size())
                          : std::string());
    printPoints(os, o, space, some, {front.a, front.b});
  }
}
