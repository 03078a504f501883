//===- ExpertStepsTest.cpp - Steps with experts and sliding windows -------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"
#include "gpucost/Core/Archive/ServiceFile.h"
#include "gpucost/Core/Iteration/Restate.h"
#include "gpucost/Core/Iteration/StepOracle.h"

using namespace gpucost;
using namespace gpucost::serve;

namespace {

/// One of two layers has a window of 256 keys; each has 8 experts.
struct Steps {
  explicit Steps(const Scenario &stated = {},
                 const char *path = GPUCOST_EXPERTS)
      : decoder(stated, path) {
    auto made = StepShapes::create({256, 1024, 4000}, decoder.maker());
    EXPECT_TRUE(made) << made.error().message;
    shapes = std::make_shared<const StepShapes>(std::move(*made));
    oracle = std::make_unique<StepOracle>(shapes, *decoder.costModel,
                                          shapes->mixed().base().settings);
  }
  StepCost step(const std::vector<StepSequence> &sequences) {
    return cantFail(oracle->step(sequences.data(), sequences.size()));
  }
  /// The step of equal sequences, and the report of that shape.
  void expectReport(const StepShape &shape) {
    SCOPED_TRACE(std::to_string(shape.batch) + ", " +
                 std::to_string(shape.query) + ", " +
                 std::to_string(shape.past));
    StepCost cost = step(std::vector<StepSequence>(
        static_cast<size_t>(shape.batch), {shape.query, shape.past}));
    auto report = decoder.session->analyze(decoder.at(shape));
    ASSERT_TRUE(mlir::succeeded(report));
    EXPECT_DOUBLE_EQ(cost.time.value(), report->time.value());
    EXPECT_DOUBLE_EQ(cost.energy.value(), report->energy.value());
  }

