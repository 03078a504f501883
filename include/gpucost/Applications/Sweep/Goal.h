//===- Goal.h - Objective and constraints -----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "--minimize=energy --subject-to='time<=1.05*best, power<=300, fits'".
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_SWEEP_GOAL_H
#define GPUCOST_APPLICATIONS_SWEEP_GOAL_H

#include "gpucost/Applications/Sweep/PointResult.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>
#include <vector>

namespace gpucost::sweep {

/// The physical quantity of a metric.
enum class MetricQuantity {
  Time,
  Energy,
  EnergyTime,
  Money,
  Mass,
  Memory,
  Power,
  Plain
};

/// The 80 % interval that a metric follows; `Prompt`: that of prompts.
enum class MetricError { None, Time, Prompt, Energy, EnergyTime, Power };

/// Everything about a metric except its value: one row of a table in
/// Metric.cpp.
struct MetricRow {
  Metric metric;
  MetricQuantity quantity;
  MetricError error;
  bool isOfIterations, isOfDeployments;
  /// Whether `Per::Sample` divides it by the samples of an iteration.
  bool isPerSample = false;
  /// A time or rate of one request of a deployment.
  bool isOfRequest = false;
  bool moreIsBetter = false;
  /// Unit in text if it has no SI prefix, and its size in SI units.
  llvm::StringLiteral unit = "";
  double unitSize = 1;
  /// The share of requests that a percentile covers; 0: not a percentile.
  double percentile = 0;
};
const MetricRow &rowOf(Metric metric);

/// The unit of a metric as text, and its size in the unit of `valueOf`.
struct MetricUnit {
  llvm::StringRef name;
  double size = 1;
  bool prefixed = true; ///< an SI prefix goes before it
};

/// The unit of values of which the smallest is `smallest`: costs below 0.001
/// are given per million iterations or samples.
MetricUnit unitOf(Metric metric, double smallest, Per per);

/// A value as text: "12.3 ms", "54.1 GiB", "18.3 money/million samples".
std::string textOf(Metric metric, double value, Per per = Per::Iteration);
std::string textOf(Metric metric, double value, const MetricUnit &unit);

/// In SI base units, currency units and grams; nullopt if unknown.
std::optional<double> valueOf(const PointResult &result, Metric metric,
                              Per per = Per::Iteration);

/// Half-width u of the 80 % interval around ln(value); nullopt if unknown, 0
/// for memory.
std::optional<double> widthOf(const PointResult &result, Metric metric);

/// The same for ln(value of a / value of b): sqrt(ua^2 + ub^2 - 2 r ua ub),
/// with r = `correlation` on one GPU and 0 between two.
std::optional<double> widthOfRatio(const PointResult &a, const PointResult &b,
                                   Metric metric);

/// "metric <= bound". A bound may be a multiple of the best value that other
/// constraints allow.
struct Constraint {
  enum class Relation { LessEqual, Less, GreaterEqual, Greater };
  Metric metric = Metric::Time;
  Relation relation = Relation::LessEqual;
  double bound = 0;
  bool isTimesBest = false;
  std::string text;

  bool holds(double value, double resolved) const;
};

/// What a search chooses among: iterations (optimize, plan) or deployments.
enum class SearchSubject : uint8_t { Iterations, Deployments };

/// The names of the metrics that can be bounded, and of those that can be
/// minimized.
std::vector<std::string_view>
boundedMetrics(SearchSubject subject = SearchSubject::Iterations);
std::vector<std::string_view>
minimizedMetrics(SearchSubject subject = SearchSubject::Iterations);

struct Goal {
  Metric metric = Metric::Time;
  Per per = Per::Iteration;
  std::vector<Constraint> constraints;
};

/// `constraints` are separated by commas; "fits" always holds, because points
/// that do not fit are never chosen. Numbers without a unit are in ms, J, GiB,
/// W, g and samples/s; those of a run in h, kWh and kg.
llvm::Expected<Goal>
parseGoal(llvm::StringRef minimize, llvm::StringRef constraints,
          SearchSubject subject = SearchSubject::Iterations);

/// Properties of candidates, by index. Values are in the units of bounds.
struct Candidates {
  size_t count = 0;
  std::function<bool(size_t)> isFeasible;
  std::function<std::optional<double>(size_t, Metric, Per)> value;
  /// 80 % half-width of ln(value of the first / value of the second).
  std::function<std::optional<double>(size_t, size_t, Metric)> widthOfRatio;
  /// Decides between candidates with equal values of the goal: the smaller.
  std::function<double(size_t)> tieBreak;
};

/// Result of a search.
struct Choice {
  /// Index into the results; nullopt if no point satisfies all constraints.
  std::optional<size_t> chosen;
  /// Other points tied with it (80 % intervals), best first.
  std::vector<size_t> ties;
  /// Points that satisfy all constraints, best first.
  std::vector<size_t> ranking;
  /// For each constraint, its bound as a number and the number of feasible
  /// points that violate it.
  std::vector<double> bounds;
  std::vector<size_t> broken;
};

/// Whether `result` satisfies `constraint` with the number `bound`.
bool satisfies(const PointResult &result, const Constraint &constraint,
               double bound);

/// The candidate with the lowest `goal.metric`.
Choice choose(const Candidates &candidates, const Goal &goal);
/// Among equal points the fastest, then the first.
Choice choose(llvm::ArrayRef<PointResult> results, const Goal &goal);

/// The Pareto front of the feasible points, sorted by the first metric. Among
/// equal points the first. Higher throughput is better.
std::vector<size_t> paretoFront(const Candidates &candidates, Metric a,
                                Metric b, Per per);
std::vector<size_t> paretoFront(llvm::ArrayRef<PointResult> results, Metric a,
                                Metric b, Per per);

} // namespace gpucost::sweep

#endif // GPUCOST_APPLICATIONS_SWEEP_GOAL_H
