//===- FoldElementwise.cpp - Values of small elementwise results ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An element is known if its operands are known; it is unknown if its integer
// arithmetic overflows or divides by zero. Floats are computed as doubles.
//
//===----------------------------------------------------------------------===//

#include "Inference/Inference.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace gpucost::onnx;

using OptInt = std::optional<int64_t>;

/// For each element in shape `to`, the index of its source element in `from`.
static std::vector<int64_t> broadcastIndices(ArrayRef<int64_t> from,
                                             ArrayRef<int64_t> to) {
  Dims strides = rowMajorStrides(from);
  size_t offset = to.size() - from.size();
  std::vector<int64_t> indices = {0};
  for (size_t d = 0; d < to.size(); ++d) {
    int64_t stride =
        d < offset || from[d - offset] == 1 ? 0 : strides[d - offset];
    std::vector<int64_t> next;
    next.reserve(indices.size() * to[d]);
    for (int64_t base : indices)
      for (int64_t i = 0; i < to[d]; ++i)
        next.push_back(base + i * stride);
    indices = std::move(next);
  }
  return indices;
}

/// `value`, converted to an element of `type`.
static OptInt fitInteger(Type type, int64_t value) {
  unsigned width = type.getIntOrFloatBitWidth();
  if (width >= 64)
    return value;
  bool isUnsigned = type.isUnsignedInteger() || width == 1;
  bool fits = isUnsigned ? value >= 0 && llvm::isUIntN(width, value)
                         : llvm::isIntN(width, value);
  return fits ? OptInt(value) : std::nullopt;
}

static void setInteger(SmallTensor &result, int64_t i, OptInt value) {
  if (value)
    value = fitInteger(result.type.getElementType(), *value);
  if (value)
    result.ints[i] = *value;
  else
    result.setUnknown(i);
}

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

template <typename IntFn, typename FloatFn>
static void foldUnary(InferenceContext &context, IntFn ofInt, FloatFn ofFloat) {
  const SmallTensor *in = context.getInputValue(0);
  auto result = context.makeOutput(0, in);
  if (!result || in->size() != result->size())
    return;
  for (int64_t i = 0, e = in->size(); i < e; ++i) {
    if (!in->isKnown(i))
      result->setUnknown(i);
    else if (in->isFloat && result->isFloat)
      result->floats[i] = ofFloat(in->floats[i]);
    else if (!in->isFloat && !result->isFloat)
      setInteger(*result, i, ofInt(in->ints[i]));
    else
      result->setUnknown(i);
  }
  context.setValue(0, std::move(*result));
}

static OptInt noInt(int64_t) { return std::nullopt; }
static OptInt sameInt(int64_t x) { return x; }

void gpucost::onnx::foldNeg(InferenceContext &context) {
  foldUnary(
      context,
      [](int64_t x) {
        int64_t r;
        return llvm::SubOverflow<int64_t>(0, x, r) ? OptInt() : OptInt(r);
      },
      [](double x) { return -x; });
}

void gpucost::onnx::foldAbs(InferenceContext &context) {
  foldUnary(
      context,
      [](int64_t x) { return x == INT64_MIN ? OptInt() : OptInt(std::abs(x)); },
      [](double x) { return std::fabs(x); });
}

void gpucost::onnx::foldSign(InferenceContext &context) {
  foldUnary(
      context, [](int64_t x) { return OptInt((x > 0) - (x < 0)); },
      [](double x) { return double((x > 0) - (x < 0)); });
}

void gpucost::onnx::foldRelu(InferenceContext &context) {
  foldUnary(
      context, [](int64_t x) { return OptInt(std::max<int64_t>(x, 0)); },
      [](double x) { return x > 0 ? x : 0.0; });
}

void gpucost::onnx::foldNot(InferenceContext &context) {
  foldUnary(
      context, [](int64_t x) { return OptInt(x == 0); },
      [](double x) { return x; });
}

#define GPUCOST_FOLD_FLOAT(name, ofInt, expression)                            \
  void gpucost::onnx::name(InferenceContext &context) {                        \
    foldUnary(context, ofInt, [](double x) -> double { return expression; });  \
  }
