//===- Restate.h - Other settings of a prepared model -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_RESTATE_H
#define GPUCOST_CORE_ITERATION_RESTATE_H

#include "gpucost/Core/Iteration/PreparedModel.h"
#include "gpucost/Core/Model/Gpu.h"
#include "gpucost/Core/Support/Expected.h"
#include <memory>

namespace gpucost {

/// What settings depend on of a GPU.
ScenarioTarget getScenarioTarget(const Gpu &gpu, NumericFormat format);

/// Flags of the settings that ask for other kernels in `b` than in `a`,
/// separated by commas; "" for none.
std::string findOtherKernels(const Settings &a, const Settings &b);

/// Units of a GPU that decide which kernels an iteration launches. Tensors of
/// 8-bit models that are not in 8 bits are bf16 where a GPU has it, else fp16.
struct KernelUnits {
  FormatSet formats; ///< TF32, and formats of 8 bits and fewer
  bool bf16;
};
KernelUnits kernelUnits(const ScenarioTarget &gpu);

/// `prepared`, whose kernels are those of the GPU `from`, with `changes` to its
/// settings, for the GPU of `target`. An error where a setting does not fit the
/// GPU, or where it or the GPU asks for other kernels, as another number format
/// does.
Expected<std::shared_ptr<const PreparedModel>>
restate(const PreparedModel &prepared, const ScenarioTarget &from,
        const Scenario &changes, const ScenarioTarget &target);

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_RESTATE_H
