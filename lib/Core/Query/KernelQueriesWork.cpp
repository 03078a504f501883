//===- KernelQueriesWork.cpp - Work of a queried kernel -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Query/KernelQueriesWork.h"
#include "gpucost/Core/Model/ExpertLayer.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Scenario/Parallelism.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "gpucost/Core/Support/Text.h"
#include <algorithm>

using namespace gpucost;

namespace {

/// Sum of products that records an overflow.
struct CheckedSum {
  void add(std::initializer_list<int64_t> factors) {
    std::optional<int64_t> product = checkedProduct(factors);
    fits &= product && !__builtin_add_overflow(sum, *product, &sum);
  }
  int64_t sum = 0;
  bool fits = true;
};

/// Builds a kernel whose tensors all have the same format, except that a matmul
/// in at most 8 bits writes 16, as in models.
struct WorkBuilder {
  WorkBuilder(KernelFamily family, NumericFormat format) {
    work.family = family;
    work.format = result = format;
    work.inputBits = work.outputBits = infoOf(format).bits;
  }
  void widenResult() {
    if (!hasFewBits(work.format))
      return;
    result = NumericFormat::BF16;
    work.outputBits = infoOf(result).bits;
  }
  void readTensor(int64_t a, int64_t b = 1, int64_t c = 1, int64_t d = 1) {
    readTensorOf(work.format, a, b, c, d);
  }
  void readTensorOf(NumericFormat format, int64_t a, int64_t b, int64_t c,
                    int64_t d) {
    addTensor(bytesRead, format, checkedProduct({a, b, c, d}));
  }
  void writeTensor(int64_t a, int64_t b = 1, int64_t c = 1, int64_t d = 1) {
    addTensor(bytesWritten, result, checkedProduct({a, b, c, d}));
  }
  std::optional<KernelWork> finish() {
    for (const CheckedSum *count :
         {&tensorFlops, &fp32Flops, &specialOps, &bytesRead, &bytesWritten})
      if (!count->fits)
        return std::nullopt;
    work.count = {tensorFlops.sum, fp32Flops.sum, specialOps.sum, bytesRead.sum,
                  bytesWritten.sum};
    return work;
  }

  KernelWork work;
  CheckedSum tensorFlops, fp32Flops, specialOps, bytesRead, bytesWritten;

private:
  NumericFormat result = NumericFormat::FP32;

  void addTensor(CheckedSum &sum, NumericFormat format,
                 std::optional<int64_t> elements) {
    std::optional<int64_t> bytes =
        elements ? bytesOf(format, *elements) : std::nullopt;
    sum.fits &= bytes.has_value();
    sum.add({bytes.value_or(0)});
  }
};

} // namespace

std::optional<SizeFault> gpucost::findSizeFault(const ConvolutionProblem &p,
                                                int64_t padding) {
  if (p.channels % p.groups || p.outChannels % p.groups)
    return SizeFault{"groups", p.groups,
                     concat("a divisor of the ", p.channels, " input and ",
                            p.outChannels, " output channels")};
  if (outputSize(p.height, p.kernelHeight, p.strideHeight, padding) < 1)
    return SizeFault{"kh", p.kernelHeight,
                     concat("a kernel that fits into the padded height of ",
                            p.height + 2 * padding)};
  if (outputSize(p.width, p.kernelWidth, p.strideWidth, padding) < 1)
    return SizeFault{"kw", p.kernelWidth,
                     concat("a kernel that fits into the padded width of ",
                            p.width + 2 * padding)};
  return std::nullopt;
}

std::optional<SizeFault> gpucost::findSizeFault(const AttentionProblem &p) {
  if (p.heads % p.kvHeads)
    return SizeFault{"kv_heads", p.kvHeads,
                     concat("a divisor of the ", p.heads, " heads")};
  if (p.document > 0 && p.queryLength != p.kvLength)
    return SizeFault{"document", p.document, "0 if q_len and kv_len differ"};
  return std::nullopt;
}