GPUCOST_FOLD_FLOAT(foldFloor, sameInt, std::floor(x))
GPUCOST_FOLD_FLOAT(foldCeil, sameInt, std::ceil(x))
GPUCOST_FOLD_FLOAT(foldRound, sameInt, std::nearbyint(x))
GPUCOST_FOLD_FLOAT(foldSqrt, noInt, std::sqrt(x))
GPUCOST_FOLD_FLOAT(foldReciprocal, noInt, 1.0 / x)
GPUCOST_FOLD_FLOAT(foldExp, noInt, std::exp(x))
GPUCOST_FOLD_FLOAT(foldLog, noInt, std::log(x))
GPUCOST_FOLD_FLOAT(foldSin, noInt, std::sin(x))
GPUCOST_FOLD_FLOAT(foldCos, noInt, std::cos(x))
#undef GPUCOST_FOLD_FLOAT

void gpucost::onnx::foldCast(InferenceContext &context) {
  const SmallTensor *in = context.getInputValue(0);
  auto result = context.makeOutput(0, in);
  if (!result || in->size() != result->size())
    return;
  bool toBool = result->type.getElementType().isInteger(1);
  for (int64_t i = 0, e = in->size(); i < e; ++i) {
    double value = in->getDouble(i);
    if (!in->isKnown(i))
      result->setUnknown(i);
    else if (result->isFloat)
      result->floats[i] = value;
    else if (toBool)
      result->ints[i] = value != 0;
    else if (!in->isFloat)
      setInteger(*result, i, in->ints[i]);
    else
      // Truncates; the comparisons are also false for NaN.
      setInteger(*result, i,
                 std::fabs(value) < 0x1p62 ? OptInt(static_cast<int64_t>(value))
                                           : std::nullopt);
  }
  context.setValue(0, std::move(*result));
}

//===----------------------------------------------------------------------===//
// Two and more operands
//===----------------------------------------------------------------------===//

/// result = f(operand 0, operand 1) with broadcasting, applied from the left to
/// further operands (Sum, Min, Max). `ofFloat` always returns a double.
template <typename IntFn, typename FloatFn>
static void foldBinary(InferenceContext &context, IntFn ofInt,
                       FloatFn ofFloat) {
  llvm::SmallVector<const SmallTensor *> operands;
  for (unsigned i = 0; i < context.getNumInputs(); ++i) {
    operands.push_back(context.getInputValue(i));
    if (!operands.back())
      return;
  }
  if (operands.empty() || context.hasAttr("broadcast"))
    return;
  auto result = context.makeOutput(0);
  if (!result)
    return;
  llvm::SmallVector<std::vector<int64_t>> indices;
  for (const SmallTensor *operand : operands)
    indices.push_back(
        broadcastIndices(operand->type.getShape(), result->type.getShape()));
  bool isFloat = llvm::any_of(operands, [](auto *t) { return t->isFloat; });
  for (int64_t i = 0, e = result->size(); i < e; ++i) {
    bool known = true;
    for (auto [operand, index] : llvm::zip_equal(operands, indices))
      known &= operand->isKnown(index[i]);
    if (!known) {
      result->setUnknown(i);
      continue;
    }
    if (isFloat) {
      double value = operands[0]->getDouble(indices[0][i]);
      for (size_t j = 1; j < operands.size(); ++j)
        value = ofFloat(value, operands[j]->getDouble(indices[j][i]));
      if (result->isFloat)
        result->floats[i] = value;
      else if (std::fabs(value) < 0x1p62)
        setInteger(*result, i, static_cast<int64_t>(value));
      else
        result->setUnknown(i);
      continue;
    }
    OptInt value = operands[0]->ints[indices[0][i]];
    for (size_t j = 1; value && j < operands.size(); ++j)
      value = ofInt(*value, operands[j]->ints[indices[j][i]]);
    setInteger(*result, i, value);
  }
  context.setValue(0, std::move(*result));
}

/// Dimensions are small, so a result that does not fit stays unknown.
#define GPUCOST_FOLD_CHECKED(name, overflow, symbol)                           \
  void gpucost::onnx::name(InferenceContext &context) {                        \
    foldBinary(                                                                \
        context,                                                               \
        [](int64_t x, int64_t y) {                                             \
          int64_t r;                                                           \
          return overflow(x, y, r) ? OptInt() : OptInt(r);                     \
        },                                                                     \
        [](double x, double y) { return x symbol y; });                        \
  }
GPUCOST_FOLD_CHECKED(foldAdd, llvm::AddOverflow<int64_t>, +)
GPUCOST_FOLD_CHECKED(foldSub, llvm::SubOverflow<int64_t>, -)
GPUCOST_FOLD_CHECKED(foldMul, llvm::MulOverflow<int64_t>, *)
#undef GPUCOST_FOLD_CHECKED

#define GPUCOST_FOLD_BOTH(name, expression)                                    \
  void gpucost::onnx::name(InferenceContext &context) {                        \
    foldBinary(                                                                \
        context, [](int64_t x, int64_t y) { return OptInt(expression); },      \
        [](double x, double y) { return static_cast<double>(expression); });   \
  }
