//===- DriverOptions.cpp - Command line of the tool -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverOptions.h"
#include "ReportSchemas.h"
#include "gpucost/Applications/Report/Report.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "gpucost/Applications/Report/Units.h"
#include "gpucost/Core/Scenario/SettingRow.h"
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

llvm::StringRef DriverOptions::schemaKinds() {
  static const std::string kinds =
      llvm::join(llvm::map_range(reportKinds(),
                                 [](const ReportKind &kind) {
                                   return llvm::StringRef(kind.name);
                                 }),
                 "|");
  return kinds;
}

std::string DriverOptions::findMisuse(const Scenario &stated) const {
  if (!printSchema.empty() && !findReportKind(printSchema))
    return "unknown value '" + printSchema.getValue() +
           "' of --print-schema, expected " + schemaKinds().str();
  llvm::SmallVector<llvm::StringRef> formats = formatNames();
  // Kernel queries check their formats themselves.
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
  if (!units.empty())
    if (auto choice = UnitChoice::parse(units.getValue()); !choice)
      return "--units: " + llvm::toString(choice.takeError());
  if ((tree.getNumOccurrences() || width.getNumOccurrences() ||
       !units.empty()) &&
      (isKernelQuery() || emit != Emit::Report || report != "table"))
    return "--tree, --width and --units are about the table of a model";
  if (width.getNumOccurrences() && !columnsOf(width))
    return widthFault;
  if (howAccurate && (isKernelQuery() || prepare || emit != Emit::Report ||
                      details || sensitivities || !explainOp.empty() ||
                      report.getNumOccurrences() || groupBy != GroupBy::None))
    return "--how-accurate replaces the report of a model; --report=json has "
           "the same as `accuracy`";
  if (sensitivities && (isKernelQuery() || emit != Emit::Report))
    return "--sensitivities adds a section to the report of a model";
  if (details && (isKernelQuery() || emit != Emit::Report ||
                  (report != "json" && report != "html")))
    return "--details adds to the report of a model as json";
  if (explainOp.getNumOccurrences() && explainOp.empty())
    return "--explain-op needs a node, the number of a kernel or an operator";
  if (!explainOp.empty() &&
      (isKernelQuery() || prepare || emit != Emit::Report ||
       report.getNumOccurrences() || groupBy != GroupBy::None))
    return "--explain-op replaces the report of a model";
  if (heat.getNumOccurrences() && emit != Emit::ModelExplorer)
    return "--heat is about --emit=model-explorer";
  if (emitsGraph() && (input.empty() || input == "-"))
    return "--emit=onnx and --emit=model-explorer need the name of an ONNX "
           "file";
  if (!trace.empty() && (isKernelQuery() || prepare || emit != Emit::Report))
    return "--trace shows the report of a model as a timeline";
  if (trace == "-" || (trace.getNumOccurrences() && trace.empty()))
    return "--trace needs the name of a file; the report goes to standard "
           "output";
  if (timing && (isKernelQuery() || prepare || emit != Emit::Report))
    return "--timing is about the report of a model";
  if (traceLoops.getNumOccurrences() && trace.empty())
    return "--trace-loops is about --trace";
  if ((listTargets || listNetworks) && (report == "csv" || report == "html"))
    return std::string(listTargets ? "--list-targets" : "--list-networks") +
           " prints a table or json";
  if (maxBatch && stated.batch)
    return "--max-batch looks for the batch; leave out --batch";
  if (maxBatch && (stated.microBatch || stated.globalBatch))
    return std::string("--max-batch looks for the batch; leave out ") +
           (stated.microBatch ? "--micro-batch" : "--global-batch");
  if (isKernelQuery() && (stated.mode == IterationMode::Training || maxBatch ||
                          stated.gpus.value_or(1) > 1))
    return "a kernel query has no --mode=training, --max-batch or --gpus";
  if (!kernels.empty() && !kernel.empty())
    return "--kernels and --kernel cannot be combined";
  if (isKernelQuery() && !input.empty())
    return "a kernel query takes no model, but got '" + input.getValue() + "'";
  return "";
}
