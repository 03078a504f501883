//===- CalibrateKernel.cpp - Kernels of a measurement ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalibrateKernel.h"
#include "gpucost/Core/Query/KernelQueriesWork.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace gpucost;
using namespace gpucost::calibration;
using llvm::StringRef;

namespace {

/// The cells of a kernel query, from the words of a measurement.
struct QueryText {
  llvm::StringMap<std::string> values;

  void set(StringRef name, StringRef value) { values[name] = value.str(); }
  int64_t size(StringRef name) const {
    int64_t value = 0;
    auto found = values.find(name);
    if (found != values.end())
      StringRef(found->second).getAsInteger(10, value);
    return value;
  }
  llvm::Expected<QueriedKernel> read(const Gpu &gpu) const;
};

} // namespace

llvm::Expected<QueriedKernel> QueryText::read(const Gpu &gpu) const {
  std::array<CsvCell, numQueryColumns> storage;
  QueryCells cells = {};
  for (const auto &entry : values) {
    std::optional<QueryColumn> column = findColumn(entry.getKey());
    if (!column)
      return llvm::createStringError("unknown field '" + entry.getKey() + "'");
    auto index = static_cast<size_t>(*column);
    storage[index].text = entry.getValue();
    cells[index] = &storage[index];
  }
  QueryDefaults defaults;
  defaults.source = "shape";
  defaults.format = NumericFormat::FP32;
  defaults.nodes.held = gpu.gpusPerNode;
  QueriedKernel kernel;
  if (llvm::Error error = readKernel(cells, {}, gpu, defaults, kernel))
    return std::move(error);
  return kernel;
}

/// Reads the words as a query; `change` may alter the work.
static llvm::Expected<MeasuredKernel>
finish(const QueryText &text, const Gpu &gpu, const llvm::Twine &family,
       llvm::function_ref<void(KernelWork &)> change = {}) {
  llvm::Expected<QueriedKernel> kernel = text.read(gpu);
  if (!kernel)
    return kernel.takeError();
  if (change)
    change(kernel->work);
  MeasuredKernel result;
  result.family = family.str();
  result.kernel = *kernel;
  return result;
}

/// Work on the same problem that reads and writes the given numbers of tensors
/// with `bytes` in all, in another class.
static KernelWork passOver(KernelWork work, KernelFamily family,
                           InstructionClass instructions, int64_t reads,
                           int64_t writes, int64_t bytes) {
  work.family = family;
  work.instructions = instructions;
  work.count = WorkCount();
  work.count.bytesRead = reads * bytes;
  work.count.bytesWritten = writes * bytes;
  return work;
}

/// An elementwise kernel over `elements`.
static KernelWork elementPass(const KernelWork &like, int64_t elements,
                              InstructionClass instructions, int64_t reads,
                              int64_t writes) {
  KernelWork work = like;
  work.edit<ElementsProblem>() = ElementsProblem();
  work.edit<ElementsProblem>().elements = elements;
  return passOver(work, KernelFamily::Elementwise, instructions, reads, writes,
                  elements * like.inputBits / 8);
}

static MeasuredKernel skip(const llvm::Twine &reason) {
  MeasuredKernel result;
  result.skipped = reason.str();
  return result;
}

static llvm::Expected<MeasuredKernel>
readMatmul(const MeasuredKernelName &name, QueryText &text, const Gpu &gpu) {
  if (name.dtype == "fp8")
    return skip("fp8 products share the coefficients of 16-bit ones");
  if (name.op == "triton")
    return skip("products of Triton have other tiles than the library's");
  text.set("linear", name.op == "bmm" ? "0" : "1");
  // (G14) Only the weight of a linear layer is stored along k.
  return finish(text, gpu, "matmul " + name.dtype, [&](KernelWork &work) {
    auto &problem = work.edit<MatmulProblem>();
    problem.transA = name.layout == "TN";
    problem.stridedK = name.op != "linear";
  });
}

static llvm::Expected<MeasuredKernel>
readConvolution(const MeasuredKernelName &name, QueryText &text,
                const Gpu &gpu) {
  bool simt = name.dtype == "fp32";
  bool depthwise =
      text.size("groups") > 1 && text.size("groups") == text.size("c");
  if (simt && !depthwise && text.size("groups") > 1)
    return skip("grouped fp32 convolutions set no coefficient");
  // (L6) Separate kernels convert NCHW tensors of 16 bits.
  if (!simt && !depthwise && name.layout == "NCHW" && name.dtype != "tf32")
    return skip("NCHW convolutions on tensor cores include layout kernels");
  std::string kind = (depthwise ? "depthwise " : "conv2d ") + name.dtype.str();
  return finish(text, gpu, kind, [&](KernelWork &work) {
    auto &problem = work.edit<ConvolutionProblem>();
    problem.channelsLast = name.layout == "NHWC";
    problem.pass = llvm::StringSwitch<ConvolutionPass>(name.op)
                       .Case("dgrad", ConvolutionPass::InputGradient)
                       .Case("wgrad", ConvolutionPass::WeightGradient)
                       .Default(ConvolutionPass::Forward);
  });
}

