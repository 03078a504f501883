//===- RecordShape.h - Fields of reports as data ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fields of report records and their JSON types, for schemas
// (--print-schema) and for the scripts that generate the C structs, the Python
// classes and the reference (--list-report-fields).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_REPORT_RECORDSHAPE_H
#define GPUCOST_CORE_REPORT_RECORDSHAPE_H

#include "gpucost/Core/Report/RecordJson.h"
#include <memory>
#include <string>
#include <vector>

namespace gpucost {

struct RecordShape;

/// The JSON type of a value.
struct Shape {
  std::string_view type; ///< as JSON Schema calls it; "settings"
  bool nullable = false;
  std::vector<std::string_view> cases;  ///< of an enumeration
  std::vector<std::string_view> keys;   ///< of a map whose keys are enumeration
                                        ///< cases
  std::shared_ptr<const Shape> element; ///< of an array or map
  std::shared_ptr<const RecordShape> record;
};

struct FieldShape {
  ReportField field;
  Shape shape;
};

struct RecordShape {
  std::string_view className, cStruct, doc;
  std::vector<FieldShape> fields;
};

template <typename Record>
RecordShape shapeOfRecord(const Record &record = Record());

template <typename Enum> std::vector<std::string_view> casesOf() {
  std::vector<std::string_view> names;
  if constexpr (IsEnumeration<Enum>::value)
    for (const auto &each : EnumTraits<Enum>::cases)
      names.push_back(each.name);
  return names;
}

template <typename T> Shape shapeOf() {
  Shape shape;
  if constexpr (IsOptional<T>::value) {
    shape = shapeOf<typename T::value_type>();
    shape.nullable = true;
  } else if constexpr (IsReport<T>::value) {
    shape.type = "object";
    shape.record = std::make_shared<const RecordShape>(shapeOfRecord<T>());
  } else if constexpr (std::is_same_v<T, StatedSettings>) {
    shape.type = "settings";
  } else if constexpr (std::is_same_v<T, IntervalEnd>) {
    shape.type = "number";
    shape.nullable = true;
  } else if constexpr (IsNumber<T>::value) {
    shape.type = "number";
  } else if constexpr (std::is_same_v<T, bool>) {
    shape.type = "boolean";
  } else if constexpr (std::is_integral_v<T>) {
    shape.type = "integer";
  } else if constexpr (IsEnumeration<T>::value ||
                       std::is_convertible_v<T, std::string_view>) {
    shape.type = "string";
    shape.cases = casesOf<T>();
  } else if constexpr (IsKeyed<T>::value) {
    using Item = typename T::value_type;
    shape.type = "object";
    shape.keys = casesOf<typename Item::first_type>();
    shape.element =
        std::make_shared<const Shape>(shapeOf<typename Item::second_type>());
  } else {
    shape.type = "array";
    shape.element =
        std::make_shared<const Shape>(shapeOf<typename T::value_type>());
  }
  return shape;
}

/// The shape of `record`, whose values are not read.
template <typename Record> RecordShape shapeOfRecord(const Record &record) {
  using Traits = ReportTraits<Record>;
  RecordShape shape{Traits::className, Traits::cStruct, Traits::doc, {}};
  visitReport(record, [&](const ReportField &field, auto get) {
    using T = std::decay_t<decltype(get())>;
    if constexpr (std::is_same_v<T, OnlyInC>)
      shape.fields.push_back({field, {}});
    else
      shape.fields.push_back({field, shapeOf<T>()});
  });
  return shape;
}

/// The JSON Schema (draft 2020-12) of a report with the root `root`.
std::string printSchema(const RecordShape &root, std::string_view title);

/// A kind of report: "report", "serve".
struct ReportKind {
  std::string_view name, title;
  RecordShape (*root)();
};

/// The records of each kind as a JSON object of arrays: `record` (Python
/// class), `c_struct`, `doc` and `fields` with `key`, `type`, `nullable`,
/// `required`, `unit`, `doc` and `c` (position, type, name).
std::string listReportFields(const std::vector<ReportKind> &kinds);

/// The root of --report=json.
RecordShape shapeOfReport();

} // namespace gpucost

#endif // GPUCOST_CORE_REPORT_RECORDSHAPE_H
