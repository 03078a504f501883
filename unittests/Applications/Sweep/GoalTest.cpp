//===- GoalTest.cpp - Choices among points --------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Sweep/Goal.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace gpucost;
using namespace gpucost::sweep;

/// A point of `time` s and `energy` J, with half-widths of 10 %.
static PointResult point(double time, double energy, const char *gpu = "a100") {
  PointResult result;
  result.gpu = gpu;
  result.time = Seconds(time);
  result.energy = Joules(energy);
  result.cost.energy = Joules(energy);
  result.power = result.energy / result.time;
  result.errorBars = IterationErrorBars{0.1, 0.1, 0.1};
  result.correlation = 0.65;
  result.deviceBytes = 1 << 30;
  result.samples = 4;
  return result;
}

static Goal goal(const char *minimize, const char *constraints = "") {
  llvm::Expected<Goal> goal = parseGoal(minimize, constraints);
  EXPECT_TRUE(static_cast<bool>(goal)) << llvm::toString(goal.takeError());
  return goal ? *goal : Goal();
}

static std::string errorOf(const char *minimize, const char *constraints) {
  llvm::Expected<Goal> goal = parseGoal(minimize, constraints);
  return goal ? "no error" : llvm::toString(goal.takeError());
}

TEST(GoalTest, Constraints) {
  Goal g = goal("edp", "time<=1.05*best, power < 300 W,memory<=40, fits,"
                       "throughput>=10,time<2s");
  EXPECT_EQ(g.metric, Metric::Edp);
  ASSERT_EQ(g.constraints.size(), 5u); // fits is none
  EXPECT_TRUE(g.constraints[0].isTimesBest);
  EXPECT_EQ(g.constraints[0].bound, 1.05);
  EXPECT_EQ(g.constraints[1].bound, 300);
  EXPECT_EQ(g.constraints[1].relation, Constraint::Relation::Less);
  EXPECT_EQ(g.constraints[2].bound, 40 * 1073741824.0);
  EXPECT_EQ(g.constraints[3].relation, Constraint::Relation::GreaterEqual);
  EXPECT_EQ(g.constraints[4].bound, 2);
  // Without a unit times are ms.
  EXPECT_EQ(goal("time", "time<=80").constraints[0].bound, 0.080);
}

TEST(GoalTest, MistakesAreOneError) {
  for (const char *text :
       {"time", "time<=", "time<=x", "tim<=3", "time<=3 J", "time<=nan",
        "time<=*best", "time<=-1*best", "time==3", "power<=300,", "<=3"})
    EXPECT_NE(errorOf("time", text).find("--subject-to expects"),
              std::string::npos)
        << text << ": " << errorOf("time", text);
  EXPECT_EQ(errorOf("throughput", ""),
            "unknown value 'throughput' of --minimize, expected time, energy, "
            "edp, cost, carbon, memory, power, total_power, run_hours, "
            "run_energy, run_cost or run_carbon");
}

TEST(GoalTest, UnitsOfBounds) {
  auto bound = [](const char *text) {
    return goal("time", text).constraints[0].bound;
  };
  EXPECT_EQ(bound("throughput>=1e9"), 1e9);
  EXPECT_EQ(bound("total_power<=10kW"), 1e4);
  EXPECT_EQ(bound("total_power<=500"), 500);
  EXPECT_EQ(bound("run_hours<=2"), 7200);
  EXPECT_EQ(bound("run_hours<=1.5d"), 1.5 * 86400);
  EXPECT_EQ(bound("run_energy<=2"), 7.2e6);
  EXPECT_EQ(bound("run_energy<=1MWh"), 3.6e9);
  EXPECT_EQ(bound("run_carbon<=3"), 3000);
  EXPECT_EQ(bound("carbon<=3"), 3);
  EXPECT_EQ(bound("run_cost<=1e3"), 1000);
  for (const char *text : {"run_hours<=2W", "total_power<=2h", "run_cost<=2h",
                           "time<=1e", "time<=inf", "time<=1e999"})
    EXPECT_NE(errorOf("time", text).find("--subject-to expects"),
              std::string::npos)
        << text;
}

