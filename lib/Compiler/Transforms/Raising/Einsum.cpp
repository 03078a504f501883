//===- Einsum.cpp - Einsum as transposes and one matmul -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Frameworks run einsum of two operands as a batched matmul of permuted and
// reshaped operands; kernel formation decides which of these views are copies.
// More operands are contracted in pairs, from left to right.

#include "gpucost/Compiler/Dialect/Onnx/Work/Einsum.h"
#include "AttentionMatch.h"
#include "Raiser.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

namespace {

/// The letters of "bij,bjk->bik" by their position: `batch` in all three terms,
/// `m` in a and the result, `n` in b and the result, `k` in a and b.
struct Letters {
  std::string batch, m, n, k;
};

} // namespace

static std::optional<Letters> sortLetters(const onnx::EinsumTerms &terms) {
  auto repeats = [](StringRef term) {
    for (size_t i = 0; i < term.size(); ++i)
      if (term.find(term[i], i + 1) != StringRef::npos)
        return true;
    return false;
  };
  if (repeats(terms.first) || repeats(terms.second) || repeats(terms.result))
    return std::nullopt;
  auto contains = [](const std::string &term, char letter) {
    return term.find(letter) != std::string::npos;
  };
  Letters letters;
  // Shared letters use the result's order, so most matmuls need no permutation.
  for (char letter : terms.result) {
    bool inA = contains(terms.first, letter),
         inB = contains(terms.second, letter);
    if (!inA && !inB)
      return std::nullopt;
    (inA && inB ? letters.batch : inA ? letters.m : letters.n) += letter;
  }
  for (char letter : terms.first)
    if (contains(terms.second, letter) && !contains(terms.result, letter))
      letters.k += letter;
  // Letters of only one operand that the result does not have are summed first.
  for (char letter : terms.first + terms.second)
    if (!contains(letters.batch + letters.m + letters.n + letters.k, letter))
      return std::nullopt;
  return letters.k.empty() ? std::nullopt : std::optional(letters);
}

/// `value` permuted from dimension order `from` to `to`, if they differ.
static Value permute(OpBuilder &builder, Location loc, Value value,
                     StringRef from, StringRef to) {
  SmallVector<int64_t> permutation;
  for (char letter : to)
    permutation.push_back(from.find(letter));
  return llvm::is_sorted(permutation)
             ? value
             : createTranspose(builder, loc, value, permutation);
}

/// Replaces an einsum of more than two operands by einsums of two. A letter
/// remains until neither the result nor a later operand contains it; those of
/// both operands come first, as in the result of a batched matmul.
bool Raiser::splitEinsum(Operation *einsum) {
  std::optional<onnx::EinsumLetters> equation = onnx::readEinsum(einsum);
  auto out = getStaticType(einsum->getResult(0));
  if (!equation || !out)
    return false;
  ArrayRef<std::string> terms = equation->terms;
  llvm::DenseMap<char, int64_t> sizes;
  for (auto [term, operand] : llvm::zip_equal(terms, einsum->getOperands()))
    for (auto [letter, size] :
         llvm::zip_equal(term, getStaticType(operand).getShape())) {
      int64_t &largest = sizes.try_emplace(letter, size).first->second;
      largest = std::max(largest, size);
    }
  OpBuilder builder(einsum);
  Value left = einsum->getOperand(0);
  std::string leftLetters = terms[0];
  SmallVector<Operation *> pairs;
  for (size_t i = 1; i < terms.size(); ++i) {
    bool isLast = i + 1 == terms.size();
    auto isKept = [&](char letter) {
      return equation->result.find(letter) != std::string::npos ||
             llvm::any_of(terms.drop_front(i + 1), [&](StringRef term) {
               return term.contains(letter);
             });
    };
    std::string shared, joined;
    for (char letter : leftLetters + terms[i])
      if (isKept(letter) && !StringRef(shared + joined).contains(letter))
        (StringRef(leftLetters).contains(letter) &&
                 StringRef(terms[i]).contains(letter)
             ? shared
             : joined) += letter;
    joined = isLast ? equation->result : shared + joined;
    SmallVector<int64_t> shape;
    for (char letter : joined)
      shape.push_back(sizes.lookup(letter));
    auto pair = onnx::EinsumOp::create(
        builder, einsum->getLoc(), TypeRange(Type(out.clone(shape))),
        {left, einsum->getOperand(i)},
        builder.getNamedAttr("equation",
                             builder.getStringAttr(leftLetters + "," +
                                                   terms[i] + "->" + joined)));
    if (isLast)
      for (StringRef name : {onnx::OnnxDialect::valueNamesAttrName,
                             onnx::OnnxDialect::constantAttrName})
        if (Attribute attribute = einsum->getAttr(name))
          pair->setAttr(name, attribute);
    left = pair->getResult(0);
    leftLetters = joined;
    pairs.push_back(pair);
  }
  einsum->getResult(0).replaceAllUsesWith(left);
  discard(einsum);
  for (Operation *pair : pairs)
    raiseEinsum(pair);
  return true;
}

