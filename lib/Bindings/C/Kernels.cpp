//===- Kernels.cpp - Single kernels of the C interface --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "gpucost/Core/Model/Validation.h"
#include "gpucost/Core/Query/KernelSizes.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::capi;

//===----------------------------------------------------------------------===//
// Input
//===----------------------------------------------------------------------===//

namespace {

/// Reads the words of one problem in order.
class WordReader {
public:
  explicit WordReader(const int64_t *words) : word(words) {}

  int64_t size(QueryColumn column) { return read(column, *word++, 1); }
  int64_t size(QueryColumn column, int64_t fallback) {
    int64_t value = *word++;
    return value == 0 ? fallback : read(column, value, 1);
  }
  int64_t padding(QueryColumn column) { return read(column, *word++, 0); }
  static int64_t extra(QueryColumn, int64_t fallback) { return fallback; }
  bool flag(QueryColumn column) {
    int64_t value = *word++;
    if (value != 0 && value != 1)
      reject(nameOf(column), value, "0 or 1");
    return value == 1;
  }
  bool isLinear(bool fallback) {
    int64_t value = *word++;
    if (value < 0 || value > 2)
      reject("linear", value, "0, 1 or 2");
    return value ? value == 1 : fallback;
  }
  const ElementwiseOp *elementwiseOp() {
    Span<ElementwiseOp> ops = elementwiseOps();
    return &ops.data()[choice("an elementwise op", ops.size()) - 1];
  }
  NumericFormat cacheFormat(NumericFormat format) {
    int64_t value = *word++;
    if (value == GPUCOST_FORMAT_DEFAULT)
      return format;
    std::optional<NumericFormat> stated;
    if (value > 0 && value < GPUCOST_FORMAT_COUNT)
      stated = formatOf(static_cast<uint32_t>(value));
    if (!stated || *stated == NumericFormat::FP64)
      reject("kv_format", value, "a gpucostFormat that kernels compute in");
    if (std::string expected = expectedCacheFormat(format, *stated);
        !expected.empty())
      reject("kv_format", value, expected);
    return *stated;
  }
  std::optional<CollectiveKind> collective() {
    // The link to the host is a setting of models.
    constexpr auto kinds = static_cast<uint32_t>(CollectiveKind::SendRecv) + 1;
    return static_cast<CollectiveKind>(choice("a collective op", kinds) - 1);
  }
  void refuse(const std::optional<SizeFault> &fault) {
    if (fault)
      reject(fault->size, fault->value, fault->expected);
  }
  static constexpr bool failed() { return false; }

private:
  static std::string_view nameOf(QueryColumn column) {
    return queryColumnNames[static_cast<size_t>(column)];
  }
  [[noreturn]] static void reject(std::string_view name, int64_t value,
                                  std::string_view expectation) {
    invalid("'", name, "' of a kernel expects ", expectation, ", but is ",
            value);
  }
  int64_t read(QueryColumn column, int64_t value, int64_t least) {
    if (value >= least && value <= largestSize)
      return value;
    reject(nameOf(column), value,
           concat("an integer from ", least, " to 2^40"));
  }
  /// From 1 to `count`.
  int64_t choice(std::string_view what, size_t count) {
    int64_t value = *word++;
    if (value >= 1 && value <= static_cast<int64_t>(count))
      return value;
    reject("op", value, concat(what, " from 1 to ", count));
  }

  const int64_t *word;
};

} // namespace

/// Words of the problem that the family uses.
size_t capi::wordsOf(uint32_t family) {
  constexpr size_t word = sizeof(int64_t);
  static constexpr size_t words[] = {0, // no family
                                     sizeof(gpucostMatmul) / word,
                                     sizeof(gpucostConv2d) / word,
                                     sizeof(gpucostAttention) / word,
                                     sizeof(gpucostRows) / word, // softmax
                                     sizeof(gpucostRows) / word, // layer norm
                                     sizeof(gpucostElementwise) / word,
                                     sizeof(gpucostCollective) / word};
  static_assert(std::size(words) == GPUCOST_COLLECTIVE + 1);
  return family < std::size(words) ? words[family] : 0;
}

