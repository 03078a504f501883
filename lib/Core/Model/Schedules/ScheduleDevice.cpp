//===- ScheduleDevice.cpp - GPU facts for schedules -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleTerms.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Vocabulary/Vendors.h"
#include <cmath>

using namespace gpucost;

template <typename Group>
static Expected<void> take(const CostModel &model,
                           const std::optional<Group> &from,
                           std::string_view keyword, const Group *&to) {
  if (!from)
    return missingGroup(model, keyword);
  to = &*from;
  return {};
}

static Expected<void> takeGroups(const CostModel &model, ScheduleDevice &d) {
  const Coefficients &all = model.coefficients();
  for (const auto &taken :
       {take(model, all.texturePath, "texture_path", d.texture),
        take(model, all.simtIssue, "simt_issue", d.issue),
        take(model, all.tensorInstructions, "tensor_instructions",
             d.instructions),
        take(model, all.tensorWaits, "tensor_waits", d.waits),
        take(model, all.streamLimits, "stream_limits", d.streams)})
    if (!taken)
      return fail(taken.error());
  return {};
}

Expected<ScheduleDevice> gpucost::describeDevice(const CostModel &model,
                                                 NumericFormat format) {
  const Gpu &gpu = model.gpu();
  if (!gpu.sm)
    return fail("'" + gpu.name +
                "' states no facts of its SMs, which a schedule needs; add "
                "'sm' to its target");
  const SmFacts &sm = *gpu.sm;
  ScheduleDevice d;
  if (auto taken = takeGroups(model, d); !taken)
    return fail(taken.error());
  d.sms = static_cast<double>(gpu.smCount);
  d.clock = gpu.maxClock.value();
  d.fmaPerClock = gpu.flopsPerClock(NumericFormat::FP32) / 2;
  d.tensorPerClock =
      format == NumericFormat::FP32 ? 0 : gpu.flopsPerClock(format) / 2;
  d.partitions = static_cast<double>(sm.partitions);
  d.registers = static_cast<double>(sm.registers);
  d.lanes = subgroupSize(vendorOf(gpu.architecture));
  d.threadRegisters = threadRegisters(vendorOf(gpu.architecture));
  d.sharedBytes = sm.sharedMemory.value();
  d.ctaSharedBytes = sm.ctaSharedMemory.value();
  d.reservedBytes = sm.reservedSharedMemory.value();
  d.threads = static_cast<double>(sm.threads);
  d.ctas = static_cast<double>(sm.ctas);
  d.clusterCtas = static_cast<double>(sm.clusterCtas);
  d.cacheBytesPerClock = static_cast<double>(sm.cacheBytesPerClock);
  d.sharedBytesPerClock = static_cast<double>(sm.sharedBytesPerClock);
  d.textureLoads = sm.textureLoads;
  d.path = sm.matrixPath;
  d.dramBandwidth = gpu.dramBandwidth.value();
  d.l2Bytes = gpu.l2Capacity.value();
  return d;
}

double gpucost::countCtas(const ScheduledProduct &p, const Schedule &s) {
  return p.batch * roundUp(p.m / s.tileM) * roundUp(p.n / s.tileN) * s.splitK;
}

double gpucost::joinNorm(double a, double b, double p) {
  double high = std::max(a, b), low = std::min(a, b);
  return high > 0 ? high * std::pow(1 + std::pow(low / high, p), 1 / p) : 0;
}
