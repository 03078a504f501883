//===- SessionBenchmark.cpp - A prepared model on other settings ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One training step of BERT-large: the passes up to the kernels with a new
// batch
// (`prepare`), tilings on a GPU (`place`), and the report at another clock or
// power limit (`evaluate`).
//
//===----------------------------------------------------------------------===//

#include "gpucost/Analysis/IterationAnalysis.h"
#include "gpucost/Driver/Driver.h"
#include "mlir/IR/MLIRContext.h"
#include <benchmark/benchmark.h>

using namespace gpucost;

namespace {

/// BERT-large as imported, and its prepared training step.
struct Bert {
  Bert() : context(registry(), mlir::MLIRContext::Threading::DISABLED) {
    imported = loadModel(context, GPUCOST_MODELS "/bert-large.onnx", false);
  }

  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }

  static Scenario scenario(int64_t batch) {
    Scenario scenario;
    scenario.target = "a100-bf16";
    scenario.mode = IterationMode::Training;
    scenario.batch = batch;
    scenario.seq = 128;
    return scenario;
  }

  /// The kernels of a step with `batch`, tilings included.
  mlir::OwningOpRef<mlir::ModuleOp> prepare(int64_t batch) {
    mlir::OwningOpRef<mlir::ModuleOp> module = imported->clone();
    AnalyzeFlags flags;
    flags.predict = false;
    if (mlir::failed(analyzeModule(*module, scenario(batch), flags)))
      return {};
    return module;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> imported;
};

/// What `place` and `evaluate` start from.
struct Step {
  Step() : module(bert.prepare(16)) {
    mlir::ModuleAnalysisManager analyses(*module, nullptr);
    mlir::AnalysisManager manager = analyses;
    placed.emplace(manager.getAnalysis<IterationAnalysis>().model());
    prepared = manager.getAnalysis<KernelListAnalysis>().model();
  }
  static Step &get() {
    static Step step;
    return step;
  }

  Bert bert;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::shared_ptr<const PreparedModel> prepared;
  std::optional<PlacedModel> placed;
};

} // namespace

static void prepare(benchmark::State &state) {
  Bert bert;
  int64_t batch = 1;
  for (auto _ : state)
    benchmark::DoNotOptimize(bert.prepare(++batch).release());
}
BENCHMARK(prepare)->Unit(benchmark::kMillisecond)->Iterations(20);

static void place(benchmark::State &state) {
  Step &step = Step::get();
  for (auto _ : state) {
    auto placed = PlacedModel::create(step.prepared, step.placed->model());
    benchmark::DoNotOptimize(llvm::cantFail(std::move(placed)));
  }
}
BENCHMARK(place)->Unit(benchmark::kMillisecond);

static void evaluate(benchmark::State &state) {
  Step &step = Step::get();
  IterationOptions options;
  double watts = 200;
  for (auto _ : state) {
    watts = watts < 390 ? watts + 1 : 200;
    options.powerLimit = Watts(watts);
    benchmark::DoNotOptimize(step.placed->evaluate(options));
  }
}
BENCHMARK(evaluate)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
