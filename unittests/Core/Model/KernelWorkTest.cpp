//===- KernelWorkTest.cpp - Exact counts, equation (W2) -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/KernelWork.h"
#include "gtest/gtest.h"
#include <limits>
#include <set>

using namespace gpucost;

namespace {

constexpr int64_t saturated = std::numeric_limits<int64_t>::max();

TEST(KernelWork, MatmulFlops) {
  EXPECT_EQ(countFlops(MatmulProblem{1, 2, 3, 4, true}), 48); // 2*2*3*4
  EXPECT_EQ(countFlops(MatmulProblem{5, 2, 3, 4, false}), 240);
  EXPECT_EQ(countFlops(MatmulProblem{1, 0, 3, 4, true}), 0);
  // 2 * 4096 * 12288 * 4096
  EXPECT_EQ(countFlops(MatmulProblem{1, 4096, 12288, 4096, true}),
            412316860416);
}

TEST(KernelWork, ConvolutionFlops) {
  ConvolutionProblem p{32, 128, 28, 28, 128, 28, 28, 3, 3, 1, 1, 1};
  // 2 * 32 * 128 * 784 * 128 * 9
  EXPECT_EQ(countFlops(p), 7398752256);
  p.groups = 128; // depthwise: one input channel each
  EXPECT_EQ(countFlops(p), 7398752256 / 128);
  p.groups = 0;
  EXPECT_EQ(countFlops(p), 0);
}

TEST(KernelWork, AttentionFlops) {
  AttentionProblem p;
  p.batch = 2;
  p.heads = 3;
  p.kvHeads = 3;
  p.headDim = 8;
  p.queryLength = p.kvLength = 4;
  EXPECT_EQ(countFlops(p), 4 * 2 * 3 * 8 * 16); // 16 scores
  p.causal = true;
  EXPECT_EQ(countFlops(p), 4 * 2 * 3 * 8 * 10); // 1+2+3+4
  p.window = 2;
  EXPECT_EQ(countFlops(p), 4 * 2 * 3 * 8 * 7); // 1+2+2+2
  p.kvLength = 6; // two cached keys before the first query
  EXPECT_EQ(countFlops(p), 4 * 2 * 3 * 8 * 8); // 2+2+2+2
  p.window = 0;
  EXPECT_EQ(countFlops(p), 4 * 2 * 3 * 8 * 18); // 3+4+5+6
  p.kvLength = 2; // the first two queries see nothing
  EXPECT_EQ(countFlops(p), 4 * 2 * 3 * 8 * 3); // 0+0+1+2
  p.queryLength = 1;
  p.kvLength = 7;
  EXPECT_EQ(countFlops(p), 4 * 2 * 3 * 8 * 7);
  p.causal = false;
  p.queryLength = p.kvLength = 4;
  p.window = 2; // queries 2 and 3 lose 1 and 2 old keys
  EXPECT_EQ(countFlops(p), 4 * 2 * 3 * 8 * 13);
}

TEST(KernelWork, HugeProblemsSaturate) {
  int64_t huge = int64_t(1) << 40;
  EXPECT_EQ(countFlops(MatmulProblem{huge, huge, huge, huge, true}), saturated);
  AttentionProblem p{huge, huge, huge, huge, huge, huge, 0, true};
  EXPECT_EQ(countFlops(p), saturated);
  p.batch = 0;
  EXPECT_EQ(countFlops(p), 0);
}

TEST(KernelWork, EqualWorksHashAlike) {
  KernelWork a, b;
  a.family = b.family = KernelFamily::Matmul;
  a.problem = b.problem = MatmulProblem{1, 2, 3, 4, true};
  EXPECT_TRUE(a == b);
  EXPECT_EQ(hash_value(a), hash_value(b));
  b.edit<MatmulProblem>().k = 5;
  EXPECT_FALSE(a == b);
  EXPECT_NE(hash_value(a), hash_value(b));
  b = a;
  b.inputBits = 16;
  EXPECT_FALSE(a == b);
}

// Layer sizes are multiples of powers of two; the low bits of their hashes
// choose slots in the kernel cache. Random numbers would take 8192 (1 - e^-0.5)
// = 3223 slots.
TEST(KernelWork, HashesOfRoundSizesSpread) {
  std::set<size_t> hashes, slots;
  for (int64_t m = 0; m < 16; ++m)
    for (int64_t n = 0; n < 16; ++n)
      for (int64_t k = 0; k < 16; ++k) {
        KernelWork work;
        work.problem = MatmulProblem{1, m << 8, n << 10, k << 12, true};
        hashes.insert(hash_value(work));
        slots.insert(hash_value(work) % 8192);
      }
  EXPECT_EQ(hashes.size(), 4096u);
  EXPECT_GT(slots.size(), 3000u);
}

TEST(Enumeration, NamesAndCases) {
  EXPECT_EQ(stringifyKernelFamily(KernelFamily::DataMovement), "data_movement");
  EXPECT_EQ(symbolizeKernelFamily("data_movement"), KernelFamily::DataMovement);
  EXPECT_EQ(symbolizeKernelFamily("DataMovement"), std::nullopt);
  unsigned last = getMaxEnumValForKernelFamily();
  EXPECT_EQ(KernelFamily(last), KernelFamily::CausalConvolution);
  EXPECT_EQ(stringifyKernelFamily(KernelFamily(last + 1)), "");
}

} // namespace
