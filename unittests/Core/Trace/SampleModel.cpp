//===- SampleModel.cpp - A small training step ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleModel.h"
#include "StudySets.h"

using namespace gpucost;

CostModel sample::a100() {
  Coefficients c = study::a100().coefficients();
  c.runtime = RuntimeCoefficients();
  c.runtime->kernelGapCycles = 1e-6 * study::a100().gpu().maxClock.value();
  c.runtime->hostLaunch = Seconds(2e-6);
  c.runtime->libraryWeight = 1;
  c.runtime->hostNorm = 6;
  c.collectives = CollectiveCoefficients();
  c.collectives->powerFraction = 0.5;
  c.collectives->busySms = 8;
  CollectiveFit fit;
  fit.base = Seconds(10e-6);
  fit.bandwidth = BytesPerSecond(100e9);
  c.collectives->fits.push_back(fit);
  return study::model(study::a100().gpu(), std::move(c));
}

KernelWork sample::gemm(int64_t size) {
  KernelWork work;
  work.family = KernelFamily::Matmul;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  MatmulProblem problem{1, size, size, size, true};
  work.problem = problem;
  work.count.tensorFlops = countFlops(problem);
  work.count.bytesRead = 4 * size * size;
  work.count.bytesWritten = 2 * size * size;
  return work;
}

KernelWork sample::relu(int64_t elements) {
  KernelWork work;
  work.family = KernelFamily::Elementwise;
  work.instructions = InstructionClass::Relu;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  work.problem = ElementsProblem{elements, false};
  work.count.fp32Flops = elements;
  work.count.bytesRead = work.count.bytesWritten = 2 * elements;
  return work;
}

KernelWork sample::allReduce(int64_t bytes) {
  KernelWork work;
  work.family = KernelFamily::Collective;
  work.format = NumericFormat::BF16;
  CollectiveProblem problem;
  problem.kind = CollectiveKind::AllReduce;
  problem.bytes = bytes;
  problem.worldSize = 8;
  work.problem = problem;
  work.count.bytesRead = work.count.bytesWritten = bytes;
  return work;
}

uint32_t sample::add(PreparedModel &model, const KernelWork &work, Phase phase,
                     int64_t count, const std::string &node) {
  auto index = static_cast<uint32_t>(model.works.size());
  model.works.push_back(work);
  KernelKind kind;
  kind.label = "kernel" + std::to_string(index);
  kind.op = "onnx.Op" + std::to_string(index);
  kind.phase = phase;
  kind.work = index;
  model.kinds.push_back(kind);
  auto known = std::find(model.nodes.begin(), model.nodes.end(), node);
  Launch launch;
  launch.node = static_cast<uint32_t>(known - model.nodes.begin());
  if (known == model.nodes.end())
    model.nodes.push_back(node);
  launch.kind = launch.work = index;
  launch.count = count;
  launch.library = work.family == KernelFamily::Matmul;
  launch.readsEnd = static_cast<uint32_t>(model.reads.size());
  model.launches.push_back(launch);
  return static_cast<uint32_t>(model.launches.size() - 1);
}

PreparedModel sample::trainingStep() {
  PreparedModel model;
  add(model, gemm(4096), Phase::Forward, 1, "a/MatMul");
  add(model, relu(1 << 24), Phase::Forward, 3, "a/Relu");
  add(model, gemm(2048), Phase::Forward, 1, "b/MatMul");
  uint32_t first = add(model, gemm(2048), Phase::Backward, 1, "b/MatMul");
  auto reduce = [&](int64_t bytes) {
    model.reads.push_back(static_cast<uint32_t>(model.launches.size() - 1));
    return add(model, allReduce(bytes), Phase::Communication);
  };
  (void)first;
  reduce(64 << 20);
  add(model, relu(1 << 24), Phase::Backward, 3, "a/Relu");
  add(model, gemm(4096), Phase::Backward, 1, "a/MatMul");
  reduce(256 << 20);
  add(model, relu(1 << 22), Phase::Optimizer, 2);
  return model;
}

PlacedModel sample::place(PreparedModel model) {
  return cantFail(PlacedModel::create(
      std::make_shared<const PreparedModel>(std::move(model)), a100()));
}
