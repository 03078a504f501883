//===- ShapeFamily.h - Prepared models of many shapes -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A serving step is asked for at thousands of batches and contexts. The kernels
// stay the same ones; only their sizes change, and every size of a prepared
// model is a polynomial of batch, new tokens and past tokens (times, tilings
// and power are not). A family learns the polynomials from a few prepared
// models and is then as exact as preparing each shape: it compares itself with
// a model at the far corner of its range, and refuses where a size differs or
// the kernels are other ones. Sizes of experts follow from their rule (E1); a
// sliding window cuts the range into regions with polynomials of their own.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_SHAPEFAMILY_H
#define GPUCOST_CORE_ITERATION_SHAPEFAMILY_H

#include "gpucost/Core/Iteration/PreparedModel.h"
#include "gpucost/Core/Support/Expected.h"
#include <array>
#include <functional>
#include <memory>

namespace gpucost {

/// What one step computes: each of `batch` sequences has `query` new tokens and
/// `past` tokens in the cache.
struct StepShape {
  int64_t batch = 1, query = 1, past = 0;
  bool operator==(const StepShape &o) const {
    return batch == o.batch && query == o.query && past == o.past;
  }
};

/// Shapes from `low` to `high`, ends included. A size with equal ends is fixed;
/// others span at least `leastSpan`, the batch `leastBatches`.
struct ShapeRange {
  StepShape low, high;
  static constexpr int64_t leastSpan = 64, leastBatches = 16;

  bool contains(const StepShape &shape) const;
};

/// Where windows of sliding attention cut: before a sequence is as long as the
/// window, after the past alone is, and between.
enum class WindowRegion : uint8_t { Before, Across, After };
/// `window` 0: no windows, After.
WindowRegion regionOf(const StepShape &shape, int64_t window);

/// Powers of the variables in one term: batch^b query^q past^p, and the blocks
/// of a paged cache, ceil((query + past) / block), to the power `blocks`.
struct ShapeTerm {
  int8_t batch = 0, query = 0, past = 0, blocks = 0;

  int64_t at(const StepShape &shape, int64_t block) const;
  bool isConstant() const { return !(batch || query || past || blocks); }
};

/// What a size is of a layer of experts (E1): see `ExpertUse`; or the bytes
/// that are read of weights.
enum class ExpertSize : uint8_t { None, Items, Rows, Columns, Unread, Read };

/// Terms of `ShapeFamily::terms` and twice their coefficients (q(q+1)/2 has
/// halves).
using ShapePolynomial = std::vector<std::pair<uint8_t, int64_t>>;

/// What a size is in one region.
struct ShapeSize {
  ShapePolynomial halves;
  ExpertSize kind = ExpertSize::None;
  uint32_t layer = 0; ///< index into PreparedModel::experts
  int64_t whole = 0;  ///< bytes of all experts

  bool operator<(const ShapeSize &o) const;
  /// For values of the terms, and the uses of all layers.
  int64_t at(const int64_t *terms, const PreparedModel &model,
             const std::vector<ExpertUse> &uses) const;
};

/// The sizes of one region that are no constants. Layers repeat: few differ.
struct RegionSizes {
  std::vector<ShapeSize> distinct; ///< in the order of their first use
  /// Index into `distinct`, for each of `ShapeFamily::varying`.
  std::vector<uint32_t> numbers;
  /// Those of kernels: so many of `distinct`.
  size_t ofKernels = 0;

  /// The first `values.size()` of `distinct`.
  void evaluate(const int64_t *terms, const PreparedModel &model,
                const std::vector<ExpertUse> &uses,
                std::vector<int64_t> &values) const;
};

/// Of every layer of `model`, for the tokens of a step.
void useExperts(const PreparedModel &model, int64_t tokens,
                std::vector<ExpertUse> &uses);

/// Every number of `model` that may depend on the shape, in a fixed order.
std::vector<int64_t *> sizesOf(PreparedModel &model);

class ShapeFamily {
public:
  using Prepare = std::function<Expected<std::shared_ptr<const PreparedModel>>(
      const StepShape &)>;

  /// Learns from the models that `prepare` makes, one for each term (2 to 12)
  /// and one to compare with. An error of `prepare`, or why the models are no
  /// family.
  static Expected<ShapeFamily> create(const ShapeRange &range,
                                      const Prepare &prepare);

  const ShapeRange &range() const { return theRange; }
  /// The model of a shape in `range()`. Names of the tensors at the peak of
  /// memory are missing.
  std::shared_ptr<PreparedModel> at(const StepShape &shape) const;
  /// Gives `model`, which came from `at` and whose numbers `sizesOf` lists, the
  /// sizes of another shape. Memory is left as it was with `timesAlone`.
  void resize(PreparedModel &model, const std::vector<int64_t *> &sizes,
              const StepShape &shape, bool timesAlone = false) const;

  const PreparedModel &base() const { return *model; }
  const std::vector<ShapeTerm> &terms() const { return theTerms; }
  /// The sizes that are no constants in some region: ascending indices into
  /// `sizesOf`.
  const std::vector<uint32_t> &varying() const { return indices; }
  const RegionSizes &sizes(WindowRegion region) const {
    return regions[static_cast<size_t>(region)];
  }
  /// Of the first region that has shapes.
  const RegionSizes &sizes() const;
  /// Keys of the sliding windows; 0: none.
  int64_t window() const { return theWindow; }
  /// Tokens of one block of a paged cache.
  int64_t block() const;
  /// The index of the first size of memory; those before are of kernels.
  size_t firstOfMemory() const { return memoryIndex; }

private:
  class Learner;
  Error findDifference(const StepShape &shape,
                       const PreparedModel &prepared) const;

  ShapeRange theRange;
  std::shared_ptr<const PreparedModel> model;
  std::vector<ShapeTerm> theTerms;
  std::vector<uint32_t> indices;
  std::array<RegionSizes, 3> regions;
  int64_t theWindow = 0;
  size_t memoryIndex = 0;
};

/// The numbers that are stated in settings: batch, seq and past.
void setShape(PreparedModel &model, const StepShape &shape);

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_SHAPEFAMILY_H
