//===- CheckedMath.h - Overflow-checked arithmetic --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SUPPORT_CHECKEDMATH_H
#define GPUCOST_CORE_SUPPORT_CHECKEDMATH_H

#include <cstdint>
#include <initializer_list>
#include <optional>

namespace gpucost {

/// Product of all factors; nullopt if it does not fit in an int64_t.
inline std::optional<int64_t>
checkedProduct(std::initializer_list<int64_t> factors) {
  int64_t product = 1;
  for (int64_t factor : factors)
    if (__builtin_mul_overflow(product, factor, &product))
      return std::nullopt;
  return product;
}

/// Like `checkedProduct`, over any range of integers.
template <typename Range>
std::optional<int64_t> checkedProductOf(const Range &factors) {
  int64_t product = 1;
  for (int64_t factor : factors)
    if (__builtin_mul_overflow(product, factor, &product))
      return std::nullopt;
  return product;
}

/// Non-negative integer that saturates instead of wrapping: a saturated count
/// is wrong by definition but never negative or undefined.
class Saturating {
public:
  Saturating(int64_t v) : v(v < 0 ? 0 : v) {}
  Saturating operator*(Saturating o) const {
    int64_t r;
    return Saturating(__builtin_mul_overflow(v, o.v, &r) ? INT64_MAX : r);
  }
  Saturating operator+(Saturating o) const {
    int64_t r;
    return Saturating(__builtin_add_overflow(v, o.v, &r) ? INT64_MAX : r);
  }
  int64_t value() const { return v; }

private:
  int64_t v;
};

/// total += count * each, saturating at the largest int64_t.
inline void addSaturating(int64_t &total, int64_t count, int64_t each) {
  int64_t product;
  if (__builtin_mul_overflow(count, each, &product) ||
      __builtin_add_overflow(total, product, &total))
    total = INT64_MAX;
}

/// a + b, at most the largest int64_t.
inline int64_t saturatingSum(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/// a * b, at most the largest int64_t.
inline int64_t saturatingProduct(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

/// `value` without its fraction, within the range of int64_t; 0 for NaN.
inline int64_t saturatingInt(double value) {
  constexpr double end = 9223372036854775808.0; // 2^63
  if (value != value)
    return 0;
  return value >= end    ? INT64_MAX
         : value <= -end ? INT64_MIN
                         : static_cast<int64_t>(value);
}

/// Adds bytes to a total; false if it overflows or they are unknown.
inline bool addBytes(int64_t &total, std::optional<int64_t> bytes) {
  return bytes && !__builtin_add_overflow(total, *bytes, &total);
}

} // namespace gpucost

#endif // GPUCOST_CORE_SUPPORT_CHECKEDMATH_H
