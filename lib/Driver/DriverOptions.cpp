//===- DriverOptions.cpp - Command line of the tool -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverOptions.h"
#include "gpucost/Report/Report.h"
#include "gpucost/Scenario/SettingRow.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpucost;

static llvm::SmallVector<llvm::StringRef> formatNames() {
  llvm::SmallVector<llvm::StringRef> names;
  for (const Writer &writer : reportWriters())
    names.push_back(writer.name);
  return names;
}

llvm::StringRef DriverOptions::reportFormats() {
  static const std::string formats = llvm::join(formatNames(), "|");
  return formats;
}

std::string DriverOptions::findMisuse(const Scenario &stated) const {
  llvm::SmallVector<llvm::StringRef> formats = formatNames();
  // Kernel queries know their own.
  if (!isKernelQuery() && !llvm::is_contained(formats, report))
    return "unknown value '" + report.getValue() + "' of --report, expected " +
           listAlternatives({formats.begin(), formats.end()});
  if (prepare && (isKernelQuery() || emit != Emit::Report || maxBatch ||
                  strict || report.getNumOccurrences() ||
                  groupBy != GroupBy::None || top.getNumOccurrences()))
    return "prepare writes the kernels of a model; a report is made of them "
           "later";
  if (emit != Emit::Report && report.getNumOccurrences())
    return "--report formats the report; --emit prints something else";
  if (groupBy != GroupBy::None &&
      (isKernelQuery() || emit != Emit::Report || report == "csv"))
    return "--group-by adds rows to the report of a model, as a table or json";
  if (sensitivities && (isKernelQuery() || emit != Emit::Report))
    return "--sensitivities adds a section to the report of a model";
  if (details && (isKernelQuery() || emit != Emit::Report ||
                  (report != "json" && report != "html")))
    return "--details adds to the report of a model as json";
  if (listTargets && (report == "csv" || report == "html"))
    return "--list-targets prints a table or json";
  if (maxBatch && stated.batch)
    return "--max-batch looks for the batch; leave out --batch";
  if (isKernelQuery() && (stated.mode == IterationMode::Training || maxBatch ||
                          stated.gpus.value_or(1) > 1))
    return "a kernel query has no --mode=training, --max-batch or --gpus";
  if (!kernels.empty() && !kernel.empty())
    return "--kernels and --kernel cannot be combined";
  if (isKernelQuery() && !input.empty())
    return "a kernel query takes no model, but got '" + input.getValue() + "'";
  return "";
}
