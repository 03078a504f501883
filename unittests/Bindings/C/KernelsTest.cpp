//===- KernelsTest.cpp - Single kernels through C -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "gpucost/Core/Model/CostModel.h"
#include "gpucost/Core/Targets/TargetChoice.h"
#include <cmath>
#include <limits>
#include <vector>

using namespace gpucost;

extern "C" gpucostStatus estimateFromC(const gpucostModel *, int64_t, int64_t,
                                       int64_t, double *);

static gpucostCost costOf(const gpucostModel *model,
                          const gpucostKernel &kernel,
                          const gpucostQuery *query = nullptr) {
  auto cost = initialized<gpucostCost>();
  EXPECT_EQ(gpucostEstimate(model, &kernel, query, &cost), GPUCOST_OK)
      << gpucostLastError();
  return cost;
}

static std::string refusal(const gpucostModel *model,
                           const gpucostKernel &kernel,
                           const gpucostQuery *query = nullptr) {
  auto cost = initialized<gpucostCost>();
  return errorOf(gpucostEstimate(model, &kernel, query, &cost));
}

TEST(CKernels, CountsByHand) {
  auto model = modelOf("a100-bf16");
  // 2 * 512 * 1024 * 4096; (512 * 4096 + 4096 * 1024 + 512 * 1024) * 2 bytes.
  gpucostCost product = costOf(model.get(), matmul(512, 1024, 4096));
  EXPECT_EQ(product.flops, 4294967296);
  EXPECT_EQ(product.bytes, 13631488);
  EXPECT_EQ(product.tensor_flops, 4294967296.0);
  EXPECT_GT(product.tile_m, 0);

  // 3x3, stride 1, padding 1: 56 x 56 outputs.
  // 2 * 8 * 64 * 56 * 56 * 64 * 9; (8 * 64 * 56 * 56 * 2 + 64 * 64 * 9) * 2.
  auto conv = initialized<gpucostKernel>();
  conv.family = GPUCOST_CONV2D;
  gpucostConv2d &c = conv.problem.conv2d;
  c.n = 8, c.c = 64, c.h = 56, c.w = 56, c.oc = 64, c.kh = 3, c.kw = 3;
  c.pad = 1;
  gpucostCost convolution = costOf(model.get(), conv);
  EXPECT_EQ(convolution.tensor_flops, 1849688064.0);
  EXPECT_EQ(convolution.bytes, 6496256);

  // One token of 8 sequences against 1024: q, k, v, out of 128 x 2 bytes.
  auto decode = initialized<gpucostKernel>();
  decode.family = GPUCOST_ATTENTION;
  gpucostAttention &a = decode.problem.attention;
  a.batch = 8, a.heads = 32, a.kv_heads = 8, a.q_len = 1, a.kv_len = 1024;
  a.head_dim = 128;
  // 2 * 8 * 32 * 128 * 2 + 2 * 8 * 8 * 1024 * 128 * 2 bytes.
  EXPECT_EQ(costOf(model.get(), decode).bytes, 33685504);
  // Of which a window shows 128: 2 * 8 * 8 * 128 * 128 * 2 bytes.
  a.window = 128;
  EXPECT_EQ(costOf(model.get(), decode).bytes, 131072 + 4194304);
  EXPECT_EQ(costOf(model.get(), decode).tensor_flops, 4.0 * 8 * 32 * 128 * 128);

  // Read and written once: 2 * 1000 * 1024 * 2 bytes; norm: 2 * 1024 more.
  auto rows = initialized<gpucostKernel>();
  rows.family = GPUCOST_SOFTMAX;
  rows.problem.rows = {1000, 1024};
  EXPECT_EQ(costOf(model.get(), rows).bytes, 4096000);
  rows.family = GPUCOST_LAYERNORM;
  EXPECT_EQ(costOf(model.get(), rows).bytes, 4100096);

  // Two operands and a result; a broadcast operand has the same bytes and more
  // instructions.
  auto add = initialized<gpucostKernel>();
  add.family = GPUCOST_ELEMENTWISE;
  add.problem.elementwise.op = GPUCOST_ADD;
  add.problem.elementwise.elements = 1 << 20;
  gpucostCost plain = costOf(model.get(), add);
  EXPECT_EQ(plain.bytes, 3 << 21);
  add.problem.elementwise.strided = 1;
  EXPECT_EQ(costOf(model.get(), add).bytes, plain.bytes);
  EXPECT_GT(costOf(model.get(), add).instructions, plain.instructions);

  auto reduce = initialized<gpucostKernel>();
  reduce.family = GPUCOST_COLLECTIVE;
  reduce.problem.collective.op = GPUCOST_ALL_REDUCE;
  reduce.problem.collective.gpus = 8;
  reduce.problem.collective.message_bytes = 1 << 30;
  // 2 (n - 1) / n of the message are read and written.
  EXPECT_EQ(costOf(model.get(), reduce).bytes, 2 * (int64_t(7) << 28));
}

