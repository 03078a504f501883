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

#include "gpucost/Compiler/Session/Session.h"
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

  /// The kernels of a step with `batch`.
  Session::Prepared prepare(int64_t batch) const {
    return *Session(*imported).prepare(scenario(batch));
  }
  PlacedModel place(const Session::Prepared &prepared,
                    const Scenario &changes) const {
    return *Session(*imported).place(prepared, changes);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> imported;
};

} // namespace

static void prepare(benchmark::State &state) {
  Bert bert;
  int64_t batch = 1;
  for (auto _ : state)
    benchmark::DoNotOptimize(bert.prepare(++batch));
}
BENCHMARK(prepare)->Unit(benchmark::kMillisecond)->Iterations(20);

/// Another GPU, its file parsed anew.
static void place(benchmark::State &state) {
  Bert bert;
  Session::Prepared prepared = bert.prepare(16);
  Scenario changes;
  changes.target = "h100-bf16";
  for (auto _ : state)
    benchmark::DoNotOptimize(bert.place(prepared, changes));
}
BENCHMARK(place)->Unit(benchmark::kMillisecond);

static void evaluate(benchmark::State &state) {
  Bert bert;
  PlacedModel placed = bert.place(bert.prepare(16), {});
  Settings options;
  double watts = 200;
  for (auto _ : state) {
    watts = watts < 390 ? watts + 1 : 200;
    options.powerLimit = Watts(watts);
    benchmark::DoNotOptimize(placed.evaluate(options));
  }
}
BENCHMARK(evaluate)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