bool Raiser::raiseEinsum(Operation *einsum) {
  if (einsum->getNumOperands() > 2)
    return splitEinsum(einsum);
  std::optional<onnx::EinsumTerms> terms = onnx::parseEinsum(einsum);
  std::optional<Letters> letters = terms ? sortLetters(*terms) : std::nullopt;
  if (!letters || einsum->getNumOperands() != 2)
    return false;
  RankedTensorType a = getStaticType(einsum->getOperand(0));
  RankedTensorType b = getStaticType(einsum->getOperand(1));
  RankedTensorType out = getStaticType(einsum->getResult(0));
  if (!a || !b || !out || a.getRank() != int64_t(terms->first.size()) ||
      b.getRank() != int64_t(terms->second.size()) ||
      out.getRank() != int64_t(terms->result.size()))
    return false;
  llvm::DenseMap<char, int64_t> sizes;
  for (auto [letter, size] : llvm::zip_equal(terms->first, a.getShape()))
    sizes[letter] = size;
  // Broadcasting in einsum is rare and handled by the einsum cost rule.
  for (auto [letter, size] : llvm::zip_equal(terms->second, b.getShape()))
    if (!sizes.try_emplace(letter, size).second && sizes[letter] != size)
      return false;
  auto shapeOf = [&](StringRef text) {
    SmallVector<int64_t> shape;
    for (char letter : text)
      shape.push_back(sizes[letter]);
    return shape;
  };
  auto product = [&](StringRef text) {
    int64_t count = 1;
    for (char letter : text)
      count = saturatingProduct(count, sizes[letter]);
    return count;
  };

  OpBuilder builder(einsum);
  Location loc = einsum->getLoc();
  const std::string &batch = letters->batch, &m = letters->m, &n = letters->n,
                    &k = letters->k;
  Value left =
      permute(builder, loc, einsum->getOperand(0), terms->first, batch + m + k);
  Value right = permute(builder, loc, einsum->getOperand(1), terms->second,
                        batch + k + n);
  // MatMul keeps leading dimensions; rows, columns and summed dimensions must
  // each be merged to one dimension.
  auto merge = [&](Value value, std::string first, std::string second,
                   bool keepFirst) {
    if (second.size() == 1 && (first.size() == 1 || keepFirst))
      return value;
    SmallVector<int64_t> shape = shapeOf(batch);
    if (keepFirst)
      llvm::append_range(shape, shapeOf(first));
    else
      shape.push_back(product(first));
    shape.push_back(product(second));
    return createReshape(builder, loc, value, shape);
  };
  // For a matmul with weights, the rows need not be merged.
  bool weightProduct = batch.empty();
  left = merge(left, m, k, weightProduct && !m.empty());
  right = merge(right, k, n, false);
  SmallVector<int64_t> shape = shapeOf(batch);
  if (weightProduct && !m.empty())
    llvm::append_range(shape, shapeOf(m));
  else
    shape.push_back(product(m));
  shape.push_back(product(n));
  Value result =
      onnx::MatMulOp::create(builder, loc, TypeRange(Type(out.clone(shape))),
                             {left, right})
          ->getResult(0);
  if (shapeOf(batch + m + n) != shape)
    result = createReshape(builder, loc, result, shapeOf(batch + m + n));
  result = permute(builder, loc, result, batch + m + n, terms->result);
  for (StringRef name : {onnx::OnnxDialect::valueNamesAttrName,
                         onnx::OnnxDialect::constantAttrName})
    if (Attribute attribute = einsum->getAttr(name))
      result.getDefiningOp()->setAttr(name, attribute);
  remark::passed(
      loc, remark::RemarkOpts::name("raised").category("gpucost-raise-ops"))
      << remark::add("Einsum '{0},{1}->{2}' runs as MatMul", terms->first,
                     terms->second, terms->result);
  einsum->getResult(0).replaceAllUsesWith(result);
  discard(einsum);
  return true;
}
