//===- PointText.cpp - Points as JSON Lines and CSV -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Sweep/PointText.h"
#include "gpucost/Report/JsonFields.h"
#include "gpucost/Report/NumberText.h"
#include "gpucost/Scenario/SettingRow.h"
#include "llvm/ADT/StringSet.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::sweep;
using llvm::StringRef;
namespace json = llvm::json;

PointText::PointText(const Space &space, PointFormat format, std::string sweep,
                     std::string version)
    : space(space), format(format), sweep(std::move(sweep)),
      version(std::move(version)) {
  forEachSetting([&](const auto &row) {
    if (space.common().*row.stated || space.findAxis(row.flag))
      flags.push_back(std::string(row.flag));
  });
}

/// Ends of an 80 % interval.
template <typename Visitor>
static void visitInterval(Visitor &&visit, const char *low, const char *high,
                          double value, const PointResult &r,
                          double IterationErrorBars::*width) {
  bool known = r.hasNumbers() && r.errorBars;
  visit(low, known ? lowEnd(value, *r.errorBars.*width) : std::nan(""));
  visit(high, known ? highEnd(value, *r.errorBars.*width) : std::nan(""));
}

/// Calls `visit(name, number)` for each number, NaN where it is not known.
template <typename Visitor>
static void visitNumbers(const PointResult &r, Visitor &&visit) {
  double unknown = std::nan("");
  auto number = [&](const char *name, double value) {
    visit(name, r.hasNumbers() ? value : unknown);
  };
  auto perIteration = [&](int64_t count) {
    return count > 0 ? static_cast<double>(count) : unknown;
  };
  double seconds = r.time.value(), joules = r.energy.value();
  double allGpus = joules * static_cast<double>(r.gpus);
  number("time_ms", seconds * 1e3);
  visitInterval(visit, "time_low_ms", "time_high_ms", seconds * 1e3, r,
                &IterationErrorBars::time);
  number("energy_j", joules);
  visitInterval(visit, "energy_low_j", "energy_high_j", joules, r,
                &IterationErrorBars::energy);
  number("avg_power_w", r.power.value());
  number("clock_mhz", r.clock.value() * 1e-6);
  number("mfu", r.mfu);
  number("samples_per_s", perIteration(r.samples) / seconds);
  number("tokens_per_s", perIteration(r.tokens) / seconds);
  number("energy_per_sample_j", allGpus / perIteration(r.samples));
  number("peak_memory_bytes", static_cast<double>(r.peakBytes));
  number("device_bytes", static_cast<double>(r.deviceBytes));
  number("world_size", static_cast<double>(r.gpus));
  number("money_per_iteration", r.cost.money.value_or(unknown));
  number("co2e_per_iteration_g", r.cost.carbon.value_or(unknown));
  RunCost run = r.cost * r.iterations.value_or(unknown);
  number("run_iterations", r.iterations.value_or(unknown));
  number("run_hours", run.time.value() / 3600);
  number("run_energy_kwh", run.energy.value() / 3.6e6);
  number("run_money", run.money.value_or(unknown));
  number("run_co2e_kg", run.carbon.value_or(unknown) / 1000);
}

static constexpr const char *switches[] = {"throttled", "time_is_lower_bound"};

std::string PointText::header() const {
  if (format == PointFormat::JsonLines)
    return "";
  std::string text = "point,sweep,version,model";
  for (const std::string &flag : flags)
    visitSetting(flag, [&](const auto &row) { text += "," + row.key(); });
  text += ",gpu,status,reason";
  visitNumbers(PointResult(), [&](const char *name, double) {
    text += std::string(",") + name;
  });
  for (const char *name : switches)
    text += std::string(",") + name;
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
  bool lowerBound = result.hasNumbers() && result.isLowerBound;
  bool throttled = result.hasNumbers() && result.throttled;
  llvm::raw_string_ostream os(text);
  if (format == PointFormat::Csv) {
    auto cell = [&](StringRef value) {
      os << ',';
      printCsvCell(os, printable(value));
    };
    os << result.point << ',' << sweep << ',' << version;
    cell(model);
    for (const std::string &flag : flags)
      visitSetting(flag, [&](const auto &row) { cell(textOf(row, scenario)); });
    cell(result.gpu);
    cell(nameOf(result.status));
    cell(result.reason);
    visitNumbers(result, [&](const char *, double value) {
      os << ',';
      printNumber(os, value);
    });
    os << (throttled ? ",true" : ",false") << (lowerBound ? ",true" : ",false")
       << '\n';
    return;
  }
  json::OStream j(os);
  j.object([&] {
    j.attribute("point", result.point);
    j.attribute("sweep", sweep);
    j.attribute("version", version);
    j.attribute("model", toUtf8(model));
    for (const std::string &flag : flags)
      visitSetting(flag, [&](const auto &row) {
        using Row = std::decay_t<decltype(row)>;
        std::string value = textOf(row, scenario);
        j.attributeBegin(row.key());
        if (value.empty())
          j.value(nullptr);
        else if (Row::isNumber || Row::isSwitch)
          j.rawValue(value);
        else
          j.value(toUtf8(value));
        j.attributeEnd();
      });
    j.attribute("gpu", result.gpu);
    j.attribute("status", nameOf(result.status));
    j.attribute("reason", toUtf8(result.reason));
    visitNumbers(result, [&](const char *name, double value) {
      writeNumber(j, name, value);
    });
    j.attribute(switches[0], throttled);
    j.attribute(switches[1], lowerBound);
  });
  os << '\n';
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
