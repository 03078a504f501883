//===- OnnxWork.cpp - Exact work of onnx ops by cost shape ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One function per cost shape. Every product of dimensions is checked; an
// overflow or an unknown shape fails, and the caller books the op in the
// coverage ledger.

#include "gpucost/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Support/CheckedMath.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

namespace {

/// What every rule needs about one op.
struct OpShapes {
  explicit OpShapes(Operation *op) : op(op) {}

  RankedTensorType input(unsigned i) const {
    return i < op->getNumOperands()
               ? dyn_cast<RankedTensorType>(op->getOperand(i).getType())
               : RankedTensorType();
  }
  RankedTensorType output(unsigned i = 0) const {
    return i < op->getNumResults()
               ? dyn_cast<RankedTensorType>(op->getResult(i).getType())
               : RankedTensorType();
  }
  int64_t getInt(StringRef name, int64_t fallback) const {
    auto attr = op->getAttrOfType<IntegerAttr>(name);
    return attr ? attr.getInt() : fallback;
  }
  /// Bytes behind all operands and results; false when one is unknown. Constant
  /// integers that configure the op (axes, pads, sizes) are kernel arguments,
  /// no memory traffic, except where `shape` computes with them.
  bool countBytes(CostShape shape);

  Operation *op;
  int64_t bytesRead = 0, bytesWritten = 0;
};

} // namespace

bool OpShapes::countBytes(CostShape shape) {
  bool computes = shape == CostShape::Elementwise ||
                  shape == CostShape::Gather || shape == CostShape::Contraction;
  SmallVector<Value, 4> seen;
  for (Value operand : op->getOperands()) {
    if (isa<::gpucost::onnx::NoneType>(operand.getType()) ||
        llvm::is_contained(seen, operand))
      continue;
    seen.push_back(operand);
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!computes && operand != op->getOperand(0) && type &&
        type.getElementType().isIntOrIndex() && operand.getDefiningOp() &&
        operand.getDefiningOp()->getName().stripDialect() == "Constant")
      continue;
    std::optional<int64_t> bytes = storageBytes(operand);
    if (!bytes || __builtin_add_overflow(bytesRead, *bytes, &bytesRead))
      return false;
  }
  for (Value result : op->getResults()) {
    if (isa<::gpucost::onnx::NoneType>(result.getType()) ||
        (result.use_empty() && result != op->getResult(0)))
      continue;
    std::optional<int64_t> bytes = byteCount(result.getType());
    if (!bytes || __builtin_add_overflow(bytesWritten, *bytes, &bytesWritten))
      return false;
  }
  return true;
}

static int64_t bitsOf(RankedTensorType type) {
  return storedBits(type.getElementType()).value_or(32);
}

static FailureOr<WorkAttr> makeWork(const OpShapes &s, KernelFamily family,
                                    ElementCost element, Attribute problem,
                                    std::optional<int64_t> tensorFlops,
                                    std::optional<int64_t> fp32Flops,
                                    std::optional<int64_t> specialOps) {
  if (!tensorFlops || !fp32Flops || !specialOps)
    return failure();
  RankedTensorType in = s.input(0) ? s.input(0) : s.output();
  return WorkAttr::get(s.op->getContext(), family, element.instructions,
                       formatOf(in.getElementType()), bitsOf(in),
                       bitsOf(s.output()), problem, *tensorFlops, *fp32Flops,
                       *specialOps, s.bytesRead, s.bytesWritten);
}

/// Integer and boolean arithmetic is no FLOP.
static bool computesOnFloats(Operation *op) {
  auto isFloatTensor = [](Value v) {
    auto type = dyn_cast<RankedTensorType>(v.getType());
    return type && isa<FloatType>(type.getElementType());
  };
  return llvm::any_of(op->getOperands(), isFloatTensor) ||
         llvm::any_of(op->getResults(), isFloatTensor);
}

static FailureOr<WorkAttr> elementsWork(OpShapes &s, KernelFamily family,
                                        ElementCost element, bool strided,
                                        int64_t perElement = 1) {
  std::optional<int64_t> count = elementCount(s.output());
  if (!count)
    return failure();
  int64_t factor = computesOnFloats(s.op) ? perElement : 0;
  strided |= s.op->hasAttr("gpucost.strided");
  return makeWork(s, family, element,
                  ElementsProblemAttr::get(s.op->getContext(), *count, strided),
                  /*tensorFlops=*/0,
                  checkedProduct({*count, element.fp32Flops, factor}),
                  checkedProduct({*count, element.specialOps, factor}));
}