static llvm::Expected<MeasuredKernel>
readAttention(const MeasuredKernelName &name, QueryText &text, const Gpu &gpu) {
  bool isBackward = name.op == "backward";
  if (!isBackward && name.op != "forward")
    return skip("no kernel query for attention '" + name.op + "'");
  // PyTorch's default on each GPU, its FlashAttention 2, and the kernel for
  // fp32 tensors.
  bool isWide = name.dtype == "fp32" || name.dtype == "tf32";
  bool isCudnn = name.variant == "cudnn";
  bool isFlash = name.variant.empty() || name.variant == "flash" || isCudnn;
  if (isWide ? name.variant != "efficient" : !isFlash)
    return skip("attention by '" + name.variant + "' is not modelled for " +
                name.dtype);
  if (isWide && gpu.peak(NumericFormat::TF32) <= FlopsPerSecond(0))
    return skip("attention of fp32 tensors needs TF32");
  bool decodes = text.size("q_len") == 1;
  if (decodes && (isCudnn || isWide || isBackward))
    return skip("decode attention by '" + name.variant +
                "' sets no coefficient");
  auto read = finish(text, gpu,
                     decodes      ? "decode attention"
                     : isBackward ? "attention, backward"
                                  : "attention",
                     [&](KernelWork &work) {
                       work.edit<AttentionProblem>().backward = isBackward;
                     });
  if (read && isCudnn)
    read->kernel->query.implementation = ImplementationKind::CudnnAttention;
  else if (read && name.variant == "flash" && !decodes)
    read->kernel->query.implementation = ImplementationKind::FlashAttention2;
  return read;
}

/// (B4), (B5): the backward kernels of a row.
static llvm::Expected<MeasuredKernel>
readRowGradient(QueryText &text, const Gpu &gpu, bool isSoftmax) {
  text.set("family", isSoftmax ? "softmax" : "layernorm");
  auto read =
      finish(text, gpu, isSoftmax ? "softmax gradient" : "norm gradient");
  if (!read)
    return read;
  KernelWork &work = read->kernel->work;
  RowsProblem rows = work.as<RowsProblem>();
  int64_t elements = rows.rows * rows.cols;
  if (isSoftmax) {
    read->others.push_back(
        elementPass(work, elements, InstructionClass::Mul, 2, 1));
    work = elementPass(work, elements, InstructionClass::Softmax, 2, 1);
    return read;
  }
  KernelWork sums =
      passOver(work, KernelFamily::Reduction, InstructionClass::Reduce, 2, 0,
               elements * work.inputBits / 8);
  RowsProblem &columns = sums.edit<RowsProblem>();
  std::swap(columns.rows, columns.cols);
  columns.pass = RowsPass::WeightGradient;
  read->others.push_back(sums);
  work = elementPass(work, elements, InstructionClass::Norm, 2, 1);
  return read;
}

/// (B3): batch normalization with the statistics of the batch, or its backward
/// pass.
static llvm::Expected<MeasuredKernel>
readBatchNorm(const MeasuredKernelName &name, QueryText &text, const Gpu &gpu) {
  if (name.variant != "training" && name.variant != "backward")
    return skip("no kernel query for batch normalization of inference");
  int64_t images = text.size("n"), channels = text.size("c");
  int64_t image = text.size("h") * text.size("w"), pixels = images * image;
  std::string dtype = text.values["dtype"];
  text.values.clear();
  text.set("dtype", dtype);
  text.set("family", "softmax");
  text.set("rows", std::to_string(channels));
  text.set("cols", std::to_string(pixels));
  bool backward = name.variant == "backward";
  auto read = finish(text, gpu,
                     llvm::Twine("batch norm ") + name.layout +
                         (name.dtype == "fp32" ? " fp32" : " 16-bit"));
  if (!read)
    return read;
  KernelWork &work = read->kernel->work;
  int64_t elements = channels * pixels;
  KernelWork apply = elementPass(work, elements, InstructionClass::BatchNorm,
                                 backward ? 2 : 1, 1);
  work = passOver(work, KernelFamily::Reduction, InstructionClass::Reduce,
                  backward ? 2 : 1, 0, elements * work.inputBits / 8);
  auto &sums = work.edit<RowsProblem>();
  auto &results = apply.edit<ElementsProblem>();
  sums.norm = results.norm = NormKind::Batch;
  sums.run = results.run = name.layout == "NCHW" ? image : 1;
  results.channels = channels;
  read->others.push_back(apply);
  return read;
}

static llvm::Expected<MeasuredKernel>
readElementwise(const MeasuredKernelName &name, QueryText &text,
                const Gpu &gpu) {
  StringRef op = name.op;
  if (op == "dropout_backward" || op.starts_with("gelu_tanh"))
    return skip("no kernel query for '" + op + "'");
  if (op.consume_back("_backward")) // reads the input and the gradient
    text.set("inputs", "2");
  if (op == "sub")
    op = "add";
  if (llvm::none_of(elementwiseOps(), [&](const ElementwiseOp &known) {
        return StringRef(known.name) == op;
      }))
    return skip("no kernel query for '" + name.op + "'");
  text.set("op", op);
  return finish(text, gpu, "elementwise", [&](KernelWork &work) {
    StringRef target = name.variant;
    if (op != "cast" || !target.consume_front("to "))
      return;
    if (auto format = symbolizeNumericFormat(target)) {
      work.outputBits = infoOf(*format).bits;
      // (L11)
      work.edit<ElementsProblem>().strided = work.outputBits > work.inputBits;
      work.count.bytesWritten = text.size("elements") * work.outputBits / 8;
    }
  });
}

