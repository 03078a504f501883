//===- RecordText.cpp - Records as text -----------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Support/RecordText.h"
#include "gpucost/Core/Support/Text.h"
#include <algorithm>

using namespace gpucost;

void gpucost::addField(std::vector<RecordField> &fields, const FieldInfo &info,
                       void *value, const FieldType &type) {
  fields.push_back({&info, value, &type});
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static std::string unknownField(const RecordType &type, std::string_view name,
                                const std::vector<RecordField> &fields) {
  std::string_view nearest;
  size_t least = name.size() / 3 + 1;
  for (const RecordField &field : fields)
    if (size_t edits = editDistance(name, field.info->keyword); edits < least) {
      nearest = field.info->keyword;
      least = edits;
    }
  std::string text = concat("unknown field '", name, "' of ", type.mnemonic);
  return nearest.empty() ? text
                         : concat(text, "; did you mean '", nearest, "'?");
}

bool gpucost::readRecord(RecordSource &source, const RecordType &type,
                         void *record) {
  std::vector<RecordField> fields = type.fields(record);
  std::vector<bool> seen(fields.size());
  RecordSource::Place start = source.here();
  auto readField = [&] {
    RecordSource::Place at = source.here();
    std::string_view keyword;
    if (!source.optionalWord(keyword))
      return source.fail(at, concat("expected a field of ", type.mnemonic));
    auto field = std::find_if(
        fields.begin(), fields.end(),
        [&](const RecordField &each) { return each.info->keyword == keyword; });
    if (field == fields.end())
      return source.fail(at, unknownField(type, keyword, fields));
    size_t index = static_cast<size_t>(field - fields.begin());
    if (seen[index])
      return source.fail(at, concat("duplicate field '", keyword, "'"));
    seen[index] = true;
    return source.equals() && field->type->read(source, field->value);
  };
  if (!source.list(/*isRecord=*/true, readField))
    return false;
  for (size_t i = 0; i < fields.size(); ++i)
    if (fields[i].info->required && !seen[i])
      return source.fail(start,
                         concat("missing field '", fields[i].info->keyword,
                                "' of ", type.mnemonic));
  std::string fault = type.findFault(record);
  return fault.empty() || source.fail(start, fault);
}

bool gpucost::readNestedRecord(RecordSource &source, const RecordType &type,
                               void *record) {
  RecordSource::Place at = source.here();
  WholeRecord whole;
  if (!source.optionalWhole(whole))
    return false;
  if (!whole.type)
    return readRecord(source, type, record);
  if (whole.type->mnemonic != type.mnemonic)
    return source.fail(at,
                       concat("expected a #gpucost.", type.mnemonic,
                              ", but got a #gpucost.", whole.type->mnemonic));
  type.assign(record, whole.value);
  return true;
}

bool gpucost::readNumber(RecordSource &source, Span<Unit> units,
                         double &value) {
  if (!source.number(value))
    return false;
  if (units.empty())
    return true;
  RecordSource::Place at = source.here();
  std::string_view unit;
  if (!source.optionalWord(unit))
    return source.fail(at,
                       concat("expected a unit, one of ", listUnits(units)));
  std::optional<double> size = findUnit(units, unit);
  if (!size)
    return source.fail(at, concat("unknown unit '", unit, "', expected one of ",
                                  listUnits(units)));
  value *= *size;
  return true;
}

bool gpucost::readInteger(RecordSource &source, int64_t low, int64_t high,
                          int64_t &value) {
  RecordSource::Place at = source.here();
  if (!source.integer(value))
    return false;
  return (value >= low && value <= high) ||
         source.fail(at, concat("expected an integer from ", low, " to ", high,
                                ", but got ", value));
}

bool gpucost::readFlag(RecordSource &source, bool &value) {
  RecordSource::Place at = source.here();
  std::string_view word;
  value = source.optionalWord(word) && word == "true";
  return value || word == "false" ||
         source.fail(at, "expected 'true' or 'false'");
}

bool gpucost::readText(RecordSource &source, std::string &value) {
  RecordSource::Place at = source.here();
  return source.optionalText(value) || source.fail(at, "expected a string");
}

bool gpucost::readName(RecordSource &source, std::string_view what,
                       Span<std::string_view> names, size_t &index) {
  RecordSource::Place at = source.here();
  std::string name, all;
  bool isThere = source.optionalText(name);
  const auto *found = std::find(names.begin(), names.end(), name);
  index = static_cast<size_t>(found - names.begin());
  if (isThere && index < names.size())
    return true;
  for (std::string_view each : names)
    all += concat(all.empty() ? "" : ", ", each);
  std::string text = concat("expected one of [", all, "] for ", what);
  return source.fail(at, isThere ? concat(text, ", got: ", name) : text);
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

void gpucost::printRecord(std::string &text, const RecordType &type,
                          const void *record) {
  std::shared_ptr<void> initial = type.create();
  // The record is only read.
  std::vector<RecordField> fields = type.fields(const_cast<void *>(record)),
                           defaults = type.fields(initial.get());
  char separator = '<';
  for (size_t i = 0; i < fields.size(); ++i) {
    const RecordField &field = fields[i];
    if (!field.info->required &&
        field.type->equal(field.value, defaults[i].value))
      continue;
    text += separator;
    if (separator == ',')
      text += ' ';
    separator = ',';
    text += field.info->keyword;
    text += " = ";
    field.type->print(text, field.value);
  }
  text += separator == '<' ? "<>" : ">";
}

void gpucost::printText(std::string &text, std::string_view value) {
  text += '"';
  for (char c : value) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '\\') {
      text += "\\\\";
    } else if (c == '"' || byte < 0x20 || byte >= 0x7f) {
      text += '\\';
      text += "0123456789ABCDEF"[byte >> 4];
      text += "0123456789ABCDEF"[byte & 15];
    } else {
      text += c;
    }
  }
  text += '"';
}

void gpucost::printName(std::string &text, std::string_view name) {
  bool isWord = std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
           (c >= 'a' && c <= 'z') || c == '_';
  });
  text += isWord ? std::string(name) : concat("\"", name, "\"");
}
