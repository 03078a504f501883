//===- SampleModel.cpp - A prepared model for tests -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleModel.h"
#include "gpucost/Core/Iteration/Restate.h"
#include "gpucost/Core/Targets/TargetChoice.h"

using namespace gpucost;

static KernelWork productOf(int64_t m, int64_t n, int64_t k) {
  KernelWork work;
  work.family = KernelFamily::Matmul;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  MatmulProblem &problem = work.edit<MatmulProblem>();
  problem.m = m, problem.n = n, problem.k = k;
  work.count = {2 * m * n * k, 0, 0, 2 * (m * k + k * n), 2 * m * n};
  return work;
}

static KernelWork softmaxOf(int64_t rows, int64_t cols) {
  KernelWork work;
  work.family = KernelFamily::Softmax;
  work.instructions = InstructionClass::Softmax;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  work.problem = RowsProblem{rows, cols};
  work.count = {0, 5 * rows * cols, rows * cols, 2 * rows * cols,
                2 * rows * cols};
  return work;
}

PreparedFile sampleModel() {
  auto [gpu, format] = cantFail(chooseTarget("a100-bf16")).target;
  PreparedFile file;
  file.name = "sample.onnx";
  file.target = getScenarioTarget(gpu, Coefficients(), format);
  PreparedModel &model = file.model;
  model.format = format;
  model.works = {productOf(1024, 1024, 4096), softmaxOf(4096, 1024)};
  Schedule schedule;
  schedule.tileM = schedule.tileN = 128;
  schedule.tileK = 32;
  schedule.warps = 4;
  model.works.push_back(productOf(2048, 2048, 2048));
  model.schedules[2] = schedule;
  model.kinds = {{"first", "gemm", "onnx.MatMul", "", Phase::Forward,
                  Coverage::Modelled, 0},
                 {"second", "softmax", "onnx.Softmax", "made", Phase::Forward,
                  Coverage::Modelled, 1},
                 {"third \"x\"", "gemm", "onnx.MatMul", "", Phase::Backward,
                  Coverage::Modelled, 2}};
  model.nodes = {"", "/layers.0/MatMul", "/layers.0/Softmax"};
  Launch launch;
  launch.kind = launch.work = 0;
  launch.node = 1;
  launch.count = 24;
  launch.library = true;
  launch.persistentReadsEnd = 1;
  model.launches.push_back(launch);
  launch.kind = launch.work = 1;
  launch.node = 2;
  launch.readsEnd = 1;
  model.launches.push_back(launch);
  launch.kind = launch.work = 2;
  launch.node = 0;
  launch.count = 3;
  launch.passes = 3;
  launch.recomputes = launch.synchronizes = true;
  launch.fallback = 0;
  launch.readsEnd = 3;
  model.launches.push_back(launch);
  model.reads = {0, 0, 1};
  model.persistentReads = {{0, 1 << 23, 1 << 23}};
  model.fallbacks = {{"onnx.Foo", "no rule", 2}};
  model.assumed = {{"onnx.NonZero", "at most", 1}};
  model.memory.parameterCount = 1 << 22;
  model.memory.parameterBytes = 1 << 23;
  model.memory.activationBytes = 3 << 20;
  model.memory.peakTensors = {{"x", "gemm", Phase::Forward, 1 << 21}};
  model.memory.trace.parameters = {1 << 23};
  model.memory.trace.sizes = {1 << 21, 1 << 20};
  model.memory.trace.events = {1, 2, -1, -2};
  model.bindings = {{"batch", 8}};
  model.given.target = "a100-bf16";
  model.given.batch = 8;
  model.given.bind = NamedValues{{"past, seq:1", 7}, {"*", 1}};
  model.given.hostLaunch = Seconds(3.5e-6);
  model.settings = resolve(model.given, file.target);
  model.precision = "tensors cast to bf16";
  model.notes = {"a note"};
  model.samples = 8;
  model.tokens = 1024;
  return file;
}
