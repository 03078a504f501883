//===- Elementwise.cpp - Element-parallel kernels -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elementwise, data movement, embedding, pooling, optimizer and reduction: one
// thread-level item per element and only equations (M1)-(M4), except for batch
// normalization (M10), (M13), (M15), gradients of norms (M11), sums over rows
// that are not contiguous (M18), dropout (M20) and quantisation (Q7).
// Opaque kernels count only their bytes: a lower bound.
//
//===----------------------------------------------------------------------===//

#include "../Streaming.h"
#include "gpucost/Core/Model/ServingKernels.h"
#include "gpucost/Core/Model/Steps.h"
#include "gpucost/Core/Vocabulary/Vendors.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

static Expected<LaunchTerms>
terms(const CostModel &model, const KernelWork &work, InstructionClass kind,
      double elements, bool strided, Stream stream, const KernelQuery &query) {
  const StreamingCoefficients &c = *model.coefficients().streaming;
  if (elements < 0)
    return fail("expected a non-negative element count");
  stream.fp32Flops =
      std::max(work.count.fp32Flops - c.operatorFlops * elements, 0.0);
  stream.specialOps =
      std::max(work.count.specialOps - c.operatorSpecialOps * elements, 0.0);
  countInstructions(model, c, classOf(work, kind), elements, strided, query,
                    stream);
  // (M22) The conversions of a library, which transpose tiles on chip.
  if (const auto *p = work.getIf<ElementsProblem>();
      p && p->conversion && c.layoutCycles > 0) {
    stream.issueSlots = 0;
    stream.smCycles = elements * c.layoutCycles;
    if (query.steps)
      query.steps->equation("layout conversion (M22)",
                            "slots = 0; SM = {}*{} = {} cycles",
                            {elements, c.layoutCycles, stream.smCycles});
  }
  if (query.steps && (stream.fp32Flops > 0 || stream.specialOps > 0))
    query.steps->equation(
        "loop body (M8)",
        "fp32 = max({} - {}*{}, 0) = {}; special = max({} - {}*{}, 0) = {}",
        {work.count.fp32Flops, c.operatorFlops, elements, stream.fp32Flops,
         work.count.specialOps, c.operatorSpecialOps, elements,
         stream.specialOps});
  return streamTerms(model, c, stream, query);
}

/// (M15) cuDNN runs two passes, one for statistics or sums and one for results,
/// in one kernel with one CTA per channel. Counts one of them: half of the
/// cycles; only the first one reads a channel that stays on chip.
static void countCudnnBatchNorm(const CostModel &model, const KernelWork &work,
                                double channels, double elements, bool isFirst,
                                Steps *steps, Stream &stream) {
  const CudnnBatchNormCoefficients &c = *model.coefficients().cudnnBatchNorm;
  double smCount = model.gpu().smCount;
  double elementBytes = work.inputBytes();
  double operands = std::round(stream.readBytes / (elements * elementBytes));
  bool backward = operands > 1;
  double channelElements = elements / channels;
  double channelBytes =
      channelElements * elementBytes * std::max(operands, 1.0);
  double perSm = std::ceil(channels / smCount);
  double cycles;
  if (channelBytes <= c.chipBytes.value()) {
    cycles = perSm * (c.channelCycles + c.byteCycles * channelBytes);
    if (steps)
      steps->equation("cuDNN batch norm (M15)",
                      "cy = ceil({}/{})*({} + {}*{}/{}*{}*max({}, 1)) = {} "
                      "cycles",
                      {channels, smCount, c.channelCycles, c.byteCycles,
                       elements, channels, elementBytes, operands, cycles});
    if (!isFirst)
      stream.readBytes -= operands * elements * elementBytes;
  } else {
    double first = backward               ? c.backward
                   : work.inputBits >= 32 ? c.forward32
                                          : c.forward16;
    double next = backward ? c.backwardNext : c.forwardNext;
    cycles = channelElements * (first + (perSm - 1) * next);
    if (steps)
      steps->equation(
          "cuDNN batch norm (M15)",
          "cy = {}/{}*({} + (ceil({}/{}) - 1)*{}) = {} cycles",
          {elements, channels, first, channels, smCount, next, cycles});
  }
  stream.readBytes = std::max(stream.readBytes, 0.0);
  stream.smCycles = smCount * cycles / 2;
  if (steps)
    steps->equation("cuDNN batch norm (M15)", "SM = {}*cy/2 = {} cycles",
                    {smCount, stream.smCycles});
}

