//===- Recomputation.cpp - Activation checkpointing -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Scenario/Recomputation.h"
#include "gpucost/Core/Support/Text.h"
#include <charconv>

using namespace gpucost;

/// Names of ONNX ops begin with a capital letter; keywords of the setting do
/// not.
static bool isOpName(std::string_view text) {
  if (text.empty() || text.front() < 'A' || text.front() > 'Z')
    return false;
  for (char c : text)
    if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
        !(c >= '0' && c <= '9') && c != '_')
      return false;
  return true;
}

/// Parses "2" or "2:MatMul" after "every-".
static std::optional<Recomputation> parseEvery(std::string_view text) {
  constexpr int64_t most = 1'000'000;
  Recomputation result;
  result.mode = RecomputeMode::Every;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), result.every);
  if (error != std::errc() || result.every < 1 || result.every > most)
    return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  if (text.empty())
    return result;
  if (text.front() != ':' || !isOpName(text.substr(1)))
    return std::nullopt;
  result.ops.emplace_back(text.substr(1));
  return result;
}

/// Whether `text` is the path of a module, with "*" for any part.
static bool isModulePath(std::string_view text) {
  for (std::string_view part : splitText(text, '.')) {
    bool isName = !part.empty();
    for (char c : part)
      isName &= (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (!isName && part != "*")
      return false;
  }
  return true;
}

/// Parses "blocks.*.att+blocks.*.mlp,head" after "@".
static std::optional<Recomputation> parseModules(std::string_view text) {
  Recomputation result;
  result.mode = RecomputeMode::Modules;
  for (std::string_view checkpoint : splitText(text, ',')) {
    for (std::string_view path : splitText(checkpoint, '+'))
      if (!isModulePath(path))
        return std::nullopt;
    result.ops.emplace_back(checkpoint);
  }
  return result;
}

std::optional<Recomputation>
gpucost::parseRecomputation(std::string_view text) {
  constexpr std::string_view every = "every-";
  Recomputation result;
  if (text == "attention")
    text = "selective";
  for (RecomputeMode mode :
       {RecomputeMode::None, RecomputeMode::Full, RecomputeMode::Selective})
    if (text == stringifyEnum(mode)) {
      result.mode = mode;
      return result;
    }
  if (text.substr(0, every.size()) == every)
    return parseEvery(text.substr(every.size()));
  if (!text.empty() && text.front() == '@')
    return parseModules(text.substr(1));
  result.mode = RecomputeMode::Operators;
  while (true) {
    std::string_view name = text.substr(0, text.find(','));
    if (!isOpName(name))
      return std::nullopt;
    result.ops.emplace_back(name);
    if (name.size() == text.size())
      return result;
    text.remove_prefix(name.size() + 1);
  }
}

std::string gpucost::toText(const Recomputation &recompute) {
  std::string ops;
  for (const std::string &name : recompute.ops)
    ops += (ops.empty() ? "" : ",") + name;
  switch (recompute.mode) {
  case RecomputeMode::Every:
    return "every-" + std::to_string(recompute.every) +
           (ops.empty() ? "" : ":" + ops);
  case RecomputeMode::Operators:
    return ops;
  case RecomputeMode::Modules:
    return "@" + ops;
  case RecomputeMode::None:
  case RecomputeMode::Full:
  case RecomputeMode::Selective:
    break;
  }
  return std::string(stringifyEnum(recompute.mode));
}
