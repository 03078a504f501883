//===- Kernels.cpp - Single kernels of the C interface --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "gpucost/Model/Validation.h"
#include "gpucost/Query/KernelQueriesWork.h"
#include "gpucost/Support/CheckedMath.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::capi;

//===----------------------------------------------------------------------===//
// What is asked for
//===----------------------------------------------------------------------===//

namespace {

/// Reads the sizes of one kernel; after the first mistake the others do not
/// matter.
class SizeReader {
public:
  int64_t size(std::string_view name, int64_t value) {
    return read(name, value, 1);
  }
  int64_t size(std::string_view name, int64_t value, int64_t fallback) {
    return value == 0 ? fallback : read(name, value, 1);
  }
  int64_t padding(std::string_view name, int64_t value) {
    return read(name, value, 0);
  }
  bool flag(std::string_view name, int64_t value) {
    if (value != 0 && value != 1)
      refuse(name, value, "0 or 1");
    return value == 1;
  }
  void refuse(std::string_view name, int64_t value,
              std::string_view expectation) {
    if (!result.failed())
      result = invalid("'", name, "' of a kernel expects ", expectation,
                       ", but is ", value);
  }
  void refuse(const std::optional<SizeFault> &fault) {
    if (fault)
      refuse(fault->size, fault->value, fault->expected);
  }

  Result result;

private:
  int64_t read(std::string_view name, int64_t value, int64_t least) {
    if (value >= least && value <= largestSize)
      return value;
    refuse(name, value, concat("an integer from ", least, " to 2^40"));
    return 1;
  }
};

} // namespace

using Work = std::optional<KernelWork>;

static Work readMatmul(SizeReader &r, const gpucostMatmul &in,
                       NumericFormat format) {
  MatmulProblem p;
  p.batch = r.size("batch", in.batch, 1);
  p.m = r.size("m", in.m);
  p.n = r.size("n", in.n);
  p.k = r.size("k", in.k);
  if (in.linear < 0 || in.linear > 2)
    r.refuse("linear", in.linear, "0, 1 or 2");
  p.linear = in.linear ? in.linear == 1 : p.batch == 1;
  p.blockScaled = r.flag("block_scaled", in.block_scaled);
  return r.result.failed() ? std::nullopt : matmulWork(p, format);
}

static Work readConv2d(SizeReader &r, const gpucostConv2d &in,
                       NumericFormat format) {
  ConvolutionProblem p;
  p.batch = r.size("n", in.n);
  p.channels = r.size("c", in.c);
  p.height = r.size("h", in.h);
  p.width = r.size("w", in.w);
  p.outChannels = r.size("oc", in.oc);
  p.kernelHeight = r.size("kh", in.kh);
  p.kernelWidth = r.size("kw", in.kw);
  p.strideHeight = p.strideWidth = r.size("stride", in.stride, 1);
  p.groups = r.size("groups", in.groups, 1);
  int64_t pad = r.padding("pad", in.pad);
  r.refuse(findSizeFault(p, pad));
  return r.result.failed() ? std::nullopt : convolutionWork(p, pad, format);
}

static Work readAttention(SizeReader &r, const gpucostAttention &in,
                          NumericFormat format) {
  AttentionProblem p;
  p.batch = r.size("batch", in.batch, 1);
  p.heads = r.size("heads", in.heads);
  p.kvHeads = r.size("kv_heads", in.kv_heads, p.heads);
  p.queryLength = r.size("q_len", in.q_len);
  p.kvLength = r.size("kv_len", in.kv_len);
  p.headDim = r.size("head_dim", in.head_dim);
  p.causal = r.flag("causal", in.causal);
  r.refuse(findSizeFault(p));
  return r.result.failed() ? std::nullopt : attentionWork(p, format);
}

static Work readRows(SizeReader &r, const gpucostRows &in, bool isSoftmax,
                     NumericFormat format) {
  RowsProblem p;
  p.rows = r.size("rows", in.rows);
  p.cols = r.size("cols", in.cols);
  if (r.result.failed())
    return std::nullopt;
  return isSoftmax ? softmaxWork(p, format) : layerNormWork(p, format);
}

static Work readElementwise(SizeReader &r, const gpucostElementwise &in,
                            NumericFormat format) {
  Span<ElementwiseOp> ops = elementwiseOps();
  auto count = static_cast<int64_t>(ops.size());
  if (in.op < 1 || in.op > count) {
    r.refuse("op", in.op, concat("an elementwise op from 1 to ", count));
    return std::nullopt;
  }
  const ElementwiseOp &op = ops.data()[in.op - 1];
  int64_t elements = r.size("elements", in.elements);
  int64_t inputs = r.size("inputs", in.inputs, op.inputs);
  bool strided = r.flag("strided", in.strided);
  if (r.result.failed())
    return std::nullopt;
  Work work = elementwiseWork(op, elements, inputs, format);
  if (work)
    work->edit<ElementsProblem>().strided = strided;
  return work;
}

static Work readCollective(SizeReader &r, const gpucostCollective &in,
                           const Gpu &gpu) {
  CollectiveProblem p;
  constexpr int64_t count = getMaxEnumValForCollectiveKind() + 1;
  if (in.op < 1 || in.op > count) {
    r.refuse("op", in.op, concat("a collective op from 1 to ", count));
    return std::nullopt;
  }
  p.kind = static_cast<CollectiveKind>(in.op - 1);
  p.worldSize = r.size("gpus", in.gpus);
  p.nodes = r.size("nodes", in.nodes, 1);
  p.groups = r.size("groups", in.groups, 1);
  p.bytes = r.size("message_bytes", in.message_bytes);
  r.refuse(findSizeFault(p, gpu));
  return r.result.failed() ? std::nullopt : collectiveWork(p);
}

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

static Work readWork(SizeReader &r, const gpucostKernel &in,
                     NumericFormat format, const Gpu &gpu) {
  switch (in.family) {
  case GPUCOST_MATMUL:
    return readMatmul(r, in.problem.matmul, format);
  case GPUCOST_CONV2D:
    return readConv2d(r, in.problem.conv2d, format);
  case GPUCOST_ATTENTION:
    return readAttention(r, in.problem.attention, format);
  case GPUCOST_SOFTMAX:
  case GPUCOST_LAYERNORM:
    return readRows(r, in.problem.rows, in.family == GPUCOST_SOFTMAX, format);
  case GPUCOST_ELEMENTWISE:
    return readElementwise(r, in.problem.elementwise, format);
  default:
    return readCollective(r, in.problem.collective, gpu);
  }
}

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
  // Matrix units must have the format; memory takes any.
  bool usesMatrixUnit = in.family == GPUCOST_MATMUL ||
                        in.family == GPUCOST_CONV2D ||
                        in.family == GPUCOST_ATTENTION;
  if (std::string expected =
          usesMatrixUnit ? expectedMatrixFormat(gpu, format) : std::string();
      !expected.empty())
    return error(GPUCOST_UNSUPPORTED, "'format' of a kernel expects ", expected,
                 ", but is ", stringifyNumericFormat(format));
  SizeReader sizes;
  Work read = readWork(sizes, in, format, gpu);
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