namespace {
/// The library whose NCHW batch normalization an elementwise kernel or a
/// reduction belongs to.
enum class BatchNorm { None, Native, Cudnn };
} // namespace

/// (M10) Elements that a kernel of CTAs per channel reads and writes.
static double channelAccesses(const KernelWork &work, const Stream &stream) {
  return (stream.readBytes + stream.writeBytes) / work.inputBytes();
}

/// (M10) The kernel that normalizes has a CTA for each channel of an image.
static void countPlanes(const CostModel &model, const ElementsProblem &p,
                        Steps *steps, Stream &stream) {
  double each = model.coefficients().streaming->planeCycles;
  bool forward = stream.readBytes < 2 * stream.writeBytes;
  if (each == 0 || !forward || p.run <= 0)
    return;
  double planes = static_cast<double>(p.elements) / p.run;
  stream.smCycles = planes * each;
  if (steps)
    steps->equation("channels of images (M10)", "SM = {}/{}*{} = {} cycles",
                    {p.elements, p.run, each, stream.smCycles});
}

template <InstructionClass kind, BatchNorm norm = BatchNorm::None>
static Expected<LaunchTerms>
elementTerms(const CostModel &model, const KernelWork &work, const Tiling &,
             const KernelQuery &query) {
  const auto &p = work.as<ElementsProblem>();
  Stream stream = streamOf(work);
  if (norm == BatchNorm::Native) {
    stream.channelAccesses = channelAccesses(work, stream);
    countPlanes(model, p, query.steps, stream);
  }
  if (norm == BatchNorm::Cudnn)
    countCudnnBatchNorm(model, work, p.channels, p.elements,
                        /*isFirst=*/false, query.steps, stream);
  return terms(model, work, kind, p.elements, p.strided, stream, query);
}

static double elementsOf(const RowsProblem &p) {
  return static_cast<double>(p.rows) * p.cols;
}

static Expected<LaunchTerms> reduce(const CostModel &model,
                                    const KernelWork &work,
                                    const Stream &stream,
                                    const KernelQuery &query) {
  return terms(model, work, InstructionClass::Reduce,
               elementsOf(work.as<RowsProblem>()), /*strided=*/false, stream,
               query);
}

template <BatchNorm norm = BatchNorm::None>
static Expected<LaunchTerms>
reductionTerms(const CostModel &model, const KernelWork &work, const Tiling &,
               const KernelQuery &query) {
  const auto &p = work.as<RowsProblem>();
  Stream stream = streamOf(work);
  if (norm == BatchNorm::Native) {
    stream.channelAccesses = channelAccesses(work, stream);
    stream.channelCtas = p.rows;
  }
  if (norm == BatchNorm::Cudnn)
    countCudnnBatchNorm(model, work, p.rows, elementsOf(p), /*isFirst=*/true,
                        query.steps, stream);
  return reduce(model, work, stream, query);
}

