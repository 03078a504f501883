//===- RecordJson.h - Records of a report as JSON ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_REPORT_RECORDJSON_H
#define GPUCOST_CORE_REPORT_RECORDJSON_H

#include "gpucost/Core/Report/ReportFields.h"
#include "gpucost/Core/Scenario/SettingsText.h"
#include "gpucost/Core/Support/JsonStream.h"
#include "gpucost/Core/Support/Record.h"

namespace gpucost {

template <typename T> struct IsKeyed : std::false_type {};
template <typename Key, typename T>
struct IsKeyed<KeyedValues<Key, T>> : std::true_type {};

inline std::string_view keyText(std::string_view key) { return key; }
template <typename Enum>
std::enable_if_t<std::is_enum_v<Enum>, std::string_view> keyText(Enum key) {
  return stringifyEnum(key);
}

template <typename Record> void writeRecord(JsonStream &j, const Record &r);

/// Writes one value of a record; numbers in `unit`, null if not finite.
template <typename T>
void writeValue(JsonStream &j, const FieldUnit &unit, const T &value) {
  if constexpr (IsOptional<T>::value) {
    if (value)
      writeValue(j, unit, *value);
    else
      j.value(nullptr);
  } else if constexpr (IsReport<T>::value) {
    j.object([&] { writeRecord(j, value); });
  } else if constexpr (std::is_same_v<T, StatedSettings>) {
    j.object([&] { writeSettings(j, *value.given, *value.settings); });
  } else if constexpr (std::is_same_v<T, IntervalEnd>) {
    j.value(value.in(unit));
  } else if constexpr (IsNumber<T>::value) {
    j.value(unit.of(numberOf(value)));
  } else if constexpr (IsEnumeration<T>::value) {
    j.value(stringifyEnum(value));
  } else if constexpr (std::is_integral_v<T>) {
    j.value(value);
  } else if constexpr (std::is_convertible_v<T, std::string_view>) {
    j.value(std::string_view(value));
  } else if constexpr (IsKeyed<T>::value) {
    j.object([&] {
      for (const auto &[key, each] : value) {
        j.key(keyText(key));
        writeValue(j, unit, each);
      }
    });
  } else if constexpr (std::is_integral_v<typename T::value_type>) {
    // Lists of integers are written on one line.
    std::string line = "[";
    for (auto each : value) {
      line += line.size() > 1 ? "," : "";
      line += std::to_string(each);
    }
    j.rawValue(line + ']');
  } else {
    j.array([&] {
      for (const auto &each : value)
        writeValue(j, unit, each);
    });
  }
}

/// Writes the members of the JSON object for `r`.
template <typename Record> void writeRecord(JsonStream &j, const Record &r) {
  bool known = isKnown(r);
  visitReport(r, [&](const ReportField &field, auto get) {
    using T = std::decay_t<decltype(get())>;
    if constexpr (!std::is_same_v<T, OnlyInC>) {
      const T &value = get();
      if constexpr (IsOptional<T>::value)
        if (field.presence == Presence::LeftOut && !value)
          return;
      j.key(field.key);
      if (field.presence == Presence::Known && !known)
        j.value(nullptr);
      else
        writeValue(j, field.unit, value);
    }
  });
}

/// `r` as JSON text with a final newline.
template <typename Record> std::string recordJson(const Record &r) {
  std::string text;
  JsonStream j(text);
  writeValue(j, FieldUnit(), r);
  return text + '\n';
}

} // namespace gpucost

#endif // GPUCOST_CORE_REPORT_RECORDJSON_H
