//===- CostModelTest.cpp - Validation, cache and composition --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/CostModel.h"
#include "StudySets.h"
#include "gpucost/Core/Model/Composition.h"
#include "gpucost/Core/Model/KernelCache.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Targets/TargetData.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpucost;

namespace {

std::string failure(Gpu gpu, Coefficients c) {
  auto model = CostModel::create(std::move(gpu), std::move(c));
  return model ? std::string() : model.error().message;
}

Coefficients everything() {
  Coefficients c;
  c.tensorGemm = study::tensorGemm("A100");
  c.tensorPower = study::tensorPower();
  c.streaming = study::streaming();
  c.instructions = study::instructions();
  c.power = study::power();
  return c;
}

/// examples/a100.mlir has every group of shared.mlir.
TEST(CostModel, FrozenSetIsComplete) {
  Coefficients c;
  EXPECT_FALSE(isComplete(c));
  study::complete(c);
  EXPECT_TRUE(isComplete(c));
}

TEST(CostModel, RejectsWhatIsNotPhysical) {
  EXPECT_EQ(failure(study::gpu("A100"), everything()), "");

  Gpu gpu = study::gpu("A100");
  gpu.smCount = 0;
  EXPECT_EQ(failure(gpu, {}), "the GPU: expected 'sms' above 0, but got 0");
  gpu = study::gpu("A100");
  gpu.dramBandwidth = BytesPerSecond(NAN);
  EXPECT_EQ(failure(gpu, {}),
            "the GPU: expected 'dram_bandwidth' above 0, but got nan");

  Coefficients c = everything();
  c.tensorGemm->efficiency = 2.5;
  EXPECT_EQ(failure(study::gpu("A100"), c),
            "tensor_gemm: expected 'efficiency' above 0 and at most 1.1, but "
            "got 2.5");
  c = everything();
  c.tensorGemm->tiles.clear();
  EXPECT_EQ(failure(study::gpu("A100"), c),
            "tensor_gemm: expected 'tiles' to contain a tile");
  c = everything();
  c.tensorGemm->splitK = {2, 4};
  EXPECT_EQ(failure(study::gpu("A100"), c),
            "tensor_gemm: expected 'split_k' to contain 1");
  c = everything();
  c.power->perDramByte = JoulesPerEvent(-1);
  EXPECT_EQ(failure(study::gpu("A100"), c),
            "power: expected 'per_dram_byte' of at least 0, but got -1");
  c = everything();
  c.power->voltage = {{Hertz(2e9), Volts(1)}, {Hertz(1e9), Volts(1)}};
  EXPECT_EQ(failure(study::gpu("A100"), c),
            "power: expected 'voltage' in ascending order of clocks");
  c = everything();
  c.instructions.reset();
  EXPECT_EQ(failure(study::gpu("A100"), c),
            "expected 'instructions' with 'power'");
}

TEST(CostModel, MissingGroupsAreErrors) {
  CostModel model = study::model(study::gpu("A100"), {});
  KernelWork work;
  work.family = KernelFamily::Matmul;
  work.format = NumericFormat::BF16;
  work.problem = MatmulProblem{1, 64, 64, 64, true};
  auto tiling = model.selectTiling(work);
  ASSERT_FALSE(bool(tiling));
  EXPECT_EQ(tiling.error().message, "'A100' has no coefficients 'tensor_gemm'");
  work.family = KernelFamily::Elementwise;
  work.problem = ElementsProblem{64};
  auto cost = model.estimate(work);
  ASSERT_FALSE(bool(cost));
  EXPECT_EQ(cost.error().message, "'A100' has no coefficients 'streaming'");
}

TEST(CostModel, TransferredSetsAreOutsideTheDomain) {
  Coefficients c = everything();
  c.tensorGemm->transferredFrom = "H100";
  CostModel model = study::model(study::gpu("A100"), c);
  KernelWork work;
  work.family = KernelFamily::Matmul;
  work.format = NumericFormat::BF16;
  work.problem = MatmulProblem{1, 64, 64, 64, true};
  EXPECT_FALSE(cantFail(model.estimate(work)).time.inCalibratedDomain);
  // Memory-bound kernels have a separate set.
  work.family = KernelFamily::Elementwise;
  work.instructions = InstructionClass::Add;
  work.problem = ElementsProblem{1 << 20, false};
  work.count.bytesRead = work.count.bytesWritten = 1 << 21;
  EXPECT_TRUE(cantFail(model.estimate(work)).time.inCalibratedDomain);
}

// Norms of one class: only that which takes the numbers of another die is
// outside, and the report's list names the group only where it is used.
TEST(CostModel, TransferredRefinementsConcernTheirKernels) {
  Coefficients c = everything();
  c.streaming = study::streaming();
  c.rowCtaNorm.emplace();
  c.rowCtaNorm->startClocks = 2;
  c.rowCtaNorm->transferredFrom = "H200 SXM";
  CostModel model = study::model(study::gpu("A100"), c, Software::Sglang);
  KernelWork work;
  work.family = KernelFamily::Normalization;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  work.problem = RowsProblem{4096, 128};
  work.count.bytesRead = work.count.bytesWritten = 1 << 20;
  EXPECT_TRUE(cantFail(model.estimate(work)).time.inCalibratedDomain);
  work.edit<RowsProblem>().norm = NormKind::Rms;
  EXPECT_FALSE(cantFail(model.estimate(work)).time.inCalibratedDomain);

  const Coefficients &all = model.coefficients();
  EXPECT_EQ(describeTransferred(all, NumericFormat::BF16), "");
  EXPECT_EQ(describeTransferred(all, NumericFormat::BF16,
                                groupSet(CoefficientGroup::rowCtaNorm,
                                         CoefficientGroup::streamLimits)),
            "row_cta_norm from H200 SXM");
}

// Stated groups of a set are kept; missing ones come from the shared set.
TEST(CostModel, SharedGroupsCompleteASet) {
  Coefficients shared, own;
  shared.simtSplit.emplace().leastDepth = 128;
  shared.softmaxReread.emplace().threads = 2048;
  own.simtSplit.emplace().leastDepth = 64;
  completeWith(own, shared);
  EXPECT_EQ(own.simtSplit->leastDepth, 64);
  ASSERT_TRUE(own.softmaxReread);
  EXPECT_EQ(own.softmaxReread->threads, 2048);
  EXPECT_FALSE(own.depthwise);
  EXPECT_EQ(namesOf(presentGroups(own)),
            (std::vector<std::string>{"softmax_reread", "simt_split"}));
}

// Numbers that hold for every die are never another die's.
TEST(CostModel, OnlyNumbersOfADieAreTransferred) {
  Coefficients c;
  c.depthwise.emplace();
  c.streamLimits.emplace();
  markTransferred(c, "H100 SXM");
  EXPECT_EQ(namesOf(transferredGroups(c)),
            std::vector<std::string>{"depthwise"});
}

// (M17) 0.6 with check bits is 0.6 / 0.8 = 0.75 without. 0.8 would be 1, but
// copies reach only 0.9; 0.95 is above that already.
TEST(CostModel, DramIsFasterWithoutInlineEcc) {
  Coefficients c;
  c.inlineEcc.emplace();
  c.inlineEcc->bandwidthShare = 0.8;
  c.inlineEcc->dramEfficiency = 0.9;
  c.tensorGemm.emplace();
  c.streaming.emplace();
  c.decode.emplace();
  auto set = [&] {
    c.tensorGemm->dramEfficiency = 0.6;
    c.streaming->dramEfficiency = 0.8;
    c.decode->dramEfficiency = 0.95;
  };
  Gpu with = study::gpu("A100"), without = with;
  with.inlineEcc = true;
  set();
  Coefficients other = transferTo(without, with, c, "L40S");
  EXPECT_DOUBLE_EQ(other.tensorGemm->dramEfficiency, 0.75);
  EXPECT_DOUBLE_EQ(other.streaming->dramEfficiency, 0.9);
  EXPECT_DOUBLE_EQ(other.decode->dramEfficiency, 0.95);
  EXPECT_EQ(other.tensorGemm->transferredFrom, "L40S without inline ECC");
  for (const Gpu &same : {with, without}) {
    Coefficients kept = transferTo(same, same, c, "L40S");
    EXPECT_DOUBLE_EQ(kept.tensorGemm->dramEfficiency, 0.6);
    EXPECT_EQ(kept.tensorGemm->transferredFrom, "L40S");
  }
}

// (N5) 480 GB/s over links of 900 GB/s are 480 * 4 / 9 over 400; latencies
// stay.
TEST(CostModel, TransferredLinksHaveTheirBandwidth) {
  Coefficients c;
  c.collectives.emplace();
  c.collectives->provenance = "fit; more";
  CollectiveFit fit;
  fit.base = Seconds(4e-6);
  fit.bandwidth = BytesPerSecond(480e9);
  c.collectives->fits.push_back(fit);
  Gpu fast = study::gpu("A100"), slow = fast;
  fast.interconnect = Interconnect();
  fast.interconnect->bandwidth = BytesPerSecond(900e9);
  slow.interconnect = fast.interconnect;
  slow.interconnect->bandwidth = BytesPerSecond(400e9);
  auto linksOf = [&](const Gpu &gpu) {
    return *transferTo(gpu, fast, c, "H100 SXM").collectives;
  };
  CollectiveCoefficients other = linksOf(slow);
  EXPECT_DOUBLE_EQ(other.fits[0].bandwidth.value(), 480e9 * 4 / 9);
  EXPECT_EQ(other.fits[0].base, Seconds(4e-6));
  EXPECT_EQ(other.provenance, "fit, bandwidth x 400 GBps / 900 GBps; more");
  // A GPU without links keeps the fits, which it does not use.
  slow.interconnect.reset();
  for (const Gpu &same : {fast, slow}) {
    EXPECT_EQ(linksOf(same).fits[0].bandwidth, BytesPerSecond(480e9));
    EXPECT_EQ(linksOf(same).provenance, "fit; more");
  }
}

// (P4) 30 W of a board of 150 W are 12 W of one of 60 W with another die, and
// 30 W of one with the same die.
TEST(CostModel, IdlePowerOfAnotherDieFollowsTheLimit) {
  Coefficients c;
  c.power = study::power();
  c.power->idleBase = Watts(30);
  c.power->idleVoltage = Watts(10);
  c.power->idleClock = Watts(5);
  Gpu measured = study::gpu("A100"), gpu = measured;
  measured.powerLimit = Watts(150);
  gpu.powerLimit = Watts(60);
  EXPECT_EQ(transferTo(gpu, measured, c, "A10").power->idleBase, Watts(30));
  gpu.die = "GA107";
  const PowerCoefficients other = *transferTo(gpu, measured, c, "A10").power;
  EXPECT_DOUBLE_EQ(other.idleBase.value(), 12);
  EXPECT_DOUBLE_EQ(other.idleVoltage.value(), 4);
  EXPECT_DOUBLE_EQ(other.idleClock.value(), 2);
}

// A kernel whose numbers are nowhere is an error, never a free one.
TEST(CostModel, MissingRefinementIsAnError) {
  Coefficients c = everything();
  c.streaming = study::streaming();
  CostModel model = cantFail(CostModel::create(study::gpu("A100"), c));
  KernelWork work;
  work.family = KernelFamily::Normalization;
  work.format = NumericFormat::BF16;
  work.problem = RowsProblem{4096, 128};
  auto cost = model.estimate(work);
  ASSERT_FALSE(bool(cost));
  EXPECT_EQ(cost.error().message, "'A100' has no coefficients 'stream_limits'");
}

TEST(CostModel, EventsAddUp) {
  KernelEvents a{1, 2, 3, 4, 5, 6};
  a += a * 2;
  EXPECT_EQ(a.tensorFlops, 3);
  EXPECT_EQ(a.fp32Flops, 6);
  EXPECT_EQ(a.instructions, 9);
  EXPECT_EQ(a.dramBytes, 12);
  EXPECT_EQ(a.l2Bytes, 15);
  EXPECT_EQ(a.paddedFlops, 18);
}

// (W1) by hand: ||3, 4||_4 = (81 + 256)^(1/4) = 4.28457; at half the clock
// ||6, 4||_4 = (1296 + 256)^(1/4) = 6.27658.
// (W3): a second matmul of the same size, 2^20 exponentials, 2^24 B.
TEST(CostModel, FusedMembersCount) {
  CostModel model = study::model(study::gpu("A100"), everything());
  KernelWork work;
  work.family = KernelFamily::Matmul;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  work.problem = MatmulProblem{1, 2048, 2048, 2048, true};
  work.count.tensorFlops = 2 * int64_t(2048) * 2048 * 2048;
  Tiling tiling = cantFail(model.selectTiling(work));
  LaunchTerms alone = cantFail(model.launchTerms(work, tiling));
  work.count.fused = {work.count.tensorFlops, 1 << 20, 1 << 20, 1 << 24};
  work.count.tensorFlops *= 2;
  LaunchTerms fused = cantFail(model.launchTerms(work, tiling));
  EXPECT_DOUBLE_EQ(fused.compute.value(), 2 * alone.compute.value());
  EXPECT_DOUBLE_EQ(fused.l2.value(), 2 * alone.l2.value());
  EXPECT_DOUBLE_EQ(fused.events.tensorFlops, 2 * alone.events.tensorFlops);
  // Per clock and SM 256 FLOP and 16 special results.
  EXPECT_NEAR(fused.serialIssue.value(),
              (1048576 / 256.0 + 1048576 / 16.0) /
                  (model.gpu().smCount * model.gpu().maxClock.value()),
              1e-15);
  EXPECT_NEAR((fused.serialDram - alone.serialDram).value(),
              16777216 / (model.gpu().dramBandwidth.value() *
                          model.coefficients().streaming->dramEfficiency),
              1e-15);
  EXPECT_DOUBLE_EQ(fused.compulsoryBytes, alone.compulsoryBytes + 16777216);
  EXPECT_GT(timeAt(fused, 1), timeAt(alone, 1));
}

TEST(LaunchTerms, JoinInAFourNorm) {
  LaunchTerms terms;
  terms.compute = Seconds(3);
  terms.dram = Seconds(4);
  terms.exposedL2 = Seconds(1);
  terms.exposedDram = Seconds(1.5);
  terms.serialDram = Seconds(0.25);
  terms.fixed = Seconds(0.5);
  EXPECT_NEAR(timeAt(terms, 1).value(), 4.28457 + 1.5 + 0.75, 1e-5);
  EXPECT_NEAR(timeAt(terms, 0.5).value(), 6.27658 + 2 + 0.75, 1e-5);
}

TEST(KernelCache, AnswersLikeTheModel) {
  CostModel model = study::model(study::gpu("A100"), everything());
  KernelCache cache(model);
  KernelWork work;
  work.family = KernelFamily::Matmul;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  for (int pass = 0; pass < 2; ++pass)
    for (int64_t m = 1; m <= 500; ++m) {
      work.problem = MatmulProblem{1, m, 512, 512, true};
      KernelCost direct = cantFail(model.estimate(work));
      KernelCost cached = cantFail(cache.estimate(work));
      EXPECT_EQ(cached.time.total.value(), direct.time.total.value());
      EXPECT_EQ(cached.energy.value(), direct.energy.value());
    }
  EXPECT_EQ(cache.size(), 500u);

  work.format = NumericFormat::FP8; // not on this GPU
  auto error = cache.estimate(work);
  EXPECT_FALSE(bool(error));
  EXPECT_EQ(cache.size(), 500u);
}

// (H1): 10 us * (100 + 1.1 * 40) = 1.44 ms; (H2): two equal parts give 2^(1/6).
TEST(Composition, HostAndPhase) {
  RuntimeCoefficients c;
  c.hostLaunch = Seconds(10e-6);
  c.libraryWeight = 1.1;
  c.hostNorm = 6;
  EXPECT_NEAR(hostTime(c, 100, 40).value(), 1.44e-3, 1e-15);
  EXPECT_NEAR(phaseTime(c, Seconds(1), Seconds(1)).value(), 1.122462, 1e-6);
  EXPECT_NEAR(phaseTime(c, Seconds(1), Seconds(0.1)).value(), 1, 1e-6);
  EXPECT_EQ(phaseTime(c, Seconds(0), Seconds(0)).value(), 0);
}

// (H10): 400 us + 8 * 40 us = 720 us, only for vLLM and its versions.
TEST(Composition, ServingLoop) {
  RuntimeCoefficients c;
  EXPECT_EQ(loopTime(c, Software::Vllm, 8), Seconds(0));
  c.loopStep = Seconds(400e-6);
  c.loopSequence = Seconds(40e-6);
  EXPECT_NEAR(loopTime(c, Software::Vllm, 8).value(), 720e-6, 1e-15);
  EXPECT_NEAR(loopTime(c, Software::Vllm0_19, 1).value(), 440e-6, 1e-15);
  EXPECT_EQ(loopTime(c, Software::Sglang, 8), Seconds(0));
  EXPECT_EQ(loopTime(c, Software::PyTorch, 8), Seconds(0));
}

// (H11): only attention with chunks, and only in stacks with a number.
TEST(Composition, ChunksOfAttention) {
  Coefficients set;
  std::vector<KernelWork> works(2);
  AttentionProblem attention{8, 40, 8, 1, 500, 128};
  works[1].problem = attention;
  EXPECT_EQ(chunkTime(set, Software::Vllm, works), Seconds(0));
  set.servingHosts.emplace();
  ServingHost host;
  host.software = Software::Vllm;
  host.chunkStep = Seconds(5e-3);
  set.servingHosts->stacks = {host};
  EXPECT_EQ(chunkTime(set, Software::Vllm0_14, works), Seconds(0));
  attention.chunked = true;
  works[1].problem = attention;
  EXPECT_EQ(chunkTime(set, Software::Vllm0_14, works), Seconds(5e-3));
  EXPECT_EQ(chunkTime(set, Software::Sglang, works), Seconds(0));
}

} // namespace