/// 8 GPUs of 100 J in 1 s, 1000 J with the nodes and the PUE, 50 iterations.
TEST(GoalTest, TotalsHaveNames) {
  PointResult result = point(1, 100);
  result.gpus = 8;
  result.cost.time = Seconds(1);
  result.cost.energy = Joules(1000);
  result.cost.money = 0.5;
  result.cost.carbon = 2;
  result.power = Watts(100);
  EXPECT_EQ(valueOf(result, Metric::Power), 100);
  EXPECT_EQ(valueOf(result, Metric::TotalPower), 1000);
  EXPECT_EQ(valueOf(result, Metric::RunHours), std::nullopt);
  result.iterations = 50;
  EXPECT_EQ(valueOf(result, Metric::RunHours), 50);
  EXPECT_EQ(valueOf(result, Metric::RunEnergy), 50000);
  EXPECT_EQ(valueOf(result, Metric::RunCost), 25);
  EXPECT_EQ(valueOf(result, Metric::RunCarbon), 100);
  // The run has no samples to be divided by.
  EXPECT_EQ(valueOf(result, Metric::RunCost, Per::Sample), 25);
  EXPECT_EQ(valueOf(result, Metric::Cost, Per::Sample), 0.125);
  EXPECT_EQ(textOf(Metric::RunHours, 7200), "2.00 h");
  EXPECT_EQ(textOf(Metric::RunEnergy, 7.2e6), "2.00 kWh");
  EXPECT_EQ(textOf(Metric::Cost, 5e-4), "500 money/million iterations");
  // One unit for both.
  MetricUnit unit = unitOf(Metric::Cost, 5e-4, Per::Sample);
  EXPECT_EQ(textOf(Metric::Cost, 2e-3, unit), "2000 money/million samples");
}

TEST(GoalTest, RowsOfMetrics) {
  using Names = std::vector<std::string_view>;
  EXPECT_EQ(boundedMetrics(),
            (Names{"time", "energy", "edp", "cost", "carbon", "memory", "power",
                   "total_power", "run_hours", "run_energy", "run_cost",
                   "run_carbon", "throughput"}));
  EXPECT_EQ(minimizedMetrics(SearchSubject::Deployments),
            (Names{"energy", "cost", "carbon", "memory", "power", "total_power",
                   "ttft", "ttft_p50", "ttft_p90", "ttft_p95", "ttft_p99",
                   "tpot", "latency", "gpus"}));
  EXPECT_EQ(rowOf(Metric::TtftP95).percentile, 0.95);
  EXPECT_EQ(textOf(Metric::GpuRate, 1234.5), "1234 tokens/s/GPU");
  EXPECT_EQ(textOf(Metric::Gpus, 8), "8.00 GPUs");
  EXPECT_EQ(textOf(Metric::RunHours, 7200), "2.00 h");
  EXPECT_EQ(textOf(Metric::RunEnergy, 7.2e6), "2.00 kWh");
  EXPECT_EQ(textOf(Metric::RunCarbon, 5000), "5.00 kg CO2e");
  EXPECT_EQ(textOf(Metric::Tpot, 0.02), "20.0 ms");
  EXPECT_EQ(textOf(Metric::Throughput, 3, Per::OutputToken), "3.00 tokens/s");
}

TEST(GoalTest, ChoosesTheLeastThatKeepsAllBounds) {
  std::vector<PointResult> points{point(1.0, 100), point(1.04, 80),
                                  point(1.06, 60), point(2.0, 50)};
  EXPECT_EQ(choose(points, goal("energy")).chosen, 3u);
  EXPECT_EQ(choose(points, goal("time")).chosen, 0u);
  // 1.05 x 1.0 s leaves the first two.
  Choice choice = choose(points, goal("energy", "time<=1.05*best"));
  EXPECT_EQ(choice.chosen, 1u);
  EXPECT_EQ(choice.ranking.size(), 2u);
  EXPECT_DOUBLE_EQ(choice.bounds[0], 1.05);
  EXPECT_EQ(choice.broken[0], 2u);
  // The best time under 70 W is 1.06 s (60 / 1.06 = 56.6 W): 1.05 x that.
  EXPECT_EQ(choose(points, goal("energy", "power<=70, time<=1.05*best")).chosen,
            2u);
  // Energy x time: 100, 83.2, 63.6, 100.
  EXPECT_EQ(choose(points, goal("edp")).chosen, 2u);
  EXPECT_FALSE(choose(points, goal("energy", "time<=0.5s")).chosen);
  points[2].status = PointStatus::DoesNotFit;
  EXPECT_EQ(choose(points, goal("edp")).chosen, 1u);
}

