//===- ServeTest.cpp - Numbers of a service -------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Serve/Serve.h"
#include "Decoder.h"

using namespace gpucost;
using namespace gpucost::serve;

namespace {

ServeReport ask(int64_t batch, const ServeQuestion &question,
                Scenario stated = {}) {
  stated.batch = batch;
  Decoder decoder(stated);
  auto report = predictService(*decoder.session, decoder.scenario, question);
  EXPECT_TRUE(mlir::succeeded(report));
  return mlir::succeeded(report) ? *report : ServeReport();
}

/// 2 layers x 2 x 8 heads x 128 x 2 bytes; 8 query heads of 4 each read them.
TEST(Serve, CacheByHand) {
  ServeQuestion question;
  question.outputTokens = 3;
  ServeReport report = ask(4, question);
  EXPECT_EQ(report.memory.cachePerToken, 2 * 2 * 8 * 128 * 2);
  // The mean step of contexts 2048 and 2049 is reported at the first of them.
  ASSERT_TRUE(report.decode);
  const ServeStep &first = *report.decode->first, &last = *report.decode->last;
  EXPECT_EQ(first.context, 2048);
  EXPECT_EQ(last.context, 2049);
  EXPECT_DOUBLE_EQ(report.decode->floor.cache.value(), 4 * 2048 * 8192.0);
  EXPECT_DOUBLE_EQ(report.decode->time.value(),
                   (first.time.value() + last.time.value()) / 2);
}

/// (V10) Whole tokens, and never the last one.
TEST(Serve, PrefixOfAPrompt) {
  Techniques techniques;
  EXPECT_EQ(techniques.cachedOf(2048), 0);
  techniques.prefixHit = 0.3;
  EXPECT_EQ(techniques.cachedOf(2048), 614);
  techniques.prefixHit = 1;
  EXPECT_EQ(techniques.cachedOf(2048), 2047);
  EXPECT_EQ(techniques.cachedOf(1), 0);
}

/// (V11) 1 + a + a^2 + ...
TEST(Serve, TokensOfAStepWithDrafts) {
  Techniques techniques;
  EXPECT_EQ(techniques.tokensPerStep(), 1);
  techniques.draftTokens = 3;
  techniques.acceptance = 0.5;
  EXPECT_DOUBLE_EQ(techniques.tokensPerStep(), 1.875);
  techniques.acceptance = 0;
  EXPECT_DOUBLE_EQ(techniques.tokensPerStep(), 1);
  techniques.acceptance = 1;
  EXPECT_DOUBLE_EQ(techniques.tokensPerStep(), 4);
}

TEST(Serve, FewContextsAreNearAllOfThem) {
  ServeQuestion question;
  question.inputTokens = 300;
  question.outputTokens = 400;
  ServeReport few = ask(24, question);
  question.contexts = 399;
  ServeReport all = ask(24, question);
  ASSERT_TRUE(few.decode && all.decode);
  EXPECT_NEAR(few.decode->time / all.decode->time, 1, 1e-3);
  EXPECT_NEAR(few.decode->energy / all.decode->energy, 1, 1e-3);
}

TEST(Serve, AnswersOfOneTokenHaveNoDecode) {
  ServeQuestion question;
  question.outputTokens = 1;
  ServeReport report = ask(2, question);
  EXPECT_FALSE(report.decode);
  EXPECT_DOUBLE_EQ(report.total().value(), report.prefill.time.value());
  EXPECT_DOUBLE_EQ(report.tokensPerSecond(), 2 / report.prefill.time.value());
}

TEST(Serve, Order) {
  ServeQuestion question;
  question.outputTokens = 64;
  Seconds time, start;
  double joules = HUGE_VAL;
  for (int64_t batch : {1, 4, 16, 64}) {
    ServeReport report = ask(batch, question);
    EXPECT_GT(report.decode->time, time);
    EXPECT_GT(report.prefill.time, start);
    double each = report.decode->energy.value() / static_cast<double>(batch);
    EXPECT_LT(each, joules);
    EXPECT_GE(report.decode->time, report.decode->floor.memory);
    time = report.decode->time;
    start = report.prefill.time;
    joules = each;
    if (batch == 1) {
      EXPECT_LE(report.decode->time, report.decode->floor.memory * 1.6);
    }
  }
}

TEST(Serve, DefaultsYieldToSettings) {
  Scenario stated;
  stated.runtime = Runtime::Eager;
  Scenario scenario = serveScenario(stated);
  EXPECT_EQ(scenario.runtime, Runtime::Eager);
  EXPECT_EQ(scenario.kvCache, KvCacheMode::InPlace);
  EXPECT_EQ(serveScenario({}).runtime, Runtime::CudaGraph);
}

} // namespace
