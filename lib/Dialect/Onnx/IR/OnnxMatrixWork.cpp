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
                                      int64_t n, int64_t k, bool linear) {
  auto problem =
      MatmulProblemAttr::get(s.op->getContext(), batch, m, n, k, linear);
  return makeWork(s, KernelFamily::Matmul, {InstructionClass::None, 0, 0},
                  problem, checkedProduct({2, batch, m, n, k}), 0, 0);
}

/// MatMul with NumPy rules; `transA`/`transB` of FusedMatMul are honoured.
static FailureOr<WorkAttr> batchedMatmulWork(OpShapes &s) {
  SmallVector<int64_t> a(s.input(0).getShape()), b(s.input(1).getShape());
  if (a.empty() || b.empty())
    return failure();
  if (a.size() == 1)
    a.insert(a.begin(), 1);
  if (b.size() == 1)
    b.push_back(1);
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
  std::optional<int64_t> weightElements = elementCount(s.input(1));
  std::optional<int64_t> kn = checkedProduct({k, n});
  if (weightElements && kn && *weightElements == *kn) {
    std::optional<int64_t> rows = checkedProduct({batch, m});
    return rows ? matmulWork(s, 1, *rows, n, k, /*linear=*/true)
                : FailureOr<WorkAttr>(failure());
  }
  return matmulWork(s, batch, m, n, k, /*linear=*/false);
}

std::optional<EinsumTerms> gpucost::onnx::parseEinsum(Operation *op) {
  auto equation = op->getAttrOfType<StringAttr>("equation");
  if (!equation || op->getNumOperands() != 2)
    return std::nullopt;
  std::string text;
  for (char c : equation.getValue())
    if (c != ' ')
      text.push_back(c);
  auto [ins, out] = StringRef(text).split("->");
  auto [a, b] = ins.split(',');
  if (out.empty())
    return std::nullopt;
  return EinsumTerms{a.str(), b.str(), out.str()};
}

