//===- MemoryPlan.cpp - Memory that a framework and a GPU show ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Iteration/MemoryPlan.h"
#include <algorithm>

using namespace gpucost;

static constexpr int64_t mebibyte = int64_t(1) << 20;
/// (O12) What a process takes of a GPU beside its tensors: context, code of
/// kernels, driver. It depends on driver and libraries more than on the GPU.
static constexpr int64_t contextLow = 400 * mebibyte, context = 600 * mebibyte,
                         contextHigh = 800 * mebibyte;
/// (O12) Buffers of a NCCL communicator: 4 MiB (NCCL_BUFFSIZE) for each of 16
/// to 32 channels in both directions; one communicator for each kind of plan.
static constexpr int64_t ncclLow = 0, nccl = 128 * mebibyte,
                         ncclHigh = 256 * mebibyte;

/// (O12) What no rule sees, at most: workspaces of convolutions and temporaries
/// inside library calls, as a part of what is reserved.
static constexpr double unseen = 0.1;

/// The matrix library has a workspace for each thread that calls it: autograd
/// runs the backward pass in a thread of its own.
static int libraryThreads(const Settings &settings) {
  return settings.trains() ? 2 : 1;
}

/// Kinds of groups that a GPU exchanges data with: tensor and data parallel.
static int64_t countGroups(const Settings &settings) {
  const Parallelism &plan = settings.parallel;
  int64_t gpus = settings.gpus;
  int64_t tensor =
      plan.tensor ? plan.tensor : gpus / std::max<int64_t>(plan.data, 1);
  int64_t data =
      plan.data ? plan.data : gpus / std::max<int64_t>(plan.tensor, 1);
  return gpus > 1 ? (tensor > 1) + (data > 1) : 0;
}

MemoryPlan gpucost::planMemory(const PreparedModel &model, const Gpu &gpu) {
  const Settings &settings = model.settings;
  int threads = libraryThreads(settings);
  int64_t each = saturatingInt(gpu.libraryWorkspace.value());
  int64_t capacity = saturatingInt(gpu.dramCapacity.value());
  int64_t links = countGroups(settings);

  MemoryPlan plan;
  plan.workspace = saturatingProduct(each, threads);
  plan.peak = saturatingSum(model.memory.peakBytes(), plan.workspace);
  AllocatorMode mode = settings.allocator;
  ReservedMemory free = replayTrace(model.memory.trace, mode, each, threads);
  int64_t beside = context + links * nccl;
  plan.allocated = free.allocated;
  plan.deviceLow = saturatingSum(free.allocated, contextLow + links * ncclLow);
  auto more = static_cast<int64_t>(static_cast<double>(free.reserved) * unseen);
  plan.deviceHigh = saturatingSum(saturatingSum(free.reserved, more),
                                  contextHigh + links * ncclHigh);
  // Where memory is short, the allocator gives unused segments back.
  if (saturatingSum(free.reserved, beside) > capacity) {
    ReservedMemory tight = replayTrace(model.memory.trace, mode, each, threads,
                                       std::max<int64_t>(capacity - beside, 0));
    plan.fits = tight.fits;
    if (tight.fits)
      free = tight;
  }
  plan.reserved = free.reserved;
  plan.device = saturatingSum(free.reserved, beside);
  return plan;
}
