//===- SettingOptions.cpp - Settings as options of a pass -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What options of all passes share is compiled here, once.
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include <map>

using namespace gpucost;

bool SettingParser::parse(llvm::cl::Option &option, llvm::StringRef,
                          llvm::StringRef text, std::string &value) {
  value = unset;
  if (text == unset)
    return false;
  Scenario scenario;
  if (llvm::Error error = state(scenario, option.ArgStr, text))
    return option.error(llvm::toString(std::move(error)));
  visitSetting(option.ArgStr, [&](const auto &row) {
    value = toText(*(scenario.*row.stated), row.spec);
  });
  return false;
}

Scenario SettingOptions::stated() const {
  Scenario scenario;
  for (const auto &entry : entries)
    if (entry->option->getValue() != SettingParser::unset)
      llvm::cantFail(
          state(scenario, entry->option->ArgStr, entry->option->getValue()));
  return scenario;
}

void SettingOptions::give(const Scenario &scenario) {
  for (const auto &entry : entries)
    visitSetting(entry->option->ArgStr, [&](const auto &row) {
      if (const auto &value = scenario.*row.stated)
        *entry->option = toText(*value, row.spec);
    });
}

std::string SettingOptions::describe(llvm::StringRef flag) {
  // Made once: every pass with settings asks for some of them.
  static const std::map<std::string_view, std::string> texts = [] {
    std::map<std::string_view, std::string> all;
    forEachSetting([&](const auto &row) {
      std::string values = placeholderOf(row);
      all[row.flag] =
          std::string(row.help) + (values.empty() ? "" : " (" + values + ")");
    });
    return all;
  }();
  return texts.at(flag);
}
