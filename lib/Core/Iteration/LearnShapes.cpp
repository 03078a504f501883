//===- LearnShapes.cpp - Learning size polynomials ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeProbes.h"
#include "ShapeRegions.h"
#include "ShapeSizes.h"
#include "gpucost/Core/Iteration/ShapeFamily.h"
#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

using namespace gpucost;

//===----------------------------------------------------------------------===//
// Experts
//===----------------------------------------------------------------------===//

/// Candidate roles of expert kernel sizes, by index. For weight bytes, each
/// tensor that the kernel reads is a candidate.
static std::map<uint32_t, std::vector<ShapeSize>>
findExpertSizes(PreparedModel &model) {
  std::map<const int64_t *, uint32_t> indexOf;
  std::vector<int64_t *> sizes;
  addKernelSizes(model, sizes);
  for (size_t i = 0; i < sizes.size(); ++i)
    indexOf[sizes[i]] = static_cast<uint32_t>(i);
  std::map<uint32_t, std::vector<ShapeSize>> found;
  auto add = [&](const int64_t *place, ExpertSize kind, uint32_t layer,
                 int64_t whole = 0) {
    found[indexOf.at(place)].push_back({{}, kind, layer, whole});
  };
  for (uint32_t layer = 0; layer < model.experts.size(); ++layer) {
    uint32_t number = model.experts[layer].work;
    KernelWork &work = model.works[number];
    if (!work.is<MatmulProblem>())
      continue;
    auto &problem = work.edit<MatmulProblem>();
    add(&problem.batch, ExpertSize::Items, layer);
    add(&problem.m, ExpertSize::Rows, layer);
    add(&problem.n, ExpertSize::Columns, layer);
    add(&work.count.bytesRead, ExpertSize::Unread, layer);
    uint32_t read = 0, touch = 0;
    for (const Launch &launch : model.launches) {
      uint32_t firstRead = std::exchange(read, launch.persistentReadsEnd);
      uint32_t firstTouch = std::exchange(touch, launch.touchesEnd);
      if (launch.work != number)
        continue;
      for (uint32_t i = firstRead; i < read; ++i) {
        int64_t whole = model.persistentReads[i].allBytes;
        add(&model.persistentReads[i].bytes, ExpertSize::Read, layer, whole);
        for (uint32_t j = firstTouch; j < touch; ++j)
          if (!model.touches[j].written)
            add(&model.touches[j].bytes, ExpertSize::Read, layer, whole);
      }
    }
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Learning
//===----------------------------------------------------------------------===//

static bool isTooShort(const ShapeRange &range) {
  auto tooShort = [](int64_t low, int64_t high, int64_t least) {
    return low != high && high - low < least;
  };
  return tooShort(range.low.batch, range.high.batch,
                  ShapeRange::leastBatches) ||
         tooShort(range.low.query, range.high.query, ShapeRange::leastSpan) ||
         tooShort(range.low.past, range.high.past, ShapeRange::leastSpan);
}

class ShapeFamily::Learner {
public:
  Learner(const ShapeRange &range, const Prepare &prepare)
      : range(range), prepare(prepare) {
    family.theRange = range;
  }

  Expected<ShapeFamily> learn();

private:
  /// For one region: values[size][probe] and twice their polynomials.
  struct Region {
    RegionShapes shapes;
    std::optional<Probes> probes;
    std::vector<std::vector<int64_t>> values;
    std::vector<std::vector<ExpertUse>> uses;
    std::vector<int64_t> ofWidest;
    std::vector<ExpertUse> usesOfWidest;
    std::shared_ptr<const PreparedModel> far;
  };

  Error readWindows(const PreparedModel &model);
  Error measure(Region &region);
  void findTables();
  Error solve();
  Error compareBeyondTables(const StepShape &widest);
  bool isConstant(size_t index) const;
  bool solvePolynomial(size_t index, std::vector<ShapeSize> &solved) const;
  bool addLookUps(size_t index, std::vector<ShapeSize> &solved) const;
  bool matchesExperts(size_t index, const ShapeSize &size,
                      std::vector<ShapeSize> &solved) const;
  /// What `size` without pairs leaves of the size at `index`.
  std::vector<int64_t> restOf(size_t index, const ShapeSize &size,
                              const Region &region) const;
  std::optional<int64_t> bytesOfPairs(size_t index,
                                      const ShapeSize &size) const;
  bool solveRests(size_t index, const ShapeSize &size,
                  std::vector<ShapeSize> &solved) const;
  bool solvePairs(size_t index, ShapeSize size,
                  std::vector<ShapeSize> &solved) const;
  bool solveExchange(size_t index, uint32_t layer,
                     std::vector<ShapeSize> &solved) const;
  bool matchesWidest(size_t index, const std::vector<ShapeSize> &solved) const;
  void keep(size_t index, const std::vector<ShapeSize> &solved);

  const ShapeRange &range;
  const Prepare &prepare;
  ShapeFamily family;
  std::shared_ptr<const PreparedModel> first; ///< all models have its structure
  std::vector<Region> regions;
  /// For each region, positions in `RegionSizes::distinct`.
  std::array<std::map<ShapeSize, uint32_t>, mostRegions> known;
};

/// A window length divides a range into three regions, and a second one each of
/// them.
Error ShapeFamily::Learner::readWindows(const PreparedModel &model) {
  std::set<int64_t> windows = windowsOf(model);
  // Shorter sequences have no window.
  if (range.mostLength < std::numeric_limits<int64_t>::max())
    windows = {range.mostLength};
  if (windows.size() > mostWindows)
    return {"attention has windows of " + std::to_string(windows.size()) +
            " lengths, at most " + std::to_string(mostWindows) +
            " are supported"};
  family.theWindows.assign(windows.begin(), windows.end());
  return {};
}

Error ShapeFamily::Learner::measure(Region &region) {
  auto far = prepare(region.shapes.far);
  if (!far)
    return far.error();
  region.far = *far;
  auto widest = prepare(region.shapes.widest);
  if (!widest)
    return widest.error();
  if (std::string other = findOtherStructure(*first, **widest); !other.empty())
    return {"other shapes have different " + other};
  PreparedModel ofWidest = **widest;
  for (const int64_t *size : sizesOf(ofWidest))
    region.ofWidest.push_back(*size);
  useExperts(
      ofWidest,
      saturatingProduct(region.shapes.widest.batch, region.shapes.widest.query),
      region.usesOfWidest);
  region.probes.emplace(region.shapes.box, family.theTerms, family.block());
  if (isTooShort(region.shapes.box) || !region.probes->areEnough())
    return {"the range of shapes is too short for a family"};
  for (const StepShape &shape : region.probes->shapes) {
    auto prepared = prepare(shape);
    if (!prepared)
      return prepared.error();
    if (std::string other = findOtherStructure(*first, **prepared);
        !other.empty())
      return {"other shapes have different " + other};
    PreparedModel copy = **prepared;
    std::vector<int64_t *> sizes = sizesOf(copy);
    region.values.resize(sizes.size());
    for (size_t i = 0; i < sizes.size(); ++i)
      region.values[i].push_back(*sizes[i]);
    useExperts(copy, saturatingProduct(shape.batch, shape.query),
               region.uses.emplace_back());
    family.model = std::move(*prepared);
  }
  return {};
}

bool ShapeFamily::Learner::isConstant(size_t index) const {
  int64_t value = regions.front().values[index][0];
  for (const Region &region : regions)
    for (int64_t other : region.values[index])
      if (other != value)
        return false;
  return true;
}

/// Adds a term for each table of which the most tokens read all rows, and the
/// probes one row per token.
void ShapeFamily::Learner::findTables() {
  size_t index = 0;
  for (KernelWork work : first->works) {
    std::vector<int64_t *> sizes;
    addSizes(work, sizes);
    index += sizes.size();
  }
  auto tokensOf = [](const StepShape &shape) {
    return Wide(shape.batch) * shape.query;
  };
  auto rowsOf = [&](const Region &region, size_t bytes) -> int64_t {
    const std::vector<StepShape> &shapes = region.probes->shapes;
    const std::vector<int64_t> &values = region.values[bytes];
    int64_t all = region.ofWidest[bytes + 1];
    auto row = static_cast<int64_t>(values[0] / tokensOf(shapes[0]));
    if (row <= 0 || all % row != 0 || region.ofWidest[bytes] != all ||
        region.values[bytes + 1][0] != all ||
        tokensOf(region.shapes.widest) <= all / row)
      return 0;
    for (size_t i = 0; i < shapes.size(); ++i)
      if (values[i] != row * tokensOf(shapes[i]))
        return 0;
    return all / row;
  };
  std::set<int64_t> tables;
  for (size_t i = 0; i < first->persistentReads.size(); ++i)
    for (const Region &region : regions)
      if (int64_t rows = rowsOf(region, index + 2 * i); rows > 0)
        tables.insert(rows);
  for (int64_t rows : tables)
    if (family.theTerms.size() < mostTerms)
      family.theTerms.push_back({0, 0, 0, 0, rows});
}

/// Adds the bytes that tokens beyond the rows of a table do not read, the same
/// in all regions; false if the size of the most tokens is still different.
bool ShapeFamily::Learner::addLookUps(size_t index,
                                      std::vector<ShapeSize> &solved) const {
  std::optional<ShapePolynomial::value_type> found;
  for (size_t i = 0; i < regions.size(); ++i) {
    Wide twice = Wide(regions[i].ofWidest[index]) * 2;
    auto valueOf = [&](size_t term) -> Wide {
      return family.theTerms[term].at(regions[i].shapes.widest, family.block());
    };
    for (const auto &[term, half] : solved[i].halves)
      twice -= valueOf(term) * half;
    if (twice == 0)
      continue;
    std::optional<ShapePolynomial::value_type> own;
    for (size_t term = 0; term < family.theTerms.size() && !own; ++term)
      if (Wide beyond = valueOf(term);
          family.theTerms[term].rows > 0 && beyond > 0 && twice % beyond == 0 &&
          absolute(twice / beyond) <= std::numeric_limits<int64_t>::max())
        own.emplace(static_cast<uint8_t>(term),
                    static_cast<int64_t>(twice / beyond));
    if (!own || (found && *found != *own))
      return false;
    found = own;
  }
  for (ShapeSize &size : solved)
    if (found)
      size.halves.push_back(*found);
  return true;
}

/// The polynomial of a size in every region.
bool ShapeFamily::Learner::solvePolynomial(
    size_t index, std::vector<ShapeSize> &solved) const {
  solved.assign(regions.size(), {});
  for (size_t i = 0; i < regions.size(); ++i)
    if (!regions[i].probes->solve(regions[i].values[index], solved[i].halves))
      return false;
  return true;
}

std::vector<int64_t> ShapeFamily::Learner::restOf(size_t index,
                                                  const ShapeSize &size,
                                                  const Region &region) const {
  std::vector<int64_t> rest;
  rest.reserve(region.uses.size());
  for (size_t i = 0; i < region.uses.size(); ++i)
    rest.push_back(region.values[index][i] -
                   size.at(nullptr, *first, region.uses[i]));
  return rest;
}

/// The polynomial that remains besides `size`, in every region.
bool ShapeFamily::Learner::solveRests(size_t index, const ShapeSize &size,
                                      std::vector<ShapeSize> &solved) const {
  solved.assign(regions.size(), size);
  for (size_t j = 0; j < regions.size(); ++j)
    if (!regions[j].probes->solve(restOf(index, size, regions[j]),
                                  solved[j].halves))
      return false;
  return true;
}

/// The factor of the pairs of a layer: pairs are not a polynomial, so that the
/// polynomials of the probes are wrong at the widest shape by this multiple.
std::optional<int64_t>
ShapeFamily::Learner::bytesOfPairs(size_t index, const ShapeSize &size) const {
  const Region &region = regions.front();
  std::vector<int64_t> terms, pairs;
  terms.reserve(family.theTerms.size());
  pairs.reserve(region.uses.size());
  for (const ShapeTerm &term : family.theTerms)
    terms.push_back(
        term.rows > 0 ? 0 : term.at(region.shapes.widest, family.block()));
  for (const std::vector<ExpertUse> &uses : region.uses)
    pairs.push_back(uses[size.layer].pairs);
  Wide ofSize = region.probes->errorAt(
      terms, restOf(index, size, region),
      region.ofWidest[index] - size.at(nullptr, *first, region.usesOfWidest));
  Wide ofPairs = region.probes->errorAt(terms, pairs,
                                        region.usesOfWidest[size.layer].pairs);
  if (ofPairs == 0 || ofSize % ofPairs != 0 ||
      absolute(ofSize / ofPairs) > std::numeric_limits<int64_t>::max())
    return std::nullopt;
  return static_cast<int64_t>(ofSize / ofPairs);
}

/// (X28) A polynomial and a multiple of the pairs of the busiest GPU.
bool ShapeFamily::Learner::solvePairs(size_t index, ShapeSize size,
                                      std::vector<ShapeSize> &solved) const {
  if (!first->experts[size.layer].layer.busiest)
    return false;
  std::optional<int64_t> factor = bytesOfPairs(index, size);
  if (!factor)
    return false;
  size.whole = *factor;
  return solveRests(index, size, solved) && matchesWidest(index, solved);
}

/// (X12) The bytes that an all-to-all of the pairs moves.
bool ShapeFamily::Learner::solveExchange(size_t index, uint32_t layer,
                                         std::vector<ShapeSize> &solved) const {
  const Region &region = regions.front();
  int64_t shards = first->experts[layer].layer.shards;
  int64_t pairs = region.usesOfWidest[layer].pairs;
  if (shards < 2 || pairs < 1)
    return false;
  // The message is a multiple of the GPUs, except for a rest.
  int64_t message =
      saturatingProduct(region.ofWidest[index] / (shards - 1), shards);
  int64_t bytes = message / pairs + (message % pairs > 0);
  return matchesExperts(index, {{}, ExpertSize::Exchanged, layer, bytes},
                        solved) &&
         matchesWidest(index, solved);
}

/// Few probes may have a polynomial by accident.
bool ShapeFamily::Learner::matchesWidest(
    size_t index, const std::vector<ShapeSize> &solved) const {
  for (size_t i = 0; i < regions.size(); ++i) {
    const Region &region = regions[i];
    std::vector<int64_t> terms;
    terms.reserve(family.theTerms.size());
    for (const ShapeTerm &term : family.theTerms)
      terms.push_back(term.at(region.shapes.widest, family.block()));
    if (solved[i].at(terms.data(), *first, region.usesOfWidest) !=
        region.ofWidest[index])
      return false;
  }
  return true;
}

/// Whether `size` with the remaining polynomial matches all probes.
bool ShapeFamily::Learner::matchesExperts(
    size_t index, const ShapeSize &size, std::vector<ShapeSize> &solved) const {
  if (size.kind == ExpertSize::Unread)
    return (solveRests(index, size, solved) && matchesWidest(index, solved)) ||
           solvePairs(index, size, solved);
  solved.assign(regions.size(), size);
  for (const Region &region : regions)
    for (int64_t rest : restOf(index, size, region))
      if (rest != 0)
        return false;
  return true;
}

void ShapeFamily::Learner::keep(size_t index,
                                const std::vector<ShapeSize> &solved) {
  family.indices.push_back(static_cast<uint32_t>(index));
  for (size_t i = 0; i < regions.size(); ++i) {
    size_t place = regions[i].shapes.number;
    RegionSizes &own = family.regions[place];
    auto [it, isNew] = known[place].try_emplace(
        solved[i], static_cast<uint32_t>(own.distinct.size()));
    if (isNew)
      own.distinct.push_back(solved[i]);
    own.numbers.push_back(it->second);
    if (index < family.memoryIndex)
      own.ofKernels = own.distinct.size();
  }
}

Error ShapeFamily::Learner::solve() {
  PreparedModel copy = *family.model;
  auto experts = findExpertSizes(copy);
  std::vector<ShapeSize> solved;
  auto isOfPairs = [&](size_t index) {
    for (uint32_t layer = 0; layer < first->experts.size(); ++layer)
      if (solvePairs(index, {{}, ExpertSize::Pairs, layer, 0}, solved) ||
          solveExchange(index, layer, solved))
        return true;
    return false;
  };
  for (size_t i = 0; i < regions.front().values.size(); ++i) {
    auto candidates = experts.find(static_cast<uint32_t>(i));
    bool isOfExperts =
        candidates != experts.end() &&
        std::any_of(candidates->second.begin(), candidates->second.end(),
                    [&](const ShapeSize &size) {
                      return matchesExperts(i, size, solved);
                    });
    if (!isOfExperts && isConstant(i))
      continue;
    if (!isOfExperts &&
        !(solvePolynomial(i, solved) && addLookUps(i, solved)) && !isOfPairs(i))
      return {"a size is not a polynomial of the shape"};
    keep(i, solved);
  }
  return {};
}

Expected<ShapeFamily> ShapeFamily::Learner::learn() {
  if (isTooShort(range))
    return fail("the range of shapes is too short for a family");
  StepShape longest = range.high;
  if (longest.query + longest.past > range.mostLength) {
    longest.past = range.low.past;
    longest.query =
        std::min(longest.query, longestQuery(range.low, range.mostLength));
  }
  auto far = prepare(longest);
  if (!far)
    return fail(far.error());
  first = family.model = *far;
  const Settings &settings = first->settings;
  if (settings.trains())
    return fail("families of shapes support only forward passes");
  if (Error error = readWindows(*first); !error.message.empty())
    return fail(std::move(error));
  family.theTerms = termsOf(range, settings.kvCache == KvCacheMode::Paged,
                            !family.theWindows.empty());
  for (const RegionShapes &shapes : regionsOf(range, family.theWindows))
    regions.emplace_back().shapes = shapes;
  for (Region &region : regions)
    if (Error error = measure(region); !error.message.empty())
      return fail(std::move(error));
  PreparedModel copy = *family.model;
  std::vector<int64_t *> ofKernels;
  family.memoryIndex = addKernelSizes(copy, ofKernels);
  findTables();
  if (Error error = solve(); !error.message.empty())
    return fail(std::move(error));
  for (const Region &region : regions) {
    if (Error error = family.findDifference(region.shapes.far, *region.far);
        !error.message.empty())
      return fail(std::move(error));
    if (Error error = compareBeyondTables(region.shapes.widest);
        !error.message.empty())
      return fail(std::move(error));
  }
  return std::move(family);
}

/// Compares a shape between the rows of each table and `widest`.
Error ShapeFamily::Learner::compareBeyondTables(const StepShape &widest) {
  for (const ShapeTerm &term : family.theTerms) {
    StepShape shape = widest;
    int64_t least = term.rows / widest.batch + 1;
    if (term.rows == 0 || least >= widest.query)
      continue;
    shape.query = least + (widest.query - least) / 2;
    auto prepared = prepare(shape);
    if (!prepared)
      return prepared.error();
    if (Error error = family.findDifference(shape, **prepared);
        !error.message.empty())
      return error;
  }
  return {};
}

Expected<ShapeFamily> ShapeFamily::create(const ShapeRange &range,
                                          const Prepare &prepare) {
  return Learner(range, prepare).learn();
}