/// An operand that is broadcast but not a scalar makes the kernel index it.
static bool hasBroadcastOperand(OpShapes &s) {
  std::optional<int64_t> count = elementCount(s.output());
  return llvm::any_of(s.op->getOperands(), [&](Value operand) {
    std::optional<int64_t> n = elementCount(operand.getType());
    return n && *n != 1 && n != count;
  });
}

static FailureOr<WorkAttr> rowsWork(OpShapes &s, KernelFamily family,
                                    ElementCost element, int64_t rows,
                                    int64_t cols) {
  std::optional<int64_t> count = checkedProduct({rows, cols});
  if (!count)
    return failure();
  return makeWork(s, family, element,
                  RowsProblemAttr::get(s.op->getContext(), rows, cols), 0,
                  checkedProduct({*count, element.fp32Flops}),
                  checkedProduct({*count, element.specialOps}));
}

static FailureOr<WorkAttr> rowNormalizationWork(OpShapes &s,
                                                ElementCost element) {
  RankedTensorType in = s.input(0);
  std::optional<int64_t> count = elementCount(in);
  if (!count || in.getRank() == 0)
    return failure();
  StringRef name = s.op->getName().stripDialect();
  int64_t rank = in.getRank(), cols = 1;
  if (name == "InstanceNormalization" || name == "GroupNormalization") {
    int64_t groups = name == "InstanceNormalization"
                         ? (rank > 1 ? in.getDimSize(1) : 1)
                         : s.getInt("num_groups", 1);
    std::optional<int64_t> rows = checkedProduct({in.getDimSize(0), groups});
    if (!rows || *rows == 0)
      return rowsWork(s, KernelFamily::Normalization, element, 0, 0);
    return rowsWork(s, KernelFamily::Normalization, element, *rows,
                    *count / *rows);
  }
  bool softmax = element.instructions == InstructionClass::Softmax;
  int64_t axis = s.getInt("axis", -1);
  axis += axis < 0 ? rank : 0;
  if (axis < 0 || axis >= rank)
    return failure();
  // Softmax runs along one axis, a norm over all axes from `axis` on.
  for (int64_t i = axis; i < (softmax ? axis + 1 : rank); ++i)
    cols *= in.getDimSize(i);
  int64_t rows = cols ? *count / cols : 0;
  return rowsWork(s,
                  softmax ? KernelFamily::Softmax : KernelFamily::Normalization,
                  element, rows, cols);
}

static FailureOr<WorkAttr> reductionWork(OpShapes &s, ElementCost element) {
  std::optional<int64_t> in = elementCount(s.input(0));
  std::optional<int64_t> out = elementCount(s.output());
  if (!in || !out)
    return failure();
  return rowsWork(s, KernelFamily::Reduction, element, *out,
                  *out ? *in / *out : 0);
}

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