static llvm::Expected<MeasuredKernel>
readMovement(const MeasuredKernelName &name, QueryText &text, const Gpu &gpu) {
  bool strided = name.op == "merge_heads" || name.op == "split_heads";
  if (!strided && name.op != "copy")
    return skip("no kernel query for '" + name.op + "'");
  int64_t elements = 1;
  if (strided) {
    for (const auto &entry : text.values)
      if (int64_t size = text.size(entry.getKey())) // not the words
        elements *= size;
    std::string dtype = text.values["dtype"];
    text.values.clear();
    text.set("dtype", dtype);
    text.set("elements", std::to_string(elements));
  }
  text.set("family", "elementwise");
  text.set("op", "copy");
  return finish(text, gpu, strided ? "strided copy" : "copy",
                [&](KernelWork &work) {
                  work.edit<ElementsProblem>().strided = strided;
                });
}

static llvm::Expected<MeasuredKernel>
readReduction(const MeasuredKernelName &name, QueryText &text, const Gpu &gpu) {
  if (name.op == "channel_sum")
    return skip("no kernel query for '" + name.op + "'");
  text.set("family", "softmax"); // the same columns
  return finish(text, gpu, "reduction", [&](KernelWork &work) {
    work.family = KernelFamily::Reduction;
    work.instructions = InstructionClass::Reduce;
    work.edit<RowsProblem>().run = name.variant == "along rows" ? 1 : 0;
    work.count.bytesWritten = work.as<RowsProblem>().rows * work.outputBits / 8;
  });
}

llvm::Expected<MeasuredKernel>
calibration::readMeasuredKernel(const MeasuredKernelName &name,
                                const Gpu &gpu) {
  QueryText text;
  for (StringRef word : llvm::split(name.shape, ' ')) {
    auto [key, value] = word.split('=');
    if (key.empty())
      continue;
    if (value.empty())
      return llvm::createStringError("expected 'name=value', but got '" + word +
                                     "'");
    text.set(key, value);
  }
  text.set("family", name.family);
  text.set("dtype", name.dtype);
  bool usesMatrixUnit = name.family == "matmul" || name.family == "conv2d" ||
                        name.family == "attention";
  if (auto format = symbolizeNumericFormat(name.dtype);
      usesMatrixUnit && format && gpu.peak(*format) <= FlopsPerSecond(0))
    return skip("the target has no matrix unit for " + name.dtype);
  if (name.family == "matmul")
    return readMatmul(name, text, gpu);
  if (name.family == "conv2d")
    return readConvolution(name, text, gpu);
  if (name.family == "attention")
    return readAttention(name, text, gpu);
  if (name.family == "softmax" && name.variant == "to fp32")
    return skip("a softmax that widens its result");
  if (name.family == "softmax" && name.op == "softmax")
    return finish(text, gpu, "softmax");
  if (name.op == "softmax_backward")
    return readRowGradient(text, gpu, /*isSoftmax=*/true);
  if (name.op == "layernorm_backward" || name.op == "rmsnorm_backward")
    return readRowGradient(text, gpu, /*isSoftmax=*/false);
  if (name.op == "batchnorm")
    return readBatchNorm(name, text, gpu);
  if ((name.family == "layernorm" && name.op == "layernorm") ||
      (name.family == "normalization" && name.op == "rmsnorm")) {
    text.set("family", "layernorm");
    return finish(text, gpu, "normalization", [&](KernelWork &work) {
      if (name.op == "rmsnorm")
        work.edit<RowsProblem>().norm = NormKind::Rms;
    });
  }
  if (name.family == "elementwise")
    return readElementwise(name, text, gpu);
  if (name.family == "data_movement")
    return readMovement(name, text, gpu);
  if (name.family == "reduction")
    return readReduction(name, text, gpu);
  return skip("no kernel query for '" + name.family + " " + name.op + "'");
}

llvm::Expected<MeasuredKernel> calibration::readMeasuredKernel(StringRef words,
                                                               StringRef dtype,
                                                               const Gpu &gpu) {
  MeasuredKernelName name;
  name.dtype = dtype;
  std::string shape;
  for (StringRef word : llvm::split(words.trim(), ' ')) {
    StringRef value = word;
    if (value.consume_front("layout="))
      name.layout = value;
    else if (value.consume_front("variant="))
      name.variant = value;
    else if (word.contains('='))
      shape += (shape.empty() ? "" : " ") + word.str();
    else if (name.family.empty())
      name.family = word;
    else
      name.op = word;
  }
  name.shape = shape;
  return readMeasuredKernel(name, gpu);
}
