//===- AutomaticRecomputation.h - --recompute=auto --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SCENARIO_AUTOMATICRECOMPUTATION_H
#define GPUCOST_CORE_SCENARIO_AUTOMATICRECOMPUTATION_H

#include <array>
#include <string_view>

namespace gpucost {

/// Not a value of the setting: a report and a plan choose one.
inline constexpr std::string_view automaticRecomputation = "auto";

/// Those among which they choose, from the least recomputation to the most.
inline constexpr std::array<std::string_view, 3> recomputationChoices = {
    "none", "selective", "full"};

} // namespace gpucost

#endif // GPUCOST_CORE_SCENARIO_AUTOMATICRECOMPUTATION_H