std::optional<SizeFault> gpucost::findSizeFault(const MatmulProblem &p,
                                                int64_t projections) {
  if (p.experts % p.shards)
    return SizeFault{"shards", p.shards,
                     concat("a divisor of the ", p.experts, " experts")};
  if (p.choices > p.experts)
    return SizeFault{"choices", p.choices,
                     concat("at most the ", p.experts, " experts")};
  if (projections != gatedProjections && projections != gatedProjections - 1)
    return SizeFault{"projections", projections, "2 or 3"};
  return std::nullopt;
}

std::optional<SizeFault> gpucost::findSizeFault(const CollectiveProblem &p,
                                                std::optional<int64_t> most) {
  int64_t held = most.value_or(largestSize);
  int64_t local = p.worldSize / p.nodes;
  if (p.worldSize % p.nodes)
    return SizeFault{
        "gpus", p.worldSize,
        concat("a number of GPUs divisible by the ", p.nodes, " nodes")};
  if (local > held)
    return SizeFault{
        "gpus", p.worldSize,
        concat("at most ", held, " GPUs for each of 'nodes' (", p.nodes, ")")};
  if (p.groups > (p.nodes > 1 ? held / local : 1))
    return SizeFault{"groups", p.groups,
                     p.nodes > 1
                         ? concat("at most ", held / local,
                                  " such collectives on the GPUs of a node")
                         : std::string("1 if one node contains all GPUs")};
  if (p.choices && p.kind != CollectiveKind::AllToAll)
    return SizeFault{"choices", p.choices, "op=all_to_all"};
  if (p.nodeLimit && !p.choices)
    return SizeFault{"node_limit", p.nodeLimit, "'choices' with it"};
  return std::nullopt;
}

int64_t QueryNodes::of(int64_t gpus) const {
  if (given > 0)
    return given;
  int64_t size = held.value_or(gpus);
  int64_t nodes = (gpus + size - 1) / size;
  while (gpus <= mostGpus && gpus % nodes)
    ++nodes;
  return nodes;
}

QueryNodes gpucost::queryNodes(const CostModel &model,
                               std::optional<int64_t> stated) {
  const auto &links = model.coefficients().collectives;
  if (!links || !links->network || links->network->gpus == 0)
    return {model.gpu().gpusPerNode, stated.value_or(1)};
  return {links->network->gpus, stated.value_or(0)};
}

const std::vector<NumericFormat> &gpucost::queryFormats() {
  static const std::vector<NumericFormat> formats = [] {
    std::vector<NumericFormat> all;
    for (const FormatInfo &info : formatInfos)
      if (info.rate && info.format != NumericFormat::FP64)
        all.push_back(info.format);
    return all;
  }();
  return formats;
}

std::string gpucost::expectedMatrixFormat(const Gpu &gpu,
                                          NumericFormat format) {
  if (gpu.peak(format) > FlopsPerSecond(0))
    return {};
  std::string available;
  for (NumericFormat each : queryFormats())
    if (const FormatRate *rate = gpu.find(each); rate && rate->format == each)
      available +=
          concat(available.empty() ? "" : ", ", stringifyNumericFormat(each));
  return concat("a format with matrix units on '", gpu.name, "' (", available,
                ")");
}

std::optional<KernelWork> gpucost::matmulWork(const MatmulProblem &p,
                                              NumericFormat format) {
  WorkBuilder b(KernelFamily::Matmul, format);
  b.work.problem = p;
  b.widenResult();
  b.tensorFlops.add({2, p.batch, p.m, p.n, p.k});
  b.readTensor(p.batch, p.m, p.k);
  b.readTensor(p.batch, p.k, p.n);
  b.writeTensor(p.batch, p.m, p.n);
  return b.finish();
}

