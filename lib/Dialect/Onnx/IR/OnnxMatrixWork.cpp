//===- OnnxMatrixWork.cpp - Exact work of matrix kernels ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpShapes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

static FailureOr<WorkAttr> matmulWork(OpShapes &s, int64_t batch, int64_t m,
                                      int64_t n, int64_t k, bool linear,
                                      int64_t weightBits = 0) {
  if (weightBits == bitsOf(s.input(0)))
    weightBits = 0;
  MatmulProblem problem{batch, m, n, k, linear, weightBits};
  return makeWork(s, KernelFamily::Matmul, {InstructionClass::None, 0, 0},
                  problem, checkedProduct({2, batch, m, n, k}), 0, 0);
}

/// Which operand the second matrix or the filter is: quantised ops have a scale
/// and a zero point in between.
static unsigned weightOperand(StringRef name) {
  if (name == "QOrderedMatMul")
    return 2;
  return name == "QLinearMatMul" || name == "QLinearConv" || name == "QGemm"
             ? 3
             : 1;
}

/// MatMul with NumPy rules; `transA`/`transB` of FusedMatMul are honoured.
static FailureOr<WorkAttr> batchedMatmulWork(OpShapes &s, unsigned weight) {
  SmallVector<int64_t> a(s.input(0).getShape()), b(s.input(weight).getShape());
  if (a.empty() || b.empty())
    return failure();
  if (a.size() == 1)
    a.insert(a.begin(), 1);
  if (b.size() == 1)
    b.push_back(1);
  if (s.getInt("transBatchA", 0) && a.size() > 2)
    std::rotate(a.begin(), a.begin() + 1, a.end() - 1);
  if (s.getInt("transBatchB", 0) && b.size() > 2)
    std::rotate(b.begin(), b.begin() + 1, b.end() - 1);
  if (s.getInt("transA", 0))
    std::swap(a[a.size() - 1], a[a.size() - 2]);
  if (s.getInt("transB", 0))
    std::swap(b[b.size() - 1], b[b.size() - 2]);
  int64_t m = a[a.size() - 2], k = a[a.size() - 1], n = b[b.size() - 1];
  std::optional<int64_t> out = elementCount(s.output());
  std::optional<int64_t> mn = checkedProduct({m, n});
  if (!out || !mn || b[b.size() - 2] != k)
    return failure();
  int64_t batch = *mn ? *out / *mn : 0;
  // A weight matrix (no batch of its own) folds the batch into the rows.
  std::optional<int64_t> weightElements = elementCount(s.input(weight));
  std::optional<int64_t> kn = checkedProduct({k, n});
  if (weightElements && kn && *weightElements == *kn) {
    std::optional<int64_t> rows = checkedProduct({batch, m});
    return rows ? matmulWork(s, 1, *rows, n, k, /*linear=*/true,
                             bitsOf(s.input(weight)))
                : FailureOr<WorkAttr>(failure());
  }
  return matmulWork(s, batch, m, n, k, /*linear=*/false);
}

/// (R1) One step of a recurrent layer: gates [batch, n] from the state before,
/// or the gradient of that state; operands are all gates and R [gates, hidden].
static FailureOr<WorkAttr> recurrentProductWork(OpShapes &s) {
  RankedTensorType gates = s.input(0), recurrence = s.input(1);
  if (gates.getRank() != 3 || recurrence.getRank() != 2)
    return failure();
  int64_t batch = gates.getDimSize(1), n = recurrence.getDimSize(0),
          k = recurrence.getDimSize(1);
  std::optional<int64_t> matrix = byteCount(recurrence);
  std::optional<int64_t> in = checkedProduct({batch, k, bitsOf(recurrence)});
  std::optional<int64_t> out = checkedProduct({batch, n, bitsOf(recurrence)});
  if (!matrix || !in || !out)
    return failure();
  bool backward = s.op->getName().stripDialect() == "RecurrentInputGrad";
  if (backward) {
    std::swap(n, k);
    std::swap(in, out);
  }
  s.bytesRead = saturatingSum(*matrix, *in / 8);
  s.bytesWritten = *out / 8;
  return matmulWork(s, 1, batch, n, k, /*linear=*/true);
}

/// Weights of `bits` each, packed in bytes, that the kernel dequantises: [n, k]
/// by attributes. One multiply-add for each of them.
static FailureOr<WorkAttr> packedMatmulWork(OpShapes &s) {
  int64_t n = s.getInt("N", 0), k = s.getInt("K", 0);
  int64_t bits = s.getInt("bits", 4);
  std::optional<int64_t> in = elementCount(s.input(0));
  std::optional<int64_t> weights = checkedProduct({2, n, k});
  if (!in || n <= 0 || k <= 0 || bits <= 0 || *in % k || !weights)
    return failure();
  FailureOr<WorkAttr> work =
      matmulWork(s, 1, *in / k, n, k, /*linear=*/true, bits);
  if (failed(work))
    return failure();
  return makeWork(s, KernelFamily::Matmul, {InstructionClass::None, 0, 0},
                  (*work)->problem, (*work)->count.tensorFlops, *weights, 0);
}