static_assert(GPUCOST_COLLECTIVE ==
              static_cast<int>(QueryFamily::Collective) + 1);

KernelWork capi::readKernel(const gpucostModel &model,
                            const gpucostKernel &in) {
  const Gpu &gpu = model.model.gpu();
  size_t words = wordsOf(in.family);
  if (words == 0)
    invalid("'family' of a kernel is ", in.family,
            ", which is not a valid value");
  for (size_t i = words; i < std::size(in.problem.words); ++i)
    if (in.problem.words[i])
      refuse(GPUCOST_UNSUPPORTED, "unused problem words of a kernel are not 0");
  if (in.reserved)
    refuse(GPUCOST_UNSUPPORTED, "'reserved' of a kernel is not 0");
  NumericFormat format = model.format;
  if (in.format != GPUCOST_FORMAT_DEFAULT) {
    std::optional<NumericFormat> stated = formatOf(in.format);
    if (!stated || *stated == NumericFormat::FP64)
      invalid("'format' of a kernel is ", in.format,
              ", which no kernel computes in");
    format = *stated;
  }
  auto family = static_cast<QueryFamily>(in.family - 1);
  if (std::string expected = usesMatrixUnit(family)
                                 ? expectedMatrixFormat(gpu, format)
                                 : std::string();
      !expected.empty())
    refuse(GPUCOST_UNSUPPORTED, "'format' of a kernel expects ", expected,
           ", but is ", stringifyNumericFormat(format));
  WordReader sizes(in.problem.words);
  std::optional<KernelWork> read = readKernelWork(
      sizes, family, format, queryNodes(model.model, /*stated=*/std::nullopt));
  require(read.has_value(),
          "expected a kernel whose FLOPs and bytes fit 63 bits");
  return *read;
}

/// Sets `to` to a number in (0, most]. Returns false for 0, which states none.
template <typename T>
static bool readNumber(double value, const char *name, const char *expectation,
                       T &to, double most = HUGE_VAL) {
  if (value == 0)
    return false;
  if (!(value > 0 && value <= most))
    invalid("'", name, "' of gpucostQuery expects ", expectation);
  to = T(value);
  return true;
}

