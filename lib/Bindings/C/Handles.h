//===- Handles.h - What the handles of the C interface hold -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_BINDINGS_C_HANDLES_H
#define GPUCOST_LIB_BINDINGS_C_HANDLES_H

#include "Abi.h"
#include "gpucost/Core/Archive/PreparedFile.h"
#include "gpucost/Core/Iteration/PlacedModel.h"
#include "gpucost/Core/Model/CostModel.h"
#include <memory>

struct gpucostModel {
  gpucost::CostModel model;
  gpucost::NumericFormat format;
  /// Without the choice of attention kernels that `model` has made.
  gpucost::Coefficients coefficients;
  /// Settings that give this model again.
  gpucost::Scenario settings;
};

struct gpucostPrepared {
  std::string bytes;
  gpucost::PreparedFile file;
};

struct gpucostPlaced {
  gpucost::PlacedModel placed;
  /// Name of the model, for reports.
  std::string name;
  gpucost::ScenarioTarget target;
};

struct gpucostReport {
  gpucost::IterationReport report;
};

namespace gpucost::capi {

/// A model that was prepared for the GPU `from` with the device of `model`.
std::shared_ptr<const PreparedModel> restateFor(const gpucostModel &model,
                                                const ScenarioTarget &from,
                                                PreparedModel prepared);
/// The costs of `model` with the attention kernels of `software`, which is a
/// setting of prepared models.
CostModel costModelOf(const gpucostModel &model, const Settings &settings);

constexpr uint32_t toC(NumericFormat format) {
  return static_cast<uint32_t>(format) + 1;
}
/// nullopt for a number that is not a format.
std::optional<NumericFormat> formatOf(uint32_t format);
/// The enumerator `value` in the struct member `name`.
template <typename Enum>
Enum readEnum(int64_t value, std::string_view name, std::string_view owner) {
  auto read = static_cast<Enum>(value);
  if (stringifyEnum(read).empty())
    invalid("'", name, "' of ", owner, " is ", value,
            ", which is not a valid value");
  return read;
}

/// The facts of `gpu`; texts are those of `gpu`.
gpucostDevice describe(const Gpu &gpu);
/// The same the other way round, checked.
Gpu readDevice(const gpucostDevice &in);

/// The work of a caller's kernel.
KernelWork readKernel(const gpucostModel &model, const gpucostKernel &kernel);
KernelQuery readQuery(const gpucostModel &model, const gpucostQuery *given);
/// Words that problems of `family` use; 0 without a family.
size_t wordsOf(uint32_t family);
/// The cost of one kernel.
gpucostCost estimate(const gpucostModel &model, const gpucostKernel &kernel,
                     const KernelQuery &query);
/// One launch.
gpucostCost describe(const KernelCost &cost, int64_t flops, int64_t bytes);
gpucostCost describe(const KernelWork &work, const KernelCost &cost);
/// All numbers unknown.
gpucostCost unknownCost();
/// The error of a kernel that the model does not cost.
[[noreturn]] void refuseKernel(const Error &why);

} // namespace gpucost::capi

#endif // GPUCOST_LIB_BINDINGS_C_HANDLES_H
