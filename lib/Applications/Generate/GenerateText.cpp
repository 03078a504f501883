//===- GenerateText.cpp - A pipeline, for people and programs -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Generate/Generate.h"
#include "gpucost/Applications/Report/ModelName.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "gpucost/Core/Support/JsonStream.h"
#include <fmt/format.h>

using namespace gpucost;
using namespace gpucost::generate;

namespace gpucost {
using generate::GenerationPhase;
using generate::GenerationReport;
#define GPUCOST_REPORT "gpucost/Applications/Generate/GenerationReport.def"
#include "gpucost/Core/Report/VisitReport.inc"
} // namespace gpucost

/// Columns of label, value and unit; spaces before a note.
static constexpr int labelWidth = 11, valueWidth = 5, unitWidth = 10,
                     noteIndent = 4;

RecordShape generate::shapeOfGeneration() {
  return shapeOfRecord<GenerationReport>();
}

void generate::printGenerationJson(const GenerationReport &report,
                                   bool indented, llvm::raw_ostream &os) {
  if (indented) {
    os << recordJson(report);
    return;
  }
  std::string line;
  JsonStream j(line, /*indented=*/false);
  writeValue(j, FieldUnit(), report);
  os << line << '\n';
}

void generate::printGenerationPage(llvm::ArrayRef<GenerationReport> reports,
                                   llvm::raw_ostream &os) {
  std::string text;
  JsonStream j(text);
  j.object([&] {
    j.attributeArray("reports", [&] {
      for (const GenerationReport &report : reports)
        writeValue(j, FieldUnit(), report);
    });
  });
  os << text << '\n';
}

static std::string interval(double value, std::optional<double> halfWidth,
                            llvm::StringRef unit) {
  return halfWidth ? "; 80 % PI " + intervalText(value, *halfWidth, unit) : "";
}

void generate::printGeneration(const GenerationReport &r,
                               llvm::raw_ostream &os) {
  auto addLine = [&](llvm::StringRef label, const NumberWithUnit &number,
                     llvm::StringRef text) {
    printLine(os, label, number, text, {labelWidth, valueWidth, unitWidth});
  };
  printWrapped(os,
               modelName(r.pipeline).str() + " on " +
                   (r.gpus > 1 ? std::to_string(r.gpus) + " " : std::string()) +
                   r.target + (r.gpus > 1 ? ", " + r.context : std::string()),
               0, 2);
  printWrapped(
      os, countText(r.batch, r.output) + " in " + countText(r.steps, "step"), 0,
      2);
  os << '\n';
  bool isLowerBound = false;
  for (const GenerationPhase &phase : r.phases)
    isLowerBound |= phase.isLowerBound;
  NumberWithUnit time = formatSi(r.latency.value(), "s");
  if (isLowerBound)
    time.number = ">=" + time.number;
  auto half = [&](double IterationErrorBars::*part) {
    return partOf(r.errorBars, part);
  };
  addLine("latency", time,
          "of the batch" + interval(r.latency.value(),
                                    half(&IterationErrorBars::time), "s"));
  addLine("energy", formatSi(r.energyPerOutput().value(), "J"),
          "per " + r.output + ", all GPUs" +
              interval(r.energyPerOutput().value(),
                       half(&IterationErrorBars::energy), "J"));
  addLine("power", formatSi(r.powerPerGpu().value(), "W"), "average of a GPU");
  addLine("memory", formatSi(static_cast<double>(r.memory), "B"),
          "of a GPU, " + siText(Bytes(static_cast<double>(r.parameters))) +
              " of it parameters; usable are " + siText(r.usable));
  os << '\n';
  using Table = TextTable;
  Table table({Table::left("phase"), Table::right("calls"),
               Table::right("samples"), Table::right("GPUs"),
               Table::numbers("time", "s"), Table::numbers("busy", "s"),
               Table::numbers("host", "s"), Table::numbers("", "J")});
  for (const GenerationPhase &phase : r.phases)
    table.addRow({phase.name, fmt::format("{:g}", phase.calls), phase.samples,
                  phase.gpus, phase.time, phase.busy, phase.host,
                  phase.energy});
  table.print(os, 2);
  if (!r.notes.empty())
    os << '\n';
  for (const std::string &note : r.notes) {
    os << "  - ";
    printWrapped(os, note, noteIndent, noteIndent);
  }
}
