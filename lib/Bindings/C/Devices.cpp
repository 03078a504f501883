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

gpucostDevice capi::describe(const Gpu &gpu) {
  gpucostDevice out{};
  out.size = sizeof(out);
  out.architecture = static_cast<uint32_t>(gpu.architecture);
  out.name = gpu.name.c_str();
  out.die = gpu.die.c_str();
  out.memory = gpu.memory.c_str();
  out.compute_capability = gpu.computeCapability.value_or(0);
  out.sm_count = gpu.smCount;
  out.special_per_clock = gpu.specialPerClock;
  out.max_clock = gpu.maxClock.value();
  out.boost_clock = gpu.boostClock.value();
  out.min_clock = gpu.minClock.value();
  out.clock_step = gpu.clockStep.value();
  for (const FormatRate &rate : gpu.formats)
    rateOf(out, toC(rate.format)) = static_cast<double>(rate.flopsPerClock);
  out.warp_matrix_share = gpu.warpMatrixShare;
  out.dram_bandwidth = gpu.dramBandwidth.value();
  out.dram_capacity = gpu.dramCapacity.value();
  out.l2_capacity = gpu.l2Capacity.value();
  out.l2_partitioned = gpu.l2Partitioned;
  out.gpus_per_node = static_cast<uint32_t>(gpu.gpusPerNode.value_or(0));
  out.library_workspace = gpu.libraryWorkspace.value();
  out.power_limit = gpu.powerLimit.value();
  if (const auto &sm = gpu.sm) {
    out.sm_registers = sm->registers;
    out.sm_shared_memory = sm->sharedMemory.value();
    out.cta_shared_memory = sm->ctaSharedMemory.value();
    out.reserved_shared_memory = sm->reservedSharedMemory.value();
    out.sm_threads = sm->threads;
    out.sm_ctas = sm->ctas;
    out.sm_partitions = sm->partitions;
    out.cache_bytes_per_clock = sm->cacheBytesPerClock;
    out.shared_bytes_per_clock = sm->sharedBytesPerClock;
    out.texture_loads = sm->textureLoads;
    out.matrix_path = static_cast<uint32_t>(sm->matrixPath);
    out.cluster_ctas = sm->clusterCtas;
  }
  if (const auto &link = gpu.interconnect) {
    out.interconnect = static_cast<uint32_t>(link->kind);
    out.interconnect_generation = static_cast<uint32_t>(link->generation);
    out.interconnect_bandwidth = link->bandwidth.value();
  }
  return out;
}

/// Counts of a device are small; this keeps sums far from overflow.
static constexpr int64_t largestCount = int64_t(1) << 40;

static Result
checkCounts(std::initializer_list<std::pair<const char *, int64_t>> counts) {
  for (auto [name, count] : counts)
    if (count > largestCount)
      return invalid("gpucostDevice: expected '", name,
                     "' of at most 2^40, but got ", count);
  return ok();
}

/// What target files call fields of a record, and what gpucostDevice does.
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
static Result check(const Record &record, const FieldNames &names) {
  std::string fault = findFault(record);
  if (fault.empty())
    return ok();
  for (auto [keyword, field] : names) {
    std::string quoted = concat("'", keyword, "'");
    if (size_t at = fault.find(quoted); at != fault.npos) {
      fault.replace(at, quoted.size(), concat("'", field, "'"));
      break;
    }
  }
  return invalid("gpucostDevice: ", fault);
}

template <typename Enum>
static Result readEnum(uint32_t value, const char *name, Enum &out) {
  if (stringifyEnum(static_cast<Enum>(value)).empty())
    return invalid("'", name, "' of gpucostDevice is ", value,
                   ", which is no such value");
  out = static_cast<Enum>(value);
  return ok();
}

static std::string textOr(const char *text, const std::string &otherwise) {
  return text && *text ? std::string(text) : otherwise;
}