/// Every number equals the cost model's, bit for bit.
TEST(CKernels, SameBitsAsTheModel) {
  TargetChoice h100 = cantFail(chooseTarget("h100-sxm-80gb"));
  auto direct = cantFail(CostModel::create(h100.target.gpu, h100.coefficients));
  auto model = modelOf("h100-bf16");
  KernelQuery query;
  query.clock = Hertz(1.2e9);
  query.powerLimit = Watts(400);
  auto asked = initialized<gpucostQuery>();
  asked.clock = 1.2e9;
  asked.power_limit = 400;
  for (int64_t m : {1, 17, 128, 4096})
    for (int64_t k : {64, 333, 8192}) {
      MatmulProblem problem;
      problem.m = m;
      problem.n = 2048;
      problem.k = k;
      KernelWork work;
      work.family = KernelFamily::Matmul;
      work.format = NumericFormat::BF16;
      work.inputBits = work.outputBits = 16;
      work.problem = problem;
      work.count = {2 * m * 2048 * k, 0, 0, 2 * (m * k + k * 2048),
                    2 * m * 2048};
      KernelCost expected = cantFail(direct.estimate(work, query));
      gpucostCost cost = costOf(model.get(), matmul(m, 2048, k), &asked);
      EXPECT_EQ(cost.time, expected.time.total.value());
      EXPECT_EQ(cost.power, expected.power.value());
      EXPECT_EQ(cost.energy, expected.energy.value());
      EXPECT_EQ(cost.half_width, *expected.time.halfWidth);
      EXPECT_EQ(cost.clock, expected.clock.value());
      EXPECT_EQ(cost.ctas, expected.tiling.ctas);
      // Also from C.
      KernelCost whole = cantFail(direct.estimate(work));
      double seconds = 0;
      EXPECT_EQ(estimateFromC(model.get(), m, 2048, k, &seconds), GPUCOST_OK);
      EXPECT_EQ(seconds, whole.time.total.value());
    }
}

TEST(CKernels, Defaults) {
  auto model = modelOf("a100-bf16");
  gpucostKernel kernel = matmul(256, 256, 256), stated = kernel;
  stated.problem.matmul.batch = 1;
  stated.problem.matmul.linear = 1;
  stated.format = GPUCOST_BF16;
  EXPECT_EQ(costOf(model.get(), kernel).time, costOf(model.get(), stated).time);
  auto query = initialized<gpucostQuery>();
  query.clock = 1.41e9;
  query.power_limit = 400;
  EXPECT_EQ(costOf(model.get(), kernel).energy,
            costOf(model.get(), kernel, &query).energy);
}

TEST(CKernels, Protocol) {
  auto model = modelOf("a100-bf16");
  auto zeros = initialized<gpucostQuery>();
  zeros.protocol = GPUCOST_BENCHMARK;
  gpucostQuery random = zeros;
  zeros.toggle_rate = 0.5;
  gpucostKernel large = matmul(8192, 8192, 8192);
  EXPECT_LT(costOf(model.get(), large, &zeros).power,
            costOf(model.get(), large, &random).power);
}

