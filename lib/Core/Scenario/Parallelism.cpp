//===- Parallelism.cpp - Parallelism plans --------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Scenario/Parallelism.h"
#include <algorithm>
#include <charconv>
#include <vector>

using namespace gpucost;

std::optional<int64_t> Parallelism::gpus() const {
  return tensor && data && pipeline && context
             ? std::optional(tensor * data * pipeline * context)
             : std::nullopt;
}

int64_t Parallelism::statedGpus() const {
  return std::max<int64_t>(tensor, 1) * std::max({data, shards, int64_t(1)}) *
         std::max<int64_t>(pipeline, 1) * std::max<int64_t>(context, 1);
}

std::optional<Parallelism> Parallelism::on(int64_t gpus) const {
  Parallelism plan = *this;
  int64_t known = statedGpus();
  if (gpus < known || gpus % known)
    return std::nullopt;
  if (!plan.tensor)
    plan.tensor = gpus / known;
  else if (!plan.data)
    plan.data = gpus / known * std::max<int64_t>(plan.shards, 1);
  else if (!plan.pipeline)
    plan.pipeline = gpus / known;
  else if (!plan.context)
    plan.context = gpus / known;
  else if (gpus != known)
    return std::nullopt;
  // One copy is not hybrid.
  if (plan.copies() == 1)
    plan.shards = 0;
  return plan;
}

static std::optional<int> stageOf(std::string_view kind) {
  int stage = 0;
  for (std::string_view name : dataParallelKinds) {
    if (kind == name)
      return stage;
    ++stage;
  }
  return kind == "dp" ? std::optional(0) : std::nullopt;
}

/// "tp4" is ("tp", "4"), "zero1x8" is ("zero1", "8").
static std::pair<std::string_view, std::string_view>
splitKind(std::string_view part) {
  constexpr std::string_view zero = "zero";
  if (part.substr(0, zero.size()) == zero) {
    size_t x = zero.size() + 1; // after the stage
    if (part.size() > x + 1 && part[x] == 'x')
      return {part.substr(0, x), part.substr(x + 1)};
    return {part, {}};
  }
  size_t letters = 0;
  while (letters < part.size() && part[letters] >= 'a' && part[letters] <= 'z')
    ++letters;
  return {part.substr(0, letters), part.substr(letters)};
}

std::optional<Parallelism> gpucost::parseParallelism(std::string_view text) {
  Parallelism plan{1, 1, 0};
  std::vector<int64_t Parallelism::*> seen;
  std::optional<int64_t> experts;
  while (true) {
    std::string_view part = text.substr(0, text.find('.'));
    auto [kind, number] = splitKind(part);
    int64_t count = 0;
    if (!number.empty()) {
      auto [end, error] =
          std::from_chars(number.data(), number.data() + number.size(), count);
      if (error != std::errc() || end != number.data() + number.size() ||
          count < 1 || count > mostGpus)
        return std::nullopt;
    }
    bool isTensor = kind == "tp", isExperts = kind == "ep";
    bool isPipeline = kind == "pp", isContext = kind == "cp";
    std::optional<int> stage = stageOf(kind);
    if (!isTensor && !isExperts && !isPipeline && !isContext && !stage)
      return std::nullopt;
    int64_t Parallelism::*field = isTensor     ? &Parallelism::tensor
                                  : isPipeline ? &Parallelism::pipeline
                                  : isContext  ? &Parallelism::context
                                  : isExperts  ? &Parallelism::expertGroup
                                  : *stage > 0 ? &Parallelism::shards
                                               : &Parallelism::data;
    if (std::find(seen.begin(), seen.end(), field) != seen.end())
      return std::nullopt;
    seen.push_back(field);
    if (isExperts)
      experts = count;
    else
      plan.*field = count;
    plan.stage += stage.value_or(0);
    if (part.size() == text.size())
      break;
    text.remove_prefix(part.size() + 1);
  }
  auto has = [&](int64_t Parallelism::*field) {
    return std::find(seen.begin(), seen.end(), field) != seen.end();
  };
  bool hasCopies = has(&Parallelism::data),
       hasShards = has(&Parallelism::shards);
  if (hasShards && !hasCopies) {
    plan.data = plan.shards;
    plan.shards = 0;
  }
  // The copies may be the remaining GPUs, but not the shards of each.
  if (hasShards && hasCopies) {
    if (!plan.shards || plan.shards * plan.data > mostGpus)
      return std::nullopt;
    plan.data *= plan.shards;
    if (plan.copies() == 1)
      plan.shards = 0;
  }
  // Alone, experts are distributed over all data-parallel GPUs.
  if (experts) {
    plan.experts = true;
    (hasShards || hasCopies ? plan.expertGroup : plan.data) = *experts;
  }
  // Only one kind can use the remaining GPUs.
  if (!plan.tensor + !plan.data + !plan.pipeline + !plan.context > 1 ||
      plan.gpus().value_or(1) > mostGpus)
    return std::nullopt;
  return plan;
}

std::string gpucost::toText(const Parallelism &plan) {
  auto numbered = [](const std::string &kind, int64_t count) {
    return kind + (count ? std::to_string(count) : std::string());
  };
  std::string text;
  if (plan.tensor != 1)
    text = numbered("tp", plan.tensor);
  if (plan.context != 1)
    text += (text.empty() ? "" : ".") + numbered("cp", plan.context);
  if (plan.pipeline != 1)
    text += (text.empty() ? "" : ".") + numbered("pp", plan.pipeline);
  if (plan.data == 1 && !plan.stage && !plan.experts && !text.empty())
    return text;
  bool isAlone = plan.experts && !plan.expertGroup && !plan.stage;
  if (plan.experts && !isAlone)
    text += (text.empty() ? "" : ".") + numbered("ep", plan.expertGroup);
  const char *kind = isAlone      ? "ep"
                     : plan.stage ? dataParallelKinds[plan.stage].data()
                     : plan.data  ? "dp"
                                  : "ddp";
  // A stage ends in a digit.
  const char *times = plan.stage == 1 || plan.stage == 2 ? "x" : "";
  int64_t count = plan.shards ? plan.shards : plan.data;
  text += (text.empty() ? "" : ".") +
          numbered(count ? std::string(kind) + times : kind, count);
  return plan.shards ? text + "." + numbered("dp", plan.copies()) : text;
}