/// Einsum of two operands: letters decide batch, m, n and k.
static FailureOr<WorkAttr> einsumWork(OpShapes &s) {
  auto equation = s.op->getAttrOfType<StringAttr>("equation");
  if (!equation || s.op->getNumOperands() != 2)
    return failure();
  std::string text;
  for (char c : equation.getValue())
    if (c != ' ')
      text.push_back(c);
  auto [ins, out] = StringRef(text).split("->");
  auto [a, b] = ins.split(',');
  if (out.empty() || a.size() != static_cast<size_t>(s.input(0).getRank()) ||
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

/// (R2) The pointwise part of one step: its gates, the state, the results.
static FailureOr<WorkAttr> recurrentCellWork(OpShapes &s, ElementCost element) {
  RankedTensorType gates = s.input(1), hidden = s.input(2);
  bool backward = s.op->getName().stripDialect() == "RecurrentCellGrad";
  if (!backward) {
    gates = s.input(0);
    hidden = s.output();
  }
  if (!gates || !hidden || gates.getRank() != 3 || hidden.getRank() != 3)
    return failure();
  std::optional<int64_t> states =
      checkedProduct({hidden.getDimSize(1), hidden.getDimSize(2)});
  std::optional<int64_t> all =
      checkedProduct({gates.getDimSize(1), gates.getDimSize(2)});
  std::optional<int64_t> flops =
      states ? checkedProduct({*states, element.fp32Flops}) : std::nullopt;
  if (!states || !all || !flops)
    return failure();
  int64_t bytes = bitsOf(hidden) / 8;
  // Forward reads both products and the cell state, writes gates and states.
  s.bytesRead = (2 * *all + *states) * bytes;
  s.bytesWritten = (*all + 2 * *states) * bytes;
  return makeWork(s, KernelFamily::Elementwise, element,
                  ElementsProblemAttr::get(s.op->getContext(), *states, false),
                  0, *flops, checkedProduct({*states, element.specialOps}));
}

static FailureOr<WorkAttr> contractionWork(OpShapes &s) {
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
static FailureOr<WorkAttr> convolutionWork(OpShapes &s) {
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

static FailureOr<WorkAttr> poolingWork(OpShapes &s, ElementCost element) {
  auto window = s.op->getAttrOfType<DenseI64ArrayAttr>("kernel_shape");
  if (!window)
    return reductionWork(s, {InstructionClass::Reduce, element.fp32Flops, 0});
  std::optional<int64_t> taps = checkedProductOf(window.asArrayRef());
  if (!taps)
    return failure();
  return elementsWork(s, KernelFamily::Pooling, element, /*strided=*/true,
                      *taps);
}

/// (B7) Only the part that goes in is read and written; the base stays.
static FailureOr<WorkAttr> insertWork(OpShapes &s, ElementCost element) {
  std::optional<int64_t> part = byteCount(s.op->getOperand(0).getType());
  std::optional<int64_t> base = storageBytes(s.op->getOperand(1));
  std::optional<int64_t> count = elementCount(s.op->getOperand(0).getType());
  if (!part || !base || !count)
    return failure();
  s.bytesRead -= *base;
  s.bytesWritten = *part;
  return makeWork(
      s, KernelFamily::Embedding, element,
      ElementsProblemAttr::get(s.op->getContext(), *count, /*strided=*/true), 0,
      0, 0);
}

/// One-kernel attention on [batch, heads, length, head_dim] operands.
static FailureOr<WorkAttr> attentionWork(OpShapes &s) {
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

FailureOr<WorkAttr> gpucost::onnx::computeWork(Operation *op, CostShape shape,
                                               ElementCost element) {
  OpShapes s(op);
  if (shape == CostShape::Opaque || !s.output() || !s.countBytes(shape))
    return failure();
  switch (shape) {
  case CostShape::Metadata:
  case CostShape::View:
    s.bytesRead = s.bytesWritten = 0;
    return elementsWork(s, KernelFamily::DataMovement,
                        {InstructionClass::None, 0, 0}, /*strided=*/false);
  case CostShape::Elementwise:
    if (op->getName().stripDialect().starts_with("RecurrentCell"))
      return recurrentCellWork(s, element);
    return elementsWork(s, KernelFamily::Elementwise, element,
                        element.instructions != InstructionClass::BatchNorm &&
                            hasBroadcastOperand(s));
  case CostShape::Reduction:
    return reductionWork(s, element);
  case CostShape::RowNormalization:
    return rowNormalizationWork(s, element);
  case CostShape::Contraction:
    return contractionWork(s);
  case CostShape::Convolution:
    return convolutionWork(s);
  case CostShape::Pooling:
    return poolingWork(s, element);
  case CostShape::DataMovement:
    if (op->getName().stripDialect() == "Insert")
      return insertWork(s, element);
    return elementsWork(s, KernelFamily::DataMovement, element,
                        /*strided=*/false);
  case CostShape::Gather: {
    // Only the gathered rows are read, not the whole table.
    std::optional<int64_t> table = storageBytes(op->getOperand(0));
    if (table && s.bytesWritten < *table)
      s.bytesRead += s.bytesWritten - *table;
    return elementsWork(s, KernelFamily::Embedding, element, /*strided=*/true);
  }
  case CostShape::Attention:
    return attentionWork(s);
  case CostShape::Opaque:
    return failure();
  }
  return failure();
}
