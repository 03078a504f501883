//===- SweepBenchmark.cpp - Ten thousand points ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole sweeps with 1 and 2 threads, import included: training of BERT-large on
// 5 GPUs at 40 clocks, 10 power limits and 5 batches, and plans of Llama 3 8B
// (tensor parallelism, DDP and FSDP, recomputation, micro-batches, clocks,
// limits).
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Sweep/PointText.h"
#include "gpucost/Applications/Sweep/Sweep.h"
#include "gpucost/Core/Iteration/OperatingHint.h"
#include <benchmark/benchmark.h>

using namespace gpucost;
using namespace gpucost::sweep;

/// Evaluates all points and writes their lines to memory.
static void runSweep(benchmark::State &state, const Space &space) {
  SweepOptions options;
  options.jobs = static_cast<unsigned>(state.range(0));
  int64_t points = 0, bytes = 0;
  for (auto _ : state) {
    auto evaluator = llvm::cantFail(Evaluator::create(space, options.jobs));
    PointText text(space, PointFormat::JsonLines, "0", "0");
    runSweep(
        *evaluator, options, [](int64_t) { return false; },
        [&](PointBatch &batch) {
          for (const PointResult &result : batch.results)
            text.append(batch.text, result);
        },
        [&](PointBatch &batch) {
          points += static_cast<int64_t>(batch.results.size());
          bytes += static_cast<int64_t>(batch.text.size());
          return true;
        });
  }
  state.SetItemsProcessed(points);
  state.SetBytesProcessed(bytes);
}

static void bertPoints(benchmark::State &state) {
  runSweep(state, llvm::cantFail(
                      Space::create({GPUCOST_MODELS "/bert-large.onnx"},
                                    {{"target", {"a100,h100,h200,l40s,a40"}},
                                     {"batch", {"1..16x2"}},
                                     {"seq", {"128"}},
                                     {"mode", {"training"}},
                                     {"clock", {"600..1380:20"}},
                                     {"power-limit", {"180..297:13"}}})));
}
BENCHMARK(bertPoints)
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->MeasureProcessCPUTime();

static void llamaPlans(benchmark::State &state) {
  runSweep(state,
           llvm::cantFail(Space::create(
               {GPUCOST_MODELS "/llama-3-8b-lm.onnx"},
               {{"target", {"h100"}},
                {"seq", {"2048"}},
                {"mode", {"training"}},
                {"gpus", {"8"}},
                {"parallel",
                 {"ddp,zero1,zero2,fsdp,tp8,tp2.fsdp4,tp4.fsdp2,tp2.dp4"}},
                {"recompute", {"none", "selective", "full"}},
                {"batch", {"1,2,4"}},
                {"grad-accum", {"1,4"}},
                {"clock", {"1000..1900:100"}},
                {"power-limit", {"350..700:50"}}})));
}
BENCHMARK(llamaPlans)
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->MeasureProcessCPUTime();

/// The line of a report that another clock saves energy: of a model that the
/// host holds up, where every clock is tried, and of FSDP.
static void hint(benchmark::State &state, const char *model,
                 const std::vector<AxisText> &settings) {
  Space space = llvm::cantFail(
      Space::create({std::string(GPUCOST_MODELS "/") + model}, settings));
  auto evaluator = llvm::cantFail(Evaluator::create(space, 1));
  Evaluator::Placed placed = llvm::cantFail(evaluator->place(0));
  IterationReport report = placed.model->evaluate();
  for (auto _ : state)
    benchmark::DoNotOptimize(findHint(*placed.model, report));
}

static void hintOfGpt2(benchmark::State &state) {
  hint(state, "gpt2.onnx",
       {{"target", {"a100"}}, {"batch", {"1"}}, {"seq", {"128"}}});
}
BENCHMARK(hintOfGpt2)->Unit(benchmark::kMillisecond);

static void hintOfLlama(benchmark::State &state) {
  hint(state, "llama-3-8b-lm.onnx",
       {{"target", {"h100"}},
        {"batch", {"1"}},
        {"seq", {"2048"}},
        {"mode", {"training"}},
        {"gpus", {"8"}},
        {"parallel", {"fsdp"}}});
}
BENCHMARK(hintOfLlama)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
