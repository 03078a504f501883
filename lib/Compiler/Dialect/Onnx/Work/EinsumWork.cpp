//===- EinsumWork.cpp - Exact work of Einsum ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Operands are contracted from left to right, as in frameworks; a letter is
// summed as soon as neither the result nor a later operand contains it.
// gpucost-raise-ops makes einsums of two operands of those of more.

#include "OpShapes.h"
#include "WorkRules.h"
#include "gpucost/Compiler/Dialect/Onnx/Work/Einsum.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

std::optional<EinsumLetters> gpucost::onnx::readEinsum(Operation *op) {
  auto equation = op->getAttrOfType<StringAttr>("equation");
  if (!equation)
    return std::nullopt;
  std::string text;
  for (char c : equation.getValue())
    if (c != ' ')
      text.push_back(c);
  bool isExplicit = StringRef(text).contains("->");
  auto [inputs, result] = StringRef(text).split("->");
  SmallVector<StringRef> parts;
  inputs.split(parts, ',');
  if (parts.size() != op->getNumOperands())
    return std::nullopt;
  SmallVector<std::string> terms;
  int64_t longest = 0;
  auto expand = [&](StringRef term, int64_t dots) {
    auto [front, back] = term.split("...");
    std::string letters = front.str();
    for (int64_t i = dots; term.contains("...") && i-- > 0;)
      letters.push_back('0' + i);
    return letters + back.str();
  };
  for (auto [part, operand] : llvm::zip_equal(parts, op->getOperands())) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    int64_t dots = part.contains("...")
                       ? (type ? type.getRank() : 0) - int64_t(part.size()) + 3
                       : 0;
    if (!type || !type.hasStaticShape() || dots < 0 || dots > 9)
      return std::nullopt;
    longest = std::max(longest, dots);
    terms.push_back(expand(part, dots));
    if (static_cast<int64_t>(terms.back().size()) != type.getRank())
      return std::nullopt;
  }
  if (isExplicit)
    return EinsumLetters{std::move(terms), expand(result, longest)};
  // Without "->": the ellipsis, then the letters that occur once, sorted.
  std::map<char, int> count;
  for (const std::string &term : terms)
    for (char letter : term)
      ++count[letter];
  std::string implicit = expand("...", longest);
  for (auto [letter, times] : count)
    if (times == 1 && !llvm::isDigit(letter))
      implicit.push_back(letter);
  return EinsumLetters{std::move(terms), std::move(implicit)};
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

FailureOr<WorkAttr> gpucost::onnx::einsumWork(Operation *op, CostClass shape,
                                              ElementCost) {
  auto measured = OpShapes::measure(op, shape);
  std::optional<EinsumLetters> equation = readEinsum(op);
  if (!measured || !equation)
    return failure();
  OpShapes &s = *measured;
  ArrayRef<std::string> terms = equation->terms;
  const std::string &result = equation->result;
  std::map<char, int64_t> sizes;
  for (auto [i, term] : llvm::enumerate(terms))
    for (auto [axis, letter] : llvm::enumerate(term)) {
      int64_t &size = sizes.try_emplace(letter, 1).first->second;
      size = std::max(size, s.input(i).getDimSize(axis));
    }
  // Of an operand with a repeated letter only the diagonal is read.
  for (auto [i, term] : llvm::enumerate(terms)) {
    int64_t read = 1;
    for (size_t axis = 0; axis < term.size(); ++axis)
      if (term.find(term[axis]) == axis)
        read = saturatingProduct(read, s.input(i).getDimSize(axis));
    std::optional<int64_t> all = elementCount(s.input(i));
    std::optional<int64_t> bytes = byteCount(s.input(i));
    if (!all || !bytes)
      return failure();
    if (read < *all)
      s.bytesRead -= *bytes - saturatingProduct(read, bitsOf(s.input(i))) / 8;
  }
  auto product = [&](auto keep) {
    int64_t value = 1;
    for (auto [letter, size] : sizes)
      if (keep(letter) && __builtin_mul_overflow(value, size, &value))
        return int64_t(-1);
    return value;
  };
  auto has = [](const std::string &term, char letter) {
    return term.find(letter) != std::string::npos;
  };
  // A single operand: a diagonal, a sum, or a permuted copy.
  if (terms.size() == 1) {
    int64_t all = product([&](char l) { return has(terms[0], l); });
    std::optional<int64_t> out = elementCount(s.output());
    if (all < 0 || !out)
      return failure();
    return makeWork(s, KernelFamily::Reduction,
                    {InstructionClass::Reduce, 0, 0},
                    RowsProblem{*out, *out ? all / *out : 0}, 0,
                    all - std::min(all, *out), 0);
  }
  std::string left = terms[0];
  int64_t flops = 0, largest = -1;
  Problem problem;
  for (size_t i = 1; i < terms.size(); ++i) {
    const std::string &right = terms[i];
    auto isKept = [&](char letter) {
      return has(result, letter) ||
             llvm::any_of(terms.drop_front(i + 1),
                          [&](const std::string &t) { return has(t, letter); });
    };
    int64_t batch = product(
        [&](char l) { return has(left, l) && has(right, l) && isKept(l); });
    int64_t k = product(
        [&](char l) { return has(left, l) && has(right, l) && !isKept(l); });
    // Letters in one operand that are not needed later are summed in advance.
    int64_t m = product(
        [&](char l) { return has(left, l) && !has(right, l) && isKept(l); });
    int64_t n = product(
        [&](char l) { return has(right, l) && !has(left, l) && isKept(l); });
    std::optional<int64_t> step = checkedProduct({2, batch, m, n, k});
    if (batch < 0 || m < 0 || n < 0 || k < 0 || !step ||
        __builtin_add_overflow(flops, *step, &flops))
      return failure();
    if (*step > largest) {
      largest = *step;
      problem = MatmulProblem{
          batch, m, n, k, /*linear=*/batch == 1, /*weight_bits=*/0};
    }
    std::string joined;
    for (auto [letter, size] : sizes)
      if ((has(left, letter) || has(right, letter)) && isKept(letter))
        joined.push_back(letter);
    left = joined;
  }
  return makeWork(s, KernelFamily::Matmul, {InstructionClass::None, 0, 0},
                  problem, flops, 0, 0);
}
