//===- Implementations.cpp - The choice of a kernel -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/Implementations.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Vocabulary/Vendors.h"

using namespace gpucost;

//===----------------------------------------------------------------------===//
// Common conditions
//===----------------------------------------------------------------------===//

namespace gpucost::kernels {
#define IMPLEMENTATION(Kind, name, family, origin, runsOn, formats, fits,      \
                       groups, competes, errors, model, doc)                   \
  extern const Condition origin, runsOn, fits;                                 \
  extern const KernelModel model;
#include "gpucost/Core/Model/Implementations.def"

const Condition anySoftware = {"any software", nullptr};
const Condition anyGpu = {"any GPU", nullptr};
const Condition anyProblem = {"any problem", nullptr};
GPUCOST_CONDITION(nvidiaGpu, "a GPU of NVIDIA", {
  return vendorOf(model.gpu().architecture) == Vendor::NVIDIA;
})
GPUCOST_CONDITION(libraries, "kernels of a library, not generated ones",
                  { return !model.choice().isGenerated(); })
GPUCOST_CONDITION(sincePyTorch2_0, "PyTorch 2.0 or later, or another software",
                  {
                    return !isBefore(model.software(), Software::PyTorch,
                                     version(2, 0));
                  })
} // namespace gpucost::kernels

static constexpr FormatSet setOf(std::initializer_list<NumericFormat> formats) {
  FormatSet set;
  for (NumericFormat format : formats)
    set.insert(format);
  return set;
}
static constexpr FormatSet without(FormatSet set) { return {~set.bits}; }

static constexpr FormatSet onlyFp32 = setOf({NumericFormat::FP32}),
                           onlyFp16 = setOf({NumericFormat::FP16}),
                           onlyBf16 = setOf({NumericFormat::BF16}),
                           sixteenBits = setOf(
                               {NumericFormat::FP16, NumericFormat::BF16}),
                           fp32Tensors = setOf(
                               {NumericFormat::FP32, NumericFormat::TF32}),
                           anyFormat = without(FormatSet{}),
                           notFp32 = without(onlyFp32),
                           notBf16 = without(onlyBf16),
                           notFp32Tensors = without(fp32Tensors);

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

using namespace kernels;

static constexpr Implementation table[] = {
#define IMPLEMENTATION(Kind, name, family, origin, runsOn, formats, fits,      \
                       groups, competes, errors, model, doc)                   \
  {ImplementationKind::Kind,                                                   \
   name,                                                                       \
   KernelFamily::family,                                                       \
   origin,                                                                     \
   runsOn,                                                                     \
   formats,                                                                    \
   fits,                                                                       \
   groups,                                                                     \
   competes,                                                                   \
   errors,                                                                     \
   &model,                                                                     \
   doc},
#include "gpucost/Core/Model/Implementations.def"
};

namespace {
/// Position of each family's rows in the table.
struct FamilyRows {
  size_t first[getMaxEnumValForKernelFamily() + 1] = {};
  size_t count[getMaxEnumValForKernelFamily() + 1] = {};
};
} // namespace

static constexpr FamilyRows findFamilies() {
  FamilyRows rows;
  constexpr KernelFamily families[] = {
#define IMPLEMENTATION(Kind, name, family, ...) KernelFamily::family,
#include "gpucost/Core/Model/Implementations.def"
  };
  size_t row = 0;
  for (KernelFamily family : families) {
    auto index = static_cast<size_t>(family);
    if (rows.count[index]++ == 0)
      rows.first[index] = row;
    ++row;
  }
  return rows;
}
static constexpr FamilyRows familyRows = findFamilies();

static constexpr bool hasAllFamilies() {
  for (size_t count : familyRows.count)
    if (count == 0)
      return false;
  return true;
}
static_assert(hasAllFamilies(), "a kernel family without a row");

Span<Implementation> gpucost::implementationsOf(KernelFamily family) {
  auto index = static_cast<size_t>(family);
  return {table + familyRows.first[index], familyRows.count[index]};
}

const Implementation &gpucost::implementationOf(ImplementationKind kind) {
  assert(kind != ImplementationKind::None);
  return table[static_cast<size_t>(kind) - 1];
}