/// Einsum of two operands: letters decide batch, m, n and k.
static FailureOr<WorkAttr> einsumWork(OpShapes &s) {
  std::optional<EinsumTerms> terms = parseEinsum(s.op);
  if (!terms)
    return failure();
  StringRef a = terms->first, b = terms->second, out = terms->result;
  if (a.size() != static_cast<size_t>(s.input(0).getRank()) ||
      b.size() != static_cast<size_t>(s.input(1).getRank()))
    return failure();
  int64_t batch = 1, m = 1, n = 1, k = 1;
  for (auto [i, letter] : llvm::enumerate(a)) {
    int64_t size = s.input(0).getDimSize(i);
    int64_t &target =
        b.contains(letter) ? (out.contains(letter) ? batch : k) : m;
    if (__builtin_mul_overflow(target, size, &target))
      return failure();
  }
  for (auto [i, letter] : llvm::enumerate(b))
    if (!a.contains(letter) &&
        __builtin_mul_overflow(n, s.input(1).getDimSize(i), &n))
      return failure();
  return matmulWork(s, batch, m, n, k, /*linear=*/batch == 1);
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

FailureOr<WorkAttr> gpucost::onnx::contractionWork(OpShapes &s) {
  if (!s.input(0) || !s.input(1) || !s.input(0).hasStaticShape() ||
      !s.input(1).hasStaticShape() || !s.output())
    return failure();
  StringRef name = s.op->getName().stripDialect();
  if (name == "Einsum")
    return einsumWork(s);
  if (name.starts_with("Recurrent"))
    return recurrentProductWork(s);
  if (name != "Gemm")
    return batchedMatmulWork(s);
  if (s.input(0).getRank() != 2 || s.input(1).getRank() != 2)
    return failure();
  bool transA = s.getInt("transA", 0), transB = s.getInt("transB", 0);
  return matmulWork(s, 1, s.input(0).getDimSize(transA ? 1 : 0),
                    s.input(1).getDimSize(transB ? 0 : 1),
                    s.input(0).getDimSize(transA ? 0 : 1), /*linear=*/true);
}

static int64_t stride(Operation *op, unsigned i) {
  auto strides = op->getAttrOfType<DenseI64ArrayAttr>("strides");
  return strides && i < strides.size() ? strides[i] : 1;
}

/// Convolutions of 1 to 3 spatial dimensions; a third one is folded into the
/// batch (output positions) and the kernel height (taps). A transposed
/// convolution is costed as the convolution that it is the gradient of.
FailureOr<WorkAttr> gpucost::onnx::convolutionWork(OpShapes &s) {
  RankedTensorType in = s.input(0), weight = s.input(1), out = s.output();
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
  bool transposed = name == "ConvTranspose" || s.op->hasAttr("transposed");
  if (transposed && pass == ConvolutionPass::InputGradient)
    pass = ConvolutionPass::Forward;
  else if (transposed && pass == ConvolutionPass::Forward)
    pass = ConvolutionPass::InputGradient;
  ArrayRef<int64_t> from = (transposed ? out : in).getShape();
  ArrayRef<int64_t> to = (transposed ? in : out).getShape();
  ArrayRef<int64_t> taps = weight.getShape().drop_front(2);
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
  auto problem = ConvolutionProblemAttr::get(
      s.op->getContext(), *batch, from[1], dim(from, 1), dim(from, 0), to[1],
      dim(to, 1), dim(to, 0), *kernelHeight, dim(taps, 0),
      spatial >= 2 ? stride(s.op, spatial - 2) : 1, stride(s.op, spatial - 1),
      groups, s.op->hasAttr("gpucost.channels_last"), pass);
  return makeWork(
      s, KernelFamily::Convolution, {InstructionClass::None, 0, 0}, problem,
      checkedProduct({2, *batch, dim(to, 1), dim(to, 0), to[1],
                      from[1] / groups, *kernelHeight, dim(taps, 0)}),
      0, 0);
}

/// One-kernel attention on [batch, heads, length, head_dim] operands.
FailureOr<WorkAttr> gpucost::onnx::attentionWork(OpShapes &s) {
  RankedTensorType q = s.input(0), k = s.input(1);
  if (!q || !k || !q.hasStaticShape() || !k.hasStaticShape() ||
      q.getRank() != k.getRank())
    return failure();
  int64_t heads, kvHeads, queries, keys, headDim;
  if (q.getRank() == 4) {
    heads = q.getDimSize(1), kvHeads = k.getDimSize(1);
    queries = q.getDimSize(2), keys = k.getDimSize(2),
    headDim = q.getDimSize(3);
  } else if (q.getRank() == 3) {
    heads = s.getInt("q_num_heads", 0),
    kvHeads = s.getInt("kv_num_heads", heads);
    if (heads <= 0 || q.getDimSize(2) % heads)
      return failure();
    queries = q.getDimSize(1), keys = k.getDimSize(1);
    headDim = q.getDimSize(2) / heads;
  } else {
    return failure();
  }
  bool causal = s.getInt("is_causal", 0) != 0;
  // (B6) The backward pass computes the scores again: five products, not two.
  bool backward = s.op->getName().stripDialect() == "FusedAttentionGrad";
  // A causal query i sees keys - queries + i + 1 keys.
  std::optional<int64_t> scores =
      causal && keys >= queries
          ? checkedProduct({queries, 2 * (keys - queries) + queries + 1})
          : checkedProduct({2, queries, keys});
  if (!scores)
    return failure();
  auto problem = AttentionProblemAttr::get(
      s.op->getContext(), q.getDimSize(0), heads, kvHeads, queries, keys,
      headDim,
      /*window=*/0, causal, backward, s.getInt("gpucost.generation", 2));
  // Two products of 2 FLOP per score and channel; about 5 FLOP and one
  // exponential per score for the softmax.
  std::optional<int64_t> rows = checkedProduct({q.getDimSize(0), heads});
  std::optional<int64_t> all =
      rows ? checkedProduct({*rows, *scores}) : std::nullopt;
  if (!all)
    return failure();
  return makeWork(s, KernelFamily::Attention, {InstructionClass::None, 0, 0},
                  problem, checkedProduct({backward ? 5 : 2, *all, headDim}),
                  checkedProduct({backward ? 8 : 5, *all / 2}), *all / 2);
}