/// (M13) Statistics read one tensor, gradient sums read two.
static Expected<LaunchTerms> pixelSumTerms(const CostModel &model,
                                           const KernelWork &work,
                                           const Tiling &,
                                           const KernelQuery &query) {
  const auto &c = *model.coefficients().batchNormOverPixels;
  double elements = elementsOf(work.as<RowsProblem>());
  Stream stream = streamOf(work);
  constexpr double oneOrTwo = 1.5; // tensors
  bool gradient = stream.readBytes > oneOrTwo * elements * work.inputBytes();
  double each = gradient ? c.gradientSums : c.statistics;
  stream.smCycles = elements * each;
  if (query.steps)
    query.steps->equation("batch norm over pixels (M13)",
                          "SM = {}*{} = {} cycles",
                          {elements, each, stream.smCycles});
  return reduce(model, work, stream, query);
}

/// (M11) Columns that a CTA of PyTorch's kernel sums, and the number of rows
/// above which it also splits the rows (pytorch pull request 148605, 2.8).
static constexpr int64_t normColumns = 32, normSplitRows = 65536;

static Expected<LaunchTerms> columnSumTerms(const CostModel &model,
                                            const KernelWork &work,
                                            const Tiling &,
                                            const KernelQuery &query) {
  const auto &p = work.as<RowsProblem>();
  double elementBytes = work.inputBytes();
  Stream stream = streamOf(work);
  stream.slowdown = fewCtasSlowdown(
      model, std::ceil(static_cast<double>(p.rows) / normColumns), elementBytes,
      stream.readBytes / (elementsOf(p) * elementBytes), query.steps);
  return reduce(model, work, stream, query);
}

namespace {
/// How PyTorch's reduction kernel divides a sum over rows that are not
/// contiguous (M18).
struct ColumnSplit {
  int64_t parts = 1;  ///< CTAs that sum one column
  int64_t height = 1; ///< rows of threads of a CTA
};
} // namespace

static int64_t powerOfTwoUpTo(int64_t most) {
  int64_t power = 1;
  while (power <= most / 2)
    power *= 2;
  return power;
}

/// `setReduceConfig` of aten/src/ATen/native/cuda/Reduce.cuh for `sums` results
/// of `summed` elements each.
static ColumnSplit splitColumns(const Gpu &gpu, int64_t sums, int64_t summed) {
  constexpr int64_t sumThreads = 512, mostVector = 4;
  const int64_t lanes = subgroupSize(vendorOf(gpu.architecture));
  constexpr int64_t leastValues = 16, mostValues = 256;
  ColumnSplit split;
  if (!gpu.sm || sums <= 0 || summed <= 0)
    return split;
  auto ceilDivide = [](int64_t a, int64_t b) { return a / b + (a % b != 0); };
  int64_t vector = mostVector;
  while (sums % vector != 0)
    vector /= 2;
  int64_t threads = sumThreads / vector;
  int64_t columns = std::min(powerOfTwoUpTo(sums / vector), threads);
  int64_t width = std::min(columns, lanes);
  split.height = std::min(powerOfTwoUpTo(summed), threads / width);
  width = std::min(columns, threads / split.height);
  bool splitsRows =
      summed >= leastValues * split.height || summed >= mostValues;
  int64_t values = ceilDivide(summed, split.height);
  int64_t grid = ceilDivide(sums / vector, width);
  int64_t target =
      gpu.smCount * (int64_t(gpu.sm->threads) / (width * split.height));
  if (splitsRows && values >= mostValues && grid <= target)
    split.parts = std::max(
        std::min(ceilDivide(target, grid), ceilDivide(values, leastValues)),
        ceilDivide(values, mostValues));
  return split;
}

static Expected<LaunchTerms> rowsApartTerms(const CostModel &model,
                                            const KernelWork &work,
                                            const Tiling &,
                                            const KernelQuery &query) {
  const auto &p = work.as<RowsProblem>();
  const ColumnSumCoefficients &c = *model.coefficients().columnSum;
  Expected<LaunchTerms> terms = reduce(model, work, streamOf(work), query);
  if (!terms)
    return terms;
  ColumnSplit split = splitColumns(model.gpu(), p.rows, p.cols);
  if (split.parts == 1)
    return terms;
  double parts = split.parts, height = split.height;
  Seconds latency = terms->fixed;
  terms->fixed += c.splitTime;
  terms->serialIssue = Seconds(std::ceil(parts / height) * c.partCycles /
                               model.gpu().maxClock.value());
  if (query.steps) {
    query.steps->equation("split columns (M18)", "fixed = {} + {} = {}",
                          {latency, c.splitTime, terms->fixed});
    query.steps->equation("partial sums (M18)",
                          "serialIssue = ceil({}/{})*{}/{} = {}",
                          {parts, height, c.partCycles, model.gpu().maxClock,
                           terms->serialIssue});
  }
  return terms;
}

