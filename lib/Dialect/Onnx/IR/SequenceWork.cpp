//===- SequenceWork.cpp - Work of state spaces and experts ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpShapes.h"
#include "WorkRules.h"
#include "gpucost/Dialect/GpuCost/IR/Annotations.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

/// Per token and head of [d_k, d_v]: S += k v (2), q S (2), decay (1), and the
/// correction S k of the delta rules (2).
FailureOr<WorkAttr> gpucost::onnx::linearAttentionWork(Operation *op,
                                                       CostClass shape,
                                                       ElementCost element) {
  OpShapes s(op);
  RankedTensorType q = s.input(0), k = s.input(1), v = s.input(2);
  int64_t heads = s.getInt("q_num_heads", 0);
  int64_t kvHeads = s.getInt("kv_num_heads", heads);
  if (!q || !k || !v || !q.hasStaticShape() || !k.hasStaticShape() ||
      !v.hasStaticShape() || q.getRank() != 3 || k.getRank() != 3 ||
      v.getRank() != 3 || heads <= 0 || kvHeads <= 0 || !s.countBytes(shape))
    return failure();
  int64_t keySize = k.getDimSize(2) / kvHeads;
  int64_t valueSize = v.getDimSize(2) / kvHeads;
  auto rule = op->getAttrOfType<StringAttr>("update_rule");
  StringRef name = rule ? rule.getValue() : "gated_delta";
  int64_t update = 2 + (name.starts_with("gated") ? 1 : 0) +
                   (name.ends_with("delta") ? 2 : 0);
  std::optional<int64_t> cells =
      checkedProduct({q.getDimSize(0), q.getDimSize(1), keySize, valueSize});
  std::optional<int64_t> items =
      cells ? checkedProduct({*cells, kvHeads}) : std::nullopt;
  if (!items)
    return failure();
  // A state has one update and as many queries as its group has heads.
  std::optional<int64_t> flops =
      checkedProduct({*cells, kvHeads * update + heads * 2});
  return makeWork(s, KernelFamily::Elementwise, element,
                  ElementsProblem{*items, true}, 0, flops, 0);
}

FailureOr<WorkAttr> gpucost::onnx::causalConvWork(Operation *op,
                                                  CostClass shape,
                                                  ElementCost element) {
  OpShapes s(op);
  std::optional<int64_t> results = elementCount(s.output());
  RankedTensorType weight = s.input(1);
  if (!results || !weight || weight.getRank() != 3 || weight.isDynamicDim(2) ||
      !s.countBytes(shape))
    return failure();
  auto activation = op->getAttrOfType<StringAttr>("activation");
  bool gated = activation && (activation.getValue() == "silu" ||
                              activation.getValue() == "swish");
  int64_t each = 2 * weight.getDimSize(2) + (gated ? 3 : 0);
  return makeWork(s, KernelFamily::Elementwise, element,
                  ElementsProblem{*results, true}, 0,
                  checkedProduct({*results, each}),
                  checkedProduct({*results, gated ? 2 : 0}));
}

double gpucost::onnx::countActiveExperts(Operation *op, int64_t tokens,
                                         int64_t k, int64_t experts) {
  auto all = static_cast<double>(experts);
  double chosen = std::min(static_cast<double>(k), all);
  double most = std::min(all, static_cast<double>(tokens) * chosen);
  if (auto given = op->getAttrOfType<IntegerAttr>(activeExpertsAttrName))
    return std::clamp(static_cast<double>(given.getInt()), chosen, most);
  if (op->hasAttr(worstBalanceAttrName))
    return most;
  return all * (1 - std::pow(1 - chosen / all, static_cast<double>(tokens)));
}

/// Operands: rows, router, then the weights [experts, ...] of three or more
/// dimensions. Each row visits `k` experts; their weights are read once.
static FailureOr<WorkAttr> expertProducts(Operation *op, CostClass shape,
                                          bool quantized) {
  OpShapes s(op);
  RankedTensorType in = s.input(0), router = s.input(1);
  std::optional<int64_t> elements = elementCount(in);
  if (!elements || !router || !router.hasStaticShape() ||
      router.getRank() == 0 || in.getRank() < 2 || !s.countBytes(shape))
    return failure();
  int64_t hidden = in.getShape().back(), experts = router.getShape().back();
  int64_t k = s.getInt("k", 1);
  if (hidden <= 0 || experts <= 0 || k <= 0)
    return failure();
  int64_t rows = *elements / hidden;
  // Elements of one expert; few-bit weights are packed in bytes.
  int64_t bits = s.getInt("expert_weight_bits", 4);
  int64_t weights = 0, storedBits = 0;
  for (unsigned i = 2; i < op->getNumOperands(); ++i) {
    RankedTensorType type = s.input(i);
    if (!type || type.getRank() != 3 || type.getDimSize(0) != experts)
      continue;
    std::optional<int64_t> count = elementCount(type);
    if (!count)
      return failure();
    bool integer = type.getElementType().isIntOrIndex();
    // Scales of blocks are small and of a float format.
    if (!integer && quantized)
      continue;
    bool packed =
        quantized && type.getElementType().isInteger(8) && bits > 0 && bits < 8;
    weights += *count / experts * (packed ? 8 / bits : 1);
    storedBits += *count / experts * bitsOf(type);
  }
  std::optional<int64_t> products = checkedProduct({rows, k});
  if (weights == 0 || !products || *products == 0)
    return failure();
  // (E1) Few rows leave experts idle, whose weights are not read. A mean need
  // not be whole: the columns of the product are those of that many experts.
  double active = countActiveExperts(op, rows, k, experts);
  auto items = static_cast<int64_t>(std::ceil(active - 1e-6));
  s.bytesRead -= static_cast<int64_t>(
      static_cast<double>(storedBits / 8) *
      std::max(static_cast<double>(experts) - active, 0.0));
  int64_t weightBits = std::max<int64_t>(storedBits / weights, 1);
  int64_t columns = weights / hidden;
  auto share = static_cast<int64_t>(static_cast<double>(columns) * active /
                                    static_cast<double>(items));
  columns = std::min<int64_t>(columns, llvm::alignTo(share, 64));
  MatmulProblem problem{items,
                        (*products + items - 1) / items,
                        columns,
                        hidden,
                        /*linear=*/false,
                        weightBits == bitsOf(in) ? 0 : weightBits};
  return makeWork(
      s, KernelFamily::Matmul, {InstructionClass::None, 0, 0}, problem,
      checkedProduct({2, *products, weights / hidden, hidden}), 0, 0);
}

FailureOr<WorkAttr> gpucost::onnx::expertsWork(Operation *op, CostClass shape,
                                               ElementCost) {
  return expertProducts(op, shape, /*quantized=*/false);
}

FailureOr<WorkAttr> gpucost::onnx::quantizedExpertsWork(Operation *op,
                                                        CostClass shape,
                                                        ElementCost) {
  return expertProducts(op, shape, /*quantized=*/true);
}
