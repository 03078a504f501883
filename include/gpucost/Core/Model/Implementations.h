//===- Implementations.h - Kernels of libraries -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A problem describes the computation; a row of Implementations.def is one
// kernel that can perform it. `CostModel::selectTiling` chooses the row when a
// kernel is placed on a GPU. Within one CostModel, the choice depends only on
// the work, so caches of one model use the work as their key.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_IMPLEMENTATIONS_H
#define GPUCOST_CORE_MODEL_IMPLEMENTATIONS_H

#include "gpucost/Core/Model/Coefficients.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "gpucost/Core/Support/Expected.h"
#include "gpucost/Core/Support/Span.h"

namespace gpucost {

class CostModel;
struct KernelModel;
struct KernelQuery;
struct Tiling;

/// `None` and the rows of Implementations.def.
#define GPUCOST_ENUMS "gpucost/Core/Model/Implementations.def"
#include "gpucost/Core/Vocabulary/DefineEnums.inc"
static_assert(ImplementationKind() == ImplementationKind::None,
              "the default of Tiling");

/// A named predicate on GPU, software, work and query.
struct Condition {
  std::string_view text; ///< "PyTorch 2.8 or later"
  bool (*holds)(const CostModel &model, const KernelWork &work,
                const KernelQuery &query); ///< null: always
};

/// Defines a condition for Implementations.def; the body of the predicate uses
/// `model`, `work` and `query`.
#define GPUCOST_CONDITION(name, text, ...)                                     \
  extern const Condition name;                                                 \
  constexpr Condition name = {text,                                            \
                              []([[maybe_unused]] const CostModel &model,      \
                                 [[maybe_unused]] const KernelWork &work,      \
                                 [[maybe_unused]] const KernelQuery &query)    \
                                  ->bool __VA_ARGS__};

/// The error class of a kernel by its format.
struct ErrorClasses {
  ErrorClass fp32, others;
  constexpr ErrorClasses(ErrorClass both) : fp32(both), others(both) {}
  constexpr ErrorClasses(ErrorClass fp32, ErrorClass others)
      : fp32(fp32), others(others) {}
  constexpr ErrorClass of(NumericFormat format) const {
    return format == NumericFormat::FP32 ? fp32 : others;
  }
};

/// One row of Implementations.def.
struct Implementation {
  ImplementationKind kind;
  std::string_view name; ///< in tilings, JSON and `--explain-op`
  KernelFamily family;
  const Condition &origin; ///< who runs it
  const Condition &runsOn; ///< GPUs
  FormatSet formats;
  const Condition &fits; ///< the problem
  GroupSet groups;       ///< coefficients that it reads, all required
  bool competes;         ///< with the row before it, by predicted time
  ErrorClasses errors;
  const KernelModel *model;
  std::string_view doc;

  /// The group that measurements of it inform: the first one. nullopt: it
  /// depends on the work.
  std::optional<CoefficientGroup> mainGroup() const;
};

/// Rows of the table, by preference.
Span<Implementation> implementationsOf(KernelFamily family);
/// The row of `kind`, which is not `None`.
const Implementation &implementationOf(ImplementationKind kind);

/// The first condition that keeps `row` from running `work`; "" when it is
/// eligible.
std::string whyNotEligible(const Implementation &row, const CostModel &model,
                           const KernelWork &work, const KernelQuery &query);

/// Configures the kernel that runs `work`: the first eligible row, or the
/// fastest one of those that compete.
Expected<Tiling> chooseKernel(const CostModel &model, const KernelWork &work,
                              const KernelQuery &query);
/// The row of a tiling; for one without a row, the one that `chooseKernel`
/// finds.
Expected<const Implementation *> findImplementation(const CostModel &model,
                                                    const KernelWork &work,
                                                    const Tiling &tiling,
                                                    const KernelQuery &query);

/// The configurations that the library could have run instead of `chosen`,
/// those of competing rows included; none for a kernel with one configuration.
std::vector<Tiling> candidatesOf(const CostModel &model, const KernelWork &work,
                                 const Tiling &chosen);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_IMPLEMENTATIONS_H
