//===- RuleWork.cpp - Work stated by op definitions -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpRule.h"
#include "Work/OpShapes.h"
#include "Work/PackedElements.h"
#include "Work/WorkRules.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

/// Bytes of the elements that `entries` state for a tensor, at most all.
static std::optional<int64_t> statedBytes(const RuleScope &scope,
                                          StringRef entries, unsigned number,
                                          Type type) {
  std::optional<int64_t> all = byteCount(type);
  std::optional<StringRef> text = findEntry(entries, std::to_string(number));
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!text || !ranked)
    return all;
  std::optional<int64_t> count = scope.count(*text);
  std::optional<int64_t> bits =
      count ? checkedProduct({*count, bitsOf(ranked)}) : std::nullopt;
  if (!bits)
    return all;
  int64_t bytes = *bits / 8 + (*bits % 8 != 0);
  return all ? std::min(*all, bytes) : bytes;
}

std::optional<int64_t> gpucost::onnx::ruleReadBytes(OpOperand &use) {
  const OpRule *rule = findRule(use.getOwner());
  if (!rule || rule->reads.empty())
    return std::nullopt;
  RuleScope scope(use.getOwner(), *rule);
  if (!scope.bind().empty())
    return std::nullopt;
  return statedBytes(scope, rule->reads, use.getOperandNumber(),
                     use.get().getType());
}

/// Every operand once, and every result that is used.
static bool countBytes(OpShapes &s, const RuleScope &scope,
                       const OpRule &rule) {
  SmallVector<Value, 4> seen;
  for (OpOperand &use : s.op->getOpOperands()) {
    Value operand = use.get();
    if (isa<::gpucost::onnx::NoneType>(operand.getType()) ||
        llvm::is_contained(seen, operand))
      continue;
    seen.push_back(operand);
    if (!addBytes(s.bytesRead,
                  statedBytes(scope, rule.reads, use.getOperandNumber(),
                              operand.getType())))
      return false;
  }
  for (OpResult result : s.op->getResults()) {
    if (isa<::gpucost::onnx::NoneType>(result.getType()) ||
        (result.use_empty() && result.getResultNumber() != 0))
      continue;
    if (!addBytes(s.bytesWritten,
                  statedBytes(scope, rule.writes, result.getResultNumber(),
                              result.getType())))
      return false;
  }
  return true;
}

/// Results without elements are not written, such as the scores of a router
/// that gives others.
static RankedTensorType firstResult(const OpShapes &s) {
  for (unsigned i = 0; i < s.op->getNumResults(); ++i)
    if (RankedTensorType type = s.output(i))
      return type;
  return {};
}

namespace {
/// The kernel of a rule, its main product, and FLOPs in addition to those that
/// the problem has.
struct RuleKernel {
  KernelFamily family = KernelFamily::Elementwise;
  Problem problem;
  int64_t ownTensorFlops = 0, ownBytes = 0, dequantised = 0, results = 0;
};
} // namespace

/// "rows|n|k|bits of a weight, 0 for those of the operand|batch".
static std::optional<RuleKernel> readMatmul(OpShapes &s,
                                            ArrayRef<int64_t> sizes) {
  RankedTensorType in = s.input(0), out = firstResult(s);
  if (sizes.size() < 4 || !in || !out)
    return std::nullopt;
  bool linear = sizes.size() == 4;
  int64_t m = sizes[0], n = sizes[1], k = sizes[2];
  int64_t batch = linear ? 1 : sizes[4];
  int64_t bits = sizes[3] == bitsOf(in) ? 0 : sizes[3];
  RuleKernel kernel;
  kernel.family = KernelFamily::Matmul;
  kernel.problem = MatmulProblem{batch, m, n, k, linear, bits};
  std::optional<int64_t> flops = checkedProduct({2, batch, m, n, k});
  std::optional<int64_t> a = checkedProduct({batch, m, k, bitsOf(in)});
  std::optional<int64_t> b =
      checkedProduct({batch, n, k, bits ? bits : bitsOf(in)});
  std::optional<int64_t> c = checkedProduct({batch, m, n, bitsOf(out)});
  std::optional<int64_t> results = checkedProduct({batch, m, n});
  if (!flops || !a || !b || !c || !results)
    return std::nullopt;
  kernel.ownTensorFlops = *flops;
  kernel.ownBytes = saturatingSum(saturatingSum(*a, *b), *c) / 8;
  kernel.results = *results;
  // (Q1) Weights narrower than the activations need one multiply-add each.
  if (bits && bits < 16 && isa<FloatType>(in.getElementType()))
    kernel.dequantised = saturatingProduct(2, saturatingProduct(n, k));
  return kernel;
}

