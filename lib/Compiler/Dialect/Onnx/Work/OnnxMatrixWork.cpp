//===- OnnxMatrixWork.cpp - Exact work of matmuls -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpShapes.h"
#include "WorkRules.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxViews.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

/// Whether the matmul reads the first matrix transposed: it is not contiguous
/// in the last dimension.
static bool isStoredTransposed(const OpShapes &s) {
  bool transposed = s.getInt("transA") != 0;
  Operation *view = s.op->getOperand(0).getDefiningOp();
  return transposed != (view && movesLastDim(view));
}

/// Whether `op` computes a gradient; the backward pass may also recompute ops.
static bool isGradient(Operation *op) {
  auto phase = op->getAttrOfType<PhaseAttr>(phaseAttrName);
  return phase && phase.getValue() == Phase::Backward &&
         !op->hasAttr(recomputedAttrName);
}

/// Whether the model stores a layer's weight as [k, n], as the Conv1D of GPT-2
/// does: in a Gemm, exporters transpose the weight of other layers.
static bool isStoredAlongN(Value weight) {
  return isa_and_nonnull<ParameterOp, ConstantOp>(weight.getDefiningOp()) &&
         llvm::any_of(weight.getUses(), [](OpOperand &use) {
           return isa<GemmOp>(use.getOwner()) && use.getOperandNumber() == 1 &&
                  getInt(use.getOwner(), "transB") == 0;
         });
}

/// Whether an operand is not contiguous along k, as the library reads it (G14).
/// Other layers store their weight along k, independent of the file: both
/// operands of the forward matmul are contiguous along k, unlike those of the
/// gradients.
static bool hasStridedK(const OpShapes &s, bool linear) {
  // Other formats have the same rate for all layouts.
  if (!s.input(0).getElementType().isF32())
    return false;
  if (isStoredTransposed(s))
    return true;
  unsigned weight = getOpInfo(s.op)->weight;
  if (linear) {
    Value stored = s.op->getOperand(weight);
    auto view = stored.getDefiningOp<TransposeOp>();
    if (view)
      stored = view->getOperand(0);
    return isStoredAlongN(stored) ? !view : isGradient(s.op);
  }
  bool transposed = s.getInt("transB") != 0;
  if (weight < s.op->getNumOperands() &&
      isa_and_nonnull<TransposeOp>(s.op->getOperand(weight).getDefiningOp()))
    transposed = !transposed;
  return !transposed;
}

static FailureOr<WorkAttr> productWork(OpShapes &s, int64_t batch, int64_t m,
                                       int64_t n, int64_t k, bool linear,
                                       int64_t weightBits = 0) {
  if (weightBits == bitsOf(s.input(0)))
    weightBits = 0;
  MatmulProblem problem{batch,
                        m,
                        n,
                        k,
                        linear,
                        weightBits,
                        isStoredTransposed(s),
                        /*blockScaled=*/false,
                        hasStridedK(s, linear)};
  problem.splitAccumulator = s.op->hasAttr(splitAccumulatorAttrName);
  // (Q1) Weights narrower than the activations need one multiply-add each,
  // except 4-bit floats for activations of 8 bits: tensor cores read both.
  bool readsBoth =
      bitsOf(s.input(0)) <= 8 &&
      isa<FloatType>(s.input(getOpInfo(s.op)->weight).getElementType());
  bool dequantises = weightBits && weightBits < 16 && !readsBoth &&
                     isa<FloatType>(s.input(0).getElementType());
  return makeWork(s, KernelFamily::Matmul, {InstructionClass::None, 0, 0},
                  problem, checkedProduct({2, batch, m, n, k}),
                  dequantises ? checkedProduct({2, batch, n, k})
                              : std::optional<int64_t>(0),
                  0);
}

/// The op with its bytes, and the second matrix; nullopt unless both matrices
/// have static shapes.
static std::optional<OpShapes> measureProduct(Operation *op, CostClass shape,
                                              unsigned &weight) {
  auto s = OpShapes::measure(op, shape);
  weight = getOpInfo(op)->weight;
  return s && s->input(0) && s->input(weight) && s->input(0).hasStaticShape() &&
                 s->input(weight).hasStaticShape()
             ? s
             : std::nullopt;
}

