//===- CompareText.cpp - Text of a comparison -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompareText.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::compare;
using llvm::StringRef;

namespace {
struct Unit {
  llvm::StringLiteral suffix, symbol;
  double size;
  bool binary;
};
} // namespace

static constexpr Unit fieldUnits[] = {
    {"_ms", "s", 1e-3, false},  {"_us", "s", 1e-6, false},
    {"_j", "J", 1, false},      {"_w", "W", 1, false},
    {"_mhz", "Hz", 1e6, false}, {"_bytes", "B", 1, true},
    {"flops", "FLOP", 1, false}};

static const Unit *unitOf(StringRef name) {
  const Unit *unit = llvm::find_if(fieldUnits, [&](const Unit &each) {
    return name.ends_with(each.suffix);
  });
  return unit == std::end(fieldUnits) ? nullptr : unit;
}

std::string compare::quantityText(StringRef name, std::optional<double> value) {
  if (!value)
    return "not known";
  if (name == "mfu")
    return formatPercent(*value);
  const Unit *unit = unitOf(name);
  if (!unit)
    return *value == std::floor(*value) && std::fabs(*value) < 1e15
               ? std::to_string(static_cast<int64_t>(*value))
               : formatSignificant(*value);
  // Traffic is printed in powers of 1000, memory is in powers of 1024.
  return unit->binary && name != "dram_bytes"
             ? memoryText(*value * unit->size)
             : formatSi(*value * unit->size, unit->symbol).str();
}

std::string compare::quantityTitle(StringRef name) {
  const Unit *unit = unitOf(name);
  if (unit && name != "flops")
    name.consume_back(unit->suffix);
  name.consume_front("avg_");
  std::string title = name.str();
  std::replace(title.begin(), title.end(), '_', ' ');
  return title == "dram" ? "DRAM traffic" : title == "mfu" ? "MFU" : title;
}

std::string compare::differenceText(StringRef name, const Change &change) {
  std::optional<double> difference = change.difference();
  if (!difference)
    return "";
  if (*difference == 0)
    return "0";
  if (name == "mfu")
    return (*difference > 0 ? "+" : "-") +
           formatSignificant(std::fabs(*difference) * 100, 2) + " points";
  return (*difference > 0 ? "+" : "-") +
         quantityText(name, std::fabs(*difference));
}

std::string compare::relativeText(const Change &change) {
  std::optional<double> relative = change.relative();
  if (!relative)
    return "";
  if (*relative == 0)
    return "0 %";
  double percent = *relative * 100;
  // Small changes are real and must be visible.
  std::string digits = std::fabs(percent) < 0.1
                           ? formatSignificant(std::fabs(percent), 1)
                           : formatSignificant(std::fabs(percent), 3);
  return (percent > 0 ? "+" : "-") + digits + " %";
}

static std::string titleOf(const ComparedReport &report) {
  std::string text = report.model.empty() ? report.file : report.model;
  text += " on " + (report.target.empty() ? "an unnamed GPU" : report.target);
  if (!report.format.empty())
    text += ", " + report.format;
  if (!report.mode.empty())
    text += ", " + report.mode;
  return printable(text);
}

/// Whether the 80 % intervals of the times overlap; nullopt if a report has
/// none.
static std::optional<bool> overlap(const Comparison &comparison) {
  auto end = [&](const ComparedReport &report, const char *name) {
    return report.value(name);
  };
  auto lowA = end(comparison.before, "time_low_ms");
  auto highA = end(comparison.before, "time_high_ms");
  auto lowB = end(comparison.after, "time_low_ms");
  auto highB = end(comparison.after, "time_high_ms");
  if (!lowA || !highA || !lowB || !highB)
    return std::nullopt;
  return *lowA <= *highB && *lowB <= *highA;
}

std::vector<std::string>
compare::explainComparison(const Comparison &comparison) {
  std::vector<std::string> lines = {"before: " + titleOf(comparison.before),
                                    "after:  " + titleOf(comparison.after)};
  if (comparison.isSame()) {
    lines.push_back("Nothing changed: every time, energy, size and kernel is "
                    "the same.");
    return lines;
  }
  lines.push_back("Predictions have no noise: every change below is real, one "
                  "of the model, its settings or the tool.");
  if (std::optional<bool> common = overlap(comparison))
    lines.push_back(
        *common
            ? "The 80 % intervals of the two times overlap: a measurement may "
              "show a smaller or an opposite change."
            : "The 80 % intervals of the two times do not overlap: a "
              "measurement will also show the change.");
  return lines;
}

