//===- ShapeFamily.cpp - Polynomials of sizes -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Iteration/ShapeFamily.h"
#include "ShapeSizes.h"
#include <algorithm>
#include <numeric>

using namespace gpucost;

bool ShapeRange::contains(const StepShape &shape) const {
  auto within = [](int64_t value, int64_t from, int64_t to) {
    return value >= from && value <= to;
  };
  return within(shape.batch, low.batch, high.batch) &&
         within(shape.query, low.query, high.query) &&
         within(shape.past, low.past, high.past);
}

int64_t ShapeTerm::at(const StepShape &shape, int64_t block) const {
  int64_t value = 1;
  for (int i = 0; i < batch; ++i)
    value *= shape.batch;
  for (int i = 0; i < query; ++i)
    value *= shape.query;
  for (int i = 0; i < past; ++i)
    value *= shape.past;
  if (blocks)
    value *= (shape.query + shape.past + block - 1) / block;
  return value;
}

/// The terms that sizes may have: linear in batch and past, quadratic in the
/// new tokens, which attend to each other.
static std::vector<ShapeTerm> termsOf(const ShapeRange &range, bool paged) {
  bool query = range.low.query != range.high.query;
  bool past = range.low.past != range.high.past;
  std::vector<ShapeTerm> terms{{0, 0, 0, 0}};
  if (query)
    terms.insert(terms.end(), {{0, 1, 0, 0}, {0, 2, 0, 0}});
  if (past)
    terms.push_back({0, 0, 1, 0});
  if (query && past)
    terms.push_back({0, 1, 1, 0});
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

//===----------------------------------------------------------------------===//
// Exact solution
//===----------------------------------------------------------------------===//

namespace {

using Wide = __int128;

Wide absolute(Wide x) { return x < 0 ? -x : x; }

Wide commonDivisor(Wide a, Wide b) {
  a = absolute(a);
  b = absolute(b);
  while (b != 0) {
    Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// A rational number; probes are small, so that nothing overflows.
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

/// Shapes at which the terms are independent, and the inverse of their matrix
/// there.
class Probes {
public:
  Probes(const ShapeRange &range, const std::vector<ShapeTerm> &terms,
         int64_t block);

  bool areEnough() const { return shapes.size() == count; }
  std::vector<StepShape> shapes;
  /// Twice the coefficients for `values` at the shapes; false where they are no
  /// whole numbers.
  bool solve(const std::vector<int64_t> &values,
             std::vector<int64_t> &halves) const;

private:
  void add(const StepShape &shape, const std::vector<ShapeTerm> &terms,
           int64_t block);
  void invert();

  size_t count;
  /// Rows of terms at the shapes, eliminated by those before.
  std::vector<std::vector<Rational>> eliminated;
  std::vector<std::vector<Rational>> rows;
  /// inverse[term][shape] / denominator.
  std::vector<std::vector<Wide>> inverse;
  Wide denominator = 1;
};

} // namespace

Probes::Probes(const ShapeRange &range, const std::vector<ShapeTerm> &terms,
               int64_t block)
    : count(terms.size()) {
  // Some way above the lowest shape, where equal sizes of different things are
  // unlikely.
  auto candidates = [](int64_t low, int64_t high,
                       std::initializer_list<int64_t> steps) {
    std::vector<int64_t> values;
    if (low == high)
      return std::vector<int64_t>{low};
    for (int64_t step : steps)
      values.push_back(low + step);
    return values;
  };
  std::vector<int64_t> batches =
      candidates(range.low.batch, range.high.batch, {3, 9});
  std::vector<int64_t> queries =
      candidates(range.low.query, range.high.query, {15, 27, 35});
  std::vector<int64_t> pasts =
      candidates(range.low.past, range.high.past, {30, 42, 57});
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
                   std::vector<int64_t> &halves) const {
  halves.resize(count);
  for (size_t term = 0; term < count; ++term) {
    Wide sum = 0;
    for (size_t i = 0; i < count; ++i)
      sum += inverse[term][i] * values[i];
    sum *= 2;
    constexpr Wide most = std::numeric_limits<int64_t>::max();
    if (sum % denominator != 0 || absolute(sum / denominator) > most)
      return false;
    halves[term] = static_cast<int64_t>(sum / denominator);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

int64_t ShapeFamily::block() const { return model->settings.kvBlock; }

Expected<ShapeFamily> ShapeFamily::create(const ShapeRange &range,
                                          const Prepare &prepare) {
  auto tooShort = [](int64_t low, int64_t high, int64_t least) {
    return low != high && high - low < least;
  };
  if (tooShort(range.low.batch, range.high.batch, ShapeRange::leastBatches) ||
      tooShort(range.low.query, range.high.query, ShapeRange::leastSpan) ||
      tooShort(range.low.past, range.high.past, ShapeRange::leastSpan))
    return fail("the range of shapes is too short for a family");
  auto far = prepare(range.high);
  if (!far)
    return fail(far.error());
  ShapeFamily family;
  family.theRange = range;
  const Settings &settings = (*far)->settings;
  if (settings.trains())
    return fail("a family of shapes is one of forward passes");
  family.theTerms = termsOf(range, settings.kvCache == KvCacheMode::Paged);
  Probes probes(range, family.theTerms, settings.kvBlock);
  if (!probes.areEnough())
    return fail("the range of shapes is too short for a family");

  // values[size][probe]
  std::vector<std::vector<int64_t>> values;
  for (const StepShape &shape : probes.shapes) {
    auto prepared = prepare(shape);
    if (!prepared)
      return fail(prepared.error());
    if (std::string other = findOtherStructure(**far, **prepared);
        !other.empty())
      return fail("other shapes have other " + other);
    PreparedModel copy = **prepared;
    std::vector<int64_t *> sizes = sizesOf(copy);
    values.resize(sizes.size());
    for (size_t i = 0; i < sizes.size(); ++i)
      values[i].push_back(*sizes[i]);
    family.model = std::move(*prepared);
  }
  PreparedModel copy = *family.model;
  std::vector<int64_t *> ofKernels;
  family.memoryIndex = addKernelSizes(copy, ofKernels);
  std::vector<int64_t> halves;
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::all_of(values[i].begin(), values[i].end(),
                    [&](int64_t value) { return value == values[i][0]; }))
      continue;
    if (!probes.solve(values[i], halves))
      return fail("a size is no polynomial of the shape");
    ShapeSize size;
    size.index = static_cast<uint32_t>(i);
    for (size_t term = 0; term < halves.size(); ++term)
      if (halves[term] != 0)
        size.halves.emplace_back(static_cast<uint8_t>(term), halves[term]);
    family.varying.push_back(std::move(size));
  }
  if (Error error = family.findDifference(range.high, **far);
      !error.message.empty())
    return fail(std::move(error));
  return family;
}

Error ShapeFamily::findDifference(const StepShape &shape,
                                  const PreparedModel &prepared) const {
  // In wide numbers first: what fits at the far corner fits everywhere.
  std::vector<Wide> terms;
  for (const ShapeTerm &term : theTerms)
    terms.push_back(term.at(shape, block()));
  for (const ShapeSize &size : varying) {
    Wide largest = 0;
    for (const auto &[term, half] : size.halves)
      largest += absolute(terms[term] * half);
    if (largest > std::numeric_limits<int64_t>::max())
      return {"a size of the largest shape is too large"};
  }
  std::shared_ptr<PreparedModel> own = at(shape);
  PreparedModel other = prepared;
  std::vector<int64_t *> a = sizesOf(*own), b = sizesOf(other);
  bool same = own->memory.activationBytes == prepared.memory.activationBytes;
  for (size_t i = 0; i < a.size() && same; ++i)
    same = *a[i] == *b[i];
  return {same ? "" : "a size is no polynomial of the shape"};
}

void ShapeFamily::resize(PreparedModel &other,
                         const std::vector<int64_t *> &sizes,
                         const StepShape &shape, bool timesAlone) const {
  std::array<int64_t, 16> terms;
  for (size_t i = 0; i < theTerms.size(); ++i)
    terms[i] = theTerms[i].at(shape, block());
  for (const ShapeSize &size : varying) {
    if (timesAlone && size.index >= memoryIndex)
      break;
    int64_t twice = 0;
    for (const auto &[term, half] : size.halves)
      twice += terms[term] * half;
    *sizes[size.index] = twice / 2;
  }
  if (timesAlone)
    return;
  updatePeak(other.memory);
  setShape(other, shape);
}

std::shared_ptr<PreparedModel> ShapeFamily::at(const StepShape &shape) const {
  auto copy = std::make_shared<PreparedModel>(*model);
  resize(*copy, sizesOf(*copy), shape);
  return copy;
}