/// (M20) Random numbers and a barrier after each step.
static Expected<LaunchTerms> dropoutTerms(const CostModel &model,
                                          const KernelWork &work,
                                          const Tiling &tiling,
                                          const KernelQuery &query) {
  Expected<LaunchTerms> terms =
      elementTerms<InstructionClass::Dropout>(model, work, tiling, query);
  if (!terms)
    return terms;
  double elements = work.as<ElementsProblem>().elements;
  double each = model.coefficients().randomNumbers->elementCycles;
  const Gpu &gpu = model.gpu();
  terms->serialIssue =
      Seconds(elements * each / (gpu.smCount * gpu.maxClock.value()));
  if (query.steps && elements > 0)
    query.steps->equation(
        "random numbers (M20)", "serialIssue = {}*{}/({}*{}) = {}",
        {elements, each, gpu.smCount, gpu.maxClock, terms->serialIssue});
  return terms;
}

/// (Q7) Bytes and rows of the serving stack's kernel.
static Expected<LaunchTerms> quantizationTerms(const CostModel &model,
                                               const KernelWork &work,
                                               const Tiling &,
                                               const KernelQuery &query) {
  const QuantizeStack *stack = findQuantizeStack(model, work);
  if (!stack)
    return missingGroup(model, "static_quantization");
  const auto &p = work.as<ElementsProblem>();
  if (p.elements < 0)
    return fail("expected a non-negative element count");
  double elements = p.elements, smCount = model.gpu().smCount;
  double columns = p.quantizedColumns, rows = elements / columns;
  StreamingCoefficients c = *model.coefficients().streaming;
  c.latency = stack->fixedTime;
  c.dramEfficiency = stack->dramEfficiency;
  c.l2BytesPerClock = stack->l2BytesPerClock;
  Stream stream = streamOf(work);
  countInstructions(model, c, classOf(work, InstructionClass::Cast), elements,
                    p.strided, query, stream);
  stream.issueSlots = 0;
  double cta = stack->rowCycles + columns * stack->elementCycles;
  stream.smCycles = elements > 0 ? std::max(rows, smCount) * cta : 0;
  if (query.steps)
    query.steps->equation("quantised rows (Q7)",
                          "slots = 0; SM = max({}/{}, {})*({} + {}*{}) = {} "
                          "cycles",
                          {elements, columns, smCount, stack->rowCycles,
                           columns, stack->elementCycles, stream.smCycles});
  LaunchTerms t = streamTerms(model, c, stream, query);
  t.inCalibratedDomain = isMeasuredStack(*stack, model);
  return t;
}

static Expected<LaunchTerms> opaqueTerms(const CostModel &model,
                                         const KernelWork &work, const Tiling &,
                                         const KernelQuery &query) {
  auto bound = terms(model, work, InstructionClass::None, /*elements=*/0,
                     /*strided=*/false, streamOf(work), query);
  if (bound)
    bound->inCalibratedDomain = false;
  return bound;
}

/// Returns `visit(channels, columns or elements, run)` for a batch
/// normalization, otherwise false.
template <typename Visitor>
static bool visitChannels(const KernelWork &work, Visitor visit) {
  if (const auto *p = work.getIf<RowsProblem>())
    return p->norm == NormKind::Batch && visit(p->rows, p->cols, p->run);
  const auto *p = work.getIf<ElementsProblem>();
  return p && p->norm == NormKind::Batch &&
         visit(p->channels, p->elements, p->run);
}