  Decoder decoder;
  std::shared_ptr<const StepShapes> shapes;
  std::unique_ptr<StepOracle> oracle;
};

/// Few tokens and many; before, across and after the window.
const StepShape every[] = {
    {1, 1, 5},    {2, 1, 5},     {3, 1, 254},  {3, 1, 255},   {3, 1, 256},
    {3, 1, 257},  {40, 1, 300},  {200, 1, 90}, {1, 1, 3999},  {1, 100, 0},
    {1, 256, 0},  {1, 257, 0},   {1, 1000, 0}, {4, 300, 0},   {1, 100, 50},
    {2, 30, 225}, {2, 30, 226},  {2, 30, 227}, {2, 2, 254},   {2, 2, 255},
    {2, 2, 256},  {1, 400, 250}, {5, 64, 900}, {3, 1000, 100}};

TEST(ExpertSteps, AreTheReport) {
  Steps steps;
  EXPECT_EQ(steps.shapes->mixed().windows(), Windows{256});
  for (const StepShape &shape : every)
    steps.expectReport(shape);
}

TEST(ExpertSteps, OfOtherChoicesAreTheReport) {
  Scenario worst, given, divided, whole, copied;
  worst.moeBalance = MoeBalance::Worst;
  given.activeExperts = 3;
  divided.gpus = 4;
  divided.parallel = parseParallelism("ep");
  // (X28), (X29) The rows of the busiest GPU are not a polynomial.
  whole.gpus = 4;
  whole.parallel = parseParallelism("tp");
  whole.wholeExperts = true;
  copied = divided;
  copied.expertSkew = Scalar(1);
  copied.redundantExperts = 4;
  for (const Scenario &stated : {worst, given, divided, whole, copied}) {
    Steps steps(stated);
    for (const StepShape &shape : {StepShape{1, 1, 300},
                                   {2, 1, 40},
                                   {7, 1, 900},
                                   {100, 1, 500},
                                   {1, 300, 0},
                                   {2, 70, 200}})
      steps.expectReport(shape);
  }
}

/// Experts receive all tokens of a step: 4 tokens from two prompts and from
/// decodes read as many experts as 4 decodes.
TEST(ExpertSteps, OfDifferentSequences) {
  Steps steps;
  CostModel &costs = *steps.decoder.costModel;
  std::vector<StepSequence> sequences(16, {1, 1000});
  sequences.push_back({112, 100});
  StepCost mixed = steps.step(sequences);
  auto sum = [&](const StepShape &shape, bool isAttention) {
    auto model = steps.decoder.prepare(shape);
    auto placed = cantFail(PlacedModel::create(model, costs));
    Seconds time;
    for (const Launch &launch : model->launches)
      if (model->works[launch.work].is<AttentionProblem>() == isAttention)
        time += placed.launchCost(launch.work, mixed.clock).time.total;
    return time;
  };
  // 128 tokens; one group is past the window, the other before it.
  Seconds expected = sum({2, 64, 512}, false) + sum({16, 1, 1000}, true) +
                     sum({1, 112, 100}, true);
  EXPECT_NEAR(mixed.time / expected, 1, 0.03);
}

TEST(ExpertSteps, SurviveAFile) {
  Steps steps;
  auto bytes =
      encodeService("experts",
                    getScenarioTarget(*steps.decoder.costModel,
                                      steps.shapes->mixed().base().format),
                    steps.shapes->limits(), steps.decoder.maker());
  ASSERT_TRUE(bytes) << bytes.error().message;
  auto file = decodeService(*bytes);
  ASSERT_TRUE(file) << file.error().message;
  StepOracle again(file->shapes, *steps.decoder.costModel,
                   file->shapes->mixed().base().settings);
  std::vector<StepSequence> sequences = {{1, 40}, {1, 800}, {64, 230}};
  EXPECT_DOUBLE_EQ(
      cantFail(again.step(sequences.data(), sequences.size())).time.value(),
      steps.step(sequences).time.value());
}

/// Layers with windows of 256 and 600 keys, and one without: six regions.
TEST(WindowSteps, OfTwoLengthsAreTheReport) {
  Steps steps({}, GPUCOST_WINDOWS);
  EXPECT_EQ(steps.shapes->mixed().windows(), (Windows{256, 600}));
  for (const StepShape &shape : every)
    steps.expectReport(shape);
  // Around the end of the second window.
  for (const StepShape &shape : {StepShape{3, 1, 598},
                                 {3, 1, 599},
                                 {3, 1, 600},
                                 {2, 2, 598},
                                 {2, 100, 480},
                                 {2, 100, 500},
                                 {2, 100, 501},
                                 {1, 600, 0},
                                 {1, 601, 0},
                                 {2, 400, 240},
                                 {2, 800, 200}})
    steps.expectReport(shape);
}

/// A group on each side of the windows: attention has the keys of its group.
TEST(WindowSteps, OfDifferentSequences) {
  Steps steps({}, GPUCOST_WINDOWS);
  auto timeOf = [&](int64_t past) {
    return steps.step({{1, past}, {1, past}, {1, past}, {64, 300}}).time;
  };
  // 256 keys in the first layer, 600 in the second.
  EXPECT_LT(timeOf(100), timeOf(500));
  EXPECT_LT(timeOf(500), timeOf(3000));
  StepCost alone = steps.step({{64, 300}});
  EXPECT_GT(timeOf(100), alone.time);
}

TEST(WindowSteps, OfThreeLengthsAreRefused) {
  Decoder decoder({}, GPUCOST_WINDOWS);
  auto family = ShapeFamily::create(
      {{2, 1, 300}, {40, 1, 4000}},
      [&](const StepShape &shape)
          -> Expected<std::shared_ptr<const PreparedModel>> {
        auto model = std::make_shared<PreparedModel>(*decoder.prepare(shape));
        int64_t windows = 0;
        for (KernelWork &work : model->works)
          if (work.is<AttentionProblem>())
            work.edit<AttentionProblem>().window = 100 * ++windows;
        return std::shared_ptr<const PreparedModel>(model);
      });
  ASSERT_FALSE(family);
  EXPECT_EQ(family.error().message,
            "attention has windows of 3 lengths, at most 2 are supported");
}

} // namespace
