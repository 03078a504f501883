//===- SampleReport.cpp - A report made by hand ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleReport.h"
#include "gtest/gtest.h"

using namespace gpucost;

static KernelRow makeMatmul() {
  KernelRow row;
  row.name = "/encoder/layer.0/query/MatMul";
  row.label = "MatMul+Add";
  row.op = "onnx.MatMul";
  row.family = KernelFamily::Matmul;
  row.count = 48;
  row.shape = "m=2048 n=1024 k=1024";
  row.format = NumericFormat::BF16;
  row.flops = row.matrixFlops = 4294967296; // 2 * 2048 * 1024 * 1024
  row.bytes = 10485760;
  row.tiling.tile = {128, 256, 1, 0};
  row.tiling.splitK = 2;
  row.tiling.implementation = ImplementationKind::TensorGemm;
  row.tiling.ctas = 128;
  row.tiling.waves = 2;
  row.tiling.smUtilization = 0.5925925925;
  row.time.total = Seconds(25e-6);
  row.time.compute = Seconds(20e-6);
  row.time.l2 = Seconds(5e-6);
  row.time.dram = Seconds(4e-6);
  row.time.fixed = Seconds(3e-6);
  row.time.bound = Bound::Tensor;
  row.time.halfWidth = 0.25;
  row.power = Watts(390);
  row.energy = Joules(25e-6 * 390);
  return row;
}

static KernelRow makeRowKernel(const char *label, KernelFamily family,
                               int64_t count, double microseconds) {
  KernelRow row;
  row.name = "/encoder/layer.0/" + std::string(label);
  row.label = label;
  row.op = "onnx." + std::string(label);
  row.family = family;
  row.count = count;
  row.shape = "rows=24576 cols=128";
  row.format = NumericFormat::BF16;
  row.flops = 5 * 24576 * 128;
  row.bytes = 2 * 2 * 24576 * 128;
  row.time.total = Seconds(microseconds * 1e-6);
  row.time.dram = Seconds(microseconds * 0.8e-6);
  row.time.bound = Bound::DRAM;
  row.power = Watts(240);
  row.energy = row.power * row.time.total;
  return row;
}

IterationReport sample::report() {
  IterationReport r;
  r.model = "/models/bert.onnx";
  r.target = "a100-sxm-80gb";
  r.precision = "tensors cast to bf16";
  r.bindings = {{"batch", 16}, {"seq", 128}};
  r.notes = {"FLOP = 2 x MAC; causal attention counts the half it computes"};
  r.kernels = {makeMatmul(),
               makeRowKernel("Softmax", KernelFamily::Softmax, 24, 15),
               makeRowKernel("Gelu", KernelFamily::Elementwise, 2, 10)};
  // 48 * 25 us + 24 * 15 us + 2 * 10 us
  r.gpuBusy = Seconds(1580e-6);
  for (KernelRow &row : r.kernels)
    row.timeFraction = row.total() / r.gpuBusy;
  r.host = Seconds(1000e-6);
  r.time = Seconds(1600e-6);
  r.energy = Joules(0.56);
  r.averagePower = Watts(350);
  r.powerLimit = Watts(400);
  r.limiterTolerance = 0.01;
  r.errorBars = IterationErrorBars{0.25, 0.4, 0.1};
  r.calibratedFraction = 0.9;
  r.accuracy.text = "this GPU was measured";
  r.clock = Hertz(1335e6);
  r.throttled = true;
  r.matrixFlops = 48 * int64_t(4294967296);
  r.otherFlops = 26 * int64_t(5 * 24576 * 128);
  r.dramBytes = 700e6;
  r.compulsoryBytes = 830472192;
  r.peak = FlopsPerSecond(312e12);
  r.mfu = 206158430208.0 / (312e12 * 1600e-6); // 41.3 %
  r.launches = 74;
  r.parameterCount = 109482240;
  r.parameterBytes = 218964480;
  r.activationBytes = 104857600;
  r.peakMemoryBytes = 218964480 + 104857600;
  r.allocatedBytes = r.peakMemoryBytes;
  r.reservedBytes = 314572800;
  r.deviceBytes = r.reservedBytes + 629145600;
  r.deviceLowBytes = r.allocatedBytes + 419430400;
  r.deviceHighBytes = r.reservedBytes + 838860800;
  r.peakTensors = {{"/bert/Add_3", "add", Phase::Forward, 52428800}};
  r.memoryCapacity = r.memoryTotal = r.memoryUsable = Bytes(80 * 0x1p30);
  r.bound = Bound::Tensor;
  r.boundFractions = {{Bound::Tensor, 1200.0 / 1580},
                      {Bound::DRAM, 380.0 / 1580}};
  r.familyFractions = {{KernelFamily::Matmul, 1200.0 / 1580},
                       {KernelFamily::Softmax, 360.0 / 1580},
                       {KernelFamily::Elementwise, 20.0 / 1580}};
  PhaseTotals forward;
  forward.time = r.time;
  forward.gpuBusy = forward.kernelTime = r.gpuBusy;
  forward.host = r.host;
  forward.energy = r.energy;
  forward.kernels = 74;
  forward.flops = r.matrixFlops + r.otherFlops;
  forward.bytes = r.compulsoryBytes;
  r.phases = {forward};
  r.modelled = {74, 1.0, 1.0, {}};
  return r;
}

std::string sample::write(llvm::StringRef format, const IterationReport &report,
                          const ReportOptions &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::Error error = writeReport(format, report, options, os);
  EXPECT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
  return text;
}