TEST(GoalTest, OfEqualPointsTheFastest) {
  std::vector<PointResult> points{point(2, 50), point(1, 50), point(1, 50)};
  EXPECT_EQ(choose(points, goal("energy")).chosen, 1u);
}

TEST(GoalTest, TiesFollowFromIntervals) {
  // u = ln 1.1 for both. On one GPU sqrt(2 (1 - 0.65)) u = 0.8367 x 0.09531 =
  // 0.07974: 8.3 % more are a tie, 8.4 % are none. On two GPUs sqrt(2) u =
  // 0.13479: 14.4 %.
  double u = std::log(1.1);
  EXPECT_NEAR(*widthOfRatio(point(1, 1), point(1, 2), Metric::Energy),
              std::sqrt(0.7) * u, 1e-12);
  EXPECT_NEAR(*widthOfRatio(point(1, 1), point(1, 2, "h100"), Metric::Energy),
              std::sqrt(2) * u, 1e-12);
  std::vector<PointResult> points{
      point(1, 100),         point(1, 108.2),         point(1, 108.4),
      point(1, 114, "h100"), point(1, 114.5, "h100"), point(1, 100.1)};
  Choice choice = choose(points, goal("energy"));
  EXPECT_EQ(choice.chosen, 0u);
  EXPECT_EQ(choice.ties, (std::vector<size_t>{5, 1, 3}));
  // A point without an interval is not a tie: its uncertainty is unknown.
  points[5].errorBars.reset();
  EXPECT_EQ(choose(points, goal("energy")).ties, (std::vector<size_t>{1, 3}));
}

TEST(GoalTest, PerSample) {
  std::vector<PointResult> points{point(1, 100), point(1.5, 150)};
  points[1].samples = 8; // 25 J and 18.75 J a sample
  Goal g = goal("energy");
  EXPECT_EQ(choose(points, g).chosen, 0u);
  g.per = Per::Sample;
  EXPECT_EQ(choose(points, g).chosen, 1u);
}

TEST(GoalTest, ParetoFront) {
  std::vector<PointResult> points{point(3, 1), point(1, 5), point(2, 2),
                                  point(2, 3), point(2, 2), point(4, 1)};
  EXPECT_EQ(paretoFront(points, Metric::Time, Metric::Energy, Per::Iteration),
            (std::vector<size_t>{1, 2, 0}));
  // More throughput is better; all take the same memory.
  EXPECT_EQ(
      paretoFront(points, Metric::Throughput, Metric::Memory, Per::Iteration),
      std::vector<size_t>{1});
}

/// Against a definition without sorting or early ends.
TEST(GoalTest, EqualsBruteForce) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(1, 2);
  std::vector<PointResult> points;
  for (int i = 0; i < 3000; ++i) {
    points.push_back(point(number(random), number(random) * 100));
    if (i % 7 == 0)
      points.back().status = PointStatus::DoesNotFit;
  }
  Choice choice = choose(points, goal("energy", "time<=1.3*best, power<=130"));
  double bestTime = HUGE_VAL;
  for (const PointResult &p : points)
    if (p.isFeasible() && p.power <= Watts(130))
      bestTime = std::min(bestTime, p.time.value());
  double least = HUGE_VAL;
  for (const PointResult &p : points)
    if (p.isFeasible() && p.power <= Watts(130) &&
        p.time.value() <= 1.3 * bestTime)
      least = std::min(least, p.energy.value());
  ASSERT_TRUE(choice.chosen);
  EXPECT_EQ(points[*choice.chosen].energy.value(), least);

  std::vector<size_t> front =
      paretoFront(points, Metric::Time, Metric::Energy, Per::Iteration);
  size_t undominated = 0;
  for (const PointResult &p : points) {
    bool beaten = !p.isFeasible();
    for (const PointResult &q : points)
      beaten |= q.isFeasible() && q.time <= p.time && q.energy <= p.energy &&
                (q.time < p.time || q.energy < p.energy);
    undominated += !beaten;
  }
  EXPECT_EQ(front.size(), undominated);
}
