//===- ContextPlan.h - How GPUs share a sequence ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SCENARIO_CONTEXTPLAN_H
#define GPUCOST_CORE_SCENARIO_CONTEXTPLAN_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpucost {

/// (X20), (X22) "ulysses4.ring2": groups of neighbours divide the heads of
/// attention, and keys and values pass round a ring of such groups;
/// "all-gather2": attention waits for all of them.
struct ContextPlan {
  /// GPUs of a group, and groups; 0: all remaining GPUs.
  int64_t heads = 1, ring = 1;
  /// Keys and values are gathered before attention.
  bool gathers = false;

  /// The complete plan for `gpus` GPUs; nullopt if the plan requires a
  /// different number.
  std::optional<ContextPlan> on(int64_t gpus) const;
  /// GPUs of a complete plan.
  int64_t gpus() const { return heads * ring; }
};

/// nullopt if `text` is not a plan.
std::optional<ContextPlan> parseContextPlan(std::string_view text);
/// Inverse of `parseContextPlan`; "" for one GPU.
std::string toText(const ContextPlan &plan);

} // namespace gpucost

#endif // GPUCOST_CORE_SCENARIO_CONTEXTPLAN_H