static Result readSm(const gpucostDevice &in, SmFacts &sm) {
  sm.registers = in.sm_registers;
  sm.sharedMemory = Bytes(in.sm_shared_memory);
  sm.ctaSharedMemory = Bytes(in.cta_shared_memory);
  sm.reservedSharedMemory = Bytes(in.reserved_shared_memory);
  sm.threads = in.sm_threads;
  sm.ctas = in.sm_ctas;
  sm.partitions = in.sm_partitions;
  sm.cacheBytesPerClock = in.cache_bytes_per_clock;
  sm.sharedBytesPerClock = in.shared_bytes_per_clock;
  sm.textureLoads = in.texture_loads != 0;
  sm.clusterCtas = in.cluster_ctas ? in.cluster_ctas : 1;
  if (Result result =
          checkCounts({{"sm_registers", sm.registers},
                       {"sm_threads", sm.threads},
                       {"sm_ctas", sm.ctas},
                       {"sm_partitions", sm.partitions},
                       {"cache_bytes_per_clock", sm.cacheBytesPerClock},
                       {"shared_bytes_per_clock", sm.sharedBytesPerClock}});
      result.failed())
    return result;
  if (Result result = readEnum(in.matrix_path, "matrix_path", sm.matrixPath);
      result.failed())
    return result;
  return check(sm, smFields);
}

Result capi::readDevice(const gpucostDevice &in, Gpu &gpu) {
  gpu.name = textOr(in.name, "device");
  gpu.die = textOr(in.die, gpu.name);
  gpu.memory = textOr(in.memory, "");
  if (Result result =
          readEnum(in.architecture, "architecture", gpu.architecture);
      result.failed())
    return result;
  if (Result result =
          checkCounts({{"sm_count", in.sm_count},
                       {"special_per_clock", in.special_per_clock}});
      result.failed())
    return result;
  if (in.compute_capability != 0)
    gpu.computeCapability = in.compute_capability;
  gpu.smCount = in.sm_count;
  gpu.specialPerClock = in.special_per_clock;
  gpu.maxClock = Hertz(in.max_clock);
  gpu.boostClock = Hertz(in.boost_clock != 0 ? in.boost_clock : in.max_clock);
  gpu.minClock = Hertz(in.min_clock != 0 ? in.min_clock : in.max_clock);
  // Without a step the two ends are all clocks.
  double span = in.max_clock - gpu.minClock.value();
  gpu.clockStep = Hertz(in.clock_step != 0 ? in.clock_step
                        : span > 0         ? span
                                           : in.max_clock);
  for (uint32_t i = 1; i < GPUCOST_FORMAT_COUNT; ++i) {
    double flops = rateOf(in, i);
    if (flops == 0)
      continue;
    if (!(flops > 0 && flops <= 1e12) || flops != std::floor(flops))
      return invalid("'flops_per_clock' of ",
                     gpucostEnumName(GPUCOST_ENUM_FORMAT, i),
                     " expects a whole number above 0");
    FormatRate rate;
    rate.format = *formatOf(i);
    rate.flopsPerClock = static_cast<int64_t>(flops);
    rate.peak = FlopsPerSecond(flops * static_cast<double>(gpu.smCount) *
                               gpu.boostClock.value());
    gpu.formats.push_back(rate);
  }
  gpu.warpMatrixShare = in.warp_matrix_share != 0 ? in.warp_matrix_share : 1;
  gpu.dramBandwidth = BytesPerSecond(in.dram_bandwidth);
  gpu.dramCapacity = Bytes(in.dram_capacity);
  gpu.l2Capacity = Bytes(in.l2_capacity);
  gpu.l2Partitioned = in.l2_partitioned != 0;
  if (in.gpus_per_node)
    gpu.gpusPerNode = in.gpus_per_node;
  gpu.libraryWorkspace = Bytes(in.library_workspace);
  gpu.powerLimit = Watts(in.power_limit);
  if (in.sm_registers)
    if (Result result = readSm(in, gpu.sm.emplace()); result.failed())
      return result;
  if (in.interconnect_bandwidth != 0) {
    Interconnect &link = gpu.interconnect.emplace();
    link.generation = in.interconnect_generation;
    link.bandwidth = BytesPerSecond(in.interconnect_bandwidth);
    if (Result result = readEnum(in.interconnect, "interconnect", link.kind);
        result.failed())
      return result;
    if (Result result = check(link, linkFields); result.failed())
      return result;
  }
  gpu.source = {"stated by the caller"};
  return check(gpu, gpuFields);
}