std::optional<CoefficientGroup> Implementation::mainGroup() const {
  for (size_t i = 0; i < groups.size(); ++i)
    if (groups.test(i))
      return static_cast<CoefficientGroup>(i);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

static bool holds(const Condition &condition, const CostModel &model,
                  const KernelWork &work, const KernelQuery &query) {
  return !condition.holds || condition.holds(model, work, query);
}

static bool lacksGroups(const Implementation &row, const CostModel &model) {
  return (row.groups & ~model.groups()).any();
}

/// Whether the kernel can compute `work`, on any software and GPU.
static bool canRun(const Implementation &row, const CostModel &model,
                   const KernelWork &work, const KernelQuery &query) {
  return row.formats.contains(work.format) &&
         holds(row.fits, model, work, query);
}

static bool isEligible(const Implementation &row, const CostModel &model,
                       const KernelWork &work, const KernelQuery &query) {
  return canRun(row, model, work, query) && !lacksGroups(row, model) &&
         holds(row.origin, model, work, query) &&
         holds(row.runsOn, model, work, query);
}

static std::string describeLack(const Implementation &row,
                                const CostModel &model) {
  return missingGroup(model, namesOf(row.groups & ~model.groups()).front())
      .value()
      .message;
}

std::string gpucost::whyNotEligible(const Implementation &row,
                                    const CostModel &model,
                                    const KernelWork &work,
                                    const KernelQuery &query) {
  bool isForced = query.implementation == row.kind;
  if (!isForced && !holds(row.origin, model, work, query))
    return "needs " + std::string(row.origin.text);
  if (!isForced && !holds(row.runsOn, model, work, query))
    return "needs " + std::string(row.runsOn.text);
  if (!row.formats.contains(work.format))
    return "does not compute in " +
           std::string(stringifyNumericFormat(work.format));
  if (!holds(row.fits, model, work, query))
    return "needs " + std::string(row.fits.text);
  return lacksGroups(row, model) ? describeLack(row, model) : "";
}

/// Why no row is eligible: missing coefficients, if a row lacks only
/// these.
static Error whyNone(Span<Implementation> rows, const CostModel &model,
                     const KernelWork &work, const KernelQuery &query) {
  const Implementation *lacking = nullptr;
  for (const Implementation &row : rows)
    if (canRun(row, model, work, query) && lacksGroups(row, model))
      lacking = &row;
  if (lacking)
    return {describeLack(*lacking, model)};
  std::string text = "no kernel of family '" +
                     std::string(stringifyKernelFamily(work.family)) +
                     "' runs this problem";
  for (const Implementation &row : rows)
    text += "; " + std::string(row.name) + ": " +
            whyNotEligible(row, model, work, query);
  return {text};
}

static Expected<Tiling> tile(const Implementation &row, const CostModel &model,
                             const KernelWork &work, const KernelQuery &query) {
  auto tiling = row.model->tile(model, work, query);
  if (tiling)
    tiling->implementation = row.kind;
  return tiling;
}

/// The row that the query requires, independent of the software.
static Expected<const Implementation *> findForced(const CostModel &model,
                                                   const KernelWork &work,
                                                   const KernelQuery &query) {
  const Implementation &row = implementationOf(query.implementation);
  std::string why = row.family == work.family
                        ? whyNotEligible(row, model, work, query)
                        : "of another family";
  if (!why.empty())
    return fail("kernel '" + std::string(row.name) + "': " + why);
  return &row;
}

/// The row that the query requires, else the first eligible one.
static Expected<const Implementation *> findRow(const CostModel &model,
                                                const KernelWork &work,
                                                const KernelQuery &query) {
  if (query.implementation != ImplementationKind::None)
    return findForced(model, work, query);
  Span<Implementation> rows = implementationsOf(work.family);
  for (const Implementation &row : rows)
    if (isEligible(row, model, work, query))
      return &row;
  return fail(whyNone(rows, model, work, query));
}

Expected<Tiling> gpucost::chooseKernel(const CostModel &model,
                                       const KernelWork &work,
                                       const KernelQuery &query) {
  auto found = findRow(model, work, query);
  if (!found)
    return fail(found.error());
  const Implementation *row = *found;
  Span<Implementation> rows = implementationsOf(work.family);
  if (query.implementation != ImplementationKind::None ||
      row + 1 == rows.end() || !row[1].competes)
    return tile(*row, model, work, query);
  auto best = tile(*row, model, work, query);
  std::optional<Seconds> bestTime;
  // Rows do not compete for an empty kernel; it gets the first one.
  for (++row; row != rows.end() && row->competes && best && best->ctas > 0;
       ++row) {
    if (!isEligible(*row, model, work, query))
      continue;
    auto timeOf = [&](const Tiling &tiling) -> std::optional<Seconds> {
      auto terms = implementationOf(tiling.implementation)
                       .model->terms(model, work, tiling, query);
      return terms ? std::optional(timeAt(*terms, 1)) : std::nullopt;
    };
    if (!bestTime)
      bestTime = timeOf(*best);
    auto other = tile(*row, model, work, query);
    if (!other)
      return other;
    std::optional<Seconds> time = timeOf(*other);
    if (time && (!bestTime || *time < *bestTime)) {
      best = other;
      bestTime = time;
    }
  }
  return best;
}

Expected<const Implementation *>
gpucost::findImplementation(const CostModel &model, const KernelWork &work,
                            const Tiling &tiling, const KernelQuery &query) {
  ImplementationKind kind = tiling.implementation;
  if (kind == ImplementationKind::None && tiling.tile.m > 0) {
    // The tiling was set by hand. selectTiling could return a kernel without
    // tiles, so take the first eligible row.
    return findRow(model, work, query);
  }
  if (kind == ImplementationKind::None) {
    auto chosen = model.selectTiling(work, query);
    if (!chosen)
      return fail(chosen.error());
    kind = chosen->implementation;
  }
  const Implementation &row = implementationOf(kind);
  if (row.family != work.family)
    return fail("kernel '" + std::string(row.name) + "' is not of family '" +
                std::string(stringifyKernelFamily(work.family)) + "'");
  if (!canRun(row, model, work, query))
    return fail("kernel '" + std::string(row.name) +
                "': " + whyNotEligible(row, model, work, query));
  if (lacksGroups(row, model))
    return fail(describeLack(row, model));
  return &row;
}

std::vector<Tiling> gpucost::candidatesOf(const CostModel &model,
                                          const KernelWork &work,
                                          const Tiling &chosen) {
  std::vector<Tiling> found;
  auto chosenRow = findImplementation(model, work, chosen, {});
  if (!chosenRow)
    return found;
  Span<Implementation> rows = implementationsOf(work.family);
  const Implementation *row = *chosenRow;
  while (row->competes)
    --row;
  do {
    if (row->model->candidates &&
        (row == *chosenRow || isEligible(*row, model, work, {})))
      for (Tiling tiling : row->model->candidates(model, work, chosen)) {
        tiling.implementation = row->kind;
        found.push_back(tiling);
      }
    ++row;
  } while (row != rows.end() && row->competes);
  return found;
}
