//===- RecordCsv.h - Records of a report as cells ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_REPORT_RECORDCSV_H
#define GPUCOST_REPORT_RECORDCSV_H

#include "gpucost/Report/RecordJson.h"
#include <initializer_list>
#include <string>
#include <vector>

namespace gpucost {

/// A value as JSON has it, but "" for null, and text without quotes. Records
/// and lists have no cell.
template <typename T>
std::string cellOf(const FieldUnit &unit, const T &value) {
  if constexpr (IsOptional<T>::value)
    return value ? cellOf(unit, *value) : std::string();
  else if constexpr (std::is_same_v<T, IntervalEnd>)
    return programNumber(value.in(unit)).value_or("");
  else if constexpr (IsNumber<T>::value)
    return programNumber(unit.of(numberOf(value))).value_or("");
  else if constexpr (IsEnumeration<T>::value)
    return std::string(stringifyEnum(value));
  else if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_integral_v<T>)
    return std::to_string(value);
  else
    return std::string(std::string_view(value));
}

/// The cells of all fields with a key, in the order of the record.
template <typename Record>
std::vector<std::string> fieldCells(const Record &r) {
  std::vector<std::string> cells;
  visitReport(r, [&](const ReportField &field, auto get) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(get())>, OnlyInC>)
      cells.push_back(cellOf(field.unit, get()));
  });
  return cells;
}

template <typename Record> std::vector<std::string> fieldKeys() {
  std::vector<std::string> keys;
  visitReport(Record(), [&](const ReportField &field, auto) {
    if (!field.key.empty())
      keys.emplace_back(field.key);
  });
  return keys;
}

/// Indices of the fields: those of `first`, then all others in order.
template <typename Record>
std::vector<size_t> columnOrder(std::initializer_list<std::string_view> first) {
  std::vector<std::string> keys = fieldKeys<Record>();
  std::vector<size_t> order;
  for (std::string_view key : first)
    order.push_back(static_cast<size_t>(
        std::find(keys.begin(), keys.end(), key) - keys.begin()));
  for (size_t i = 0; i < keys.size(); ++i)
    if (std::find(order.begin(), order.end(), i) == order.end())
      order.push_back(i);
  return order;
}

} // namespace gpucost

#endif // GPUCOST_REPORT_RECORDCSV_H
