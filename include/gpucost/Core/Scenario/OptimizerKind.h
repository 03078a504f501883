//===- OptimizerKind.h - The optimizers of Optimizers.def -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SCENARIO_OPTIMIZERKIND_H
#define GPUCOST_CORE_SCENARIO_OPTIMIZERKIND_H

#include "gpucost/Core/Support/Enumeration.h"

namespace gpucost {

/// Rule that updates parameters.
enum class OptimizerKind : uint32_t {
#define OPTIMIZER(Case, name, states, steps, fused) Case,
#include "gpucost/Core/Scenario/Optimizers.def"
};

template <> struct EnumTraits<OptimizerKind> {
  static constexpr std::string_view summary = "rule that updates parameters";
  static constexpr EnumCase<OptimizerKind> cases[] = {
#define OPTIMIZER(Case, name, states, steps, fused) {OptimizerKind::Case, name},
#include "gpucost/Core/Scenario/Optimizers.def"
  };
};

/// Whether an optimizer has fused kernels: its list of them is not empty.
constexpr bool hasFusedVariant(OptimizerKind kind) {
  constexpr bool known[] = {
#define OPTIMIZER(Case, name, states, steps, fused)                            \
  std::string_view(#fused) != "STEPS()",
#include "gpucost/Core/Scenario/Optimizers.def"
  };
  return known[static_cast<size_t>(kind)];
}

} // namespace gpucost

#endif // GPUCOST_CORE_SCENARIO_OPTIMIZERKIND_H
