//===- PointText.cpp - Points as JSON Lines and CSV -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Sweep/PointText.h"
#include "gpucost/Applications/Report/ModelName.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/RecordCsv.h"
#include "gpucost/Compiler/Support/Json.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "gpucost/Core/Support/JsonStream.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace gpucost;
using namespace gpucost::sweep;
using llvm::SmallVector;
using llvm::StringRef;

PointText::PointText(const Space &space, PointFormat format, std::string sweep,
                     std::string version)
    : space(space), format(format), sweep(std::move(sweep)),
      version(std::move(version)) {
  forEachSetting([&](const auto &row) {
    if (space.common().*row.stated || space.findAxis(row.flag))
      settings.push_back(columnOf(std::string(row.flag)));
  });
}

namespace gpucost {
#define GPUCOST_REPORT "gpucost/Applications/Sweep/Point.def"
#include "gpucost/Core/Report/VisitReport.inc"
} // namespace gpucost

static const RecordColumns<PointResult> &columns() {
  static const RecordColumns<PointResult> all({}, /*all=*/true);
  return all;
}

std::string PointText::header() const {
  if (format == PointFormat::JsonLines)
    return "";
  std::string text = "point,sweep,version,model";
  for (const Column &setting : settings)
    text += "," + setting.key;
  for (std::string_view name : columns().names())
    text += "," + std::string(name);
  return text + "\n";
}

std::vector<std::string> PointText::settingKeys() const {
  std::vector<std::string> keys;
  for (const Column &setting : settings)
    keys.push_back(setting.key);
  return keys;
}

/// The value of a setting for people; "" where none is stated.
template <typename Row>
static std::string textOf(const Row &row, const Scenario &scenario) {
  const auto &value = scenario.*row.stated;
  return value ? toText(*value, row.spec) : std::string();
}

PointText::Column PointText::columnOf(const std::string &flag) const {
  Column column;
  const Axis *axis = space.findAxis(flag);
  if (axis)
    column.axis = static_cast<size_t>(axis - space.axes().data());
  visitSetting(flag, [&](const auto &row) {
    using Row = std::decay_t<decltype(row)>;
    column.key = row.key();
    auto add = [&](const Scenario &scenario) {
      std::string value = textOf(row, scenario), part;
      if (format == PointFormat::Csv) {
        llvm::raw_string_ostream os(part);
        printCsvCell(os, value);
      } else {
        JsonStream j(part, /*indented=*/false);
        j.object([&] {
          j.key(column.key);
          if (value.empty())
            j.value(nullptr);
          else if (Row::isNumber || Row::isSwitch)
            j.rawValue(value);
          else
            j.value(value);
        });
        part = part.substr(1, part.size() - 2); // without braces
      }
      column.parts.push_back(std::move(part));
    };
    if (!axis)
      return add(space.common());
    for (const Scenario &value : axis->values)
      add(value);
  });
  return column;
}

const std::string &PointText::modelOf(int64_t point) const {
  return space.models()[space.modelOf(point / space.blockSize())];
}

std::string PointText::start(int64_t point, const std::string &model) const {
  std::string text;
  if (format == PointFormat::JsonLines) {
    JsonStream j(text, /*indented=*/false);
    j.object([&] {
      j.attribute("point", point);
      j.attribute("sweep", sweep);
      j.attribute("version", version);
      j.attribute("model", model);
    });
    text.pop_back(); // the brace
  } else {
    llvm::raw_string_ostream os(text);
    os << point << ',' << sweep << ',' << version << ',';
    printCsvCell(os, model);
  }
  std::vector<size_t> values = space.valuesOf(point);
  for (const Column &setting : settings) {
    text += ',';
    text += setting.parts[setting.axis ? values[*setting.axis] : 0];
  }
  return text;
}

void PointText::write(JsonStream &j, const PointResult &result) const {
  std::string line;
  append(line, result);
  j.rawValue(llvm::StringRef(line).rtrim());
}

void PointText::append(std::string &text, const PointResult &result) const {
  text += start(result.point, modelOf(result.point));
  if (format == PointFormat::Csv) {
    text += ',';
    llvm::raw_string_ostream os(text);
    printCsvCells(os, columns().cells(result));
    os << '\n';
    return;
  }
  size_t end = text.size();
  JsonStream j(text, /*indented=*/false);
  j.object([&] { writeRecord(j, result); });
  text[end] = ','; // instead of the brace
  text += '\n';
}

/// The cells of a line; empty if a quote is not closed.
static SmallVector<StringRef> cellsOf(StringRef line) {
  SmallVector<StringRef> cells;
  bool isQuoted = false;
  size_t begin = 0;
  for (size_t i = 0; i <= line.size(); ++i)
    if (i == line.size() || (line[i] == ',' && !isQuoted)) {
      cells.push_back(line.slice(begin, i));
      begin = i + 1;
    } else {
      isQuoted ^= line[i] == '"';
    }
  return isQuoted ? SmallVector<StringRef>() : cells;
}

bool PointText::isWhole(StringRef line, int64_t point) const {
  // The file of the model may have another name.
  if (format == PointFormat::Csv) {
    constexpr size_t modelCell = 3;
    SmallVector<StringRef> cells = cellsOf(line);
    std::string begin = start(point, "") + ',';
    SmallVector<StringRef> expected = cellsOf(begin);
    std::string names = header();
    if (cells.size() != cellsOf(names).size())
      return false;
    // The last one is empty: after the comma.
    for (size_t i = 0; i + 1 < expected.size(); ++i)
      if (i != modelCell && cells[i] != expected[i])
        return false;
    return true;
  }
  llvm::Expected<llvm::json::Value> value = parseJson(line);
  if (!value) {
    llvm::consumeError(value.takeError());
    return false;
  }
  const llvm::json::Object *object = value->getAsObject();
  std::optional<StringRef> model =
      object ? object->getString("model") : std::nullopt;
  // The keys before the results.
  constexpr size_t identifying = 4;
  return model && line.starts_with(start(point, model->str()) + ',') &&
         object->size() ==
             identifying + settings.size() + columns().names().size() &&
         llvm::all_of(columns().names(), [&](std::string_view name) {
           return object->get(name) != nullptr;
         });
}

/// Takes `prefix` from the front of `line`.
static bool take(StringRef &line, StringRef prefix) {
  return line.consume_front(prefix);
}

std::optional<PointText::Start> PointText::readStart(StringRef line,
                                                     PointFormat format) {
  bool isJson = format == PointFormat::JsonLines;
  Start start;
  char end = isJson ? '"' : ',';
  auto word = [&](StringRef &text) {
    size_t length = line.find(end);
    if (length == StringRef::npos)
      return false;
    text = line.take_front(length);
    line = line.drop_front(length);
    return true;
  };
  if (isJson && !take(line, "{\"point\":"))
    return std::nullopt;
  if (line.consumeInteger(10, start.point) || start.point < 0 ||
      !take(line, isJson ? ",\"sweep\":\"" : ",") || !word(start.sweep) ||
      !take(line, isJson ? "\",\"version\":\"" : ",") || !word(start.version))
    return std::nullopt;
  return start;
}

std::string sweep::axesText(const Space &space, int64_t point) {
  std::string text;
  std::vector<size_t> values = space.valuesOf(point);
  if (space.models().size() > 1)
    text = modelName(space.models()[space.modelOf(point / space.blockSize())])
               .str();
  for (auto [axis, index] : llvm::zip(space.axes(), values))
    text += (text.empty() ? "--" : " --") + axis.flag + "=" + axis.texts[index];
  return printable(text);
}
