//===- SettingsPage.cpp - The settings as a document ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Report/SettingsPage.h"
#include "gpucost/Core/Scenario/SettingRow.h"

using namespace gpucost;
using llvm::StringRef;

static constexpr StringRef introduction =
    R"(# Settings

Written by `gpu-cost-opt --list-settings`; do not edit.

Every setting is a flag of the tool (`--power-limit=250`), an option of the pipeline `gpucost-analyze`
(`gpucost-analyze{power-limit=250}`) and of the passes that use it, a parameter of the module attribute `gpucost.scenario`
(`#gpucost.scenario<power_limit = 250 W>`) and a key of `settings` in a JSON report, where '_' takes the place of '-'.
`--settings=FILE` reads the settings from a JSON report or from a file with such an object; other flags override them.
)";

/// '|' ends a cell of a table.
static std::string escape(StringRef text) {
  std::string escaped;
  for (char c : text)
    escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

void gpucost::printSettingsPage(llvm::raw_ostream &os) {
  os << introduction;
  std::optional<SettingGroup> group;
  forEachSetting([&](const auto &row) {
    if (group != row.group)
      os << "\n## " << stringifySettingGroup(row.group)
         << "\n\n| setting | value | default | |\n|---|---|---|---|\n";
    group = row.group;
    using Row = std::decay_t<decltype(row)>;
    std::string value = placeholderOf(row);
    if (Row::isNumber && *row.spec.placeholder == 0)
      value = row.spec.describe();
    std::string initial = defaultText(row);
    os << "| `" << row.flag << "` | "
       << (Row::isSwitch ? std::string("switch") : escape(value)) << " | "
       << initial << (initial.empty() ? "" : " ") << "| " << escape(row.help)
       << " |\n";
  });
}