namespace gpucost::kernels {
#define STREAM_KERNEL(name, function)                                          \
  extern const KernelModel name;                                               \
  const KernelModel name = {untiled, function};
STREAM_KERNEL(pointwise, elementTerms<InstructionClass::None>)
STREAM_KERNEL(cudnnBatchNormApply,
              (elementTerms<InstructionClass::None, BatchNorm::Cudnn>))
STREAM_KERNEL(nativeBatchNormApply,
              (elementTerms<InstructionClass::None, BatchNorm::Native>))
STREAM_KERNEL(dropoutOfVectors, dropoutTerms)
STREAM_KERNEL(quantizedRows, quantizationTerms)
STREAM_KERNEL(dataMovement, elementTerms<InstructionClass::Copy>)
STREAM_KERNEL(embedding, elementTerms<InstructionClass::Gather>)
STREAM_KERNEL(pooling, elementTerms<InstructionClass::Pool>)
STREAM_KERNEL(optimizer, elementTerms<InstructionClass::Optimizer>)
STREAM_KERNEL(reduction, reductionTerms<>)
STREAM_KERNEL(cudnnBatchNormSums, reductionTerms<BatchNorm::Cudnn>)
STREAM_KERNEL(nativeBatchNormSums, reductionTerms<BatchNorm::Native>)
STREAM_KERNEL(nativeBatchNormSumsNhwc, pixelSumTerms)
STREAM_KERNEL(normGradientOfColumns, columnSumTerms)
STREAM_KERNEL(columnSums, rowsApartTerms)
STREAM_KERNEL(bytesOnly, opaqueTerms)
#undef STREAM_KERNEL

GPUCOST_CONDITION(batchNormNchw, "batch normalization of NCHW tensors", {
  return visitChannels(work, [](int64_t channels, int64_t n, int64_t run) {
    return channels > 0 && n > 0 && run > 1;
  });
})
GPUCOST_CONDITION(fixedBatchNormNchw,
                  "batch normalization of NCHW tensors with fixed statistics", {
                    const auto *p = work.getIf<ElementsProblem>();
                    return p && p->norm == NormKind::Batch &&
                           p->channels == 0 && p->run > 1;
                  })
GPUCOST_CONDITION(batchNormNhwc, "batch normalization of channels-last tensors",
                  {
                    return visitChannels(
                        work,
                        [](int64_t, int64_t, int64_t run) { return run == 1; });
                  })
GPUCOST_CONDITION(
    cudnnBatchNorm,
    "PyTorch 2.0 or later or another software, without generated kernels", {
      return !model.choice().isGenerated() &&
             !isBefore(model.software(), Software::PyTorch, version(2, 0));
    })
GPUCOST_CONDITION(rowsApart, "sums over rows that are not contiguous", {
  const auto &p = work.as<RowsProblem>();
  return p.norm == NormKind::None && p.run == 1 && p.cols > 1;
})
GPUCOST_CONDITION(drawsRandomNumbers, "dropout", {
  return work.instructions == InstructionClass::Dropout &&
         work.is<ElementsProblem>();
})
GPUCOST_CONDITION(staticQuantization,
                  "an activation that the stack quantises with one scale, and "
                  "its set for such a GPU",
                  { return findQuantizeStack(model, work) != nullptr; })
GPUCOST_CONDITION(normGradientColumns,
                  "gradients of the scale of a norm whose rows are not split", {
                    const auto &p = work.as<RowsProblem>();
                    return p.pass == RowsPass::WeightGradient && p.rows > 0 &&
                           p.cols > 0 &&
                           (p.cols <= normSplitRows ||
                            isBefore(model.software(), Software::PyTorch,
                                     version(2, 8)));
                  })
} // namespace gpucost::kernels