KernelQuery capi::readQuery(const gpucostModel &model,
                            const gpucostQuery *given) {
  auto in = readOptional(given, "gpucostQuery");
  KernelQuery query;
  readNumber(in.clock, "clock", "a clock above 0 up to the GPU's maximum",
             query.clock, model.model.gpu().maxClock.value());
  readNumber(in.power_limit, "power_limit", "watts above 0", query.powerLimit);
  if (readNumber(in.reuse_bytes, "reuse_bytes", "bytes above 0",
                 query.reuseBytesA))
    query.reuseBytesB = query.reuseBytesA;
  require(in.protocol <= GPUCOST_BENCHMARK,
          "'protocol' of gpucostQuery expects GPUCOST_ITERATION or "
          "GPUCOST_BENCHMARK");
  if (in.reserved)
    refuse(GPUCOST_UNSUPPORTED, "'reserved' of gpucostQuery is not 0");
  BenchmarkProtocol benchmark;
  bool stated =
      readNumber(in.toggle_rate, "toggle_rate",
                 "a number above 0 and of at most 2", benchmark.toggleRate, 2);
  stated |= readNumber(in.burst, "burst' or 'warm_up", "seconds above 0",
                       benchmark.burst);
  stated |= readNumber(in.warm_up, "burst' or 'warm_up", "seconds above 0",
                       benchmark.warmUp);
  stated |=
      readNumber(in.cache_share, "cache_share",
                 "a number above 0 and of at most 1", benchmark.cacheShare, 1);
  require(in.cache_write <= 1, "'cache_write' of gpucostQuery expects 0 or 1");
  benchmark.writesCache = in.cache_write != 0;
  if (in.protocol == GPUCOST_BENCHMARK)
    query.benchmark = benchmark;
  require(query.benchmark || !(stated || benchmark.writesCache),
          "'protocol' of gpucostQuery expects GPUCOST_BENCHMARK with the "
          "benchmark fields");
  return query;
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

gpucostCost capi::describe(const KernelWork &work, const KernelCost &cost) {
  return describe(cost,
                  saturatingSum(work.count.tensorFlops, work.count.fp32Flops),
                  saturatingSum(work.count.bytesRead, work.count.bytesWritten));
}

gpucostCost capi::describe(const KernelCost &cost, int64_t flops,
                           int64_t bytes) {
  gpucostCost out{};
  out.size = sizeof(out);
  out.bound = static_cast<uint32_t>(cost.time.bound);
  out.time = cost.time.total.value();
  out.half_width = cost.time.halfWidth.value_or(unknown);
  out.compute = cost.time.compute.value();
  out.l2 = cost.time.l2.value();
  out.dram = cost.time.dram.value();
  out.fixed = cost.time.fixed.value();
  out.power = cost.power.value();
  out.energy = cost.energy.value();
  out.clock = cost.clock.value();
  out.flops = flops;
  out.bytes = bytes;
  out.tensor_flops = cost.events.tensorFlops;
  out.fp32_flops = cost.events.fp32Flops;
  out.instructions = cost.events.instructions;
  out.dram_bytes = cost.events.dramBytes;
  out.l2_bytes = cost.events.l2Bytes;
  if (const Tiling &tiling = cost.tiling; tiling.tile.m > 0) {
    out.tile_m = tiling.tile.m;
    out.tile_n = tiling.tile.n;
    out.split_k = tiling.splitK;
    out.ctas_per_sm = tiling.tile.ctasPerSm;
    out.ctas = tiling.ctas;
    out.waves = tiling.waves;
    out.sm_utilization = tiling.smUtilization;
  }
  out.in_calibrated_domain = cost.time.inCalibratedDomain;
  out.throttled = cost.throttled;
  out.limit_unreachable = cost.limitUnreachable;
  return out;
}

gpucostCost capi::unknownCost() {
  gpucostCost out{};
  out.size = sizeof(out);
  for (double *number :
       {&out.time, &out.half_width, &out.compute, &out.l2, &out.dram,
        &out.fixed, &out.power, &out.energy, &out.clock, &out.tensor_flops,
        &out.fp32_flops, &out.instructions, &out.dram_bytes, &out.l2_bytes,
        &out.sm_utilization})
    *number = unknown;
  return out;
}

void capi::refuseKernel(const Error &why) {
  constexpr std::string_view infeasible = "infeasible schedule";
  bool cannotRun = why.message.compare(0, infeasible.size(), infeasible) == 0;
  refuse(cannotRun ? GPUCOST_INFEASIBLE : GPUCOST_UNSUPPORTED, why.message);
}

gpucostCost capi::estimate(const gpucostModel &model,
                           const gpucostKernel &kernel,
                           const KernelQuery &query) {
  KernelWork work = readKernel(model, kernel);
  Expected<KernelCost> cost = model.model.estimate(work, query);
  if (!cost)
    refuseKernel(cost.error());
  // Values outside the range of any GPU.
  for (double number :
       {cost->time.total.value(), cost->power.value(), cost->energy.value()})
    if (!(number > 0) || !std::isfinite(number))
      refuse(GPUCOST_UNSUPPORTED,
             "the cost of this kernel is not a finite positive number");
  return describe(work, *cost);
}

gpucostStatus gpucostEstimate(const gpucostModel *model,
                              const gpucostKernel *kernel,
                              const gpucostQuery *given, gpucostCost *cost) {
  return guard([&] {
    require(model, "the model is NULL");
    auto in = readStruct(kernel, "gpucostKernel");
    KernelQuery query = readQuery(*model, given);
    checkSize(cost, "gpucostCost");
    writeStruct(cost, estimate(*model, in, query));
  });
}
