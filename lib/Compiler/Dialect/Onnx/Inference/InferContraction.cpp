//===- InferContraction.cpp - Types of matrix products --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace gpucost::onnx;

static bool contradict(int64_t a, int64_t b) {
  return isKnownDim(a) && isKnownDim(b) && a != b;
}

/// numpy.matmul of operands `a` and `b`: 1-D operands get a dimension that the
/// result does not have; `transA`/`transB` swap the last two.
static LogicalResult inferProduct(InferenceContext &context, unsigned a,
                                  unsigned b, Type elementType,
                                  bool transA = false, bool transB = false,
                                  bool transBatchA = false,
                                  bool transBatchB = false) {
  RankedTensorType left = context.getInputType(a);
  RankedTensorType right = context.getInputType(b);
  if (!left || !right)
    return success();
  Dims lhs(left.getShape()), rhs(right.getShape());
  auto mismatch = [&]() {
    return context.emitError()
           << "cannot multiply " << formatShape(left.getShape()) << " by "
           << formatShape(right.getShape());
  };
  if (lhs.empty() || rhs.empty())
    return mismatch();
  // The first batch dimension moves after the others.
  if (transBatchA && lhs.size() > 2)
    std::rotate(lhs.begin(), lhs.begin() + 1, lhs.end() - 1);
  if (transBatchB && rhs.size() > 2)
    std::rotate(rhs.begin(), rhs.begin() + 1, rhs.end() - 1);
  bool isRow = lhs.size() == 1, isColumn = rhs.size() == 1;
  if (isRow)
    lhs.insert(lhs.begin(), 1);
  else if (transA)
    std::swap(lhs.back(), lhs[lhs.size() - 2]);
  if (isColumn)
    rhs.push_back(1);
  else if (transB)
    std::swap(rhs.back(), rhs[rhs.size() - 2]);
  auto shape =
      broadcastShapes(ArrayRef(lhs).drop_back(2), ArrayRef(rhs).drop_back(2));
  if (!shape || contradict(lhs.back(), rhs[rhs.size() - 2]))
    return mismatch();
  if (!isRow)
    shape->push_back(lhs[lhs.size() - 2]);
  if (!isColumn)
    shape->push_back(rhs.back());
  return context.setType(0, *shape, elementType);
}

LogicalResult gpucost::onnx::inferMatMul(InferenceContext &context) {
  return inferProduct(context, 0, 1, context.getInputElementType(0));
}

LogicalResult gpucost::onnx::inferFusedMatMul(InferenceContext &context) {
  return inferProduct(
      context, 0, 1, context.getInputElementType(0),
      context.getInt("transA") != 0, context.getInt("transB") != 0,
      context.getInt("transBatchA") != 0, context.getInt("transBatchB") != 0);
}

/// Operands A, scale, B, scale, the scale of the result, ...
LogicalResult gpucost::onnx::inferQOrderedMatMul(InferenceContext &context) {
  return inferProduct(context, 0, 2, context.getInputElementType(0));
}

LogicalResult gpucost::onnx::inferMatMulInteger(InferenceContext &context) {
  return inferProduct(context, 0, 1,
                      IntegerType::get(context.getMLIRContext(), 32));
}

/// Operands A, scale, zero point, B, scale, zero point, scale, zero point.
LogicalResult gpucost::onnx::inferQLinearMatMul(InferenceContext &context) {
  Type elementType = context.getInputElementType(7);
  return inferProduct(context, 0, 3,
                      elementType ? elementType
                                  : context.getInputElementType(0));
}

/// Operands A, B, scale of A, scale of B, ...; the scales have the result type.
LogicalResult
gpucost::onnx::inferMatMulIntegerToFloat(InferenceContext &context) {
  return inferProduct(context, 0, 1, context.getInputElementType(2));
}

/// The weight is packed; attributes K and N are its sizes.
LogicalResult gpucost::onnx::inferMatMulNBits(InferenceContext &context) {
  RankedTensorType input = context.getInputType(0);
  int64_t n = context.getInt("N"), k = context.getInt("K");
  if (!input || n <= 0)
    return success();
  if (input.getRank() == 0 || contradict(input.getShape().back(), k))
    return context.emitError()
           << "cannot multiply " << formatShape(input.getShape()) << " by "
           << formatShape({k, n});
  Dims shape(input.getShape());
  shape.back() = n;
  return context.setType(0, shape, input.getElementType());
}