FailureOr<WorkAttr> gpucost::onnx::contractionWork(OpShapes &s) {
  StringRef name = s.op->getName().stripDialect();
  if (name == "Einsum")
    return einsumWork(s);
  unsigned weight = weightOperand(name);
  if (!s.input(0) || !s.input(weight) || !s.input(0).hasStaticShape() ||
      !s.input(weight).hasStaticShape() || !s.output())
    return failure();
  if (name.starts_with("Recurrent"))
    return recurrentProductWork(s);
  if (name == "MatMulNBits" || name == "MatMulBnb4")
    return packedMatmulWork(s);
  if (!name.ends_with("Gemm") && name != "GemmFloat8")
    return batchedMatmulWork(s, weight);
  RankedTensorType a = s.input(0), b = s.input(weight);
  if (a.getRank() != 2 || b.getRank() != 2)
    return failure();
  bool transA = s.getInt("transA", 0), transB = s.getInt("transB", 0);
  return matmulWork(s, 1, a.getDimSize(transA ? 1 : 0),
                    b.getDimSize(transB ? 0 : 1), a.getDimSize(transA ? 0 : 1),
                    /*linear=*/true, bitsOf(b));
}

static int64_t stride(Operation *op, unsigned i) {
  auto strides = op->getAttrOfType<DenseI64ArrayAttr>("strides");
  return strides && i < strides.size() ? strides[i] : 1;
}

/// Convolutions of 1 to 3 spatial dimensions; a third one is folded into the
/// batch (output positions) and the kernel height (taps). A transposed
/// convolution is costed as the convolution that it is the gradient of.
FailureOr<WorkAttr> gpucost::onnx::convolutionWork(OpShapes &s) {
  RankedTensorType in = s.input(0), out = s.output();
  RankedTensorType weight =
      s.input(weightOperand(s.op->getName().stripDialect()));
  // (B2) The sizes are those of the forward convolution.
  StringRef name = s.op->getName().stripDialect();
  ConvolutionPass pass = ConvolutionPass::Forward;
  if (name == "ConvInputGrad") {
    pass = ConvolutionPass::InputGradient;
    std::swap(in, out);
  } else if (name == "ConvWeightGrad") {
    pass = ConvolutionPass::WeightGradient;
    std::swap(in, out);
    std::swap(in, weight);
  }
  if (!in || !weight || !out || !in.hasStaticShape() ||
      !weight.hasStaticShape() || !out.hasStaticShape() || in.getRank() < 3 ||
      in.getRank() > 5 || weight.getRank() != in.getRank())
    return failure();
  SmallVector<int64_t> inShape(in.getShape()), outShape(out.getShape()),
      taps(weight.getShape().drop_front(2));
  bool nhwc = name == "NhwcConv" || name == "NhwcFusedConv";
  bool channelsLast =
      nhwc || (name == "QLinearConv" && s.getInt("channels_last", 0));
  if (channelsLast) {
    auto toFront = [](SmallVector<int64_t> &shape) {
      std::rotate(shape.begin() + 1, shape.end() - 1, shape.end());
    };
    toFront(inShape);
    toFront(outShape);
    // In the filter as well.
    if (nhwc)
      taps.assign(weight.getShape().begin() + 1, weight.getShape().end() - 1);
  }
  bool transposed = name == "ConvTranspose" || s.op->hasAttr("transposed");
  if (transposed && pass == ConvolutionPass::InputGradient)
    pass = ConvolutionPass::Forward;
  else if (transposed && pass == ConvolutionPass::Forward)
    pass = ConvolutionPass::InputGradient;
  ArrayRef<int64_t> from = transposed ? outShape : inShape;
  ArrayRef<int64_t> to = transposed ? inShape : outShape;
  unsigned spatial = taps.size();
  auto dim = [&](ArrayRef<int64_t> shape, unsigned fromEnd) {
    return spatial > fromEnd ? shape[shape.size() - 1 - fromEnd] : 1;
  };
  std::optional<int64_t> batch =
      checkedProduct({to[0], spatial == 3 ? to[2] : 1});
  std::optional<int64_t> kernelHeight =
      checkedProduct({dim(taps, 1), spatial == 3 ? taps[0] : 1});
  int64_t groups = s.getInt("group", 1);
  if (!batch || !kernelHeight || groups <= 0 || from[1] % groups)
    return failure();
  ConvolutionProblem problem{*batch,
                             from[1],
                             dim(from, 1),
                             dim(from, 0),
                             to[1],
                             dim(to, 1),
                             dim(to, 0),
                             *kernelHeight,
                             dim(taps, 0),
                             spatial >= 2 ? stride(s.op, spatial - 2) : 1,
                             stride(s.op, spatial - 1),
                             groups,
                             channelsLast ||
                                 s.op->hasAttr("gpucost.channels_last"),
                             pass};
  // A deformable one first samples 4 neighbours for each tap and channel.
  std::optional<int64_t> sampling = 0;
  if (name == "DeformConv")
    sampling = checkedProduct({8, *batch, dim(to, 1), dim(to, 0), from[1],
                               *kernelHeight, dim(taps, 0)});
  return makeWork(
      s, KernelFamily::Convolution, {InstructionClass::None, 0, 0}, problem,
      checkedProduct({2, *batch, dim(to, 1), dim(to, 0), to[1],
                      from[1] / groups, *kernelHeight, dim(taps, 0)}),
      sampling, 0);
}