std::optional<KernelWork> gpucost::expertsWork(const MatmulProblem &layer,
                                               NumericFormat format) {
  std::optional<int64_t> columns = checkedProduct(
      {layer.gated ? gatedProjections : gatedProjections - 1, layer.n});
  if (!columns)
    return std::nullopt;
  ExpertLayer shape;
  shape.experts = layer.experts;
  shape.chosen = layer.choices;
  shape.shards = layer.shards;
  shape.columns = *columns;
  ExpertUse use = useOf(shape, layer.m);
  MatmulProblem p = layer;
  p.inner = layer.n;
  p.experts = layer.experts / layer.shards;
  p.batch = use.items;
  p.m = use.rows;
  p.n = use.columns;
  p.linear = false;
  WorkBuilder b(KernelFamily::Matmul, format);
  b.work.problem = p;
  b.widenResult();
  b.tensorFlops.add({2, use.pairs, *columns, p.k});
  b.readTensor(layer.m, p.k);
  b.readTensor(use.items, use.columns, p.k);
  b.writeTensor(layer.m, p.k);
  return b.finish();
}

int64_t gpucost::outputSize(int64_t size, int64_t kernel, int64_t stride,
                            int64_t padding) {
  int64_t room = size + 2 * padding - kernel;
  return room < 0 ? 0 : room / stride + 1;
}

std::optional<KernelWork> gpucost::convolutionWork(ConvolutionProblem p,
                                                   int64_t padding,
                                                   NumericFormat format) {
  p.outHeight = outputSize(p.height, p.kernelHeight, p.strideHeight, padding);
  p.outWidth = outputSize(p.width, p.kernelWidth, p.strideWidth, padding);
  WorkBuilder b(KernelFamily::Convolution, format);
  b.work.problem = p;
  int64_t groupChannels = p.channels / p.groups;
  std::optional<int64_t> taps =
      checkedProduct({groupChannels, p.kernelHeight, p.kernelWidth});
  if (!taps)
    return std::nullopt;
  b.tensorFlops.add(
      {2, p.batch, p.outChannels, p.outHeight, p.outWidth, *taps});
  b.readTensor(p.batch, p.channels, p.height, p.width);
  b.readTensor(p.outChannels, *taps);
  b.writeTensor(p.batch, p.outChannels, p.outHeight, p.outWidth);
  return b.finish();
}

std::string gpucost::expectedCacheFormat(NumericFormat format,
                                         NumericFormat cache) {
  const FormatInfo &own = infoOf(format);
  if (infoOf(cache).bits <= own.bits)
    return {};
  return concat("a format of at most ", own.bits, " bits with ",
                stringifyNumericFormat(format));
}

std::optional<KernelWork> gpucost::attentionWork(const AttentionProblem &p,
                                                 NumericFormat format,
                                                 NumericFormat cache) {
  WorkBuilder b(KernelFamily::Attention, format);
  b.work.problem = p;
  b.work.inputBits = infoOf(cache).bits;
  // The model's count saturates, so an upper bound is checked for overflow.
  if (!checkedProduct(
          {4, p.batch, p.heads, p.queryLength, p.kvLength, p.headDim}))
    return std::nullopt;
  // 4 FLOP per score and channel; about 5 FLOP and one exponential per score.
  int64_t scores = countFlops(p) / (4 * p.headDim);
  int64_t valueDim = p.valueDim > 0 ? p.valueDim : p.headDim;
  b.tensorFlops.add({2, scores, saturatingSum(p.headDim, valueDim)});
  b.fp32Flops.add({5, scores});
  b.specialOps.add({scores});
  b.readTensor(p.batch, p.heads, p.queryLength, p.headDim);
  // The first query sees the oldest keys, the last one the newest.
  int64_t keys = p.kvLength;
  if (p.window > 0)
    keys = std::min(keys, p.window + p.queryLength - 1);
  b.readTensorOf(cache, p.batch, p.kvHeads, keys, p.headDim);
  // (K5) The values of a latent cache are a part of its keys.
  if (p.kvHeads > 1 || p.heads == 1 || valueDim >= p.headDim)
    b.readTensorOf(cache, p.batch, p.kvHeads, keys, valueDim);
  b.writeTensor(p.batch, p.heads, p.queryLength, valueDim);
  return b.finish();
}

