//===- ContextPlan.cpp - How GPUs share a sequence ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Scenario/ContextPlan.h"
#include "gpucost/Core/Scenario/Parallelism.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "gpucost/Core/Support/Text.h"
#include <algorithm>
#include <utility>

using namespace gpucost;

static constexpr std::string_view headsKind = "ulysses", ringKind = "ring",
                                  gatherKind = "all-gather";

std::optional<ContextPlan> ContextPlan::on(int64_t gpus) const {
  ContextPlan plan = *this;
  int64_t known = std::max<int64_t>(heads, 1) * std::max<int64_t>(ring, 1);
  if (gpus % known)
    return std::nullopt;
  if (!heads)
    plan.heads = gpus / known;
  else if (!ring)
    plan.ring = gpus / known;
  else if (gpus != known)
    return std::nullopt;
  return plan;
}

std::optional<ContextPlan> gpucost::parseContextPlan(std::string_view text) {
  ContextPlan plan;
  bool hasHeads = false, hasRing = false;
  for (std::string_view part : splitText(text, '.')) {
    std::string_view kind;
    for (std::string_view name : {headsKind, ringKind, gatherKind})
      if (part.substr(0, name.size()) == name)
        kind = name;
    if (kind.empty())
      return std::nullopt;
    bool isHeads = kind == headsKind;
    std::string_view number = part.substr(kind.size());
    int64_t count = 0;
    if (std::exchange(isHeads ? hasHeads : hasRing, true) ||
        (!number.empty() &&
         (!parseInteger(number, count) || count < 1 || count > mostGpus)))
      return std::nullopt;
    (isHeads ? plan.heads : plan.ring) = count;
    plan.gathers |= kind == gatherKind;
  }
  if ((!plan.heads && !plan.ring) || plan.gpus() > mostGpus)
    return std::nullopt;
  return plan;
}

std::string gpucost::toText(const ContextPlan &plan) {
  auto numbered = [](std::string_view kind, int64_t count) {
    return std::string(kind) + (count ? std::to_string(count) : "");
  };
  std::string text;
  if (plan.heads != 1)
    text = numbered(headsKind, plan.heads);
  if (plan.ring != 1)
    text += (text.empty() ? "" : ".") +
            numbered(plan.gathers ? gatherKind : ringKind, plan.ring);
  return text;
}

ContextPlan Settings::contextPlan() const {
  int64_t gpus = plan().context;
  std::optional<ContextPlan> stated = parseContextPlan(context);
  return (stated ? stated->on(gpus) : std::nullopt)
      .value_or(ContextPlan{1, gpus});
}

bool gpucost::isContextPlan(std::string_view text) {
  return parseContextPlan(text).has_value();
}
