//===- ExpertExchangeTest.cpp - Equations (N13)-(N15), (E7) ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/ExpertExchange.h"
#include "StudySets.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Model/ServingKernels.h"
#include "gpucost/Core/Model/Steps.h"
#include "gpucost/Core/Targets/Links.h"
#include "gpucost/Core/Targets/TargetData.h"
#include "gtest/gtest.h"

using namespace gpucost;
using study::microseconds;
using study::timeOf;

namespace {

constexpr double us = 1e-6;
constexpr int64_t hidden = 1024, mostTokens = 256;

Gpu gpu(std::string_view name) {
  return *compiledTarget(cantFail(findCompiledTarget(name)).first).gpu;
}

/// H100's links have 900 GB/s in both directions, so that `link` is the share
/// of 450 GB/s.
ExchangeFit fit(double base, double link) {
  ExchangeFit f;
  f.base = Seconds(base * us);
  f.linkEfficiency = link;
  f.row = Seconds(0);
  f.networkBase = Seconds(3 * us);
  f.hop = Seconds(2 * us);
  f.networkEfficiency = 0.5;
  return f;
}

ExchangeStack stack(ExchangeMode mode, Software software = Software::Sglang) {
  ExchangeStack s;
  s.gpu = "h100-sxm-80gb";
  s.matrixPath = MatrixPath::Wgmma;
  s.software = software;
  s.mode = mode;
  bool isQuick = mode == ExchangeMode::LowLatency;
  s.mostTokens = isQuick ? mostTokens : 0;
  s.dispatch = fit(isQuick ? 10 : 30, 0.5);
  s.combine = fit(isQuick ? 12 : 40, 0.25);
  return s;
}

Coefficients coefficients() {
  Coefficients c;
  c.expertExchange.emplace();
  c.expertExchange->errors = {{ErrorClass::ExpertExchange, 0.1, 0.1, 0.1}};
  c.expertExchange->stacks = {stack(ExchangeMode::LowLatency),
                              stack(ExchangeMode::HighThroughput)};
  c.collectives.emplace();
  c.collectives->fits.push_back({CollectiveKind::AllToAll, 0, Seconds(20 * us),
                                 Seconds(0), Seconds(0), BytesPerSecond(100e9),
                                 0});
  // Eight adapters of 50 GB/s for eight GPUs.
  Network network;
  network.name = "test";
  network.gpus = network.adapters = 8;
  network.bandwidth = BytesPerSecond(50e9);
  c.collectives->network = network;
  c.network.emplace();
  c.errorBars.emplace();
  c.errorBars->outside = 2;
  c.errorBars->smallBelow = c.errorBars->mediumBelow = Seconds(10 * us);
  c.errorBars->kernels = {{ErrorClass::Collective, 0.3, 0.3, 0.3},
                          {ErrorClass::BetweenNodes, 0.4, 0.4, 0.4}};
  return c;
}

CostModel model(std::string_view name = "h100-sxm-80gb",
                Software software = Software::Sglang,
                const Coefficients &set = coefficients()) {
  return study::model(gpu(name), set, software);
}

/// Rows of `hidden` bytes, two for each token.
KernelWork exchange(ExpertExchange direction, int64_t tokens, int64_t gpus,
                    int64_t nodes) {
  CollectiveProblem p;
  p.kind = CollectiveKind::AllToAll;
  p.choices = 2;
  p.bytes = tokens * p.choices * hidden;
  p.worldSize = gpus;
  p.nodes = nodes;
  p.exchange = direction;
  p.tokens = tokens;
  KernelWork work;
  work.family = KernelFamily::Collective;
  work.problem = p;
  return work;
}

// (N14) Each token has 2 rows, of which 2*(4 - 1)/4 leave the GPU: 100 tokens
// send 150 KiB at 225 GB/s, 112.5 GB/s back.
TEST(ExpertExchange, SendsOneRowForEachExpertWithLowLatency) {
  CostModel m = model();
  double sent = 150.0 * hidden;
  EXPECT_NEAR(microseconds(m, exchange(ExpertExchange::Dispatch, 100, 4, 1)),
              10 + sent / 225e9 / us, 1e-6);
  EXPECT_NEAR(microseconds(m, exchange(ExpertExchange::Combine, 100, 4, 1)),
              12 + sent / 112.5e9 / us, 1e-6);
}

// (N13) 2 of 4 GPUs: 4*(1 - (3/4)^2) = 1.75 different ones, of which 3/4 are
// others.
TEST(ExpertExchange, ReachesEachGpuOnceWithHighThroughput) {
  double sent = 10000 * 1.75 * 0.75 * hidden;
  EXPECT_NEAR(
      microseconds(model(), exchange(ExpertExchange::Dispatch, 10000, 4, 1)),
      30 + sent / 225e9 / us, 1e-6);
}

// Two nodes of 4: 2*(1 - (1/2)^2)*1/2 = 0.75 rows cross, at half of the 50 GB/s
// of a GPU; 8*(1 - (7/8)^2)*3/4 = 1.40625 rows use the links. The network is
// slower. One doubling of the nodes: 3 + 2 us.
TEST(ExpertExchange, CrossesToEachNodeOnce) {
  CostModel m = model();
  double crossed = 10000 * 0.75 * hidden;
  EXPECT_NEAR(microseconds(m, exchange(ExpertExchange::Dispatch, 10000, 8, 2)),
              30 + 3 + 2 + crossed / 25e9 / us, 1e-6);
  // (N14) 2*1/2 rows cross, 2*3/8 use the links.
  EXPECT_NEAR(microseconds(m, exchange(ExpertExchange::Dispatch, 200, 8, 2)),
              10 + 3 + 2 + 200.0 * hidden / 25e9 / us, 1e-6);
}

TEST(ExpertExchange, ChoosesTheModeByTokens) {
  CostModel m = model();
  EXPECT_EQ(findExchange(m, mostTokens)->mode, ExchangeMode::LowLatency);
  EXPECT_EQ(findExchange(m, mostTokens + 1)->mode,
            ExchangeMode::HighThroughput);
}

// PyTorch, other tensor cores and links that a user states run the all-to-all.
TEST(ExpertExchange, NeedsAStackAndItsLinks) {
  KernelWork work = exchange(ExpertExchange::Dispatch, 100, 4, 1);
  auto kindOf = [&](const CostModel &m) {
    return cantFail(m.selectTiling(work)).implementation;
  };
  EXPECT_EQ(kindOf(model()), ImplementationKind::ExpertExchange);
  EXPECT_EQ(kindOf(model("h200-sxm")), ImplementationKind::ExpertExchange);
  EXPECT_EQ(kindOf(model("h100-sxm-80gb", Software::PyTorch)),
            ImplementationKind::Nccl);
  EXPECT_EQ(kindOf(model("a100-sxm-80gb")), ImplementationKind::Nccl);
  EXPECT_EQ(kindOf(model("l40s")), ImplementationKind::Nccl);
  Coefficients stated =
      cantFail(withInterconnect(coefficients(), "mine:100:2"));
  EXPECT_FALSE(stated.expertExchange);
}

TEST(ExpertExchange, SaysWhereItWasMeasured) {
  KernelWork work = exchange(ExpertExchange::Dispatch, 100, 4, 1);
  EXPECT_TRUE(timeOf(model(), work).inCalibratedDomain);
  EXPECT_NEAR(*timeOf(model(), work).halfWidth, 0.1, 1e-12);
  EXPECT_NEAR(*timeOf(model("h200-sxm"), work).halfWidth, 0.2, 1e-12);
  EXPECT_EQ(describeExchange(model()),
            "exchanges of experts: kernels of sglang");
  EXPECT_EQ(describeExchange(model("h200-sxm", Software::Vllm)),
            "exchanges of experts: kernels of sglang as measured on "
            "h100-sxm-80gb");
  EXPECT_EQ(describeExchange(model("h100-sxm-80gb", Software::PyTorch)), "");
}

/// A stack whose layers take `fixed` us and little more.
ExpertStack layerStack(ExchangeMode mode, double fixed) {
  ExpertStack s;
  s.gpu = "h100-sxm-80gb";
  s.matrixPath = MatrixPath::Wgmma;
  s.software = Software::Sglang;
  s.kernel = mode == ExchangeMode::None ? "default" : "between";
  s.format = s.weights = NumericFormat::BF16;
  s.exchange = mode;
  s.fixedTime = Seconds(fixed * us);
  s.efficiency = s.dramEfficiency = s.overlapNorm = 1;
  s.leastRows = 128;
  s.l2BytesPerClock = 100;
  return s;
}

/// 4 experts with 3 projections on each of 4 GPUs, 2 for each token: 2 FLOP x
/// 2 x 3 for each weight.
KernelWork layer(int64_t tokens, int64_t exchanged) {
  MatmulProblem p;
  p.batch = 4;
  p.m = tokens / 2;
  p.n = hidden * 3;
  p.k = p.inner = hidden;
  p.linear = false;
  p.experts = 4;
  p.choices = 2;
  p.shards = 4;
  p.gated = true;
  p.exchanged = exchanged;
  KernelWork work;
  work.family = KernelFamily::Matmul;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  work.count.tensorFlops = 12 * tokens * hidden * hidden;
  work.problem = p;
  return work;
}

// (E7) The layer between exchanges has the kernel of their mode, and takes at
// least the time of the host; others keep the default.
TEST(ExpertExchange, LayersBetweenExchangesHaveOtherKernels) {
  Coefficients set = coefficients();
  ExpertStack host = layerStack(ExchangeMode::HighThroughput, 10);
  host.leastTime = Seconds(5000 * us);
  set.fusedExperts.emplace().stacks = {
      layerStack(ExchangeMode::None, 1000), host,
      layerStack(ExchangeMode::LowLatency, 2000)};
  CostModel m = model("h100-sxm-80gb", Software::Sglang, set);
  EXPECT_NEAR(microseconds(m, layer(1024, 1024)), 5000, 1e-6);
  double plain = microseconds(m, layer(256, 0));
  EXPECT_NEAR(microseconds(m, layer(256, 256)) - plain, 1000, 1e-6);
  // Other stacks without such kernels have the default.
  EXPECT_NEAR(microseconds(model("h100-sxm-80gb", Software::Vllm, set),
                           layer(256, 256)),
              plain, 1e-6);
}

// (E7) Of the 4 * 256 tokens, 1 - (3/4)^2 chose an expert of this GPU: 448.
TEST(ExpertExchange, BringsTheTokensOfTheseExperts) {
  auto timeWith = [](double tokenBytes, int64_t exchanged) {
    Coefficients set = coefficients();
    ExpertStack s = layerStack(
        exchanged ? ExchangeMode::LowLatency : ExchangeMode::None, 10);
    s.tokenBytes = tokenBytes;
    set.fusedExperts.emplace().stacks = {s};
    return microseconds(model("h100-sxm-80gb", Software::Sglang, set),
                        layer(256, exchanged));
  };
  double rate = gpu("h100-sxm-80gb").dramBandwidth.value();
  EXPECT_NEAR(timeWith(10, 256) - timeWith(0, 256),
              448 * 10.0 * hidden / rate / us, 1e-6);
  EXPECT_NEAR(timeWith(10, 0) - timeWith(0, 0),
              1024 * 10.0 * hidden / rate / us, 1e-6);
}

TEST(ExpertExchange, NamesAMissingNetwork) {
  Coefficients set = coefficients();
  set.collectives->network.reset();
  CostModel m = model("h100-sxm-80gb", Software::Sglang, set);
  KernelWork work = exchange(ExpertExchange::Dispatch, 100, 16, 2);
  Tiling tiling = cantFail(m.selectTiling(work));
  auto time = m.predictTime(work, tiling, m.gpu().maxClock);
  ASSERT_FALSE(time);
  EXPECT_EQ(time.error().message, "no network between 2 nodes; state it with "
                                  "--network=NAME or GB/s:us");
}

} // namespace