static WorkBuilder rowsWork(KernelFamily family, InstructionClass instructions,
                            const RowsProblem &p, int64_t flops,
                            int64_t special, NumericFormat format) {
  WorkBuilder b(family, format);
  b.work.instructions = instructions;
  b.work.problem = p;
  b.fp32Flops.add({flops, p.rows, p.cols});
  b.specialOps.add({special, p.rows, p.cols});
  b.readTensor(p.rows, p.cols);
  b.writeTensor(p.rows, p.cols);
  return b;
}

std::optional<KernelWork> gpucost::softmaxWork(const RowsProblem &p,
                                               NumericFormat format) {
  RowsProblem forward = p;
  forward.pass = RowsPass::Forward;
  return rowsWork(KernelFamily::Softmax, InstructionClass::Softmax, forward, 5,
                  1, format)
      .finish();
}

std::optional<KernelWork> gpucost::layerNormWork(const RowsProblem &p,
                                                 NumericFormat format) {
  RowsProblem layer = p;
  if (layer.norm == NormKind::None)
    layer.norm = NormKind::Layer;
  WorkBuilder b = rowsWork(KernelFamily::Normalization, InstructionClass::Norm,
                           layer, 8, 0, format);
  b.readTensor(2, p.cols);
  return b.finish();
}

std::optional<KernelWork> gpucost::collectiveWork(const CollectiveProblem &p) {
  WorkBuilder b(KernelFamily::Collective, NumericFormat::FP32);
  b.work.instructions = InstructionClass::Copy;
  b.work.problem = p;
  std::optional<int64_t> moved = collectiveBytes(p.kind, p.bytes, p.worldSize);
  if (!moved)
    return std::nullopt;
  b.bytesRead.add({*moved});
  b.bytesWritten.add({*moved});
  return b.finish();
}

Span<ElementwiseOp> gpucost::elementwiseOps() {
  using C = InstructionClass;
  // `...u`: the other operand is a scalar.
  static constexpr ElementwiseOp ops[] = {
      {"add", C::Add, 2, 1, 0},
      {"mul", C::Mul, 2, 1, 0},
      {"div", C::Div, 2, 1, 1},
      {"pow", C::Pow, 2, 1, 2},
      {"addu", C::Add, 1, 1, 0},
      {"mulu", C::Mul, 1, 1, 0},
      {"divu", C::Div, 1, 1, 1},
      {"powu", C::Pow, 1, 1, 2},
      {"relu", C::Relu, 1, 1, 0},
      {"gelu", C::Gelu, 1, 20, 1},
      {"tanh", C::Tanh, 1, 4, 2},
      {"sigmoid", C::Sigmoid, 1, 2, 2},
      {"silu", C::Silu, 1, 3, 2},
      {"exp", C::Exp, 1, 1, 1},
      {"log", C::Log, 1, 1, 1},
      {"sqrt", C::Sqrt, 1, 0, 1},
      {"rsqrt", C::Rsqrt, 1, 0, 1},
      {"erf", C::Erf, 1, 16, 1},
      {"trig", C::Trig, 1, 0, 1},
      {"neg", C::Neg, 1, 1, 0},
      {"compare", C::Compare, 2, 1, 0},
      {"where", C::Where, 3, 1, 0},
      {"batch_norm", C::BatchNorm, 1, 2, 0},
      {"copy", C::Copy, 1, 0, 0},
      {"cast", C::Cast, 1, 0, 0},
      {"dropout", C::Dropout, 1, 2, 0},
  };
  return ops;
}

std::optional<KernelWork> gpucost::elementwiseWork(const ElementwiseOp &op,
                                                   int64_t elements,
                                                   int64_t inputs,
                                                   NumericFormat format) {
  WorkBuilder b(KernelFamily::Elementwise, format);
  b.work.instructions = op.instructions;
  b.work.edit<ElementsProblem>().elements = elements;
  b.fp32Flops.add({op.fp32Flops, elements});
  b.specialOps.add({op.specialOps, elements});
  b.readTensor(inputs, elements);
  b.writeTensor(elements);
  if (op.instructions == InstructionClass::Dropout)
    b.bytesWritten.add({elements}); // the mask
  return b.finish();
}
