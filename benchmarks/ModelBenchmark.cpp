//===- ModelBenchmark.cpp - Speed of single cost queries ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Targets: a GEMM of a new shape under 10 us, a repeated kernel under 1 us.
//
//===----------------------------------------------------------------------===//

#include "StudySets.h"
#include "gpucost/Core/Model/KernelCache.h"
#include <benchmark/benchmark.h>

using namespace gpucost;

static CostModel modelOf(const char *name) {
  Coefficients c;
  c.tensorGemm = study::tensorGemm(name);
  c.tensorPower = study::tensorPower();
  c.attentionCausal = study::attention("H100 ctx vllm fa3", "fa3");
  c.attentionCausal->packGroupedQueries = true;
  c.attentionCausal->splitKv = true;
  c.simtLinear = study::simtGemm("A100-40", /*linear=*/true);
  c.streaming = study::streaming();
  c.instructions = study::instructions();
  c.power = study::power();
  return study::model(study::gpu(name), std::move(c));
}

static KernelWork gemm(int64_t m, int64_t n, int64_t k, NumericFormat format) {
  KernelWork work;
  work.family = KernelFamily::Matmul;
  work.format = format;
  work.inputBits = work.outputBits = format == NumericFormat::FP32 ? 32 : 16;
  work.problem = MatmulProblem{1, m, n, k, true};
  return work;
}

/// Shapes that differ from call to call: sizes in large models and in decode.
static KernelWork newShape(uint64_t i, NumericFormat format) {
  static constexpr int64_t sizes[] = {128,  768,  1024,  4096,
                                      5120, 8192, 12288, 28672};
  uint64_t h = i * 0x9E3779B97F4A7C15ull;
  int64_t m = 1 + static_cast<int64_t>(h >> 51); // 1 .. 8192
  return gemm(m, sizes[(h >> 32) & 7], sizes[(h >> 35) & 7], format);
}

static void use(Expected<KernelCost> cost) {
  KernelCost value = cantFail(std::move(cost));
  benchmark::DoNotOptimize(value);
}

static void newGemm(benchmark::State &state, const char *gpu) {
  CostModel model = modelOf(gpu);
  uint64_t i = 0;
  for (auto _ : state)
    use(model.estimate(newShape(++i, NumericFormat::BF16)));
}
BENCHMARK_CAPTURE(newGemm, a100, "A100");
BENCHMARK_CAPTURE(newGemm, h100, "H100");

static void largeGemm(benchmark::State &state) {
  CostModel model = modelOf("H100");
  KernelWork work = gemm(8192, 8192, 8192, NumericFormat::BF16);
  for (auto _ : state)
    use(model.estimate(work));
}
BENCHMARK(largeGemm);

static void newSimtGemm(benchmark::State &state) {
  CostModel model = modelOf("A100");
  uint64_t i = 0;
  for (auto _ : state)
    use(model.estimate(newShape(++i, NumericFormat::FP32)));
}
BENCHMARK(newSimtGemm);

static void repeatedGemm(benchmark::State &state) {
  CostModel model = modelOf("H100");
  KernelCache cache(model);
  for (uint64_t i = 0; i < 256; ++i)
    use(cache.estimate(newShape(i, NumericFormat::BF16)));
  uint64_t i = 0;
  for (auto _ : state)
    use(cache.estimate(newShape(++i & 255, NumericFormat::BF16)));
}
BENCHMARK(repeatedGemm);

static void newAttention(benchmark::State &state) {
  CostModel model = modelOf("H100");
  KernelWork work;
  work.family = KernelFamily::Attention;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  int64_t length = 128;
  for (auto _ : state) {
    length = 128 + (length + 257) % 32768;
    work.problem = AttentionProblem{4, 32, 8, length, length, 128, 0, true};
    use(model.estimate(work));
  }
}
BENCHMARK(newAttention);

static void newElementwise(benchmark::State &state) {
  CostModel model = modelOf("A100");
  KernelWork work;
  work.family = KernelFamily::Elementwise;
  work.instructions = InstructionClass::Gelu;
  work.format = NumericFormat::BF16;
  int64_t elements = 1024;
  for (auto _ : state) {
    elements = 1024 + (elements + 4097) % (1 << 26);
    work.edit<ElementsProblem>().elements = elements;
    work.count.bytesRead = work.count.bytesWritten = 2 * elements;
    use(model.estimate(work));
  }
}
BENCHMARK(newElementwise);

BENCHMARK_MAIN();
