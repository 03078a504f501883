//===- SettingOptions.h - Settings as options of a pass ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options of a pass or pipeline that are rows of Scenario/Settings.def: names,
// help and valid values come from the rows. An option that is given overrides
// `gpucost.scenario`. A pass with such options needs a copy constructor that
// copies only its base, because options belong to their pass.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_TRANSFORMS_SETTINGOPTIONS_H
#define GPUCOST_COMPILER_TRANSFORMS_SETTINGOPTIONS_H

#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassOptions.h"
#include <memory>
#include <vector>

namespace gpucost {

/// Stores a value as the string that its row accepts. A printed pipeline
/// contains all options of a pass; those that were not given print as `unset`.
struct SettingParser : public llvm::cl::parser<std::string> {
  static constexpr const char *unset = "<default>";
  using llvm::cl::parser<std::string>::parser;
  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef text,
             std::string &value);
};

class SettingOptions {
public:
  /// Adds options to `parent`, a `Pass` or `PassOptions`, for the rows whose
  /// fields of `Scenario` are `members`; for all rows if there are none.
  template <typename Parent, typename... Members>
  explicit SettingOptions(Parent &parent, Members... members) {
    forEachSetting([&](const auto &row) {
      if (sizeof...(members) == 0 || (isSame(row.stated, members) || ...))
        add(parent, row.flag);
    });
  }

  /// The settings whose options were given.
  Scenario stated() const;

  /// Sets the options of the settings that `scenario` states.
  void give(const Scenario &scenario);

private:
  using Option = mlir::detail::PassOptions::Option<std::string, SettingParser>;
  struct Entry {
    std::string help;
    std::unique_ptr<Option> option;
  };

  template <typename A, typename B> static bool isSame(A a, B b) {
    if constexpr (std::is_same_v<A, B>)
      return a == b;
    return false;
  }

  /// Help with the valid values of a setting.
  static std::string describe(llvm::StringRef flag);

  template <typename Parent> void add(Parent &parent, llvm::StringRef flag) {
    using OptionOf =
        std::conditional_t<std::is_base_of_v<mlir::Pass, Parent>,
                           mlir::Pass::Option<std::string, SettingParser>,
                           Option>;
    std::string initial = SettingParser::unset;
    auto entry = std::make_unique<Entry>();
    entry->help = describe(flag);
    entry->option = std::make_unique<OptionOf>(
        parent, flag, llvm::cl::desc(entry->help), llvm::cl::init(initial),
        llvm::cl::ValueOptional);
    entries.push_back(std::move(entry));
  }

  std::vector<std::unique_ptr<Entry>> entries;
};

} // namespace gpucost

#endif // GPUCOST_COMPILER_TRANSFORMS_SETTINGOPTIONS_H
