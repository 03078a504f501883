//===- ShapeProbes.h - Exact size polynomials -------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_ITERATION_SHAPEPROBES_H
#define GPUCOST_LIB_CORE_ITERATION_SHAPEPROBES_H

#include "gpucost/Core/Iteration/ShapeFamily.h"

namespace gpucost {

using Wide = __int128;

inline Wide absolute(Wide x) { return x < 0 ? -x : x; }

inline Wide commonDivisor(Wide a, Wide b) {
  a = absolute(a);
  b = absolute(b);
  while (b != 0) {
    Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// A rational number; probes are small, so that it does not overflow.
struct Rational {
  Wide top = 0, bottom = 1;

  Rational(Wide top = 0, Wide bottom = 1) : top(top), bottom(bottom) {
    Wide divisor = commonDivisor(top, bottom);
    if (divisor > 1) {
      this->top /= divisor;
      this->bottom /= divisor;
    }
    if (this->bottom < 0) {
      this->top = -this->top;
      this->bottom = -this->bottom;
    }
  }
  bool isZero() const { return top == 0; }
  Rational operator-(const Rational &o) const {
    return {top * o.bottom - o.top * bottom, bottom * o.bottom};
  }
  Rational operator*(const Rational &o) const {
    return {top * o.top, bottom * o.bottom};
  }
  Rational operator/(const Rational &o) const {
    return {top * o.bottom, bottom * o.top};
  }
};

/// The possible terms of sizes: linear in batch and past, quadratic in the new
/// tokens, which attend to each other. For queries across the end of a window,
/// also quadratic in the past.
std::vector<ShapeTerm> termsOf(const ShapeRange &range, bool paged,
                               bool hasWindow);

/// Shapes at which the terms are linearly independent, and the inverse of their
/// value matrix.
class Probes {
public:
  Probes(const ShapeRange &range, const std::vector<ShapeTerm> &terms,
         int64_t block);

  bool areEnough() const { return shapes.size() == count; }
  std::vector<StepShape> shapes;
  /// The polynomial with `values` at the shapes; false if twice its
  /// coefficients are not integers.
  bool solve(const std::vector<int64_t> &values, ShapePolynomial &halves) const;
  /// `value` less the polynomial with `values` at the shapes, where the terms
  /// are `terms`; times a number that depends on the shapes only.
  Wide errorAt(const std::vector<int64_t> &terms,
               const std::vector<int64_t> &values, int64_t value) const;

private:
  void add(const StepShape &shape, const std::vector<ShapeTerm> &terms,
           int64_t block);
  void invert();

  size_t count;
  /// Rows of terms at the shapes, after elimination with the previous rows.
  std::vector<std::vector<Rational>> eliminated;
  std::vector<std::vector<Rational>> rows;
  /// inverse[term][shape] / denominator.
  std::vector<std::vector<Wide>> inverse;
  Wide denominator = 1;
};

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_ITERATION_SHAPEPROBES_H