static TextRows changeRows(StringRef title, llvm::ArrayRef<Change> changes) {
  TextRows table{title.str(),
                 {title.str(), "before", "after", "change", "%"},
                 {false, true, true, true, true},
                 {},
                 ""};
  for (const Change &change : changes)
    if (change.before != change.after || change.name == "time_ms" ||
        change.name == "energy_j")
      table.rows.push_back(
          {quantityTitle(change.name), quantityText(change.name, change.before),
           quantityText(change.name, change.after),
           differenceText(change.name, change), relativeText(change)});
  return table;
}

static TextRows groupRows(StringRef title, llvm::ArrayRef<GroupChange> groups,
                          unsigned top) {
  TextRows table{
      ("by " + title).str(),
      {title.str(), "before", "after", "change", "%", "energy", "launches"},
      {false, true, true, true, true, true, true},
      {},
      ""};
  size_t hidden = 0;
  for (const GroupChange &group : groups) {
    bool same = group.timeUs.before == group.timeUs.after &&
                group.energyJ.before == group.energyJ.after &&
                group.launches.before == group.launches.after;
    if (same || table.rows.size() >= top) {
      hidden += !same;
      continue;
    }
    auto launches = [](std::optional<double> count) {
      return quantityText("launches", count.value_or(0));
    };
    std::string counts = launches(group.launches.before);
    if (group.launches.before != group.launches.after)
      counts += " -> " + launches(group.launches.after);
    table.rows.push_back(
        {group.timeUs.name, quantityText("time_us", group.timeUs.before),
         quantityText("time_us", group.timeUs.after),
         differenceText("time_us", group.timeUs), relativeText(group.timeUs),
         differenceText("energy_j", group.energyJ), counts});
  }
  if (hidden)
    table.more = std::to_string(hidden) + " more changed";
  return table;
}

static TextRows kernelRows(const Comparison &comparison, unsigned top) {
  TextRows table{"kernels",
                 {"change", "by count", "by launch", "kernel", "shape", "why"},
                 {true, true, true, false, false, false},
                 {},
                 ""};
  auto signedTime = [](double us) {
    return differenceText("time_us", {"", 0, us});
  };
  for (const KernelChange &change :
       llvm::ArrayRef(comparison.kernels).take_front(top)) {
    const ComparedKernel &kernel = change.either();
    table.rows.push_back({signedTime(change.timeUs()),
                          signedTime(change.byCountUs),
                          signedTime(change.byLaunchUs),
                          kernel.label.empty() ? kernel.op : kernel.label,
                          kernel.shape, llvm::join(change.why, "; ")});
  }
  size_t hidden = comparison.kernels.size() - table.rows.size();
  if (hidden)
    table.more = std::to_string(hidden) + " more changed";
  if (comparison.unchangedKernels)
    table.more += (table.more.empty() ? "" : ", ") +
                  std::to_string(comparison.unchangedKernels) +
                  " did not change";
  return table;
}

static TextRows textRows(StringRef title, llvm::ArrayRef<TextChange> changes) {
  TextRows table{title.str(),
                 {title.str(), "before", "after"},
                 {false, false, false},
                 {},
                 ""};
  auto shown = [](const std::string &text) {
    return text.empty() ? std::string("-") : text;
  };
  for (const TextChange &change : changes)
    table.rows.push_back(
        {change.name, shown(change.before), shown(change.after)});
  return table;
}

std::vector<TextRows> compare::tablesOf(const Comparison &comparison,
                                        unsigned top) {
  std::vector<Change> memory = comparison.memory;
  std::vector<TextRows> tables = {
      textRows("setting", comparison.settings),
      changeRows("total", comparison.totals),
      changeRows("memory", memory),
      changeRows("between kernels", comparison.between),
      groupRows("phase", comparison.phases, top),
      groupRows("family", comparison.families, top),
      groupRows("op", comparison.ops, top),
      kernelRows(comparison, top),
      textRows("not fully modelled", comparison.coverage)};
  TextRows notes{"notes", {"", "note"}, {false, false}, {}, ""};
  for (const std::string &note : comparison.newNotes)
    notes.rows.push_back({"new", note});
  for (const std::string &note : comparison.goneNotes)
    notes.rows.push_back({"gone", note});
  tables.push_back(std::move(notes));
  return tables;
}
