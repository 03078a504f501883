//===- PointText.cpp - Points as JSON Lines and CSV -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Sweep/PointText.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/RecordCsv.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/ADT/StringSet.h"

using namespace gpucost;
using namespace gpucost::sweep;
using llvm::StringRef;

PointText::PointText(const Space &space, PointFormat format, std::string sweep,
                     std::string version)
    : space(space), format(format), sweep(std::move(sweep)),
      version(std::move(version)) {
  forEachSetting([&](const auto &row) {
    if (space.common().*row.stated || space.findAxis(row.flag))
      flags.push_back(std::string(row.flag));
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
  for (const std::string &flag : flags)
    visitSetting(flag, [&](const auto &row) { text += "," + row.key(); });
  for (std::string_view name : columns().names())
    text += "," + std::string(name);
  return text + "\n";
}

std::vector<std::string> PointText::settingKeys() const {
  std::vector<std::string> keys;
  for (const std::string &flag : flags)
    visitSetting(flag, [&](const auto &row) { keys.push_back(row.key()); });
  return keys;
}

/// The value of a setting for people; "" where none is stated.
template <typename Row>
static std::string textOf(const Row &row, const Scenario &scenario) {
  const auto &value = scenario.*row.stated;
  return value ? toText(*value, row.spec) : std::string();
}

void PointText::append(std::string &text, const PointResult &result) const {
  Scenario scenario = space.scenarioOf(result.point);
  const std::string &model =
      space.models()[space.modelOf(result.point / space.blockSize())];
  if (format == PointFormat::Csv) {
    llvm::raw_string_ostream os(text);
    auto cell = [&](StringRef value) {
      os << ',';
      printCsvCell(os, printable(value));
    };
    os << result.point << ',' << sweep << ',' << version;
    cell(model);
    for (const std::string &flag : flags)
      visitSetting(flag, [&](const auto &row) { cell(textOf(row, scenario)); });
    for (const std::string &value : columns().cells(result))
      cell(value);
    os << '\n';
    return;
  }
  JsonStream j(text, /*indented=*/false);
  j.object([&] {
    j.attribute("point", result.point);
    j.attribute("sweep", sweep);
    j.attribute("version", version);
    j.attribute("model", model);
    for (const std::string &flag : flags)
      visitSetting(flag, [&](const auto &row) {
        using Row = std::decay_t<decltype(row)>;
        std::string value = textOf(row, scenario);
        j.key(row.key());
        if (value.empty())
          j.value(nullptr);
        else if (Row::isNumber || Row::isSwitch)
          j.rawValue(value);
        else
          j.value(value);
      });
    writeRecord(j, result);
  });
  text += '\n';
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
