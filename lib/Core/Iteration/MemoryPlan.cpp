//===- MemoryPlan.cpp - Reserved and used memory --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/MemoryPlan.h"
#include "gpucost/Core/Iteration/StageCost.h"
#include "gpucost/Core/Scenario/FrameworkRules.h"
#include <algorithm>

using namespace gpucost;

/// The matrix library has a workspace per calling thread; autograd runs the
/// backward pass in a separate thread.
static int libraryThreads(const Settings &settings) {
  return settings.trains() ? 2 : 1;
}

/// Number of communicators per GPU: one for each kind of parallelism.
static int64_t countGroups(const Settings &settings) {
  Parallelism plan = settings.plan();
  return settings.gpus > 1
             ? (plan.tensor > 1) + (plan.data > 1) + (plan.copies() > 1) +
                   (plan.pipeline > 1) + (plan.context > 1)
             : 0;
}

int64_t gpucost::usableMemory(const Gpu &gpu, const Settings &settings,
                              int64_t parameters) {
  double fraction = settings.memoryFraction.value();
  double total = gpu.totalMemory().value();
  if (!frameworkRules(settings.software).sharesFreeMemory)
    return saturatingInt(total * fraction);
  double free = std::max(total - static_cast<double>(parameters), 0.0);
  return saturatingInt(total - free * (1 - fraction));
}

MemoryVerdict MemoryPlan::verdict() const {
  if (!fits)
    return MemoryVerdict::DoesNotFit;
  return deviceHigh <= usable ? MemoryVerdict::Fits : MemoryVerdict::MayNotFit;
}

MemoryPlan gpucost::planMemory(const PreparedModel &model, const Gpu &gpu,
                               const Coefficients &coefficients) {
  if (model.pipeline)
    return fullestOf(planRanks(model, gpu, coefficients)).plan;
  const MemoryOverhead overhead =
      coefficients.memoryOverhead.value_or(MemoryOverhead());
  auto besideTensors = [&](Bytes context, Bytes communicator, int64_t links) {
    return saturatingInt(context.value()) +
           links * saturatingInt(communicator.value());
  };
  const Settings &settings = model.settings;
  int threads = libraryThreads(settings);
  int64_t each = saturatingInt(gpu.libraryWorkspace.value());
  int64_t links = countGroups(settings);

  MemoryPlan plan;
  plan.nominal = gpu.dramCapacity;
  plan.total = gpu.totalMemory();
  plan.usable = usableMemory(gpu, settings, model.memory.parameterBytes);
  plan.workspace = saturatingProduct(each, threads);
  plan.peak = saturatingSum(model.memory.peakBytes(), plan.workspace);
  AllocatorMode mode = settings.allocator;
  ReservedMemory free = replayTrace(model.memory.trace, mode, each, threads);
  int64_t beside =
      besideTensors(overhead.context, overhead.communicator, links);
  plan.allocated = free.allocated;
  plan.deviceLow = saturatingSum(
      free.allocated,
      besideTensors(overhead.contextLow, overhead.communicatorLow, links));
  auto more = static_cast<int64_t>(static_cast<double>(free.reserved) *
                                   overhead.unseenShare);
  plan.deviceHigh = saturatingSum(
      saturatingSum(free.reserved, more),
      besideTensors(overhead.contextHigh, overhead.communicatorHigh, links));
  // If memory is short, the allocator returns unused segments.
  if (saturatingSum(free.reserved, beside) > plan.usable) {
    ReservedMemory tight =
        replayTrace(model.memory.trace, mode, each, threads,
                    std::max<int64_t>(plan.usable - beside, 0));
    plan.fits = tight.fits;
    if (tight.fits)
      free = tight;
  }
  plan.reserved = free.reserved;
  plan.device = saturatingSum(free.reserved, beside);
  return plan;
}
