//===- ShapeFamily.cpp - Size polynomials ---------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/ShapeFamily.h"
#include "ShapeProbes.h"
#include "ShapeSizes.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

using namespace gpucost;

bool ShapeRange::contains(const StepShape &shape) const {
  auto within = [](int64_t value, int64_t from, int64_t to) {
    return value >= from && value <= to;
  };
  return within(shape.batch, low.batch, high.batch) &&
         within(shape.query, low.query, high.query) &&
         within(shape.past, low.past, high.past) &&
         within(shape.query + shape.past, leastLength, mostLength);
}

int64_t ShapeTerm::at(const StepShape &shape, int64_t block) const {
  if (rows > 0)
    return beyondRows(saturatingProduct(shape.batch, shape.query));
  uint64_t value = 1; // files may contain any limits
  auto multiply = [&](int64_t factor, int power) {
    for (int i = 0; i < power; ++i)
      value *= static_cast<uint64_t>(factor);
  };
  multiply(shape.batch, batch);
  multiply(shape.query, query);
  multiply(shape.past, past);
  multiply((shape.query + shape.past + block - 1) / block, blocks);
  return static_cast<int64_t>(value);
}

WindowRegion gpucost::regionOf(const StepShape &shape, int64_t window) {
  if (shape.query + shape.past <= window)
    return WindowRegion::Before;
  return shape.past < window - 1 ? WindowRegion::Across : WindowRegion::After;
}

size_t gpucost::numberOfRegion(const StepShape &shape, const Windows &windows) {
  size_t number = 0;
  for (int64_t window : windows)
    number =
        regionsOfWindow * number + static_cast<size_t>(regionOf(shape, window));
  return number;
}

std::set<int64_t> gpucost::windowsOf(const PreparedModel &model) {
  std::set<int64_t> windows;
  for (const KernelWork &work : model.works)
    if (const auto *problem = work.getIf<AttentionProblem>())
      if (problem->window > 0)
        windows.insert(problem->window);
  return windows;
}

//===----------------------------------------------------------------------===//
// Experts
//===----------------------------------------------------------------------===//

void gpucost::useExperts(const PreparedModel &model, int64_t tokens,
                         std::vector<ExpertUse> &uses) {
  uses.clear();
  for (const ExpertWork &each : model.experts)
    uses.push_back(useOf(each.layer, std::max<int64_t>(tokens, 1)));
}

bool ShapeSize::operator<(const ShapeSize &o) const {
  return std::tie(kind, layer, whole, halves) <
         std::tie(o.kind, o.layer, o.whole, o.halves);
}

int64_t ShapeSize::at(const int64_t *terms, const PreparedModel &model,
                      const std::vector<ExpertUse> &uses) const {
  uint64_t twice = 0; // files may contain any coefficients
  for (const auto &[term, half] : halves)
    twice += static_cast<uint64_t>(terms[term]) * static_cast<uint64_t>(half);
  int64_t plain = static_cast<int64_t>(twice) / 2;
  if (kind == ExpertSize::None)
    return plain;
  const ExpertUse &use = uses[layer];
  switch (kind) {
  case ExpertSize::None:
    break;
  case ExpertSize::Items:
    return use.items;
  case ExpertSize::Rows:
    return use.rows;
  case ExpertSize::Columns:
    return use.columns;
  case ExpertSize::Unread:
    return saturatingSum(plain - use.unread,
                         saturatingProduct(whole, use.pairs));
  case ExpertSize::Read:
    return readBytes(model.experts[layer].layer, use, whole);
  case ExpertSize::Exchanged:
    return collectiveBytes(CollectiveKind::AllToAll,
                           saturatingProduct(whole, use.pairs),
                           model.experts[layer].layer.shards)
        .value_or(0);
  case ExpertSize::Pairs:
    return saturatingSum(plain, saturatingProduct(whole, use.pairs));
  }
  return 0;
}

void RegionSizes::evaluate(const int64_t *terms, const PreparedModel &model,
                           const std::vector<ExpertUse> &uses,
                           std::vector<int64_t> &values) const {
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = distinct[i].at(terms, model, uses);
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

int64_t ShapeFamily::block() const { return model->settings.kvBlock; }

const RegionSizes &ShapeFamily::sizes() const {
  for (const RegionSizes &sizes : regions)
    if (!sizes.numbers.empty())
      return sizes;
  return regions.back();
}

Error ShapeFamily::findDifference(const StepShape &shape,
                                  const PreparedModel &prepared) const {
  // Evaluated in wide integers: sizes that fit at the far corner fit
  // everywhere.
  std::vector<Wide> terms;
  terms.reserve(theTerms.size());
  for (const ShapeTerm &term : theTerms)
    terms.push_back(term.at(shape, block()));
  for (const ShapeSize &size :
       sizes(numberOfRegion(shape, theWindows)).distinct) {
    Wide largest = 0;
    for (const auto &[term, half] : size.halves)
      largest += absolute(terms[term] * half);
    if (largest > std::numeric_limits<int64_t>::max())
      return {"a size of the largest shape is too large"};
  }
  std::shared_ptr<PreparedModel> own = at(shape);
  PreparedModel other = prepared;
  std::vector<int64_t *> a = sizesOf(*own), b = sizesOf(other);
  bool same = a.size() == b.size() &&
              own->memory.activationBytes == prepared.memory.activationBytes;
  for (size_t i = 0; i < a.size() && same; ++i)
    same = *a[i] == *b[i];
  return {same ? "" : "a size is not a polynomial of the shape"};
}

const RegionSizes &ShapeFamily::evaluate(const StepShape &shape,
                                         bool kernelsOnly,
                                         std::vector<ExpertUse> &uses,
                                         std::vector<int64_t> &values) const {
  std::array<int64_t, mostTerms> terms;
  for (size_t i = 0; i < theTerms.size(); ++i)
    terms[i] = theTerms[i].at(shape, block());
  useExperts(*model, saturatingProduct(shape.batch, shape.query), uses);
  const RegionSizes &own = this->sizes(numberOfRegion(shape, theWindows));
  values.resize(kernelsOnly ? own.ofKernels : own.distinct.size());
  own.evaluate(terms.data(), *model, uses, values);
  return own;
}

std::vector<int64_t> ShapeFamily::identities() const {
  std::map<std::array<uint32_t, mostRegions>, int64_t> known;
  std::vector<int64_t> identities;
  for (size_t i = 0; i < indices.size(); ++i) {
    std::array<uint32_t, mostRegions> key{};
    for (size_t region = 0; region < regions.size(); ++region)
      if (!regions[region].numbers.empty())
        key[region] = regions[region].numbers[i];
    identities.push_back(
        known.try_emplace(key, -2 - static_cast<int64_t>(known.size()))
            .first->second);
  }
  return identities;
}

void ShapeFamily::resize(PreparedModel &other,
                         const std::vector<int64_t *> &sizes,
                         const StepShape &shape) const {
  std::vector<ExpertUse> uses;
  std::vector<int64_t> values;
  const RegionSizes &own = evaluate(shape, /*kernelsOnly=*/false, uses, values);
  for (size_t i = 0; i < own.numbers.size(); ++i)
    *sizes[indices[i]] = values[own.numbers[i]];
  updatePeak(other.memory);
  setShape(other, shape);
}

std::shared_ptr<PreparedModel> ShapeFamily::at(const StepShape &shape) const {
  auto copy = std::make_shared<PreparedModel>(*model);
  resize(*copy, sizesOf(*copy), shape);
  return copy;
}
