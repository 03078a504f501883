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
// What is asked for
//===----------------------------------------------------------------------===//

namespace {

/// Reads the words of one problem in order; after the first mistake the others
/// do not matter.
class WordReader {
public:
  explicit WordReader(const int64_t *words) : word(words) {}

  int64_t size(QueryColumn column) { return read(column, *word++, 1); }
  int64_t size(QueryColumn column, int64_t fallback) {
    int64_t value = *word++;
    return value == 0 ? fallback : read(column, value, 1);
  }
  int64_t padding(QueryColumn column) { return read(column, *word++, 0); }
  bool flag(QueryColumn column) {
    int64_t value = *word++;
    if (value != 0 && value != 1)
      refuse(nameOf(column), value, "0 or 1");
    return value == 1;
  }
  bool isLinear(bool fallback) {
    int64_t value = *word++;
    if (value < 0 || value > 2)
      refuse("linear", value, "0, 1 or 2");
    return value ? value == 1 : fallback;
  }
  const ElementwiseOp *elementwiseOp() {
    Span<ElementwiseOp> ops = elementwiseOps();
    int64_t op = choice("an elementwise op", ops.size());
    return op ? &ops.data()[op - 1] : nullptr;
  }
  std::optional<CollectiveKind> collective() {
    int64_t op =
        choice("a collective op", getMaxEnumValForCollectiveKind() + 1);
    return op ? std::optional(static_cast<CollectiveKind>(op - 1))
              : std::nullopt;
  }
  void refuse(const std::optional<SizeFault> &fault) {
    if (fault)
      refuse(fault->size, fault->value, fault->expected);
  }
  bool failed() const { return result.failed(); }

  Result result;

private:
  static std::string_view nameOf(QueryColumn column) {
    return queryColumnNames[static_cast<size_t>(column)];
  }
  void refuse(std::string_view name, int64_t value,
              std::string_view expectation) {
    if (!failed())
      result = invalid("'", name, "' of a kernel expects ", expectation,
                       ", but is ", value);
  }
  int64_t read(QueryColumn column, int64_t value, int64_t least) {
    if (value >= least && value <= largestSize)
      return value;
    refuse(nameOf(column), value,
           concat("an integer from ", least, " to 2^40"));
    return 1;
  }
  /// From 1 to `count`; 0 after a mistake.
  int64_t choice(std::string_view what, size_t count) {
    int64_t value = *word++;
    if (value >= 1 && value <= static_cast<int64_t>(count))
      return value;
    refuse("op", value, concat(what, " from 1 to ", count));
    return 0;
  }

  const int64_t *word;
};

} // namespace

/// Words of the problem that the family uses.
size_t capi::wordsOf(uint32_t family) {
  constexpr size_t word = sizeof(int64_t);
  switch (family) {
  case GPUCOST_MATMUL:
    return sizeof(gpucostMatmul) / word;
  case GPUCOST_CONV2D:
    return sizeof(gpucostConv2d) / word;
  case GPUCOST_ATTENTION:
    return sizeof(gpucostAttention) / word;
  case GPUCOST_SOFTMAX:
  case GPUCOST_LAYERNORM:
    return sizeof(gpucostRows) / word;
  case GPUCOST_ELEMENTWISE:
    return sizeof(gpucostElementwise) / word;
  case GPUCOST_COLLECTIVE:
    return sizeof(gpucostCollective) / word;
  default:
    return 0;
  }
}

static_assert(GPUCOST_COLLECTIVE ==
              static_cast<int>(QueryFamily::Collective) + 1);

Result capi::readKernel(const gpucostModel &model, const gpucostKernel &in,
                        KernelWork &work) {
  const Gpu &gpu = model.model.gpu();
  size_t words = wordsOf(in.family);
  if (words == 0)
    return invalid("'family' of a kernel is ", in.family,
                   ", which is no such value");
  for (size_t i = words; i < std::size(in.problem.words); ++i)
    if (in.problem.words[i])
      return error(GPUCOST_UNSUPPORTED,
                   "words behind the problem of a kernel are not 0");
  if (in.reserved)
    return error(GPUCOST_UNSUPPORTED, "'reserved' of a kernel is not 0");
  NumericFormat format = model.format;
  if (in.format != GPUCOST_FORMAT_DEFAULT) {
    std::optional<NumericFormat> stated = formatOf(in.format);
    if (!stated || *stated == NumericFormat::FP64)
      return invalid("'format' of a kernel is ", in.format,
                     ", which no kernel computes in");
    format = *stated;
  }
  auto family = static_cast<QueryFamily>(in.family - 1);
  if (std::string expected = usesMatrixUnit(family)
                                 ? expectedMatrixFormat(gpu, format)
                                 : std::string();
      !expected.empty())
    return error(GPUCOST_UNSUPPORTED, "'format' of a kernel expects ", expected,
                 ", but is ", stringifyNumericFormat(format));
  WordReader sizes(in.problem.words);
  std::optional<KernelWork> read =
      readKernelWork(sizes, family, format, gpu, /*defaultNodes=*/1);
  if (sizes.result.failed())
    return sizes.result;
  if (!read)
    return invalid("expected a kernel whose FLOPs and bytes fit 63 bits");
  work = *read;
  return ok();
}