GPUCOST_FOLD_BOTH(foldMin, std::min(x, y))
GPUCOST_FOLD_BOTH(foldMax, std::max(x, y))
GPUCOST_FOLD_BOTH(foldEqual, x == y)
GPUCOST_FOLD_BOTH(foldLess, x < y)
GPUCOST_FOLD_BOTH(foldGreater, x > y)
GPUCOST_FOLD_BOTH(foldLessOrEqual, x <= y)
GPUCOST_FOLD_BOTH(foldGreaterOrEqual, x >= y)
GPUCOST_FOLD_BOTH(foldAnd, x != 0 && y != 0)
GPUCOST_FOLD_BOTH(foldOr, x != 0 || y != 0)
GPUCOST_FOLD_BOTH(foldXor, (x != 0) != (y != 0))
#undef GPUCOST_FOLD_BOTH

void gpucost::onnx::foldBitwiseAnd(InferenceContext &context) {
  foldBinary(
      context, [](int64_t x, int64_t y) { return OptInt(x & y); },
      [](double x, double) { return x; });
}

void gpucost::onnx::foldBitwiseOr(InferenceContext &context) {
  foldBinary(
      context, [](int64_t x, int64_t y) { return OptInt(x | y); },
      [](double x, double) { return x; });
}

/// Integers truncate towards zero.
void gpucost::onnx::foldDiv(InferenceContext &context) {
  foldBinary(
      context,
      [](int64_t x, int64_t y) {
        return y == 0 || (x == INT64_MIN && y == -1) ? OptInt() : OptInt(x / y);
      },
      [](double x, double y) { return x / y; });
}

/// The result has the divisor's sign, or with `fmod` the dividend's sign.
void gpucost::onnx::foldMod(InferenceContext &context) {
  bool isC = context.getInt("fmod") != 0;
  foldBinary(
      context,
      [isC](int64_t x, int64_t y) {
        if (y == 0 || y == -1)
          return y == 0 ? OptInt() : OptInt(0);
        int64_t r = x % y;
        return OptInt(!isC && r != 0 && (r < 0) != (y < 0) ? r + y : r);
      },
      [](double x, double y) { return std::fmod(x, y); });
}

void gpucost::onnx::foldPow(InferenceContext &context) {
  foldBinary(
      context,
      [](int64_t x, int64_t y) {
        double exact = std::pow(double(x), double(y));
        return y < 0 || std::fabs(exact) > 0x1p53
                   ? OptInt()
                   : OptInt(static_cast<int64_t>(exact));
      },
      [](double x, double y) { return std::pow(x, y); });
}

/// Bounds are operands 1 and 2, or attributes before opset 11.
void gpucost::onnx::foldClip(InferenceContext &context) {
  if ((context.hasInput(1) && !context.getInputInts(1)) ||
      (context.hasInput(2) && !context.getInputInts(2)))
    return;
  auto low = context.getInputInts(1), high = context.getInputInts(2);
  if ((low && low->size() != 1) || (high && high->size() != 1))
    return;
  int64_t least = low ? (*low)[0] : INT64_MIN;
  int64_t most = high ? (*high)[0] : INT64_MAX;
  double minimum = context.getFloat("min");
  double maximum = context.getFloat("max");
  foldUnary(
      context,
      [&](int64_t x) { return OptInt(std::min(std::max(x, least), most)); },
      [&](double x) { return std::min(std::max(x, minimum), maximum); });
}

/// Partial: an element is known if condition and selected side are known.
void gpucost::onnx::foldWhere(InferenceContext &context) {
  const SmallTensor *operands[3];
  for (unsigned i = 0; i < 3; ++i) {
    operands[i] = context.getInputValue(i);
    if (!operands[i])
      return;
  }
  auto result = context.makeOutput(0);
  if (!result || operands[0]->isFloat)
    return;
  std::vector<int64_t> indices[3];
  for (unsigned i = 0; i < 3; ++i)
    indices[i] =
        broadcastIndices(operands[i]->type.getShape(), result->type.getShape());
  for (int64_t i = 0, e = result->size(); i < e; ++i) {
    if (!operands[0]->isKnown(indices[0][i])) {
      result->setUnknown(i);
      continue;
    }
    unsigned chosen = operands[0]->ints[indices[0][i]] ? 1 : 2;
    result->copyElement(i, *operands[chosen], indices[chosen][i]);
  }
  context.setValue(0, std::move(*result));
}
