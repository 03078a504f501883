//===- ScenarioFlags.cpp - Settings on the command line -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScenarioFlags.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Core/Scenario/AutomaticRecomputation.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/Support/WithColor.h"

using namespace gpucost;
namespace cl = llvm::cl;

/// The first alternatives of `placeholder`, to keep the column of flags narrow:
/// "pytorch|vllm|sglang|...".
static std::string shortPlaceholder(const std::string &placeholder) {
  constexpr size_t widest = 34;
  if (placeholder.size() <= widest)
    return placeholder;
  size_t end = placeholder.rfind('|', widest);
  return end == std::string::npos ? placeholder
                                  : placeholder.substr(0, end) + "|...";
}

ScenarioFlags::ScenarioFlags() {
  for (unsigned i = 0; i <= getMaxEnumValForSettingGroup(); ++i)
    categories.emplace_back(
        stringifySettingGroup(static_cast<SettingGroup>(i)));
  forEachSetting([&](const auto &row) {
    using Row = std::decay_t<decltype(row)>;
    auto flag = std::make_unique<Flag>();
    std::string initial = defaultText(row);
    std::string values = placeholderOf(row);
    flag->placeholder = shortPlaceholder(values);
    flag->help = std::string(row.help) +
                 (flag->placeholder == values ? "" : ": " + values) +
                 (initial.empty() ? "" : " (default: " + initial + ")");
    cl::desc help(flag->help);
    cl::value_desc placeholder(flag->placeholder);
    cl::cat section(category(row.group));
    if constexpr (std::is_same_v<typename Row::Type, NamedValues>)
      flag->several = std::make_unique<cl::list<std::string>>(
          llvm::StringRef(row.flag), help, placeholder, section);
    else
      flag->single = std::make_unique<cl::opt<std::string>>(
          llvm::StringRef(row.flag), help, placeholder, section,
          Row::isSwitch ? cl::ValueOptional : cl::ValueRequired);
    flags.push_back(std::move(flag));
  });
}

llvm::Expected<Scenario> ScenarioFlags::read(bool &choosesRecomputation) const {
  Scenario scenario;
  for (const std::unique_ptr<Flag> &flag : flags) {
    const cl::Option &option = flag->single
                                   ? static_cast<cl::Option &>(*flag->single)
                                   : *flag->several;
    if (!option.getNumOccurrences())
      continue;
    std::string text = flag->single ? flag->single->getValue()
                                    : llvm::join(*flag->several, ",");
    if (option.ArgStr == "recompute" && text == automaticRecomputation) {
      choosesRecomputation = true;
      continue;
    }
    if (llvm::StringRef now = findRenamed(option.ArgStr, text); !now.empty())
      llvm::WithColor::warning(llvm::errs(), "gpu-cost-opt")
          << "--" << option.ArgStr << '=' << text << " is deprecated; use --"
          << option.ArgStr << '=' << now << '\n';
    if (llvm::Error error = state(scenario, option.ArgStr, text))
      return std::move(error);
  }
  return scenario;
}

bool ScenarioFlags::hasCategory(const cl::OptionCategory *category) const {
  return llvm::any_of(categories, [&](const cl::OptionCategory &own) {
    return &own == category;
  });
}
