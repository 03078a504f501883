//===- RecordCsv.h - Records of a report as cells ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_REPORT_RECORDCSV_H
#define GPUCOST_APPLICATIONS_REPORT_RECORDCSV_H

#include "gpucost/Core/Report/RecordJson.h"
#include "llvm/ADT/StringExtras.h"
#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

namespace gpucost {

/// A value as JSON has it, but "" for null, and text without quotes; a list of
/// texts is one text, with "; " between them. Records have no cell.
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
  else if constexpr (std::is_same_v<T, std::vector<std::string>>)
    return llvm::join(value, "; ");
  else
    return std::string(std::string_view(value));
}

/// Fields of a record as table columns.
template <typename Record> class RecordColumns {
public:
  /// Those of `first`; with `all`, every other field follows.
  RecordColumns(std::initializer_list<std::string_view> first, bool all)
      : titles(first.begin(), first.end()) {
    visitReport(Record(), [&](const ReportField &field, auto) {
      auto it = std::find(titles.begin(), titles.end(), field.key);
      bool isNew = it == titles.end();
      bool isColumn = !field.key.empty() && (all || !isNew);
      places.push_back(isColumn ? it - titles.begin() : -1);
      if (isColumn && isNew)
        titles.push_back(field.key);
    });
  }

  const std::vector<std::string_view> &names() const { return titles; }
  /// The cells of one row; "" for null.
  std::vector<std::string> cells(const Record &record) const {
    std::vector<std::string> row(titles.size());
    bool known = isKnown(record);
    size_t index = 0;
    visitReport(record, [&](const ReportField &field, auto get) {
      ptrdiff_t place = places[index++];
      if constexpr (!std::is_same_v<std::decay_t<decltype(get())>, OnlyInC>)
        if (place >= 0 && (known || field.presence != Presence::Known))
          row[static_cast<size_t>(place)] = cellOf(field.unit, get());
    });
    return row;
  }

private:
  std::vector<std::string_view> titles;
  std::vector<ptrdiff_t> places; ///< column of each field, -1 for none
};

} // namespace gpucost

#endif // GPUCOST_APPLICATIONS_REPORT_RECORDCSV_H
