//===- DecodeTest.cpp - Equations (D*) ------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudySets.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstring>

using namespace gpucost;

namespace {

constexpr double us = 1e-6;

struct Set {
  const char *gpu, *stack;
  DecodeKernel kernel;
  double t0, tsp, ed, el2, cl2, c0, cq, cb, ow, cd, po, c0m, cbm, t0m, tc, la,
      lk, sm, x;
};
constexpr Set sets[] = {
#define DECODE_SETS
#include "DecodeVectors.inc"
#undef DECODE_SETS
};

struct Device {
  const char *name;
  int smCount;
  double clock, bandwidth;
  int64_t l2;
};
constexpr Device devices[] = {
#define DECODE_DEVICES
#include "DecodeVectors.inc"
#undef DECODE_DEVICES
};

struct Vector {
  const char *gpu, *stack;
  int64_t batch, heads, kvHeads, headDim, keys;
  double us, usFastest;
};
constexpr Vector vectors[] = {
#define DECODE_VECTORS
#include "DecodeVectors.inc"
#undef DECODE_VECTORS
};

/// The values that all sets share.
DecodeCoefficients common() {
  DecodeCoefficients c;
  c.kernel = DecodeKernel::Packed;
  c.hitExponent = 8;
  c.latencyExponent = 0.5;
  c.exposedShare = 0.4;
  c.leastSplitBlocks = 2.75;
  c.largestSplit = 128;
  return c;
}

DecodeCoefficients setOf(const char *gpu, const char *stack) {
  DecodeCoefficients c = common();
  for (const Set &s : sets) {
    if (std::strcmp(s.gpu, gpu) != 0 || std::strcmp(s.stack, stack) != 0)
      continue;
    c.kernel = s.kernel;
    c.fixedTime = Seconds(s.t0);
    c.splitTime = Seconds(s.tsp);
    c.dramEfficiency = s.ed;
    c.l2BytesPerClock = s.el2;
    c.l2Fraction = s.cl2;
    c.prologueCycles = s.c0;
    c.rowCycles = s.cq;
    c.blockCycles = s.cb;
    c.ctasPerSm = s.ow;
    c.rowExponent = s.cd;
    c.overlapNorm = s.po;
    c.singlePrologueCycles = s.c0m;
    c.singleBlockCycles = s.cbm;
    c.singleFixedTime = Seconds(s.t0m);
    c.transposeTime = Seconds(s.tc);
    c.latencyCycles = s.la;
    c.blockLatencyCycles = s.lk;
    c.largestSplit = s.sm;
    c.waveFraction = s.x;
  }
  return c;
}

CostModel modelOf(const char *gpu, const DecodeCoefficients &c) {
  Gpu board = study::gpu("H100");
  for (const Device &d : devices)
    if (std::strcmp(d.name, gpu) == 0) {
      board.smCount = d.smCount;
      board.maxClock = board.boostClock = Hertz(d.clock);
      board.dramBandwidth = BytesPerSecond(d.bandwidth);
      board.l2Capacity = Bytes(static_cast<double>(d.l2));
    }
  Coefficients all;
  all.decode = c;
  return study::model(board, std::move(all));
}

KernelWork decode(int64_t batch, int64_t heads, int64_t kvHeads,
                  int64_t headDim, int64_t keys, int64_t window = 0) {
  KernelWork work;
  work.family = KernelFamily::Attention;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  work.problem =
      AttentionProblem{batch, heads, kvHeads, 1, keys, headDim, window, true};
  return work;
}

/// The benchmark reads one cache again and again: keys and values, queries,
/// results and the new keys and values, 2 B each.
double timeOf(const CostModel &model, const Vector &v, double share = 1) {
  KernelQuery query;
  query.benchmark = BenchmarkProtocol();
  query.benchmark->cacheShare = share;
  query.reuseBytesB = 4.0 * static_cast<double>(v.batch * v.headDim) *
                      (share * static_cast<double>(v.kvHeads * v.keys) +
                       static_cast<double>(v.heads + v.kvHeads));
  KernelWork work = decode(v.batch, v.heads, v.kvHeads, v.headDim, v.keys);
  Tiling tiling = cantFail(model.selectTiling(work, query));
  return cantFail(model.predictTime(work, tiling, model.gpu().maxClock, query))
             .total.value() /
         us;
}

// (D1)-(D5): 20 shapes on 15 sets of five boards.
TEST(Decode, ReproducesStudy) {
  for (const Vector &v : vectors)
    EXPECT_NEAR(timeOf(modelOf(v.gpu, setOf(v.gpu, v.stack)), v), v.us,
                1e-4 * v.us)
        << v.gpu << " " << v.stack << " " << v.batch << " " << v.keys;
}

// (D1): the library's rule, and the faster of its two paths.
TEST(Decode, FastestPath) {
  for (const Vector &v : {Vector{"h100-sxm-80gb", "trtllm", 1, 48, 4, 128, 1024,
                                 17.72841, 15.83432},
                          Vector{"h100-sxm-80gb", "trtllm", 2, 48, 2, 128, 1024,
                                 23.12636, 16.88947}}) {
    DecodeCoefficients c = setOf(v.gpu, v.stack);
    EXPECT_NEAR(timeOf(modelOf(v.gpu, c), v), v.us, 1e-4 * v.us);
    c.kernel = DecodeKernel::FastestXqa;
    EXPECT_NEAR(timeOf(modelOf(v.gpu, c), v), v.usFastest, 1e-4 * v.usFastest);
  }
}

// (D7): TensorRT-LLM 1.0 tables read half the cache.
TEST(Decode, PagesThatAreOneAndTheSame) {
  Vector v = {"a100-sxm-80gb", "trtllm_old", 64, 64, 8, 128, 4000, 0, 0};
  CostModel model = modelOf(v.gpu, setOf(v.gpu, v.stack));
  EXPECT_NEAR(timeOf(model, v, 0.5), 372.362, 1e-4 * 372.362);
}

// (D1) 4 * 2 * 8 * floor(511 / 128) = 192 >= 132 SMs: XQA; with one sequence
// 96: each head separately, like groups with 1 and with more than 32 heads.
TEST(Decode, PathsOfTensorRtLlm) {
  CostModel model = modelOf("h100-sxm-80gb", setOf("h100-sxm-80gb", "trtllm"));
  auto path = [&](int64_t batch, int64_t heads, int64_t kvHeads) {
    return cantFail(model.selectTiling(decode(batch, heads, kvHeads, 128, 512)))
        .variant;
  };
  EXPECT_EQ(path(2, 32, 8), 0);
  EXPECT_EQ(path(1, 32, 8), 1);
  EXPECT_EQ(path(64, 8, 8), 1);
  EXPECT_EQ(path(64, 33, 1), 1);
  EXPECT_EQ(path(64, 32, 1), 0);
}

/// 10 SMs at 1 GHz with round numbers.
CostModel toyModel(const DecodeCoefficients &c) {
  Gpu board = study::gpu("H100");
  board.smCount = 10;
  board.maxClock = board.boostClock = Hertz(1e9);
  board.dramBandwidth = BytesPerSecond(1e11);
  board.l2Capacity = Bytes(1e6);
  Coefficients all;
  all.decode = c;
  return study::model(board, std::move(all));
}

DecodeCoefficients toySet() {
  DecodeCoefficients c = common();
  c.dramEfficiency = c.l2Fraction = 1;
  c.l2BytesPerClock = 1e6;
  c.ctasPerSm = 2;
  c.overlapNorm = 2;
  c.rowExponent = 1;
  c.blockCycles = 100;
  c.leastSplitBlocks = 2;
  return c;
}

LaunchTerms termsOf(const DecodeCoefficients &c, const KernelWork &work) {
  CostModel model = toyModel(c);
  return cantFail(model.launchTerms(work, cantFail(model.selectTiling(work))));
}

// (D2) 2 units of 640 / 64 = 10 blocks: at most 10 / 2 = 5 parts each, 10 CTAs
// of 2 blocks, fewer than the 20 slots. (D4) One round of 200 cycles.
// (D3) Cold: keys and values 2*2*640*128*2 B = 655,360 B, queries, results and
// new keys and values 2*(2 + 2)*128*2 B = 2048 B per 2 heads, at 100 GB/s.
// (D5) (0.2^2 + 6.57408^2)^(1/2) + 0.4 * 0.2 us.
TEST(Decode, ByHand) {
  DecodeCoefficients c = toySet();
  c.fixedTime = Seconds(1 * us);
  c.splitTime = Seconds(2 * us);
  LaunchTerms t = termsOf(c, decode(2, 1, 1, 128, 640));
  EXPECT_NEAR(t.compute.value(), 0.2 * us, 1e-12);
  EXPECT_NEAR(t.dram.value(), 6.57408 * us, 1e-12);
  EXPECT_NEAR(t.fixed.value(), 3 * us, 1e-12); // 10 / 2 - 1 > 1: whole split
  EXPECT_NEAR(timeAt(t, 1).value(), (std::hypot(0.2, 6.57408) + 0.08 + 3) * us,
              1e-12);
  EXPECT_EQ(t.events.dramBytes, 655360 + 2048);
  // At half the clock the SMs take twice as long.
  EXPECT_NEAR(timeAt(t, 0.5).value(),
              (std::hypot(0.4, 6.57408) + 0.16 + 3) * us, 1e-12);
}

// (P1) 4 query heads share a KV head and fill 4 of a tile's 64 rows: each of
// 2*2 sequences and KV heads computes 60 rows for nothing, 4*60*128*64 FLOP. 80
// heads need two tiles of 40 rows, twice 4*24*128*64 FLOP.
TEST(Decode, PaddedRows) {
  EXPECT_EQ(termsOf(toySet(), decode(2, 8, 2, 64, 128)).events.paddedFlops,
            4 * 4 * 60 * 128 * 64);
  EXPECT_EQ(termsOf(toySet(), decode(1, 80, 1, 64, 128)).events.paddedFlops,
            2 * 4 * 24 * 128 * 64);
  // A single head on CUDA cores fills no tile.
  DecodeCoefficients c = toySet();
  c.kernel = DecodeKernel::FlashInfer;
  EXPECT_EQ(termsOf(c, decode(2, 2, 2, 64, 128)).events.paddedFlops, 0);
}

// (D4) 30 one-block CTAs in 20 slots: 1.5 rounds; a share of 0.4 is rounded up
// to whole rounds: 0.6 * 3 + 0.4 * 2 * 2 = 3.4 CTAs per SM with 100 cycles.
TEST(Decode, PartOfAWave) {
  DecodeCoefficients c = toySet();
  c.waveFraction = 0.4;
  EXPECT_NEAR(termsOf(c, decode(30, 1, 1, 128, 64)).compute.value(), 0.34 * us,
              1e-12);
}

// FlashAttention-2 splits only groups and transposes them: (D2), (D5).
TEST(Decode, FlashAttention2) {
  DecodeCoefficients c = toySet();
  c.kernel = DecodeKernel::FlashAttention2;
  c.splitTime = Seconds(2 * us);
  c.transposeTime = Seconds(4 * us);
  auto fixed = [&](int64_t batch, int64_t heads, int64_t kvHeads) {
    return termsOf(c, decode(batch, heads, kvHeads, 128, 640)).fixed.value();
  };
  EXPECT_NEAR(fixed(2, 2, 2), 0, 1e-12);
  EXPECT_NEAR(fixed(2, 4, 2), 6 * us, 1e-12);
  EXPECT_NEAR(fixed(1, 4, 2), 2 * us, 1e-12);
  EXPECT_NEAR(fixed(2, 4, 1), 2 * us, 1e-12);
}

// A window is the keys that are read; windows and 8-bit caches were not
// measured.
TEST(Decode, Domain) {
  DecodeCoefficients c = toySet();
  LaunchTerms window = termsOf(c, decode(2, 1, 1, 128, 5000, 640));
  EXPECT_NEAR(window.dram.value(), 6.57408 * us, 1e-12);
  EXPECT_FALSE(window.inCalibratedDomain);
  EXPECT_TRUE(termsOf(c, decode(2, 1, 1, 128, 640)).inCalibratedDomain);
  KernelWork fp8 = decode(2, 1, 1, 128, 640);
  fp8.inputBits = 8;
  EXPECT_FALSE(termsOf(c, fp8).inCalibratedDomain);
  EXPECT_NEAR(termsOf(c, fp8).dram.value(), (3.2768 + 0.02048) * us, 1e-12);
}

// A split of the caller's choice: 2 parts of 5 blocks.
TEST(Decode, GivenSplit) {
  CostModel model = toyModel(toySet());
  KernelWork work = decode(2, 1, 1, 128, 640);
  Tiling tiling = cantFail(model.selectTiling(work));
  EXPECT_EQ(tiling.splitK, 5);
  EXPECT_EQ(tiling.ctas, 10);
  tiling.splitK = 2;
  EXPECT_NEAR(cantFail(model.launchTerms(work, tiling)).compute.value(),
              0.5 * us, 1e-12);
}

// Nothing to read: only the launch.
TEST(Decode, Empty) {
  DecodeCoefficients c = toySet();
  c.fixedTime = Seconds(1 * us);
  EXPECT_NEAR(timeAt(termsOf(c, decode(0, 8, 8, 128, 64)), 1).value(), 1 * us,
              1e-15);
  EXPECT_NEAR(timeAt(termsOf(c, decode(1, 8, 8, 128, 0)), 1).value(), 1 * us,
              1e-15);
}

//===----------------------------------------------------------------------===//
// (D6)
//===----------------------------------------------------------------------===//

AttentionStack stackOf(Software software, double fixedUs) {
  AttentionStack stack;
  stack.software = software;
  stack.decode = toySet();
  stack.decode->fixedTime = Seconds(fixedUs * us);
  return stack;
}

CostModel modelOf(Software software) {
  Coefficients all;
  all.decode = toySet();
  all.attentionStacks = {stackOf(Software::Vllm, 2),
                         stackOf(Software::Sglang0_5_9, 3)};
  DecodeCoefficients wide = toySet();
  wide.headDims = {512};
  wide.fixedTime = Seconds(5 * us);
  all.attentionStacks[0].decodeOfDims = {wide};
  return cantFail(CostModel::create(study::gpu("H100"), all, software));
}

double fixedOf(Software software, int64_t headDim = 128) {
  CostModel model = modelOf(software);
  KernelWork work = decode(1, 1, 1, headDim, 64);
  return cantFail(model.launchTerms(work, cantFail(model.selectTiling(work))))
             .fixed.value() /
         us;
}

TEST(Software, HasItsOwnKernels) {
  EXPECT_NEAR(fixedOf(Software::Vllm), 2, 1e-9);
  EXPECT_NEAR(fixedOf(Software::Vllm, 512), 5, 1e-9);
  EXPECT_NEAR(fixedOf(Software::Sglang0_5_9), 3, 1e-9);
  EXPECT_EQ(modelOf(Software::Vllm).attentionOrigin().decode, Software::Vllm);
}

// A release without kernels takes the kernels of its product, a product takes
// the common ones, but never those that belong to a release.
TEST(Software, StandIns) {
  EXPECT_NEAR(fixedOf(Software::Vllm0_19), 2, 1e-9);
  EXPECT_NEAR(fixedOf(Software::Vllm0_19, 512), 5, 1e-9);
  EXPECT_NEAR(fixedOf(Software::Sglang), 0, 1e-9);
  EXPECT_NEAR(fixedOf(Software::PyTorch), 0, 1e-9);
  EXPECT_EQ(modelOf(Software::Vllm0_19).attentionOrigin().decode,
            Software::Vllm);
  EXPECT_EQ(modelOf(Software::Sglang).attentionOrigin().decode, std::nullopt);
  EXPECT_EQ(modelOf(Software::Vllm).attentionOrigin().causal, std::nullopt);
}

// Causal attention in the same way; full attention is everybody's.
TEST(Software, Prompts) {
  auto setOf = [](double fixedUs) {
    AttentionCoefficients c = study::attention("H100 ctx vllm fa3", "fa3");
    c.fixedTime = Seconds(fixedUs * us);
    return c;
  };
  Coefficients all;
  all.attentionFull = all.attentionCausal = setOf(1);
  AttentionStack stack;
  stack.software = Software::Vllm;
  stack.causal = setOf(2);
  stack.causalOfDims = {setOf(3)};
  stack.causalOfDims[0].headDims = {512};
  all.attentionStacks = {stack};
  auto fixed = [&](Software software, int64_t headDim, bool causal = true) {
    CostModel model =
        cantFail(CostModel::create(study::gpu("H100"), all, software));
    KernelWork work = decode(64, 64, 64, headDim, 128);
    work.edit<AttentionProblem>().queryLength = 128;
    work.edit<AttentionProblem>().causal = causal;
    return cantFail(model.launchTerms(work, cantFail(model.selectTiling(work))))
               .fixed.value() /
           us;
  };
  EXPECT_NEAR(fixed(Software::PyTorch, 128), 1, 1e-9);
  EXPECT_NEAR(fixed(Software::PyTorch, 512), 1, 1e-9);
  EXPECT_NEAR(fixed(Software::Vllm, 128), 2, 1e-9);
  EXPECT_NEAR(fixed(Software::Vllm, 512), 3, 1e-9);
  EXPECT_NEAR(fixed(Software::Vllm, 512, /*causal=*/false), 1, 1e-9);
}

TEST(Software, StandInsAreSaid) {
  EXPECT_EQ(describeStandIn("decode", Software::Vllm, Software::Vllm, "l4"),
            "");
  EXPECT_EQ(describeStandIn("decode", Software::Vllm0_19, Software::Vllm, "l4"),
            "decode: none of vllm-0.19 was measured on l4; vllm stands in");
  EXPECT_EQ(describeStandIn("decode", Software::Sglang, std::nullopt, "l4"),
            "decode: none of sglang was measured on l4; one set for all "
            "software stands in");
}

} // namespace