/// MatMul with NumPy rules, including `transA` and `transB` of FusedMatMul.
FailureOr<WorkAttr> gpucost::onnx::matmulWork(Operation *op, CostClass shape,
                                              ElementCost) {
  unsigned weight;
  auto measured = measureProduct(op, shape, weight);
  if (!measured)
    return failure();
  OpShapes &s = *measured;
  SmallVector<int64_t> a(s.input(0).getShape()), b(s.input(weight).getShape());
  if (a.empty() || b.empty())
    return failure();
  if (a.size() == 1)
    a.insert(a.begin(), 1);
  if (b.size() == 1)
    b.push_back(1);
  if (s.getInt("transBatchA") && a.size() > 2)
    std::rotate(a.begin(), a.begin() + 1, a.end() - 1);
  if (s.getInt("transBatchB") && b.size() > 2)
    std::rotate(b.begin(), b.begin() + 1, b.end() - 1);
  if (s.getInt("transA"))
    std::swap(a[a.size() - 1], a[a.size() - 2]);
  if (s.getInt("transB"))
    std::swap(b[b.size() - 1], b[b.size() - 2]);
  int64_t m = a[a.size() - 2], k = a[a.size() - 1], n = b[b.size() - 1];
  std::optional<int64_t> out = elementCount(s.output());
  std::optional<int64_t> mn = checkedProduct({m, n});
  if (!out || !mn || b[b.size() - 2] != k)
    return failure();
  int64_t batch = *mn ? *out / *mn : 0;
  // With a weight matrix (no batch), the batch is folded into the rows.
  std::optional<int64_t> weightElements = elementCount(s.input(weight));
  std::optional<int64_t> kn = checkedProduct({k, n});
  if (weightElements && kn && *weightElements == *kn) {
    std::optional<int64_t> rows = checkedProduct({batch, m});
    return rows ? productWork(s, 1, *rows, n, k, /*linear=*/true,
                              bitsOf(s.input(weight)))
                : FailureOr<WorkAttr>(failure());
  }
  return productWork(s, batch, m, n, k, /*linear=*/false);
}

/// (R1) One step of a recurrent layer: gates [batch, n] from the previous
/// state, or the gradient of that state, from all gates and R [gates, hidden].
static FailureOr<WorkAttr> stepWork(Operation *op, CostClass shape,
                                    bool backward) {
  unsigned weight;
  auto measured = measureProduct(op, shape, weight);
  if (!measured)
    return failure();
  OpShapes &s = *measured;
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
  if (backward) {
    std::swap(n, k);
    std::swap(in, out);
  }
  s.bytesRead = saturatingSum(*matrix, *in / 8);
  s.bytesWritten = *out / 8;
  return productWork(s, 1, batch, n, k, /*linear=*/true);
}

FailureOr<WorkAttr> gpucost::onnx::recurrentProductWork(Operation *op,
                                                        CostClass shape,
                                                        ElementCost) {
  return stepWork(op, shape, /*backward=*/false);
}

FailureOr<WorkAttr> gpucost::onnx::recurrentInputGradWork(Operation *op,
                                                          CostClass shape,
                                                          ElementCost) {
  return stepWork(op, shape, /*backward=*/true);
}

/// Weights of `bits` each, packed in bytes, that the kernel dequantises: [n, k]
/// from attributes. One multiply-add per weight.
FailureOr<WorkAttr>
gpucost::onnx::packedMatmulWork(Operation *op, CostClass shape, ElementCost) {
  unsigned weight;
  auto measured = measureProduct(op, shape, weight);
  if (!measured)
    return failure();
  OpShapes &s = *measured;
  int64_t n = s.getInt("N"), k = s.getInt("K");
  int64_t bits = s.findInt("bits").value_or(4);
  std::optional<int64_t> in = elementCount(s.input(0));
  if (!in || n <= 0 || k <= 0 || bits <= 0 || bits > 8 || *in % k)
    return failure();
  return productWork(s, 1, *in / k, n, k, /*linear=*/true, bits);
}

FailureOr<WorkAttr> gpucost::onnx::gemmWork(Operation *op, CostClass shape,
                                            ElementCost) {
  unsigned weight;
  auto measured = measureProduct(op, shape, weight);
  if (!measured)
    return failure();
  OpShapes &s = *measured;
  RankedTensorType a = s.input(0), b = s.input(weight);
  if (a.getRank() != 2 || b.getRank() != 2)
    return failure();
  bool transA = s.getInt("transA"), transB = s.getInt("transB");
  return productWork(s, 1, a.getDimSize(transA ? 1 : 0),
                     b.getDimSize(transB ? 0 : 1), a.getDimSize(transA ? 0 : 1),
                     /*linear=*/true, bitsOf(b));
}
