//===- ShapeProbes.cpp - Exact size polynomials ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeProbes.h"
#include <algorithm>
#include <limits>

using namespace gpucost;

std::vector<ShapeTerm> gpucost::termsOf(const ShapeRange &range, bool paged,
                                        bool hasWindow) {
  bool query = range.low.query != range.high.query;
  bool past = range.low.past != range.high.past;
  std::vector<ShapeTerm> terms{{0, 0, 0, 0}};
  if (query)
    terms.insert(terms.end(), {{0, 1, 0, 0}, {0, 2, 0, 0}});
  if (past)
    terms.push_back({0, 0, 1, 0});
  if (query && past)
    terms.push_back({0, 1, 1, 0});
  if (past && hasWindow && range.high.query > 1)
    terms.push_back({0, 0, 2, 0});
  if (paged && (query || past))
    terms.push_back({0, 0, 0, 1});
  if (range.low.batch == range.high.batch)
    return terms;
  size_t count = terms.size();
  for (size_t i = 0; i < count; ++i) {
    terms.push_back(terms[i]);
    terms.back().batch = 1;
  }
  return terms;
}

Probes::Probes(const ShapeRange &range, const std::vector<ShapeTerm> &terms,
               int64_t block)
    : count(terms.size()) {
  // Well above the lowest shape, where sizes are unlikely to be equal by
  // accident.
  auto candidates = [](int64_t low, int64_t high,
                       std::initializer_list<int64_t> steps) {
    std::vector<int64_t> values;
    if (low == high)
      return std::vector<int64_t>{low};
    for (int64_t step : steps)
      values.push_back(low + step);
    return values;
  };
  static constexpr std::initializer_list<int64_t> batchSteps = {3, 9},
                                                  querySteps = {15, 27, 35},
                                                  pastSteps = {30, 42, 57};
  std::vector<int64_t> batches =
      candidates(range.low.batch, range.high.batch, batchSteps);
  std::vector<int64_t> queries =
      candidates(range.low.query, range.high.query, querySteps);
  std::vector<int64_t> pasts =
      candidates(range.low.past, range.high.past, pastSteps);
  for (int64_t past : pasts)
    for (int64_t query : queries)
      for (int64_t batch : batches)
        if (!areEnough())
          add({batch, query, past}, terms, block);
  if (areEnough())
    invert();
}

void Probes::add(const StepShape &shape, const std::vector<ShapeTerm> &terms,
                 int64_t block) {
  std::vector<Rational> row;
  for (const ShapeTerm &term : terms)
    row.emplace_back(term.at(shape, block));
  std::vector<Rational> rest = row;
  for (const std::vector<Rational> &other : eliminated) {
    auto pivot = static_cast<size_t>(
        std::find_if(other.begin(), other.end(),
                     [](const Rational &x) { return !x.isZero(); }) -
        other.begin());
    Rational factor = rest[pivot] / other[pivot];
    for (size_t i = pivot; i < count && !factor.isZero(); ++i)
      rest[i] = rest[i] - factor * other[i];
  }
  if (std::all_of(rest.begin(), rest.end(),
                  [](const Rational &x) { return x.isZero(); }))
    return;
  eliminated.push_back(std::move(rest));
  rows.push_back(std::move(row));
  shapes.push_back(shape);
}

void Probes::invert() {
  // Gauss-Jordan on [rows | identity].
  std::vector<std::vector<Rational>> matrix = rows;
  for (size_t i = 0; i < count; ++i) {
    matrix[i].resize(2 * count);
    matrix[i][count + i] = Rational(1);
  }
  for (size_t column = 0; column < count; ++column) {
    size_t pivot = column;
    while (matrix[pivot][column].isZero())
      ++pivot;
    std::swap(matrix[pivot], matrix[column]);
    Rational scale = matrix[column][column];
    for (Rational &x : matrix[column])
      x = x / scale;
    for (size_t other = 0; other < count; ++other) {
      Rational factor = matrix[other][column];
      if (other == column || factor.isZero())
        continue;
      for (size_t i = 0; i < 2 * count; ++i)
        matrix[other][i] = matrix[other][i] - factor * matrix[column][i];
    }
  }
  for (const auto &row : matrix)
    for (size_t i = count; i < 2 * count; ++i)
      denominator = denominator / commonDivisor(denominator, row[i].bottom) *
                    row[i].bottom;
  for (const auto &row : matrix) {
    inverse.emplace_back();
    for (size_t i = count; i < 2 * count; ++i)
      inverse.back().push_back(row[i].top * (denominator / row[i].bottom));
  }
}

bool Probes::solve(const std::vector<int64_t> &values,
                   ShapePolynomial &halves) const {
  halves.clear();
  for (size_t term = 0; term < count; ++term) {
    Wide sum = 0;
    for (size_t i = 0; i < count; ++i)
      sum += inverse[term][i] * values[i];
    sum *= 2;
    constexpr Wide most = std::numeric_limits<int64_t>::max();
    if (sum % denominator != 0 || absolute(sum / denominator) > most)
      return false;
    if (sum != 0)
      halves.emplace_back(static_cast<uint8_t>(term),
                          static_cast<int64_t>(sum / denominator));
  }
  return true;
}

Wide Probes::errorAt(const std::vector<int64_t> &terms,
                     const std::vector<int64_t> &values, int64_t value) const {
  Wide error = denominator * value;
  for (size_t term = 0; term < count; ++term) {
    Wide sum = 0;
    for (size_t i = 0; i < count; ++i)
      sum += inverse[term][i] * values[i];
    error -= sum * terms[term];
  }
  return error;
}
