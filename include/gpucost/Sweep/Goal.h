//===- Goal.h - What is to be least, subject to what ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// "--minimize=energy --subject-to='time<=1.05*best, power<=300, fits'".
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_SWEEP_GOAL_H
#define GPUCOST_SWEEP_GOAL_H

#include "gpucost/Sweep/PointResult.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpucost {

/// A number of a point.
enum class Metric {
  Time,      ///< of an iteration
  Energy,    ///< of an iteration: all GPUs and nodes, times the PUE
  Edp,       ///< energy x time
  Cost,      ///< money; needs --price
  Carbon,    ///< CO2e; needs --grid
  Memory,    ///< what a GPU shows as used
  Power,     ///< average of a GPU
  Throughput ///< samples per second of all GPUs
};

/// "time", "energy", ...
llvm::StringRef nameOf(Metric metric);
/// What a number is divided by.
enum class Per { Iteration, Sample };

/// Text of a value: "12.3 ms", "54.1 GiB". Small costs are those of a million:
/// "18.3 money/million samples".
std::string textOf(Metric metric, double value, Per per = Per::Iteration);

/// SI base units, money and grams; nullopt where it is not known.
std::optional<double> valueOf(const PointResult &result, Metric metric,
                              Per per = Per::Iteration);

/// Half-width u of the 80 % interval of ln(value); nullopt: not known. 0 for
/// memory.
std::optional<double> widthOf(const PointResult &result, Metric metric);

/// The same of ln(value of a / value of b): sqrt(ua^2 + ub^2 - 2 r ua ub), with
/// r = `correlation` on one GPU and 0 between two.
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

struct Goal {
  Metric metric = Metric::Time;
  Per per = Per::Iteration;
  std::vector<Constraint> constraints;
};

/// `constraints`: separated by commas; "fits" is one that always holds, since
/// points that do not fit are never chosen. Numbers without a unit are ms, J,
/// GiB, W, g and samples/s.
llvm::Expected<Goal> parseGoal(llvm::StringRef minimize,
                               llvm::StringRef constraints);

/// What was found.
struct Choice {
  /// Index into the results; nullopt when no point satisfies all constraints.
  std::optional<size_t> chosen;
  /// Other points that cannot be told from it at 80 %, best first.
  std::vector<size_t> ties;
  /// Points that satisfy all constraints.
  size_t allowed = 0;
  /// For each constraint its bound as a number, and how many feasible points
  /// break it.
  std::vector<double> bounds;
  std::vector<size_t> broken;
};

/// The least of `goal.metric`; of equal points the fastest, then the first.
Choice choose(llvm::ArrayRef<PointResult> results, const Goal &goal);

/// Feasible points that no other one beats in both metrics, by the first one.
/// Of equal points the first. Throughput is better when it is more.
std::vector<size_t> paretoFront(llvm::ArrayRef<PointResult> results, Metric a,
                                Metric b, Per per);

} // namespace gpucost

#endif // GPUCOST_SWEEP_GOAL_H