TEST(CKernels, Mistakes) {
  auto model = modelOf("a100-bf16");
  auto check = [&](gpucostKernel kernel) {
    return refusal(model.get(), kernel);
  };
  EXPECT_EQ(check(matmul(0, 1, 1)),
            "'m' of a kernel expects an integer from 1 to 2^40, but is 0");
  EXPECT_EQ(check(matmul(1, -5, 1)),
            "'n' of a kernel expects an integer from 1 to 2^40, but is -5");
  EXPECT_EQ(check(matmul(1, 1, std::numeric_limits<int64_t>::max())),
            "'k' of a kernel expects an integer from 1 to 2^40, but is "
            "9223372036854775807");
  EXPECT_EQ(check(matmul(int64_t(1) << 40, int64_t(1) << 40, 1)),
            "expected a kernel whose FLOPs and bytes fit 63 bits");
  gpucostKernel kernel = matmul(1, 1, 1);
  kernel.family = 99;
  EXPECT_EQ(check(kernel),
            "'family' of a kernel is 99, which is not a valid value");
  kernel = matmul(1, 1, 1);
  kernel.format = GPUCOST_FP8;
  EXPECT_EQ(check(kernel),
            "'format' of a kernel expects a format with matrix units on "
            "'a100-sxm-80gb' (fp32, tf32, fp16, bf16, int8), but is fp8");
  kernel.format = GPUCOST_FP64;
  EXPECT_EQ(check(kernel),
            "'format' of a kernel is 1, which no kernel computes in");
  kernel = matmul(1, 1, 1);
  kernel.problem.words[15] = 1;
  EXPECT_EQ(check(kernel), "unused problem words of a kernel are not 0");
  auto conv = initialized<gpucostKernel>();
  conv.family = GPUCOST_CONV2D;
  gpucostConv2d &c = conv.problem.conv2d;
  c.n = c.c = c.h = c.w = c.oc = 4, c.kh = c.kw = 3, c.groups = 3;
  EXPECT_EQ(check(conv),
            "'groups' of a kernel expects a divisor of the 4 input "
            "and 4 output channels, but is 3");
  c.groups = 1, c.kh = 9;
  EXPECT_EQ(check(conv), "'kh' of a kernel expects a kernel that fits into the "
                         "padded height of 4, but is 9");
  auto links = initialized<gpucostKernel>();
  links.family = GPUCOST_COLLECTIVE;
  links.problem.collective = {GPUCOST_ALL_REDUCE, 9, 2, 0, 1024, 0, 0};
  EXPECT_EQ(check(links), "'gpus' of a kernel expects a number of GPUs "
                          "divisible by the 2 nodes, but is 9");
  links.problem.collective.op = 7;
  EXPECT_EQ(check(links),
            "'op' of a kernel expects a collective op from 1 to 6, but is 7");

  double nan = std::numeric_limits<double>::quiet_NaN();
  for (double wrong : {nan, -1.0, 1e12, HUGE_VAL}) {
    auto query = initialized<gpucostQuery>();
    query.clock = wrong;
    EXPECT_EQ(refusal(model.get(), matmul(1, 1, 1), &query),
              "'clock' of gpucostQuery expects a clock above 0 up to the GPU's "
              "maximum");
  }
  for (double gpucostQuery::*member :
       {&gpucostQuery::power_limit, &gpucostQuery::reuse_bytes,
        &gpucostQuery::toggle_rate, &gpucostQuery::burst,
        &gpucostQuery::warm_up, &gpucostQuery::cache_share})
    for (double wrong : {nan, -1.0}) {
      auto query = initialized<gpucostQuery>();
      query.protocol = GPUCOST_BENCHMARK;
      query.*member = wrong;
      EXPECT_NE(refusal(model.get(), matmul(1, 1, 1), &query), "");
    }
}

