//===- ShapeFamily.h - Prepared models of many shapes -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Serving steps are queried at thousands of batch sizes and contexts. The
// kernels are always the same; only their sizes change, and every size in a
// prepared model is a polynomial in batch, new tokens and past tokens (times,
// tilings and power are not). A family learns the polynomials from a few
// prepared models and is then as exact as preparing each shape: creation
// compares the result with a model at the far corner of the range, and fails if
// a size or a kernel differs. Expert sizes follow from their rule (E1); a
// sliding window splits the range into regions with separate polynomials; more
// tokens than rows of a table read it once.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_SHAPEFAMILY_H
#define GPUCOST_CORE_ITERATION_SHAPEFAMILY_H

#include "gpucost/Core/Iteration/PreparedModel.h"
#include "gpucost/Core/Support/Expected.h"
#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <set>

namespace gpucost {

/// Shape of one step: each of `batch` sequences has `query` new tokens and
/// `past` tokens in the cache.
struct StepShape {
  int64_t batch = 1, query = 1, past = 0;
  bool operator==(const StepShape &o) const {
    return batch == o.batch && query == o.query && past == o.past;
  }
};

/// Shapes from `low` to `high`, inclusive, whose sequences have `leastLength`
/// to `mostLength` tokens. A size with equal ends is fixed; other sizes span at
/// least `leastSpan`, the batch at least `leastBatches`.
struct ShapeRange {
  StepShape low, high;
  int64_t leastLength = 0;
  int64_t mostLength = std::numeric_limits<int64_t>::max();
  static constexpr int64_t leastSpan = 60, leastBatches = 16;

  bool contains(const StepShape &shape) const;
};

/// Regions that a sliding window creates: `Before` if the sequence is shorter
/// than the window, `After` if the past already fills it, `Across` in between.
enum class WindowRegion : uint8_t { Before, Across, After };
WindowRegion regionOf(const StepShape &shape, int64_t window);
/// The lengths of the sliding windows of attention.
std::set<int64_t> windowsOf(const PreparedModel &model);

/// The lengths of the windows of a family, ascending.
using Windows = std::vector<int64_t>;
/// Values of WindowRegion, the maximum number of windows, and the regions that
/// they create.
inline constexpr size_t regionsOfWindow = 3, mostWindows = 2,
                        mostRegions = regionsOfWindow * regionsOfWindow;
/// The number of a region, below `mostRegions`.
size_t numberOfRegion(const StepShape &shape, const Windows &windows);

/// Exponents of the variables in one term: batch^b query^q past^p, times the
/// number of paged cache blocks, ceil((query + past) / block), to the power
/// `blocks`. With `rows`, the number of tokens beyond the rows of a table, of
/// which a look-up reads at most all.
struct ShapeTerm {
  int8_t batch = 0, query = 0, past = 0, blocks = 0;
  int64_t rows = 0;

  int64_t at(const StepShape &shape, int64_t block) const;
  int64_t beyondRows(int64_t tokens) const {
    return std::max<int64_t>(tokens - rows, 0);
  }
  bool isConstant() const {
    return !(batch || query || past || blocks || rows);
  }
};

/// Role of a size in an expert layer (E1): a member of `ExpertUse`, or the
/// weight bytes read. `Pairs` and `Unread` are terms beside a polynomial;
/// `Exchanged` are the bytes of the pairs that an all-to-all moves.
enum class ExpertSize : uint8_t {
  None,
  Items,
  Rows,
  Columns,
  Unread,
  Read,
  Pairs,
  Exchanged
};

/// Indices into `ShapeFamily::terms` and twice the coefficients (q(q+1)/2 has
/// halves).
using ShapePolynomial = std::vector<std::pair<uint8_t, int64_t>>;

/// One size as a function of the shape, in one region.
struct ShapeSize {
  ShapePolynomial halves;
  ExpertSize kind = ExpertSize::None;
  uint32_t layer = 0; ///< index into PreparedModel::experts
  /// Bytes of all experts (`Read`), otherwise of each pair.
  int64_t whole = 0;

