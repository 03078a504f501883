//===- ImportBenchmark.cpp - Import and whole estimates -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In process: import of n nodes in a chain, and the whole path from file to
// report for shipped models. `benchmarks/processes.py` times whole processes.
//
//===----------------------------------------------------------------------===//

#include "Import/ModelWriter.h"
#include "gpucost/Compiler/Import/OnnxImport.h"
#include "gpucost/Compiler/Session/Session.h"
#include "mlir/IR/MLIRContext.h"
#include <benchmark/benchmark.h>

using namespace gpucost;

/// x -> Relu -> Relu -> ... -> y
static void importChain(benchmark::State &state) {
  std::string graph =
      wire::bytes(2, "g") + wire::bytes(11, wire::valueInfo("v0", {8, 64}));
  for (int64_t i = 0; i < state.range(0); ++i)
    graph += wire::bytes(1, wire::node("Relu", {"v" + std::to_string(i)},
                                       {"v" + std::to_string(i + 1)}));
  graph += wire::bytes(
      12, wire::valueInfo("v" + std::to_string(state.range(0)), {8, 64}));
  std::string file = wire::model(graph);
  mlir::DialectRegistry registry;
  registerDialects(registry);
  for (auto _ : state) {
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    auto module = importOnnxBuffer(context, file, "chain.onnx");
    if (!module) {
      state.SkipWithError(llvm::toString(module.takeError()).c_str());
      return;
    }
    benchmark::DoNotOptimize(module->get());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(importChain)->Arg(1000)->Arg(20000)->Unit(benchmark::kMillisecond);

/// Reads a file and writes its report, with a new context each time.
static void analyze(benchmark::State &state, const char *model, int64_t batch,
                    int64_t seq) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  for (auto _ : state) {
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    auto module = loadModel(context, std::string(GPUCOST_MODELS) + "/" + model);
    Scenario scenario;
    scenario.target = "a100-bf16";
    scenario.batch = batch;
    if (seq)
      scenario.seq = seq;
    if (!module || mlir::failed(Session(*module).analyze(scenario))) {
      state.SkipWithError("analysis failed");
      return;
    }
  }
}
BENCHMARK_CAPTURE(analyze, bert_large, "bert-large.onnx", 16, 128)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(analyze, resnet50, "resnet50.onnx", 64, 0)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(analyze, qwen2, "qwen2-1.5b.onnx", 4, 1024)
    ->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
