//===- Devices.cpp - Facts of GPUs of the C interface ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "gpucost/Core/Model/Validation.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::capi;

/// The rate of a format in a device: in the first array, or in the one that a
/// later version added.
template <typename Device>
static auto &rateOf(Device &device, uint32_t format) {
  constexpr uint32_t first = std::size(Device{}.flops_per_clock);
  static_assert(GPUCOST_FORMAT_COUNT <=
                first + std::size(Device{}.more_flops_per_clock));
  return format < first ? device.flops_per_clock[format]
                        : device.more_flops_per_clock[format - first];
}

/// Each member of gpucostDevice that is a number, with its fact of the GPU.
template <typename Device, typename Facts, typename Copy>
static void forEachFact(Device &c, Facts &gpu, Copy copy) {
  copy(c.architecture, gpu.architecture, "architecture");
  copy(c.compute_capability, gpu.computeCapability, "compute_capability");
  copy(c.sm_count, gpu.smCount, "sm_count");
  copy(c.special_per_clock, gpu.specialPerClock, "special_per_clock");
  copy(c.max_clock, gpu.maxClock, "max_clock");
  copy(c.boost_clock, gpu.boostClock, "boost_clock");
  copy(c.min_clock, gpu.minClock, "min_clock");
  copy(c.clock_step, gpu.clockStep, "clock_step");
  copy(c.warp_matrix_share, gpu.warpMatrixShare, "warp_matrix_share");
  copy(c.dram_bandwidth, gpu.dramBandwidth, "dram_bandwidth");
  copy(c.dram_capacity, gpu.dramCapacity, "dram_capacity");
  copy(c.reported_memory, gpu.reportedMemory, "reported_memory");
  copy(c.l2_capacity, gpu.l2Capacity, "l2_capacity");
  copy(c.l2_partitioned, gpu.l2Partitioned, "l2_partitioned");
  copy(c.gpus_per_node, gpu.gpusPerNode, "gpus_per_node");
  copy(c.library_workspace, gpu.libraryWorkspace, "library_workspace");
  copy(c.power_limit, gpu.powerLimit, "power_limit");
}

template <typename Device, typename Facts, typename Copy>
static void forEachSmFact(Device &c, Facts &sm, Copy copy) {
  copy(c.sm_registers, sm.registers, "sm_registers");
  copy(c.sm_shared_memory, sm.sharedMemory, "sm_shared_memory");
  copy(c.cta_shared_memory, sm.ctaSharedMemory, "cta_shared_memory");
  copy(c.reserved_shared_memory, sm.reservedSharedMemory,
       "reserved_shared_memory");
  copy(c.sm_threads, sm.threads, "sm_threads");
  copy(c.sm_ctas, sm.ctas, "sm_ctas");
  copy(c.sm_partitions, sm.partitions, "sm_partitions");
  copy(c.cache_bytes_per_clock, sm.cacheBytesPerClock, "cache_bytes_per_clock");
  copy(c.shared_bytes_per_clock, sm.sharedBytesPerClock,
       "shared_bytes_per_clock");
  copy(c.texture_loads, sm.textureLoads, "texture_loads");
  copy(c.matrix_path, sm.matrixPath, "matrix_path");
  copy(c.cluster_ctas, sm.clusterCtas, "cluster_ctas");
}

template <typename Device, typename Facts, typename Copy>
static void forEachLinkFact(Device &c, Facts &link, Copy copy) {
  copy(c.interconnect, link.kind, "interconnect");
  copy(c.interconnect_generation, link.generation, "interconnect_generation");
  copy(c.interconnect_bandwidth, link.bandwidth, "interconnect_bandwidth");
}

namespace {

struct ToC {
  template <typename Member, typename T>
  void operator()(Member &to, const T &fact, const char * /*name*/) const {
    if constexpr (IsNumber<T>::value)
      to = numberOf(fact);
    else
      to = static_cast<Member>(fact);
  }
  template <typename Member, typename T>
  void operator()(Member &to, const std::optional<T> &fact,
                  const char *name) const {
    (*this)(to, fact.value_or(T()), name);
  }
};

struct FromC {
  /// Counts of a device are small; this keeps sums far from overflow.
  static constexpr int64_t largestCount = int64_t(1) << 40;

