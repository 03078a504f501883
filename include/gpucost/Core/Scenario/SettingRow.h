//===- SettingRow.h - The table of settings as C++ --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `forEachSetting` calls a generic lambda with each row of Settings.def. Flags,
// pass options, the attribute, JSON and the document are such loops; `toText`
// and `parseText` convert the values of every type.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SCENARIO_SETTINGROW_H
#define GPUCOST_CORE_SCENARIO_SETTINGROW_H

#include "gpucost/Core/Scenario/Scenario.h"
#include "gpucost/Core/Support/Prices.h"
#include <algorithm>
#include <cmath>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gpucost {

/// Which values a setting takes and what stands for them in --help.
struct ValueSpec {
  double lowest = -HUGE_VAL, highest = HUGE_VAL;
  /// `lowest` itself is not valid.
  bool isOpen = false;
  /// Unit of a quantity in text and JSON, and its size in the SI base unit.
  const char *unit = "";
  double unitSize = 1;
  /// Placeholder of a value; "" for that of the type.
  const char *placeholder = "";
  /// A value may contain commas.
  bool isList = false;
  /// Of a text: what is expected, and whether it is so; null: any text.
  const char *expected = nullptr;
  bool (*isText)(std::string_view) = nullptr;

  constexpr ValueSpec as(const char *text) const {
    ValueSpec spec = *this;
    spec.placeholder = text;
    return spec;
  }
  constexpr ValueSpec where(bool (*holds)(std::string_view),
                            const char *description) const {
    ValueSpec spec = *this;
    spec.isText = holds;
    spec.expected = description;
    return spec;
  }
  /// "1 to 1024", "at least 1", "more than 0 MHz".
  std::string describe() const;
  /// `value` in `unit`.
  bool allows(double value) const {
    return std::isfinite(value) && value <= highest &&
           (isOpen ? value > lowest : value >= lowest);
  }
};

/// What Settings.def calls its specs.
namespace specs {
constexpr ValueSpec choice() { return {}; }
constexpr ValueSpec written(const char *placeholder) {
  return ValueSpec().as(placeholder);
}
constexpr ValueSpec listed(const char *placeholder) {
  ValueSpec spec = written(placeholder);
  spec.isList = true;
  return spec;
}
constexpr ValueSpec within(double lowest, double highest) {
  return {lowest, highest};
}
constexpr ValueSpec atLeast(double lowest, const char *unit = "",
                            double unitSize = 1) {
  return {lowest, HUGE_VAL, false, unit, unitSize};
}
constexpr ValueSpec above(double lowest, const char *unit, double unitSize) {
  return {lowest, HUGE_VAL, true, unit, unitSize};
}
} // namespace specs

template <typename T> struct IsQuantity : std::false_type {};
template <typename Tag> struct IsQuantity<Quantity<Tag>> : std::true_type {};

/// A row; `Resolved` is T, or optional<T> where there is no default.
template <typename T, typename Resolved> struct SettingRow {
  using Type = T;
  /// A flag without a value states it.
  static constexpr bool isSwitch = std::is_same_v<T, bool>;
  static constexpr bool isNumber =
      std::is_same_v<T, int64_t> || IsQuantity<T>::value;

  std::string_view flag;
  SettingGroup group;
  SettingEffect affects;
  std::optional<T> Scenario::*stated;
  Resolved Settings::*resolved;
  ValueSpec spec;
  std::string_view help;

  /// The name in JSON and in the attribute: the flag with '_'.
  std::string key() const {
    std::string name(flag);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
  }
  /// The value in `settings`; null when it has none.
  const T *valueIn(const Settings &settings) const {
    if constexpr (std::is_same_v<T, Resolved>)
      return &(settings.*resolved);
    else
      return (settings.*resolved) ? &*(settings.*resolved) : nullptr;
  }
};

/// Calls `visit(row)` for each row, in the order of Settings.def.
template <typename Visitor> void forEachSetting(Visitor &&visit) {
  using namespace specs;
#define GPUCOST_SETTING(type, field, initial, flag, group, affects, spec,      \
                        help)                                                  \
  visit(SettingRow<type, type>{flag, SettingGroup::group,                      \
                               SettingEffect::affects, &Scenario::field,       \
                               &Settings::field, spec, help});
#define GPUCOST_OPTIONAL_SETTING(type, field, flag, group, affects, spec,      \
                                 help)                                         \
  visit(SettingRow<type, std::optional<type>>{                                 \
      flag, SettingGroup::group, SettingEffect::affects, &Scenario::field,     \
      &Settings::field, spec, help});
#include "gpucost/Core/Scenario/Settings.def"
}

/// Calls `visit(row)` for the row whose flag or key is `name`; false when there
/// is none.
template <typename Visitor>
bool visitSetting(std::string_view name, Visitor &&visit) {
  bool found = false;
  forEachSetting([&](const auto &row) {
    if (found || (name != row.flag && name != row.key()))
      return;
    found = true;
    visit(row);
  });
  return found;
}

/// Names of the cases of `Enum`, in order.
template <typename Enum> std::vector<std::string_view> caseNames() {
  std::vector<std::string_view> names;
  for (const EnumCase<Enum> &each : EnumTraits<Enum>::cases)
    names.push_back(each.name);
  return names;
}

/// "a, b or c".
std::string listAlternatives(const std::vector<std::string_view> &names);
/// "a|b|c" with '|' as the separator.
std::string joinNames(const std::vector<std::string_view> &names,
                      std::string_view separator);

/// The number that a flag in the unit of `spec` takes for `si`: the shortest
/// digits that read back to the same double.
std::string numberText(double si, const ValueSpec &spec);

/// The text of a value as its flag takes it.
inline std::string toText(bool value, const ValueSpec &) {
  return value ? "true" : "false";
}
inline std::string toText(int64_t value, const ValueSpec &) {
  return std::to_string(value);
}
inline std::string toText(const std::string &value, const ValueSpec &) {
  return value;
}
std::string toText(const NamedValues &values, const ValueSpec &);
inline std::string toText(const Parallelism &plan, const ValueSpec &) {
  return toText(plan);
}
inline std::string toText(const Recomputation &recompute, const ValueSpec &) {
  return toText(recompute);
}
template <typename Tag>
std::string toText(Quantity<Tag> value, const ValueSpec &spec) {
  return numberText(value.value(), spec);
}
template <typename Enum, std::enable_if_t<std::is_enum_v<Enum>, int> = 0>
std::string toText(Enum value, const ValueSpec &) {
  return std::string(stringifyEnum(value));
}

/// What stands for a value in --help: "off|conv|on", "MHz", "n".
template <typename Row> std::string placeholderOf(const Row &row) {
  using T = typename Row::Type;
  if (*row.spec.placeholder)
    return row.spec.placeholder;
  if constexpr (std::is_enum_v<T>)
    return joinNames(caseNames<T>(), "|");
  if constexpr (IsQuantity<T>::value)
    return row.spec.unit;
  return Row::isNumber ? "n" : "";
}

/// The default as text; "" where there is none or a switch is off.
template <typename Row> std::string defaultText(const Row &row) {
  Settings none;
  const auto *value = row.valueIn(none);
  return value && !Row::isSwitch ? toText(*value, row.spec) : std::string();
}

} // namespace gpucost

#endif // GPUCOST_CORE_SCENARIO_SETTINGROW_H