  bool operator<(const ShapeSize &o) const;
  /// The size for the values of the terms and the uses of all layers.
  int64_t at(const int64_t *terms, const PreparedModel &model,
             const std::vector<ExpertUse> &uses) const;
};

/// The sizes that vary in one region. Layers repeat, so few are distinct.
struct RegionSizes {
  std::vector<ShapeSize> distinct; ///< in order of first use
  /// Index into `distinct` for each element of `ShapeFamily::varying`.
  std::vector<uint32_t> numbers;
  /// Number of kernel sizes in `distinct`, which come first.
  size_t ofKernels = 0;

  /// Evaluates the first `values.size()` elements of `distinct`.
  void evaluate(const int64_t *terms, const PreparedModel &model,
                const std::vector<ExpertUse> &uses,
                std::vector<int64_t> &values) const;
};

/// Computes the uses of every expert layer in `model` for the tokens of a step.
void useExperts(const PreparedModel &model, int64_t tokens,
                std::vector<ExpertUse> &uses);

/// Every number of `model` that may depend on the shape, in a fixed order.
std::vector<int64_t *> sizesOf(PreparedModel &model);

class ShapeFamily {
public:
  using Prepare = std::function<Expected<std::shared_ptr<const PreparedModel>>(
      const StepShape &)>;

  /// Terms of a family, at most: 14 products, and look-ups.
  static constexpr size_t mostTerms = 20;

  /// Learns from models that `prepare` returns: one per term (2 to 12) and one
  /// to three for comparison. Fails with an error of `prepare`, or if the
  /// models do not form a family.
  static Expected<ShapeFamily> create(const ShapeRange &range,
                                      const Prepare &prepare);

  const ShapeRange &range() const { return theRange; }
  /// The model of a shape in `range()`, without the names of the peak tensors.
  std::shared_ptr<PreparedModel> at(const StepShape &shape) const;
  /// Changes `model`, which `at` returned and whose numbers are `sizes` (see
  /// `sizesOf`), to another shape.
  void resize(PreparedModel &model, const std::vector<int64_t *> &sizes,
              const StepShape &shape) const;
  /// Computes the sizes of a shape: `values` of RegionSizes::distinct, at least
  /// those of kernels.
  const RegionSizes &evaluate(const StepShape &shape, bool kernelsOnly,
                              std::vector<ExpertUse> &uses,
                              std::vector<int64_t> &values) const;

  const PreparedModel &base() const { return *model; }
  const std::vector<ShapeTerm> &terms() const { return theTerms; }
  /// The sizes that vary in at least one region: ascending indices into
  /// `sizesOf`.
  const std::vector<uint32_t> &varying() const { return indices; }
  /// A negative number for each of these sizes. Sizes with one number are equal
  /// at every shape.
  std::vector<int64_t> identities() const;
  /// The sizes in a region; those of no region are empty.
  const RegionSizes &sizes(size_t region) const { return regions[region]; }
  /// The sizes of the first region that contains shapes.
  const RegionSizes &sizes() const;
  /// Sliding window sizes in keys.
  const Windows &windows() const { return theWindows; }
  /// Tokens per block of a paged cache.
  int64_t block() const;
  /// Index of the first memory size; the sizes before it belong to kernels.
  size_t firstOfMemory() const { return memoryIndex; }

private:
  class Learner;
  Error findDifference(const StepShape &shape,
                       const PreparedModel &prepared) const;

  ShapeRange theRange;
  std::shared_ptr<const PreparedModel> model;
  std::vector<ShapeTerm> theTerms;
  std::vector<uint32_t> indices;
  std::array<RegionSizes, mostRegions> regions;
  Windows theWindows;
  size_t memoryIndex = 0;
};

/// Sets `batch`, `seq` and `past` in the settings of `model`.
void setShape(PreparedModel &model, const StepShape &shape);

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_SHAPEFAMILY_H
