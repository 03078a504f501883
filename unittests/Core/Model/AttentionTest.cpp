//===- AttentionTest.cpp - Equations (A*) ---------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Families/AttentionBlocks.h"
#include "StudySets.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpucost;

namespace {

struct Vector {
  const char *set, *gpu, *tiles;
  bool causal, packed, split, cacheWrite;
  int64_t batch, length, heads, kvHeads, headDim;
  double us, watts, mhz;
};

constexpr Vector vectors[] = {
#include "AttentionVectors.inc"
};

KernelWork attention(int64_t batch, int64_t queries, int64_t keys,
                     int64_t heads, int64_t kvHeads, int64_t headDim,
                     bool causal, int64_t window = 0) {
  KernelWork work;
  work.family = KernelFamily::Attention;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  work.problem = AttentionProblem{batch, heads,   kvHeads, queries,
                                  keys,  headDim, window,  causal};
  return work;
}

CostModel modelOf(const char *gpu, const char *set, const char *tiles,
                  bool packed, bool split, bool cacheWrite) {
  Coefficients c;
  AttentionCoefficients a = study::attention(set, tiles);
  a.packGroupedQueries = packed;
  a.splitKv = split;
  a.writesKvCache = cacheWrite;
  c.attentionFull = c.attentionCausal = a;
  c.tensorGemm = study::tensorGemm(gpu);
  c.tensorPower = study::tensorPower();
  return study::model(study::gpu(gpu), std::move(c));
}

// (A1)-(A7): 20 shapes on four sets.
TEST(Attention, ReproducesStudy) {
  for (const Vector &v : vectors) {
    CostModel model =
        modelOf(v.gpu, v.set, v.tiles, v.packed, v.split, v.cacheWrite);
    KernelCost cost =
        cantFail(model.estimate(attention(v.batch, v.length, v.length, v.heads,
                                          v.kvHeads, v.headDim, v.causal),
                                study::benchmark()));
    SCOPED_TRACE(testing::Message()
                 << v.set << " " << v.length << " " << v.headDim);
    EXPECT_NEAR(cost.time.total.value() * 1e6, v.us, 1e-3 * v.us);
    EXPECT_NEAR(cost.power.value(), v.watts, 1e-3 * v.watts);
    EXPECT_NEAR(cost.clock.value() * 1e-6, v.mhz, 1e-3 * v.mhz);
  }
}

/// (A1) tile by tile, by its definition.
AttentionBlocks countByHand(const AttentionGrid &g) {
  double rowsPerQuery = double(g.rowsNumerator) / g.rowsDenominator;
  double last = std::ceil(double(g.keys) / g.tileColumns);
  double offset = double(g.keys - g.queries);
  AttentionBlocks r;
  r.tiles = std::ceil(g.queries * rowsPerQuery / g.tileRows);
  for (double tile = 0; tile < r.tiles; ++tile) {
    double begin = tile * g.tileRows / rowsPerQuery + offset;
    double end =
        std::min<double>((tile + 1) * g.tileRows / rowsPerQuery, g.queries) +
        offset;
    double high =
        g.causal ? std::min(std::ceil(end / g.tileColumns), last) : last;
    double low =
        g.window > 0
            ? std::floor(std::max(begin - g.window, 0.0) / g.tileColumns)
            : 0.0;
    double count = std::max(std::max(high, 0.0) - low, 1.0);
    r.total += count;
    r.most = std::max(r.most, count);
  }
  return r;
}

TEST(Attention, ClosedFormCountsBlocksExactly) {
  for (bool causal : {false, true})
    for (int64_t queries : {2, 100, 1000, 4097})
      for (int64_t keys : {1, 128, 1000, 5000})
        for (int64_t window : {0, 1, 100, 512, 4096})
          for (int64_t heads : {1, 4, 8})
            for (auto [rows, columns] :
                 {std::pair{64, 64}, {128, 64}, {192, 128}, {128, 80}}) {
              if (window > 0 && queries > keys)
                continue; // a window before the first key has no meaning
              AttentionGrid g{queries, keys, window, causal,
                              heads,   1,    rows,   columns};
              AttentionBlocks fast = countBlocks(g), slow = countByHand(g);
              ASSERT_EQ(fast.tiles, slow.tiles);
              ASSERT_EQ(fast.total, slow.total)
                  << causal << " " << queries << " " << keys << " " << window
                  << " " << heads << " " << rows << "x" << columns;
              ASSERT_EQ(fast.most, slow.most)
                  << causal << " " << queries << " " << keys << " " << window
                  << " " << heads << " " << rows << "x" << columns;
            }
}

const CostModel &hopper() {
  static const CostModel model =
      modelOf("H100", "H100 ctx vllm fa3", "fa3", true, true, true);
  return model;
}

KernelCost estimate(const KernelWork &work) {
  return cantFail(hopper().estimate(work, study::benchmark()));
}

TEST(Attention, MasksSaveTime) {
  double full =
      estimate(attention(4, 8192, 8192, 32, 8, 128, false)).time.total.value();
  double causal =
      estimate(attention(4, 8192, 8192, 32, 8, 128, true)).time.total.value();
  double window = estimate(attention(4, 8192, 8192, 32, 8, 128, true, 1024))
                      .time.total.value();
  EXPECT_LT(causal, 0.65 * full);
  EXPECT_LT(window, 0.5 * causal);
}

// A prefill of 512 tokens after a cache attends to more keys than one without.
TEST(Attention, PrefillBehindACache) {
  double alone =
      estimate(attention(8, 512, 512, 32, 8, 128, true)).time.total.value();
  KernelCost cached = estimate(attention(8, 512, 4096, 32, 8, 128, true));
  double whole =
      estimate(attention(8, 4096, 4096, 32, 8, 128, true)).time.total.value();
  EXPECT_GT(cached.time.total.value(), 2 * alone);
  EXPECT_LT(cached.time.total.value(), 0.5 * whole);
  EXPECT_FALSE(cached.time.inCalibratedDomain);
}

// (A2): eight CTAs on 132 SMs share the KV range of 64 blocks: 64 / 4 = 16
// parts at most, 132 / 8 = 16 fit.
TEST(Attention, FewTilesSplitTheKvRange) {
  Tiling tiling = cantFail(
      hopper().selectTiling(attention(1, 128, 8192, 8, 8, 128, false)));
  EXPECT_EQ(tiling.tile.m, 128);
  EXPECT_EQ(tiling.splitK, 16);
  EXPECT_EQ(tiling.ctas, 128);
}

TEST(Attention, Errors) {
  auto message = [](const KernelWork &work) {
    auto cost = hopper().estimate(work);
    return cost ? std::string() : cost.error().message;
  };
  EXPECT_EQ(message(attention(1, 128, 128, 8, 8, 640, true)),
            "expected a head dimension of at most 512 for attention on 'H100', "
            "but got 640");
  EXPECT_EQ(message(attention(1, 1, 128, 8, 8, 128, true)),
            "'H100' has no coefficients 'decode'");
  EXPECT_NE(message(attention(1, 128, 128, 0, 0, 128, true)), "");
  KernelWork fp32 = attention(1, 128, 128, 8, 8, 128, true);
  fp32.format = NumericFormat::FP32;
  CostModel hopperOnly = hopper();
  Gpu gpu = hopperOnly.gpu();
  gpu.formats = {*gpu.find(NumericFormat::FP32)};
  CostModel model = study::model(gpu, hopperOnly.coefficients());
  EXPECT_EQ(model.estimate(fp32).error().message,
            "fused attention in fp32 needs TF32 tensor cores, which 'H100' "
            "does not have; frameworks run batched_matmul and softmax");
}

TEST(Attention, EmptyAndHuge) {
  double fixed = hopper().coefficients().attentionCausal->fixedTime.value();
  EXPECT_DOUBLE_EQ(
      estimate(attention(0, 64, 64, 8, 8, 64, true)).time.total.value(), fixed);
  EXPECT_DOUBLE_EQ(
      estimate(attention(1, 64, 0, 8, 8, 64, true)).time.total.value(), fixed);
  int64_t huge = int64_t(1) << 40;
  EXPECT_TRUE(std::isfinite(
      estimate(attention(1, huge, huge, 8, 8, 64, true)).time.total.value()));
}

// (A10) 100 queries with 4 heads of 64 are read and written, 2 B each:
// 2*100*4*64*2 B more after the kernel; (A5) a benchmark's cache, 2 heads,
// 100*2*2*64*(2 + 2) B.
TEST(Attention, KernelsBesideTheKernel) {
  KernelWork work = attention(1, 100, 100, 4, 2, 64, true);
  auto terms = [&](bool rewrites, bool writes) {
    Coefficients c;
    c.attentionCausal = study::attention("A100 ctx sglang fa2", "fa2");
    c.attentionCausal->rewritesQueries = rewrites;
    CostModel model = study::model(study::gpu("A100"), std::move(c));
    KernelQuery query;
    query.benchmark = BenchmarkProtocol();
    query.benchmark->writesCache = writes;
    return cantFail(model.launchTerms(
        work, cantFail(model.selectTiling(work, query)), query));
  };
  auto bytes = [&](bool rewrites, bool writes) {
    return terms(rewrites, writes).compulsoryBytes -
           terms(false, false).compulsoryBytes;
  };
  EXPECT_EQ(terms(false, false).serialDram.value(), 0);
  EXPECT_EQ(bytes(true, false), 2 * 100 * 4 * 64 * 2);
  EXPECT_EQ(bytes(false, true), 100 * 2 * 2 * 64 * 4);
  EXPECT_EQ(bytes(true, true), 102400 + 102400);
  EXPECT_GT(terms(true, false).serialDram.value(), 0);
}

// (P1) 2 * 384 * 384 scores of dimension 64, whole tiles, are 75,497,472 FLOP:
// 18,432 mma instructions of 32 threads, and half as many ldmatrix.
TEST(Attention, SecondGenerationIssuesWarpInstructions) {
  KernelWork work = attention(1, 384, 384, 2, 2, 64, false);
  auto instructions = [&](double capability, ImplementationKind kind) {
    Coefficients c;
    c.attentionFull = study::attention("H100 ctx vllm fa3", "fa3");
    c.instructions.emplace();
    c.instructions->softmaxScale = c.instructions->normScale = 1;
    Gpu gpu = study::gpu("H100");
    gpu.computeCapability = capability;
    CostModel model = study::model(gpu, std::move(c));
    KernelQuery query;
    query.implementation = kind;
    return cantFail(model.launchTerms(
                        work, cantFail(model.selectTiling(work, query)), query))
        .events.instructions;
  };
  auto more = [&](double capability) {
    return instructions(capability, ImplementationKind::FlashAttention2) -
           instructions(capability, ImplementationKind::FlashFull);
  };
  for (double hopperAndBlackwell : {9.0, 10.0})
    EXPECT_EQ(more(hopperAndBlackwell), 18432 * 32 + 9216 * 32);
  for (double only : {8.0, 12.0}) // GPUs with warp-level products only
    EXPECT_EQ(more(only), 0);
}

// (A16) Documents that fill a sequence cost as much as sequences of their
// length.
TEST(Attention, PackedDocuments) {
  const Vector &v = vectors[0];
  for (bool packed : {false, true})
    for (bool causal : {false, true}) {
      CostModel model =
          modelOf(v.gpu, v.set, v.tiles, packed, v.split, v.cacheWrite);
      KernelWork together = attention(2, 4096, 4096, 32, 8, 128, causal);
      std::get<AttentionProblem>(together.problem).document = 512;
      KernelWork apart = attention(16, 512, 512, 32, 8, 128, causal);
      EXPECT_EQ(countFlops(together.as<AttentionProblem>()),
                countFlops(apart.as<AttentionProblem>()));
      KernelCost cost = cantFail(model.estimate(together, study::benchmark()));
      KernelCost other = cantFail(model.estimate(apart, study::benchmark()));
      EXPECT_DOUBLE_EQ(cost.time.total.value(), other.time.total.value());
      EXPECT_DOUBLE_EQ(cost.power.value(), other.power.value());
      EXPECT_FALSE(cost.time.inCalibratedDomain);
    }
}

// Of 1000 tokens in documents of 300: 1000/300 documents, each with
// 300*301/2 = 45150 scores, 150500 in all; 4 FLOP for each of 64 channels.
TEST(Attention, FlopsOfPackedDocuments) {
  KernelWork work = attention(1, 1000, 1000, 1, 1, 64, true);
  auto &p = std::get<AttentionProblem>(work.problem);
  p.document = 300;
  EXPECT_EQ(countFlops(p), 4 * 64 * 150500);
  p.document = 1000;
  EXPECT_EQ(countFlops(p), 4 * 64 * 500500);
  p.backward = true;
  p.document = 300;
  EXPECT_EQ(countFlops(p), 10 * 64 * 150500);
}

} // namespace
