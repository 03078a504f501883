//===- CompareJson.cpp - A comparison for programs ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The schema is docs/compare.schema.json; test/Compare holds the two together.
//
//===----------------------------------------------------------------------===//

#include "CompareText.h"
#include "gpucost/Report/JsonFields.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::compare;
namespace json = llvm::json;

static constexpr int64_t schemaVersion = 1;

static void text(json::OStream &j, llvm::StringRef key, llvm::StringRef value) {
  j.attribute(key, toUtf8(value));
}

static void number(json::OStream &j, llvm::StringRef key,
                   std::optional<double> value) {
  writeNumber(j, key, value.value_or(std::nan("")));
}

static void writeChange(json::OStream &j, const Change &change) {
  number(j, "before", change.before);
  number(j, "after", change.after);
  number(j, "change", change.difference());
  number(j, "relative", change.relative());
}

static void writeChanges(json::OStream &j, llvm::StringRef key,
                         llvm::ArrayRef<Change> changes) {
  j.attributeObject(key, [&] {
    for (const Change &change : changes)
      j.attributeObject(change.name, [&] { writeChange(j, change); });
  });
}

static void writeGroups(json::OStream &j, llvm::StringRef key,
                        llvm::ArrayRef<GroupChange> groups) {
  j.attributeArray(key, [&] {
    for (const GroupChange &group : groups)
      j.object([&] {
        text(j, "name", group.timeUs.name);
        j.attributeObject("time_us", [&] { writeChange(j, group.timeUs); });
        j.attributeObject("energy_j", [&] { writeChange(j, group.energyJ); });
        j.attributeObject("launches", [&] { writeChange(j, group.launches); });
      });
  });
}

static void writeSide(json::OStream &j, llvm::StringRef key,
                      const ComparedReport &report) {
  j.attributeObject(key, [&] {
    text(j, "file", report.file);
    text(j, "model", report.model);
    text(j, "target", report.target);
    text(j, "format", report.format);
    text(j, "mode", report.mode);
    for (const char *name :
         {"time_low_ms", "time_high_ms", "energy_low_j", "energy_high_j",
          "avg_power_low_w", "avg_power_high_w"})
      number(j, name, report.value(name));
  });
}

static void writeKernelSide(json::OStream &j, llvm::StringRef key,
                            const std::optional<ComparedKernel> &kernel) {
  if (!kernel) {
    j.attribute(key, nullptr);
    return;
  }
  j.attributeObject(key, [&] {
    text(j, "name", kernel->name);
    text(j, "shape", kernel->shape);
    text(j, "format", kernel->format);
    text(j, "tile", kernel->tile);
    text(j, "bound", kernel->bound);
    j.attribute("count", kernel->count);
    writeNumber(j, "time_us", kernel->timeUs);
    writeNumber(j, "total_us", kernel->totalUs());
  });
}

static void writeTexts(json::OStream &j, llvm::StringRef key,
                       llvm::ArrayRef<TextChange> changes) {
  j.attributeArray(key, [&] {
    for (const TextChange &change : changes)
      j.object([&] {
        text(j, "name", change.name);
        text(j, "before", change.before);
        text(j, "after", change.after);
      });
  });
}

static void writeNotes(json::OStream &j, llvm::StringRef key,
                       llvm::ArrayRef<std::string> notes) {
  j.attributeArray(key, [&] {
    for (const std::string &note : notes)
      j.value(toUtf8(note));
  });
}

static void writeBudget(json::OStream &j,
                        llvm::ArrayRef<BudgetResult> results) {
  j.attributeArray("budget", [&] {
    for (const BudgetResult &result : results)
      j.object([&] {
        text(j, "limits", result.line.name());
        text(j, "kind", result.line.isChange ? "change" : "most");
        writeNumber(j, "limit", result.line.limit);
        number(j, "found", result.found);
        j.attribute("broken", result.broken);
      });
  });
}

void compare::printComparisonJson(const Comparison &comparison,
                                  const ComparePrintOptions &options,
                                  llvm::raw_ostream &os) {
  json::OStream j(os, /*IndentSize=*/2);
  j.object([&] {
    j.attribute("schema", schemaVersion);
    writeSide(j, "before", comparison.before);
    writeSide(j, "after", comparison.after);
    j.attribute("same", comparison.isSame());
    writeTexts(j, "settings", comparison.settings);
    writeChanges(j, "totals", comparison.totals);
    writeChanges(j, "memory", comparison.memory);
    writeChanges(j, "between", comparison.between);
    writeGroups(j, "phases", comparison.phases);
    writeGroups(j, "families", comparison.families);
    writeGroups(j, "ops", comparison.ops);
    j.attributeArray("kernels", [&] {
      for (const KernelChange &change : comparison.kernels)
        j.object([&] {
          text(j, "op", change.either().op);
          text(j, "label", change.either().label);
          text(j, "family", change.either().family);
          text(j, "phase", change.either().phase);
          writeNumber(j, "change_us", change.timeUs());
          writeNumber(j, "by_count_us", change.byCountUs);
          writeNumber(j, "by_launch_us", change.byLaunchUs);
          writeNumber(j, "energy_change_j", change.energyJ);
          writeNotes(j, "why", change.why);
          writeKernelSide(j, "before", change.before);
          writeKernelSide(j, "after", change.after);
        });
    });
    j.attribute("unchanged_kernels",
                static_cast<int64_t>(comparison.unchangedKernels));
    writeTexts(j, "coverage", comparison.coverage);
    writeNotes(j, "new_notes", comparison.newNotes);
    writeNotes(j, "gone_notes", comparison.goneNotes);
    if (options.budget)
      writeBudget(j, *options.budget);
  });
  os << '\n';
}