/// "elements:n", "strided:n", "gather:n", "rows:rows|columns", "matmul:...".
static std::optional<RuleKernel> readKernel(OpShapes &s, const RuleScope &scope,
                                            const OpRule &rule) {
  std::optional<StringRef> text = scope.choose(rule.problem);
  if (!text)
    return std::nullopt;
  auto [kind, list] = text->split(':');
  SmallVector<int64_t> sizes;
  for (StringRef part : llvm::split(list, '|')) {
    std::optional<int64_t> size = scope.count(part);
    if (!size)
      return std::nullopt;
    sizes.push_back(*size);
  }
  if (kind == "matmul")
    return readMatmul(s, sizes);
  RuleKernel kernel;
  if (kind == "rows") {
    if (sizes.size() != 2)
      return std::nullopt;
    kernel.family = KernelFamily::Normalization;
    kernel.problem = RowsProblem{sizes[0], sizes[1]};
    return kernel;
  }
  if (kind == "gather")
    kernel.family = KernelFamily::Embedding;
  kernel.problem = ElementsProblem{sizes[0], /*strided=*/kind != "elements"};
  return kernel;
}

FailureOr<WorkAttr> gpucost::onnx::countedWork(Operation *op, CostClass,
                                               ElementCost element) {
  const OpRule *rule = findRule(op);
  OpShapes s(op);
  if (!rule || !s.input(0) || !firstResult(s))
    return failure();
  RuleScope scope(op, *rule);
  if (!scope.bind().empty() || !countBytes(s, scope, *rule))
    return failure();
  std::optional<RuleKernel> kernel = readKernel(s, scope, *rule);
  auto countOf = [&](StringRef text) {
    return text.empty() ? std::optional<int64_t>(0) : scope.count(text);
  };
  std::optional<int64_t> tensor = countOf(rule->tensor),
                         fp32 = countOf(rule->fp32),
                         special = countOf(rule->special);
  if (!kernel || !tensor || !fp32 || !special)
    return failure();
  if (rule->tensor.empty())
    tensor = kernel->ownTensorFlops;
  KernelWork work;
  work.family = kernel->family;
  work.instructions = kernel->family == KernelFamily::Matmul
                          ? InstructionClass::None
                          : element.instructions;
  work.format = formatOf(s.input(0).getElementType());
  work.inputBits = bitsOf(s.input(0));
  work.outputBits = bitsOf(firstResult(s));
  work.problem = kernel->problem;
  work.count = {*tensor,        saturatingSum(*fp32, kernel->dequantised),
                *special,       s.bytesRead,
                s.bytesWritten, {}};
  if (kernel->family == KernelFamily::Matmul) {
    // (W3) Another product, and arithmetic beyond one operation per result.
    FusedCount &fused = work.count.fused;
    fused.tensorFlops = std::max<int64_t>(*tensor - kernel->ownTensorFlops, 0);
    fused.fp32Flops = std::max<int64_t>(*fp32 - kernel->results, 0);
    fused.specialOps = *special;
    if (fused.tensorFlops)
      fused.bytes = std::max<int64_t>(
          saturatingSum(s.bytesRead, s.bytesWritten) - kernel->ownBytes, 0);
  }
  return WorkAttr::get(op->getContext(), work);
}

std::optional<int64_t> gpucost::onnx::packedByRule(Operation *op,
                                                   unsigned operand) {
  const OpRule *rule = findRule(op);
  std::optional<StringRef> text =
      rule ? findEntry(rule->weights, std::to_string(operand)) : std::nullopt;
  if (!text)
    return std::nullopt;
  RuleScope scope(op, *rule);
  return scope.bind().empty() ? scope.count(*text) : std::nullopt;
}
