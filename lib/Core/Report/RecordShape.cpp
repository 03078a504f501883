//===- RecordShape.cpp - Fields of reports as data ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Report/RecordShape.h"
#include "gpucost/Core/Support/Text.h"
#include <set>

using namespace gpucost;

RecordShape gpucost::shapeOfReport() { return shapeOfRecord<PrintedReport>(); }

/// "ms, wall-clock time".
static std::string describe(const ReportField &field) {
  std::string text(field.unit.label);
  text += text.empty() || field.doc.empty() ? "" : ", ";
  return text += field.doc;
}

static void writeNames(JsonStream &j, std::string_view key,
                       const std::vector<std::string_view> &names) {
  j.attributeArray(key, [&] {
    for (std::string_view name : names)
      j.value(name);
  });
}

static bool isNullable(const FieldShape &field) {
  return field.field.presence == Presence::Known ||
         (field.shape.nullable && field.field.presence != Presence::LeftOut);
}

//===----------------------------------------------------------------------===//
// Schema
//===----------------------------------------------------------------------===//

static void writeRecordSchema(JsonStream &j, const RecordShape &record);

/// docs/Settings.md describes the values of settings.
static void writeSettingsSchema(JsonStream &j) {
  j.attributeObject("properties", [&] {
    j.attributeObject("given", [&] {
      j.attribute("description",
                  "the settings that were stated; the others have defaults");
      j.attribute("type", "array");
      j.attributeObject("items", [&] { j.attribute("type", "string"); });
    });
  });
  writeNames(j, "required", {"given"});
  j.attributeObject("additionalProperties", [&] {
    writeNames(j, "type", {"string", "number", "boolean", "object", "null"});
  });
}

/// Writes the schema members of one value.
static void writeSchema(JsonStream &j, const Shape &shape,
                        const FieldUnit &unit, bool nullable) {
  bool isSettings = shape.type == "settings";
  std::string_view type = isSettings ? "object" : shape.type;
  if (nullable)
    writeNames(j, "type", {type, "null"});
  else
    j.attribute("type", type);
  if (!shape.cases.empty())
    writeNames(j, "enum", shape.cases);
  if (type == "number" || type == "integer") {
    if (std::isfinite(unit.low))
      j.number("minimum", unit.low);
    if (std::isfinite(unit.high))
      j.number("maximum", unit.high);
  }
  if (!shape.keys.empty())
    j.attributeObject("propertyNames",
                      [&] { writeNames(j, "enum", shape.keys); });
  if (shape.element)
    j.attributeObject(type == "array" ? "items" : "additionalProperties",
                      [&] { writeSchema(j, *shape.element, unit, false); });
  if (shape.record)
    writeRecordSchema(j, *shape.record);
  if (isSettings)
    writeSettingsSchema(j);
}

static void writeRecordSchema(JsonStream &j, const RecordShape &record) {
  std::vector<std::string_view> required;
  j.attributeObject("properties", [&] {
    for (const FieldShape &each : record.fields) {
      if (each.field.key.empty())
        continue;
      if (each.field.presence != Presence::LeftOut)
        required.push_back(each.field.key);
      j.attributeObject(each.field.key, [&] {
        j.attribute("description", describe(each.field));
        writeSchema(j, each.shape, each.field.unit, isNullable(each));
      });
    }
  });
  writeNames(j, "required", required);
}

std::string gpucost::printSchema(const RecordShape &root,
                                 std::string_view title) {
  std::string text;
  JsonStream j(text);
  j.object([&] {
    j.attribute("$schema", "https://json-schema.org/draft/2020-12/schema");
    j.attribute("title", title);
    j.attribute("description", root.doc);
    j.attribute("type", "object");
    writeRecordSchema(j, root);
  });
  return text + '\n';
}

//===----------------------------------------------------------------------===//
// List
//===----------------------------------------------------------------------===//

/// "integer", "array of PeakTensor", "map of number".
static std::string nameOf(const Shape &shape) {
  if (shape.record)
    return std::string(shape.record->className);
  if (shape.element)
    return concat(shape.type == "array" ? "array" : "map", " of ",
                  nameOf(*shape.element));
  return std::string(shape.type);
}

static void listRecord(JsonStream &j, const RecordShape &record,
                       std::set<std::string_view> &known) {
  if (!known.insert(record.className).second)
    return;
  for (const FieldShape &each : record.fields)
    for (const Shape *shape = &each.shape; shape; shape = shape->element.get())
      if (shape->record)
        listRecord(j, *shape->record, known);
  j.object([&] {
    j.attribute("record", record.className);
    if (record.cStruct != "NoCStruct")
      j.attribute("c_struct", record.cStruct);
    j.attribute("doc", record.doc);
    j.attributeArray("fields", [&] {
      for (const FieldShape &each : record.fields)
        j.object([&] {
          const ReportField &field = each.field;
          j.attribute("key", field.key);
          j.attribute("type", nameOf(each.shape));
          j.attribute("nullable", isNullable(each));
          j.attribute("required", field.presence != Presence::LeftOut);
          j.attribute("unit", field.unit.label);
          j.attribute("doc", field.doc);
          if (!each.shape.cases.empty())
            writeNames(j, "cases", each.shape.cases);
          if (field.c.position > 0)
            j.attributeObject("c", [&] {
              j.attribute("position", field.c.position);
              j.attribute("type", field.c.type);
              j.attribute("name", field.c.name);
            });
        });
    });
  });
}

std::string gpucost::listReportFields(const std::vector<ReportKind> &kinds) {
  std::string text;
  JsonStream j(text);
  j.object([&] {
    for (const ReportKind &kind : kinds) {
      std::set<std::string_view> known;
      j.attributeArray(kind.name, [&] { listRecord(j, kind.root(), known); });
    }
  });
  return text + '\n';
}