static Result refuseQuery(const char *name, const char *expectation) {
  return invalid("'", name, "' of gpucostQuery expects ", expectation);
}

/// 0 or a number in (0, most].
static bool isOptional(double value, double most = HUGE_VAL) {
  return value == 0 || (value > 0 && value <= most);
}

Result capi::readQuery(const gpucostModel &model, const gpucostQuery *given,
                       KernelQuery &query) {
  gpucostQuery in;
  if (Result result = readOptional(given, in, "gpucostQuery"); result.failed())
    return result;
  if (!isOptional(in.clock, model.model.gpu().maxClock.value()))
    return refuseQuery("clock", "a clock above 0 up to the GPU's maximum");
  if (!isOptional(in.power_limit))
    return refuseQuery("power_limit", "watts above 0");
  if (!isOptional(in.reuse_bytes))
    return refuseQuery("reuse_bytes", "bytes above 0");
  if (in.protocol > GPUCOST_BENCHMARK)
    return refuseQuery("protocol", "GPUCOST_ITERATION or GPUCOST_BENCHMARK");
  if (in.reserved)
    return error(GPUCOST_UNSUPPORTED, "'reserved' of gpucostQuery is not 0");
  if (in.clock != 0)
    query.clock = Hertz(in.clock);
  if (in.power_limit != 0)
    query.powerLimit = Watts(in.power_limit);
  if (in.reuse_bytes != 0)
    query.reuseBytesA = query.reuseBytesB = in.reuse_bytes;
  if (!isOptional(in.toggle_rate, 2))
    return refuseQuery("toggle_rate", "a number above 0 and of at most 2");
  if (!isOptional(in.burst) || !isOptional(in.warm_up))
    return refuseQuery("burst' or 'warm_up", "seconds above 0");
  if (!isOptional(in.cache_share, 1))
    return refuseQuery("cache_share", "a number above 0 and of at most 1");
  if (in.cache_write > 1)
    return refuseQuery("cache_write", "0 or 1");
  if (in.protocol == GPUCOST_ITERATION) {
    if (in.toggle_rate != 0 || in.burst != 0 || in.warm_up != 0 ||
        in.cache_share != 0 || in.cache_write)
      return refuseQuery("protocol", "GPUCOST_BENCHMARK beside the fields of "
                                     "benchmarks");
    return ok();
  }
  BenchmarkProtocol &benchmark = query.benchmark.emplace();
  if (in.toggle_rate != 0)
    benchmark.toggleRate = in.toggle_rate;
  if (in.burst != 0)
    benchmark.burst = Seconds(in.burst);
  if (in.warm_up != 0)
    benchmark.warmUp = Seconds(in.warm_up);
  if (in.cache_share != 0)
    benchmark.cacheShare = in.cache_share;
  benchmark.writesCache = in.cache_write != 0;
  return ok();
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

Result capi::refusedKernel(const Error &why) {
  constexpr std::string_view infeasible = "infeasible schedule";
  bool cannotRun = why.message.compare(0, infeasible.size(), infeasible) == 0;
  return error(cannotRun ? GPUCOST_INFEASIBLE : GPUCOST_UNSUPPORTED,
               why.message);
}

Result capi::estimate(const gpucostModel &model, const gpucostKernel &kernel,
                      const KernelQuery &query, gpucostCost &out) {
  KernelWork work;
  if (Result result = readKernel(model, kernel, work); result.failed())
    return result;
  chooseAttention(model.model, query, work);
  Expected<KernelCost> cost = model.model.estimate(work, query);
  if (!cost)
    return refusedKernel(cost.error());
  // Clocks, limits and devices of no GPU at all.
  for (double number :
       {cost->time.total.value(), cost->power.value(), cost->energy.value()})
    if (!(number > 0) || !std::isfinite(number))
      return error(GPUCOST_UNSUPPORTED,
                   "the cost of this kernel is beyond what numbers hold");
  out = describe(work, *cost);
  return ok();
}

gpucostStatus gpucostEstimate(const gpucostModel *model,
                              const gpucostKernel *kernel,
                              const gpucostQuery *given, gpucostCost *cost) {
  return guard([&] {
    if (!model)
      return invalid("the model is NULL");
    gpucostKernel in;
    KernelQuery query;
    if (Result result = readStruct(kernel, in, "gpucostKernel");
        result.failed())
      return result;
    if (Result result = readQuery(*model, given, query); result.failed())
      return result;
    if (Result result = checkSize(cost, "gpucostCost"); result.failed())
      return result;
    gpucostCost out;
    Result result = estimate(*model, in, query, out);
    if (!result.failed())
      writeStruct(cost, out);
    return result;
  });
}