  /// 0 leaves the default.
  template <typename Member, typename T>
  void operator()(Member from, T &fact, const char *name) const {
    if constexpr (std::is_enum_v<T>) {
      fact = readEnum<T>(from, name, "gpucostDevice");
    } else if (from != 0) {
      if constexpr (std::is_same_v<Member, int64_t>)
        if (from > largestCount)
          invalid("gpucostDevice: expected '", name,
                  "' of at most 2^40, but got ", from);
      fact = T(from);
    }
  }
};

} // namespace

gpucostDevice capi::describe(const Gpu &gpu) {
  gpucostDevice out{};
  out.size = sizeof(out);
  out.name = gpu.name.c_str();
  out.die = gpu.die.c_str();
  out.memory = gpu.memory.c_str();
  forEachFact(out, gpu, ToC());
  for (const FormatRate &rate : gpu.formats)
    rateOf(out, toC(rate.format)) = static_cast<double>(rate.flopsPerClock);
  if (gpu.sm)
    forEachSmFact(out, *gpu.sm, ToC());
  if (gpu.interconnect)
    forEachLinkFact(out, *gpu.interconnect, ToC());
  return out;
}

/// Names of record fields in target files and in gpucostDevice.
using FieldNames =
    std::initializer_list<std::pair<std::string_view, std::string_view>>;
static const FieldNames gpuFields = {
    {"sms", "sm_count"}, {"peak", "flops_per_clock x sm_count x boost_clock"}};
static const FieldNames smFields = {{"registers", "sm_registers"},
                                    {"shared_memory", "sm_shared_memory"},
                                    {"threads", "sm_threads"},
                                    {"ctas", "sm_ctas"},
                                    {"partitions", "sm_partitions"}};
static const FieldNames linkFields = {{"generation", "interconnect_generation"},
                                      {"bandwidth", "interconnect_bandwidth"}};

/// `findFault` in the words of gpucostDevice.
template <typename Record>
static void check(const Record &record, const FieldNames &names) {
  std::string fault = findFault(record);
  if (fault.empty())
    return;
  for (auto [keyword, field] : names) {
    std::string quoted = concat("'", keyword, "'");
    if (size_t at = fault.find(quoted); at != fault.npos) {
      fault.replace(at, quoted.size(), concat("'", field, "'"));
      break;
    }
  }
  invalid("gpucostDevice: ", fault);
}

static std::string textOr(const char *text, const std::string &otherwise) {
  return text && *text ? std::string(text) : otherwise;
}

Gpu capi::readDevice(const gpucostDevice &in) {
  Gpu gpu;
  gpu.name = textOr(in.name, "device");
  gpu.die = textOr(in.die, gpu.name);
  gpu.memory = textOr(in.memory, "");
  gpu.boostClock = gpu.minClock = Hertz(in.max_clock);
  forEachFact(in, gpu, FromC());
  // Without a step the two ends are all clocks.
  Hertz span = gpu.maxClock - gpu.minClock;
  if (in.clock_step == 0)
    gpu.clockStep = span > Hertz(0) ? span : gpu.maxClock;
  for (uint32_t i = 1; i < GPUCOST_FORMAT_COUNT; ++i) {
    double flops = rateOf(in, i);
    if (flops == 0)
      continue;
    if (!(flops > 0 && flops <= 1e12) || flops != std::floor(flops))
      invalid("'flops_per_clock' of ", gpucostEnumName(GPUCOST_ENUM_FORMAT, i),
              " expects a whole number above 0");
    FormatRate rate;
    rate.format = *formatOf(i);
    rate.flopsPerClock = static_cast<int64_t>(flops);
    rate.peak = FlopsPerSecond(flops * static_cast<double>(gpu.smCount) *
                               gpu.boostClock.value());
    gpu.formats.push_back(rate);
  }
  if (in.sm_registers) {
    forEachSmFact(in, gpu.sm.emplace(), FromC());
    check(*gpu.sm, smFields);
  }
  if (in.interconnect_bandwidth != 0) {
    forEachLinkFact(in, gpu.interconnect.emplace(), FromC());
    check(*gpu.interconnect, linkFields);
  }
  gpu.source = {"stated by the caller"};
  check(gpu, gpuFields);
  return gpu;
}
