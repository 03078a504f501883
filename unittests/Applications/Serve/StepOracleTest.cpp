//===- StepOracleTest.cpp - Families of shapes and steps ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/StepOracle.h"
#include "Decoder.h"
#include "gpucost/Core/Archive/ServiceFile.h"
#include "gpucost/Core/Iteration/Restate.h"

using namespace gpucost;
using namespace gpucost::serve;

namespace {

/// Every number of a family equals the number of a model with this shape,
/// memory included.
void expectSame(Decoder &decoder, const ShapeFamily &family,
                const StepShape &shape) {
  SCOPED_TRACE(std::to_string(shape.batch) + ", " +
               std::to_string(shape.query) + ", " + std::to_string(shape.past));
  auto learnt = family.at(shape);
  auto prepared = decoder.prepare(shape);
  ASSERT_TRUE(prepared);
  const CostModel &costs = *decoder.costModel;
  EXPECT_EQ(learnt->memory.activationBytes, prepared->memory.activationBytes);
  EXPECT_EQ(learnt->bindings, prepared->bindings);
  EXPECT_EQ(learnt->tokens, prepared->tokens);
  EXPECT_EQ(learnt->settings.past, prepared->settings.past);
  MemoryPlan a = planMemory(*learnt, costs.gpu(), costs.coefficients()),
             b = planMemory(*prepared, costs.gpu(), costs.coefficients());
  EXPECT_EQ(a.device, b.device);
  EXPECT_EQ(a.peak, b.peak);
  auto options = prepared->settings;
  IterationTotals mine =
      cantFail(PlacedModel::create(learnt, costs)).solve(options);
  IterationTotals theirs =
      cantFail(PlacedModel::create(prepared, costs)).solve(options);
  EXPECT_DOUBLE_EQ(mine.time.value(), theirs.time.value());
  EXPECT_DOUBLE_EQ(mine.energy.value(), theirs.energy.value());
}

TEST(ShapeFamily, IsAsExactAsPreparing) {
  for (KvCacheMode cache :
       {KvCacheMode::InPlace, KvCacheMode::Paged, KvCacheMode::Concat}) {
    // A paged cache has tables of at most 1 MiB here: not too many entries.
    Scenario stated;
    stated.kvCache = cache;
    Decoder decoder(stated);
    auto family =
        ShapeFamily::create({{2, 1, 100}, {40, 1, 60000}}, decoder.maker());
    ASSERT_TRUE(family) << family.error().message;
    for (StepShape shape : {StepShape{2, 1, 100},
                            {17, 1, 1023},
                            {40, 1, 4096},
                            {3, 1, 59999},
                            {25, 1, 2049}})
      expectSame(decoder, *family, shape);
  }
}

TEST(ShapeFamily, PromptsAreQuadratic) {
  Decoder decoder;
  auto family =
      ShapeFamily::create({{2, 2, 1}, {18, 4000, 8000}}, decoder.maker());
  ASSERT_TRUE(family) << family.error().message;
  for (StepShape shape :
       {StepShape{2, 2, 1}, {5, 777, 1234}, {18, 128, 1}, {3, 3999, 4095}})
    expectSame(decoder, *family, shape);
}

/// The embedding table has 128256 rows of 4096 elements in 2 bytes; more tokens
/// read each row once.
TEST(ShapeFamily, LongPromptsReadTheTableOnce) {
  Decoder decoder;
  auto family =
      ShapeFamily::create({{2, 2, 1}, {18, 8192, 8192}}, decoder.maker());
  ASSERT_TRUE(family) << family.error().message;
  constexpr int64_t rows = 128256, row = int64_t(4096) * 2, index = 8;
  auto readBytes = [&](const StepShape &shape) {
    std::shared_ptr<PreparedModel> model = family->at(shape);
    for (const KernelWork &work : model->works)
      if (work.family == KernelFamily::Embedding)
        return work.count.bytesRead;
    return int64_t(-1);
  };
  for (StepShape shape :
       {StepShape{17, 7544, 5}, {16, 8016, 5}, {17, 7545, 5}, {18, 8192, 7}}) {
    int64_t tokens = shape.batch * shape.query;
    EXPECT_EQ(readBytes(shape), std::min(tokens, rows) * row + tokens * index);
    expectSame(decoder, *family, shape);
  }
}

TEST(ShapeFamily, RefusesWhatIsNone) {
  Decoder decoder;
  // One sequence has other kernels than several.
  auto mixed = ShapeFamily::create({{1, 1, 100}, {1, 1, 120}}, decoder.maker());
  ASSERT_FALSE(mixed);
  EXPECT_EQ(mixed.error().message,
            "the range of shapes is too short for a family");
  // A size that is not a polynomial: here in a model that the caller changes.
  auto odd = ShapeFamily::create(
      {{2, 1, 100}, {2, 1, 1000}},
      [&](const StepShape &shape)
          -> Expected<std::shared_ptr<const PreparedModel>> {
        auto model = std::make_shared<PreparedModel>(*decoder.prepare(shape));
        model->works[0].count.bytesRead =
            std::min<int64_t>(shape.past, 500) * 64;
        return std::shared_ptr<const PreparedModel>(model);
      });
  ASSERT_FALSE(odd);
  EXPECT_EQ(odd.error().message, "a size is not a polynomial of the shape");
}

class Steps : public testing::Test {
protected:
  Steps() {
    auto made = StepShapes::create({256, 2048, 8000}, decoder.maker());
    EXPECT_TRUE(made) << made.error().message;
    shapes = std::make_shared<const StepShapes>(std::move(*made));
    options = shapes->mixed().base().settings;
    oracle = std::make_unique<StepOracle>(shapes, *decoder.costModel, options);
  }
  StepCost step(const std::vector<StepSequence> &sequences) {
    return cantFail(oracle->step(sequences.data(), sequences.size()));
  }

