//===- ScheduleText.cpp - Text for schedules and faults -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidates.h"
#include <cmath>

using namespace gpucost;

static std::string text(double number) {
  return std::to_string(static_cast<int64_t>(std::llround(number)));
}
static std::string sizes(int32_t m, int32_t n) {
  return std::to_string(m) + " x " + std::to_string(n);
}

std::string gpucost::describeSchedule(const Schedule &schedule) {
  std::string all;
  visitFields(schedule, [&](const FieldInfo &field, const auto &value) {
    std::string shown;
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, OperandPath>)
      shown = value == OperandPath::Auto
                  ? ""
                  : std::string(stringifyOperandPath(value));
    else
      shown = value ? std::to_string(value) : "";
    if (!shown.empty())
      all +=
          (all.empty() ? "" : " ") + std::string(field.keyword) + "=" + shown;
  });
  return all;
}

std::string ScheduleModel::describeFault(const Schedule &s,
                                         const ScheduleFit &fit) const {
  const ScheduleDevice &d = setup->device;
  std::string tile = sizes(s.tileM, s.tileN);
  switch (fit.fault) {
  case ScheduleFault::None:
    return {};
  case ScheduleFault::Unknown:
    return "expected every field that the model cannot choose";
  case ScheduleFault::TileShape:
    if (setup->attention)
      return "a " + tile + " tile; expected " +
             (setup->attention->separatesHeads
                  ? "tile_m = 8, because each query head has its own CTA"
                  : "multiples of 8");
    return setup->tensor
               ? "a " + tile + " x " + std::to_string(s.tileK) + " tile for " +
                     std::to_string(s.warps) +
                     " warps; expected multiples of 8 and 32 results for each "
                     "warp"
               : "sizes of " + describeSchedule(s) +
                     "; expected powers of two on CUDA cores";
  case ScheduleFault::ThreadGrid:
    return "threads of " + sizes(s.threadTileM, s.threadTileN) +
           " results in a " + tile + " tile are not " +
           std::to_string(s.warps) +
           " warps; expected tile_m / thread_tile_m * tile_n / thread_tile_n = "
           "32 * warps";
  case ScheduleFault::NotOfAttention:
    return "attention has only tile_m, tile_n, stages, warps, split_k and "
           "ctas_per_sm";
  case ScheduleFault::NotOfStreams:
    return "a memory-bound kernel has only vector_m, warps and ctas_per_sm";
  case ScheduleFault::Vector:
    if (setup->isStream)
      return "a load of " + std::to_string(s.vectorM) +
             " elements; expected a power of two of at most 16 bytes";
    return "loads of " + sizes(s.vectorM, s.vectorN) +
           " elements are wider than a thread's " +
           sizes(s.threadTileM, s.threadTileN);
  case ScheduleFault::Copy:
    return text(detail::warpThreads * s.warps) + " threads in rows of " +
           sizes(s.copyM, s.copyN) + " cannot stage a " + tile + " x " +
           std::to_string(s.tileK) +
           " step; expected whole vectors along the edge";
  case ScheduleFault::Threads:
    return text(fit.threads) + " threads in a CTA, '" +
           setup->model->gpu().name + "' has at most " +
           text(std::min<double>(detail::mostCtaThreads, d.threads));
  case ScheduleFault::Registers:
    return "the accumulators of a " + tile + " tile of " +
           std::to_string(s.warps) + " warps leave " + text(fit.spilled) +
           " registers of a thread to spill, too many to compile";
  case ScheduleFault::SharedMemory:
    return text(fit.sharedBytes) + " bytes of shared memory in a CTA, '" +
           setup->model->gpu().name + "' has " + text(d.ctaSharedBytes);
  case ScheduleFault::CtasPerSm:
    return std::to_string(s.ctasPerSm) +
           " CTAs do not fit on an SM at a time, with " + text(fit.registers) +
           " registers of a thread, " + text(fit.threads) + " threads and " +
           text(fit.sharedBytes) + " bytes of shared memory each";
  case ScheduleFault::Cluster:
    return "a cluster of " + std::to_string(s.cluster) + " CTAs, '" +
           setup->model->gpu().name + "' has at most " +
           text(setup->tensor ? d.clusterCtas : 1) + " for this kernel";
  case ScheduleFault::SplitK:
    return (setup->attention ? text(setup->product.k) + " keys in blocks of " +
                                   std::to_string(s.tileN)
                             : "k = " + text(setup->product.k)) +
           " split into " + std::to_string(s.splitK) + " parts";
  }
  return {};
}
