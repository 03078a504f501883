//===- SettingsText.cpp - Settings as JSON --------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Scenario/SettingsText.h"
#include "gpucost/Core/Scenario/SettingRow.h"

using namespace gpucost;

/// Whether the setting applies with the values of the other settings.
template <typename Row>
static bool applies(const Row &row, const Settings &settings) {
  if (row.group == SettingGroup::Training)
    return settings.trains();
  if constexpr (std::is_same_v<typename Row::Type, Parallelism>)
    return settings.gpus > 1;
  if (row.flag == "schedule" || row.flag == "virtual-stages")
    return settings.plan().pipeline > 1 && settings.trains();
  if (row.flag == "stage-slots")
    return settings.plan().pipeline > 1;
  if (row.flag == "context")
    return settings.plan().context > 1;
  return true;
}

template <typename T>
static void writeValue(JsonStream &json, const T &value,
                       const ValueSpec &spec) {
  if constexpr (std::is_same_v<T, NamedValues>)
    json.object([&] {
      for (const auto &[name, number] : value)
        json.attribute(name, number);
    });
  else if constexpr (std::is_same_v<T, bool>)
    json.value(value);
  else if constexpr (std::is_same_v<T, int64_t> || IsQuantity<T>::value)
    json.rawValue(toText(value, spec));
  else
    json.value(toText(value, spec));
}

void gpucost::writeSettings(JsonStream &json, const Scenario &given,
                            const Settings &settings) {
  forEachSetting([&](const auto &row) {
    const auto *value = row.valueIn(settings);
    json.key(row.key());
    if (value && applies(row, settings))
      writeValue(json, *value, row.spec);
    else
      json.value(nullptr);
  });
  json.attributeArray("given", [&] {
    forEachSetting([&](const auto &row) {
      if (given.*row.stated)
        json.value(row.key());
    });
  });
}

/// JSON type of a value.
template <typename Row> static std::string_view typeOf() {
  using T = typename Row::Type;
  return std::is_same_v<T, NamedValues> ? "map"
         : std::is_same_v<T, bool>      ? "boolean"
         : std::is_same_v<T, int64_t>   ? "integer"
         : Row::isNumber                ? "number"
         : std::is_enum_v<T>            ? "choice"
                                        : "text";
}

std::string gpucost::describeSettings() {
  std::string text;
  JsonStream json(text);
  json.array([&] {
    forEachSetting([&](const auto &row) {
      using Row = std::decay_t<decltype(row)>;
      json.object([&] {
        json.attribute("name", row.key());
        json.attribute("flag", row.flag);
        json.attribute("group", stringifySettingGroup(row.group));
        json.attribute("type", typeOf<Row>());
        if constexpr (std::is_enum_v<typename Row::Type>)
          json.attributeArray("choices", [&] {
            for (std::string_view name : caseNames<typename Row::Type>())
              json.value(name);
          });
        if (Row::isNumber || typeOf<Row>() == "map") {
          json.number("minimum", row.spec.lowest);
          json.number("maximum", row.spec.highest);
          json.attribute("exclusive_minimum", row.spec.isOpen);
        }
        if (*row.spec.unit)
          json.attribute("unit", row.spec.unit);
        if (*row.spec.placeholder)
          json.attribute("placeholder", row.spec.placeholder);
        json.key("default");
        Settings none;
        if (const auto *value = row.valueIn(none))
          writeValue(json, *value, row.spec);
        else
          json.value(nullptr);
        json.attribute("help", row.help);
      });
    });
  });
  return text + '\n';
}
