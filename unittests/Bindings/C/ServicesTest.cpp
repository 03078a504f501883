//===- ServicesTest.cpp - Step oracles through C --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "gpucost/Core/Archive/ServiceFile.h"
#include "gpucost/Core/Iteration/Restate.h"
#include "gpucost/Core/Targets/TargetChoice.h"
#include <atomic>
#include <string_view>
#include <thread>
#include <vector>

using namespace gpucost;

namespace {

constexpr int64_t width = 4096, heads = 32;

/// A matmul of all tokens with a weight matrix.
KernelWork productOf(const StepShape &s) {
  KernelWork work;
  work.family = KernelFamily::Matmul;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  MatmulProblem &problem = work.edit<MatmulProblem>();
  problem.m = s.batch * s.query;
  problem.n = problem.k = width;
  work.count = {2 * problem.m * width * width, 0, 0,
                2 * (problem.m * width + width * width), 2 * problem.m * width};
  return work;
}

/// Causal attention over the cache and the new tokens.
KernelWork attentionOf(const StepShape &s) {
  KernelWork work;
  work.family = KernelFamily::Attention;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  AttentionProblem &problem = work.edit<AttentionProblem>();
  problem.batch = s.batch;
  problem.heads = problem.kvHeads = heads;
  problem.queryLength = s.query;
  problem.kvLength = s.past + s.query;
  problem.headDim = width / heads;
  problem.causal = true;
  int64_t scores =
      s.batch * heads * (s.query * s.past + s.query * (s.query + 1) / 2);
  work.count = {4 * scores * problem.headDim, 5 * scores, scores,
                2 * s.batch * width * (s.query + 2 * problem.kvLength),
                2 * s.batch * width * s.query};
  return work;
}

PreparedFile layerOf(const StepShape &shape) {
  auto [gpu, format] = cantFail(chooseTarget("h100-bf16")).target;
  PreparedFile file;
  file.name = "layer";
  file.target = getScenarioTarget(gpu, Coefficients(), format);
  PreparedModel &model = file.model;
  model.format = format;
  model.works = {productOf(shape), attentionOf(shape)};
  model.kinds = {{"product", "gemm", "onnx.MatMul", "", Phase::Forward,
                  Coverage::Modelled, 0},
                 {"attention", "attention", "onnx.Attention", "",
                  Phase::Forward, Coverage::Modelled, 1}};
  model.nodes = {""};
  Launch launch;
  model.launches.push_back(launch);
  launch.kind = launch.work = 1;
  model.launches.push_back(launch);
  model.given.target = "h100-bf16";
  model.given.runtime = Runtime::CudaGraph;
  model.settings = resolve(model.given, file.target);
  return file;
}

std::string serviceBytes() {
  PreparedFile any = layerOf({});
  auto bytes = encodeService(
      any.name, any.target, {128, 1024, 4096},
      [](const StepShape &shape)
          -> Expected<std::shared_ptr<const PreparedModel>> {
        return std::make_shared<const PreparedModel>(layerOf(shape).model);
      });
  EXPECT_TRUE(bytes) << bytes.error().message;
  return bytes ? *bytes : std::string();
}

struct Free {
  void operator()(gpucostService *service) const {
    gpucostServiceFree(service);
  }
};
using Service = std::unique_ptr<gpucostService, Free>;

Service serviceOn(const char *target) {
  std::string bytes = serviceBytes();
  auto model = modelOf(target);
  gpucostService *service = nullptr;
  EXPECT_EQ(
      gpucostServiceCreate(bytes.data(), bytes.size(), model.get(), &service),
      GPUCOST_OK)
      << gpucostLastError();
  return Service(service); // outlives bytes and model
}

gpucostStepCost step(const Service &service,
                     const std::vector<int64_t> &newTokens,
                     const std::vector<int64_t> &cache) {
  auto cost = initialized<gpucostStepCost>();
  EXPECT_EQ(gpucostServiceStep(service.get(), newTokens.data(), cache.data(),
                               newTokens.size(), &cost),
            GPUCOST_OK)
      << gpucostLastError();
  return cost;
}

TEST(CServices, EqualSequencesAreTheReport) {
  Service service = serviceOn("h100-bf16");
  for (StepShape shape :
       {StepShape{1, 1, 300}, {8, 1, 300}, {3, 100, 0}, {3, 100, 200}}) {
    auto count = static_cast<size_t>(shape.batch);
    gpucostStepCost cost = step(service, std::vector(count, shape.query),
                                std::vector(count, shape.past));
    std::string bytes = encodePrepared(layerOf(shape));
    gpucostPrepared *prepared = nullptr;
    ASSERT_EQ(gpucostPreparedLoad(bytes.data(), bytes.size(), &prepared),
              GPUCOST_OK);
    Handle<gpucostPrepared> owner(prepared);
    auto model = modelOf("h100-bf16");
    gpucostPlaced *placed = nullptr;
    ASSERT_EQ(gpucostPlace(prepared, model.get(), &placed), GPUCOST_OK);
    Handle<gpucostPlaced> place(placed);
    gpucostReport *report = nullptr;
    ASSERT_EQ(gpucostEvaluate(placed, nullptr, &report), GPUCOST_OK);
    Handle<gpucostReport> owned(report);
    auto totals = initialized<gpucostTotals>();
    ASSERT_EQ(gpucostReportTotals(report, &totals), GPUCOST_OK);
    EXPECT_DOUBLE_EQ(cost.time, totals.time);
    EXPECT_DOUBLE_EQ(cost.energy, totals.energy);
    EXPECT_DOUBLE_EQ(cost.power, totals.energy / totals.time);
    EXPECT_DOUBLE_EQ(cost.clock, totals.clock);
    EXPECT_EQ(cost.throttled, totals.throttled);
    EXPECT_EQ(cost.limit_unreachable, totals.limit_unreachable);
    EXPECT_EQ(cost.lower_bound, totals.lower_bound);
  }
}

TEST(CServices, MixedStepsRunTheProductOnce) {
  Service service = serviceOn("h100-bf16");
  double decodes =
      step(service, std::vector<int64_t>(64, 1), std::vector<int64_t>(64, 1000))
          .time;
  double chunk = step(service, {256}, {512}).time;
  std::vector<int64_t> tokens(64, 1), cache(64, 1000);
  tokens.push_back(256);
  cache.push_back(512);
  double both = step(service, tokens, cache).time;
  EXPECT_GT(both, std::max(decodes, chunk));
  EXPECT_LT(both, decodes + chunk);
}

// Its results are right, or the step fails.
TEST(CServices, TwoThreadsAtOnce) {
  Service service = serviceOn("h100-bf16");
  const std::vector<int64_t> newTokens(64, 1), cache(64, 700);
  const double expected = step(service, newTokens, cache).time;
  std::atomic<int> wrong = 0;
  auto run = [&] {
    for (int i = 0; i < 2000; ++i) {
      auto cost = initialized<gpucostStepCost>();
      gpucostStatus status =
          gpucostServiceStep(service.get(), newTokens.data(), cache.data(),
                             newTokens.size(), &cost);
      wrong += status == GPUCOST_OK
                   ? cost.time != expected
                   : status != GPUCOST_INVALID_ARGUMENT ||
                         std::string_view(gpucostLastError()) !=
                             "another thread uses the service; create one for "
                             "each thread";
    }
  };
  std::thread first(run), second(run);
  first.join();
  second.join();
  EXPECT_EQ(wrong, 0);
}

TEST(CServices, Limits) {
  Service service = serviceOn("h200-bf16");
  auto limits = initialized<gpucostServiceLimits>();
  ASSERT_EQ(gpucostServiceGetLimits(service.get(), &limits), GPUCOST_OK);
  EXPECT_EQ(limits.world_size, 1u);
  EXPECT_EQ(limits.sequences, 128);
  EXPECT_EQ(limits.new_tokens, 1024);
  EXPECT_EQ(limits.cache_tokens, 4096);
}

TEST(CServices, Errors) {
  Service service = serviceOn("h100-bf16");
  auto cost = initialized<gpucostStepCost>();
  int64_t one = 1, tooMany = 5000;
  EXPECT_EQ(errorOf(gpucostServiceStep(nullptr, &one, &one, 1, &cost)),
            "an argument is NULL");
  EXPECT_EQ(errorOf(gpucostServiceStep(service.get(), &one, &one, 1, nullptr)),
            "gpucostStepCost is NULL");
  EXPECT_EQ(errorOf(gpucostServiceStep(service.get(), &one, &one, 0, &cost)),
            "a step has at least one sequence");
  EXPECT_EQ(
      errorOf(gpucostServiceStep(service.get(), &one, &one, 1 << 20, &cost)),
      "a step of 1048576 sequences is beyond the limit of 128");
  EXPECT_EQ(
      errorOf(gpucostServiceStep(service.get(), &one, &tooMany, 1, &cost)),
      "sequence 0 has 5000 tokens in the cache, expected 0 to 4096");
  EXPECT_EQ(cost.time, 0); // as it was
  std::string bytes = serviceBytes();
  auto other = modelOf("h100-fp16");
  gpucostService *none = nullptr;
  EXPECT_EQ(
      gpucostServiceCreate(bytes.data(), bytes.size(), other.get(), &none),
      GPUCOST_UNSUPPORTED);
  auto model = modelOf("h100-bf16");
  for (size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 40) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    EXPECT_EQ(gpucostServiceCreate(damaged.data(), damaged.size(), model.get(),
                                   &none),
              GPUCOST_BAD_DATA);
    EXPECT_EQ(gpucostServiceCreate(bytes.data(), at, model.get(), &none),
              GPUCOST_BAD_DATA);
  }
  EXPECT_EQ(none, nullptr);
}

} // namespace