  Decoder decoder;
  std::shared_ptr<const StepShapes> shapes;
  Settings options;
  std::unique_ptr<StepOracle> oracle;
};

TEST_F(Steps, OfEqualSequencesAreTheReport) {
  for (StepShape shape : {StepShape{1, 1, 500},
                          {7, 1, 500},
                          {1, 300, 0},
                          {4, 300, 0},
                          {1, 300, 77},
                          {4, 300, 77}}) {
    StepCost cost = step(std::vector<StepSequence>(
        static_cast<size_t>(shape.batch), {shape.query, shape.past}));
    auto report = decoder.session->analyze(decoder.at(shape));
    ASSERT_TRUE(mlir::succeeded(report));
    EXPECT_DOUBLE_EQ(cost.time.value(), report->time.value());
    EXPECT_DOUBLE_EQ(cost.energy.value(), report->energy.value());
    EXPECT_DOUBLE_EQ(cost.clock.value(), report->clock.value());
  }
}

/// The decode step at 1980 MHz consumes some hundred watts, and more than 20 W
/// at the lowest clock.
TEST_F(Steps, NameUnreachableLimits) {
  EXPECT_FALSE(step({{1, 500}}).limitUnreachable);
  options.powerLimit = Watts(20);
  oracle = std::make_unique<StepOracle>(shapes, *decoder.costModel, options);
  StepCost cost = step({{1, 500}});
  EXPECT_TRUE(cost.throttled);
  EXPECT_TRUE(cost.limitUnreachable);
  EXPECT_FALSE(cost.isLowerBound);
  EXPECT_GT(cost.power(), Watts(20));
}

/// Tokens of all sequences together read the rows of a table once.
TEST_F(Steps, OfLongPromptsReadTheTableOnce) {
  auto timeOf = [&](int64_t last) {
    std::vector<StepSequence> sequences(70, {2047, 100});
    sequences.push_back({last, 100});
    return step(sequences).time.value();
  };
  auto equal = step(std::vector<StepSequence>(71, {2047, 100})).time.value();
  EXPECT_NEAR(timeOf(2048) / equal, 1, 1e-3);
}

/// (1, c) of a mean context is a report as well.
TEST_F(Steps, OfDecodesHaveTheMeanContext) {
  StepCost even = step({{1, 600}, {1, 600}, {1, 600}});
  StepCost odd = step({{1, 100}, {1, 1000}, {1, 699}}); // 599.7
  EXPECT_DOUBLE_EQ(even.time.value(), odd.time.value());
}

/// A mixed step by the rule: other kernels once, for the totals; attention per
/// group.
TEST_F(Steps, OfDifferentSequencesFollowTheRule) {
  std::vector<StepSequence> sequences(16, {1, 1000});
  sequences.push_back({240, 512});
  StepCost mixed = step(sequences);
  // 256 tokens: the matmuls of 2 prompts with 128 tokens; attention is
  // replaced.
  CostModel &costs = *decoder.costModel;
  auto attention = [&](const StepShape &shape) {
    auto model = decoder.prepare(shape);
    auto placed = cantFail(PlacedModel::create(model, costs));
    Seconds sum;
    for (const Launch &launch : model->launches)
      if (model->works[launch.work].is<AttentionProblem>())
        sum += placed.launchCost(launch.work, mixed.clock).time.total;
    return sum;
  };
  auto others = [&](const StepShape &shape) {
    auto model = decoder.prepare(shape);
    auto placed = cantFail(PlacedModel::create(model, costs));
    Seconds sum;
    for (const Launch &launch : model->launches)
      if (!model->works[launch.work].is<AttentionProblem>())
        sum += placed.launchCost(launch.work, mixed.clock).time.total;
    return sum;
  };
  Seconds expected = others({2, 128, 512}) + attention({16, 1, 1000}) +
                     attention({1, 240, 512});
  // The file computes the logits of all positions; only the L2 contents between
  // kernels differ.
  EXPECT_NEAR(mixed.time / expected, 1, 0.02);
}

TEST_F(Steps, Order) {
  double before = 0;
  for (int64_t context : {1, 100, 1000, 4000, 8000}) {
    std::vector<StepSequence> sequences(8, {1, context});
    double time = step(sequences).time.value();
    EXPECT_GE(time, before * 0.999);
    before = time;
  }
  double perToken = HUGE_VAL;
  for (size_t batch : {1, 2, 4, 8, 16, 32, 64}) {
    StepCost cost = step(std::vector<StepSequence>(batch, {1, 500}));
    double each = cost.energy.value() / static_cast<double>(batch);
    EXPECT_LT(each, perToken);
    perToken = each;
  }
}

/// Clocks begin at those of earlier steps, and kernels are remembered; costs
/// are the same as without.
TEST_F(Steps, DoNotDependOnEarlierSteps) {
  for (double watts : {250.0, 400.0, 700.0}) {
    options.powerLimit = Watts(watts);
    oracle = std::make_unique<StepOracle>(shapes, *decoder.costModel, options);
    int throttled = 0;
    for (int64_t i = 0; i < 40; ++i) {
      std::vector<StepSequence> sequences(static_cast<size_t>(1 + i * 7 % 32),
                                          {1, 1 + i * 997 % 8000});
      if (i % 3)
        sequences.push_back({2 + i * 389 % 2000, i * 61 % 4000});
      StepOracle fresh(shapes, *decoder.costModel, options);
      StepCost alone = cantFail(fresh.step(sequences.data(), sequences.size()));
      StepCost cost = step(sequences);
      EXPECT_EQ(cost.time.value(), alone.time.value());
      EXPECT_EQ(cost.energy.value(), alone.energy.value());
      EXPECT_EQ(cost.clock.value(), alone.clock.value());
      throttled += cost.throttled;
    }
    EXPECT_GT(throttled, 0);
  }
}

/// From any guess, the clock is the highest of the grid within the limit, found
/// here by trying all.
TEST_F(Steps, ClocksDoNotDependOnGuesses) {
  const Gpu &gpu = decoder.costModel->gpu();
  PlacedModel placed = cantFail(
      PlacedModel::create(decoder.prepare({2, 700, 100}), *decoder.costModel));
  auto clockAt = [&](int64_t step) {
    return gpu.maxClock - gpu.clockStep * static_cast<double>(step);
  };
  for (double watts : {120.0, 300.0, 450.0, 600.0, 700.0}) {
    options.powerLimit = Watts(watts);
    Watts limit = decoder.costModel->regulatedPower(Watts(watts));
    int64_t expected = 0;
    while (clockAt(expected + 1) >= gpu.minClock &&
           placed.totalsAt(clockAt(expected), options).power() > limit)
      ++expected;
    IterationTotals totals = placed.solve(options);
    EXPECT_EQ(totals.point.clock.value(), clockAt(expected).value());
    for (int64_t step : {0, 1, 7, 60, 130, 100000})
      for (double slope : {0.0, 0.1, 3.0, 1000.0}) {
        ClockGuess guess{step, Watts(slope)};
        IterationTotals other = placed.solve(options, guess);
        EXPECT_EQ(other.point.clock.value(), totals.point.clock.value());
        EXPECT_EQ(other.point.throttled, totals.point.throttled);
        EXPECT_EQ(other.point.limitUnreachable, totals.point.limitUnreachable);
        EXPECT_EQ(other.energy.value(), totals.energy.value());
        EXPECT_EQ(guess.step, expected);
      }
  }
}

TEST_F(Steps, Errors) {
  auto message = [&](std::vector<StepSequence> sequences) {
    auto cost = oracle->step(sequences.data(), sequences.size());
    return cost ? std::string() : cost.error().message;
  };
  EXPECT_EQ(message({}), "a step has at least one sequence");
  EXPECT_EQ(message({{1, 5}, {0, 5}}),
            "sequence 1 has 0 new tokens, expected 1 to 2048");
  EXPECT_EQ(message({{1, 8001}}),
            "sequence 0 has 8001 tokens in the cache, expected 0 to 8000");
  EXPECT_EQ(message(std::vector<StepSequence>(257)),
            "a step of 257 sequences is beyond the limit of 256");
}

TEST_F(Steps, SurviveAFile) {
  ScenarioTarget target =
      getScenarioTarget(*decoder.costModel, shapes->mixed().base().format);
  auto bytes =
      encodeService("decoder", target, shapes->limits(), decoder.maker());
  ASSERT_TRUE(bytes);
  auto file = decodeService(*bytes);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->name, "decoder");
  StepOracle again(file->shapes, *decoder.costModel, options);
  std::vector<StepSequence> sequences = {{1, 400}, {1, 800}, {64, 128}};
  EXPECT_DOUBLE_EQ(
      cantFail(again.step(sequences.data(), sequences.size())).time.value(),
      step(sequences).time.value());
  for (size_t cut : {size_t(3), bytes->size() / 2, bytes->size() - 1})
    EXPECT_FALSE(decodeService(std::string_view(*bytes).substr(0, cut)));
}

} // namespace
