//===- Restate.h - Changed settings of prepared models ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_RESTATE_H
#define GPUCOST_CORE_ITERATION_RESTATE_H

#include "gpucost/Core/Iteration/PreparedModel.h"
#include "gpucost/Core/Model/CostModel.h"
#include "gpucost/Core/Support/Expected.h"
#include <memory>

namespace gpucost {

/// The properties of a GPU and of its network that settings depend on.
ScenarioTarget getScenarioTarget(const Gpu &gpu,
                                 const Coefficients &coefficients,
                                 NumericFormat format);
ScenarioTarget getScenarioTarget(const CostModel &model, NumericFormat format);

/// Flags of the settings that select different kernels in `a` and `b`,
/// separated by commas; "" for none.
std::string findOtherKernels(const Settings &a, const Settings &b);

/// GPU capabilities that determine which kernels an iteration launches. In
/// 8-bit models, tensors that are not 8-bit are bf16 if the GPU supports it,
/// else fp16.
struct KernelUnits {
  FormatSet formats; ///< TF32, and formats of 8 bits and fewer
  bool bf16;
};
KernelUnits kernelUnits(const ScenarioTarget &gpu);

/// Returns `prepared`, whose kernels were formed for the GPU `from`, with
/// `changes` applied to its settings, for the GPU of `target`. Fails if a
/// setting does not fit the GPU, or if a setting or the GPU (such as another
/// number format) requires different kernels.
Expected<std::shared_ptr<const PreparedModel>>
restate(const PreparedModel &prepared, const ScenarioTarget &from,
        const Scenario &changes, const ScenarioTarget &target);

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_RESTATE_H