LogicalResult gpucost::onnx::inferGemm(InferenceContext &context) {
  RankedTensorType a = context.getInputType(0), b = context.getInputType(1);
  if (!a || !b)
    return success();
  bool transA = context.getInt("transA"), transB = context.getInt("transB");
  if (a.getRank() != 2 || b.getRank() != 2 ||
      contradict(a.getDimSize(transA ? 0 : 1), b.getDimSize(transB ? 1 : 0)))
    return context.emitError()
           << "cannot multiply " << formatShape(a.getShape())
           << (transA ? " (transposed) by " : " by ")
           << formatShape(b.getShape()) << (transB ? " (transposed)" : "");
  Dims shape = {a.getDimSize(transA ? 1 : 0), b.getDimSize(transB ? 0 : 1)};
  if (RankedTensorType c = context.getInputType(2)) {
    auto common = broadcastShapes(shape, c.getShape());
    if (!common || common->size() != 2 || contradict((*common)[0], shape[0]) ||
        contradict((*common)[1], shape[1]))
      return context.emitError() << "cannot add " << formatShape(c.getShape())
                                 << " to a product of " << formatShape(shape);
  }
  return context.setType(0, shape, a.getElementType());
}

/// Gemm with scales; the result has the format of `dtype`.
LogicalResult gpucost::onnx::inferGemmFloat8(InferenceContext &context) {
  if (failed(inferGemm(context)))
    return failure();
  Type result =
      getElementType(context.getMLIRContext(), context.getInt("dtype"));
  if (!result)
    return context.emitError() << "has an unknown element type in 'dtype'";
  RankedTensorType type = context.getOutputType(0);
  return type ? context.setType(0, type.getShape(), result) : success();
}

//===----------------------------------------------------------------------===//
// Einsum
//===----------------------------------------------------------------------===//

namespace {
/// Sizes of an equation's letters; "..." has a separate list of sizes.
struct EinsumLetters {
  llvm::MapVector<char, std::pair<int64_t, unsigned>> letters;
  Dims ellipsis;
};
} // namespace

/// Reads the sizes of one operand; false when they contradict the equation.
static bool readOperand(StringRef term, ArrayRef<int64_t> shape,
                        EinsumLetters &sizes) {
  size_t dots = term.find("...");
  size_t named = term.size() - (dots == StringRef::npos ? 0 : 3);
  if (named > shape.size() ||
      (dots == StringRef::npos && named != shape.size()))
    return false;
  auto readLetter = [&](char letter, int64_t dim) {
    auto [it, isNew] = sizes.letters.insert({letter, {dim, 0}});
    ++it->second.second;
    int64_t &known = it->second.first;
    if (known == 1 || !isKnownDim(known))
      known = dim;
    return known == dim || dim == 1 || !isKnownDim(dim);
  };
  size_t front = dots == StringRef::npos ? named : dots;
  for (size_t i = 0; i < front; ++i)
    if (!readLetter(term[i], shape[i]))
      return false;
  size_t back = named - front;
  for (size_t i = 0; i < back; ++i)
    if (!readLetter(term[term.size() - 1 - i], shape[shape.size() - 1 - i]))
      return false;
  auto common =
      broadcastShapes(sizes.ellipsis, shape.slice(front, shape.size() - named));
  if (!common)
    return false;
  sizes.ellipsis = *common;
  return true;
}

LogicalResult gpucost::onnx::inferEinsum(InferenceContext &context) {
  std::string equation;
  for (char c : context.getString("equation"))
    if (c != ' ')
      equation.push_back(c);
  bool isExplicit = StringRef(equation).contains("->");
  auto [inputs, output] = StringRef(equation).split("->");
  llvm::SmallVector<StringRef> terms;
  inputs.split(terms, ',');
  if (terms.size() != context.getNumInputs())
    return context.emitError() << "has " << context.getNumInputs()
                               << " operands for equation '" << equation << "'";
  EinsumLetters sizes;
  for (auto [i, term] : llvm::enumerate(terms)) {
    RankedTensorType type = context.getInputType(i);
    if (!type)
      return success();
    if (!readOperand(term, type.getShape(), sizes))
      return context.emitError()
             << "operand " << i << " of shape " << formatShape(type.getShape())
             << " does not fit equation '" << equation << "'";
  }
  // Without "->": the ellipsis, then the letters that occur once, sorted.
  std::string implicit = "...";
  if (!isExplicit) {
    auto letters = sizes.letters.takeVector();
    llvm::sort(letters, llvm::less_first());
    for (auto &[letter, size] : letters) {
      if (size.second == 1)
        implicit.push_back(letter);
      sizes.letters.insert({letter, size});
    }
    output = implicit;
  }
  Dims shape;
  for (size_t i = 0; i < output.size();) {
    if (output.substr(i).starts_with("...")) {
      llvm::append_range(shape, sizes.ellipsis);
      i += 3;
      continue;
    }
    auto it = sizes.letters.find(output[i++]);
    if (it == sizes.letters.end())
      return context.emitError()
             << "has an unknown letter in the result of '" << equation << "'";
    shape.push_back(it->second.first);
  }
  return context.setType(0, shape, context.getInputElementType(0));
}
