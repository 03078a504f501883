//===- ServiceBenchmark.cpp - Steps of a server through C -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The step oracles of Llama-3.1-8B on an H100 and of Llama-3.1-70B on four, in
// a loop over steps that differ: 1 to 64 decodes with separate contexts; half
// of the steps also have one or two chunks of prompts.
//
//===----------------------------------------------------------------------===//

#include "gpucost-c/gpucost-mlir.h"
#include <benchmark/benchmark.h>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

void check(gpucostStatus status) {
  if (status == GPUCOST_OK)
    return;
  std::fprintf(stderr, "error: %s\n", gpucostLastError());
  std::exit(1);
}

struct Step {
  std::vector<int64_t> newTokens, cacheTokens;
  void add(int64_t tokens, int64_t cached) {
    newTokens.push_back(tokens);
    cacheTokens.push_back(cached);
  }
};

std::vector<Step> makeSteps(bool mixed) {
  std::mt19937 random(1);
  auto draw = [&](int64_t low, int64_t high) {
    return low +
           static_cast<int64_t>(random() % static_cast<uint64_t>(high - low));
  };
  std::vector<Step> steps(4096);
  for (Step &step : steps) {
    for (int64_t i = draw(1, 65); i > 0; --i)
      step.add(1, draw(16, 4000));
    if (mixed && draw(0, 2) == 1)
      for (int64_t i = draw(1, 3); i > 0; --i)
        step.add(128 << draw(0, 3), 512 * draw(0, 3));
  }
  return steps;
}

gpucostService *makeService(bool large) {
  gpucostInput input;
  GPUCOST_INIT(input);
  input.path = large ? GPUCOST_MODELS "/llama-3.1-70b-decode.onnx"
                     : GPUCOST_MODELS "/llama-3.1-8b-decode.onnx";
  input.settings = large ? R"({"target": "h100-bf16", "gpus": 4,
                               "parallel": "tp"})"
                         : R"({"target": "h100-bf16"})";
  void *bytes = nullptr;
  size_t size = 0;
  check(gpucostPrepareService(&input, &bytes, &size, nullptr));
  gpucostModel *model = nullptr;
  check(gpucostModelCreate("h100-bf16", nullptr, &model));
  gpucostService *service = nullptr;
  check(gpucostServiceCreate(bytes, size, model, &service));
  gpucostFree(bytes);
  gpucostModelFree(model);
  return service;
}

} // namespace

static void step(benchmark::State &state) {
  gpucostService *service = makeService(state.range(0) == 70);
  std::vector<Step> steps = makeSteps(state.range(1) == 1);
  size_t next = 0;
  gpucostStepCost cost;
  GPUCOST_INIT(cost);
  for (auto _ : state) {
    const Step &each = steps[next++ % steps.size()];
    check(gpucostServiceStep(service, each.newTokens.data(),
                             each.cacheTokens.data(), each.newTokens.size(),
                             &cost));
    benchmark::DoNotOptimize(cost.time);
  }
  gpucostServiceFree(service);
}
BENCHMARK(step)
    ->ArgNames({"billions", "mixed"})
    ->ArgsProduct({{8, 70}, {0, 1}})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_MAIN();
