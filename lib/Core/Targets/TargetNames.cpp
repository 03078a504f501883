//===- TargetNames.cpp - Resolution of target names -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Targets/TargetNames.h"
#include "gpucost/Core/Support/Text.h"
#include <algorithm>
#include <iterator>

using namespace gpucost;

/// `isSameWord` for names of boards: "RTX 3080 Ti" is "rtx3080ti".
static bool isSameName(std::string_view a, std::string_view b) {
  auto lettersOf = [](std::string_view text) {
    std::string result;
    std::copy_if(text.begin(), text.end(), std::back_inserter(result),
                 [](char c) { return c != ' ' && c != '-'; });
    return result;
  };
  return isSameWord(lettersOf(a), lettersOf(b));
}

/// `name` in lower case; aliases may be written as a driver prints them.
static std::optional<size_t> findByName(const std::vector<TargetNames> &targets,
                                        std::string_view name) {
  for (size_t i = 0; i < targets.size(); ++i)
    if (isSameName(targets[i].name, name))
      return i;
  for (size_t i = 0; i < targets.size(); ++i)
    for (std::string_view alias : targets[i].aliases)
      if (isSameName(alias, name))
        return i;
  return std::nullopt;
}

/// Whether a suffix is a misspelt format: at most two letters different.
static bool looksLikeFormat(std::string_view suffix) {
  for (const auto &format : EnumTraits<NumericFormat>::cases)
    if (editDistance(suffix, format.name) <= 2)
      return true;
  return false;
}

/// Whether the words of `name` between dashes contain those of `base`, in their
/// order, beginning with the same one.
static bool hasWords(std::string_view name, std::string_view base) {
  bool isFirst = true;
  while (!base.empty()) {
    std::string_view word = base.substr(0, base.find('-'));
    base.remove_prefix(std::min(word.size() + 1, base.size()));
    while (true) {
      if (name.empty())
        return false;
      std::string_view own = name.substr(0, name.find('-'));
      name.remove_prefix(std::min(own.size() + 1, name.size()));
      if (isSameWord(own, word))
        break;
      if (isFirst)
        return false;
    }
    isFirst = false;
  }
  return true;
}

std::string gpucost::suggestNames(const std::vector<std::string_view> &names,
                                  std::string_view base) {
  // Names that begin with the user's text, else a similar name.
  std::string suggestion;
  for (std::string_view name : names)
    if (!base.empty() && isSameWord(name.substr(0, base.size()), base))
      suggestion += concat(suggestion.empty() ? "'" : " or '", name, "'");
  auto suggestWith = [&](std::string_view words) {
    if (suggestion.empty())
      for (std::string_view name : names)
        if (hasWords(name, words))
          suggestion += concat(suggestion.empty() ? "'" : " or '", name, "'");
  };
  // Names with the same words and others between them, such as
  // a100-sxm-40gb for a100-40gb; else the nearest name, and boards with this
  // GPU.
  suggestWith(base);
  if (suggestion.empty()) {
    size_t least = base.size() / 3 + 1;
    for (std::string_view name : names)
      if (size_t edits = editDistance(base, toLower(name)); edits < least) {
        suggestion = concat("'", name, "'");
        least = edits;
      }
  }
  suggestWith(base.substr(0, base.find('-')));
  return suggestion.empty() ? "" : "did you mean " + suggestion + "? ";
}

static std::string unknownTarget(const std::vector<TargetNames> &targets,
                                 std::string_view spec, std::string_view base) {
  std::vector<std::string_view> names;
  for (const TargetNames &target : targets) {
    names.push_back(target.name);
    names.insert(names.end(), target.aliases.begin(), target.aliases.end());
  }
  return concat("unknown target '", spec, "'; ", suggestNames(names, base),
                "'--list-targets' shows all");
}

Expected<TargetMatch>
gpucost::matchTarget(const std::vector<TargetNames> &targets,
                     std::string_view spec) {
  constexpr size_t longestName = 256;
  if (spec.size() > longestName)
    return fail("a target's name of more than 256 characters");
  std::string lower = toLower(spec);
  TargetMatch match;
  if (auto index = findByName(targets, lower)) {
    match.index = *index;
    return match;
  }
  std::string_view base = lower;
  size_t dash = base.rfind('-');
  // Names of formats may also contain a dash.
  for (const auto &each : EnumTraits<NumericFormat>::cases)
    if (size_t start = base.size() - each.name.size() - 1;
        start < base.size() && base[start] == '-' &&
        base.substr(start + 1) == each.name)
      dash = std::min(dash, start);
  if (dash != std::string_view::npos)
    match.formatName = base.substr(dash + 1);
  match.format = symbolizeNumericFormat(match.formatName);
  bool meant = match.format || isFormatAlias(match.formatName) ||
               looksLikeFormat(match.formatName);
  if (meant)
    base = base.substr(0, std::min(dash, base.size()));
  std::optional<size_t> index =
      meant ? findByName(targets, base) : std::nullopt;
  if (!index)
    return fail(unknownTarget(targets, spec, base));
  match.index = *index;
  return match;
}

/// The formats of each alias, the preferred one first.
static constexpr std::pair<std::string_view, NumericFormat> formatAliases[] = {
    {"fp4", NumericFormat::NVFP4},
    {"fp4", NumericFormat::MXFP4},
    {"fp6", NumericFormat::MXFP6}};

bool gpucost::isFormatAlias(std::string_view name) {
  return std::any_of(std::begin(formatAliases), std::end(formatAliases),
                     [&](const auto &alias) { return alias.first == name; });
}

std::optional<NumericFormat> gpucost::formatOfAlias(std::string_view name,
                                                    const Gpu &gpu) {
  for (const auto &[alias, format] : formatAliases)
    if (alias == name && gpu.find(format))
      return format;
  return std::nullopt;
}

std::string gpucost::unknownFormat(const Gpu &gpu, std::string_view format) {
  std::string formats;
  for (const FormatRate &rate : gpu.formats)
    formats += concat(formats.empty() ? "" : ", ",
                      stringifyNumericFormat(rate.format));
  return concat("'", gpu.name, "' has no ", format, "; its formats are ",
                formats);
}