TEST(CKernels, ManyAreTheSame) {
  auto model = modelOf("l40s-fp16");
  std::vector<gpucostKernel> kernels;
  for (int64_t i = 0; i < 500; ++i)
    kernels.push_back(matmul(1 + i % 60, 128 * (1 + i % 7), 256));
  kernels[3].problem.matmul.m = -1;
  kernels[9].family = 0;
  std::vector<gpucostCost> costs(kernels.size());
  costs[0].size = sizeof(gpucostCost);
  EXPECT_EQ(gpucostEstimateMany(model.get(), kernels.data(),
                                sizeof(gpucostKernel), kernels.size(), nullptr,
                                costs.data(), sizeof(gpucostCost)),
            GPUCOST_INVALID_ARGUMENT);
  EXPECT_STREQ(gpucostLastError(), "kernel 3: 'm' of a kernel expects an "
                                   "integer from 1 to 2^40, but is -1");
  gpucostCache *raw = nullptr;
  ASSERT_EQ(gpucostCacheCreate(model.get(), nullptr, &raw), GPUCOST_OK);
  Handle<gpucostCache> cache(raw);
  std::vector<gpucostCost> cached(kernels.size());
  for (int repeat = 0; repeat < 2; ++repeat) {
    cached[0].size = sizeof(gpucostCost);
    EXPECT_EQ(gpucostCacheEstimateMany(cache.get(), kernels.data(), 0,
                                       kernels.size(), cached.data(), 0),
              GPUCOST_INVALID_ARGUMENT);
  }
  // 60 x 7 pairs repeat after 420, including the two mistakes.
  EXPECT_EQ(gpucostCacheSize(cache.get()), 420u);
  for (size_t i = 0; i < kernels.size(); ++i) {
    EXPECT_EQ(std::memcmp(&costs[i], &cached[i], sizeof(gpucostCost)), 0) << i;
    if (i == 3 || i == 9) {
      EXPECT_EQ(costs[i].status, uint32_t(GPUCOST_INVALID_ARGUMENT));
      EXPECT_TRUE(std::isnan(costs[i].time));
      continue;
    }
    gpucostCost one = costOf(model.get(), kernels[i]);
    EXPECT_EQ(std::memcmp(&costs[i], &one, sizeof(one)), 0) << i;
  }
}

TEST(CKernels, Strides) {
  auto model = modelOf("a100-bf16");
  // Kernels and costs side by side, as columns in a table of the caller.
  struct Row {
    gpucostKernel kernel;
    int64_t tag;
    gpucostCost cost;
  };
  std::vector<Row> rows(3);
  for (size_t i = 0; i < rows.size(); ++i)
    rows[i] = {matmul(64 << i, 64, 64), 42, initialized<gpucostCost>()};
  EXPECT_EQ(gpucostEstimateMany(model.get(), &rows[0].kernel, sizeof(Row), 3,
                                nullptr, &rows[0].cost, sizeof(Row)),
            GPUCOST_OK);
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].tag, 42);
    EXPECT_EQ(rows[i].cost.flops, int64_t(2 * 64 * 64 * 64) << i);
  }
  EXPECT_EQ(
      gpucostEstimateMany(model.get(), nullptr, 0, 0, nullptr, nullptr, 0),
      GPUCOST_OK);
  EXPECT_EQ(gpucostEstimateMany(model.get(), &rows[0].kernel, 8, 3, nullptr,
                                &rows[0].cost, sizeof(Row)),
            GPUCOST_INVALID_ARGUMENT);
  EXPECT_EQ(gpucostEstimateMany(model.get(), &rows[0].kernel, sizeof(Row),
                                std::numeric_limits<size_t>::max(), nullptr,
                                &rows[0].cost, sizeof(Row)),
            GPUCOST_INVALID_ARGUMENT);
}
