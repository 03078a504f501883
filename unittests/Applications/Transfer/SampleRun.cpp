//===- SampleRun.cpp - A prediction made by hand --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleRun.h"

using namespace gpucost;
using namespace gpucost::transfer;

static PredictedKernel kernel(const char *name, KernelFamily family,
                              const char *shape, int64_t count, double us,
                              const char *bound) {
  PredictedKernel result;
  result.family = family;
  result.halfWidth = 0.1;
  result.row.name = name;
  result.row.label = name;
  result.row.family = stringifyKernelFamily(family);
  result.row.shape = shape;
  result.row.count = count;
  result.row.timeUs = us;
  result.row.bound = bound;
  return result;
}

PredictedRun sample::run() {
  PredictedRun run;
  run.gpu = "made-up";
  run.die = "MU100";
  run.clockMHz = 1000;
  run.kernels = {
      kernel("product", KernelFamily::Matmul, "m=64 n=32 k=16", 3, 100,
             "tensor"),
      kernel("gelu", KernelFamily::Elementwise, "n=4096", 2, 10, "dram"),
      kernel("softmax", KernelFamily::Softmax, "rows=64 cols=32 per_channel=0",
             1, 20, "dram"),
      kernel("add", KernelFamily::Elementwise, "n=1024", 1, 5, "dram")};
  run.kernels[0].row.tile = "128x64";
  run.sequence = {0, 1, 0, 2, 0, 1, 3};
  PhaseTotals phase;
  phase.kernelTime = Seconds(345e-6);
  phase.gpuBusy = phase.time = Seconds(380e-6);
  run.report.phases = {phase};
  run.report.time = Seconds(380e-6);
  return run;
}

MeasuredKernel sample::launch(const char *name, double us) {
  MeasuredKernel kernel;
  kernel.name = name;
  kernel.family = familyOfName(name);
  kernel.tile = tileOfName(name);
  kernel.timeUs = us;
  kernel.count = 1;
  return kernel;
}
