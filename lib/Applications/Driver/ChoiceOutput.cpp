//===- ChoiceOutput.cpp - Output of choices and pipelines -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChoiceOutput.h"
#include "gpucost/Applications/Report/Report.h"

using namespace gpucost;
using namespace gpucost::sweep;
using llvm::StringRef;

llvm::Expected<ChoiceOutput> ChoiceOutput::read(const CommandFlags &flags,
                                                PageKind kind) {
  ChoiceOutput output;
  output.kind = kind;
  output.file = flags.value("o", "-");
  output.format = flags.value(
      "report", StringRef(output.file).ends_with(".html") ? "html" : "table");
  // Before the search.
  if (output.isPage())
    if (llvm::Error error = writePage(kind, "", "{}", llvm::nulls()))
      return std::move(error);
  return output;
}

llvm::Error ChoiceOutput::checkSize(int64_t count, StringRef noun) const {
  if (!isPage() || count <= mostPointsOfPage)
    return llvm::Error::success();
  return llvm::createStringError("a page shows at most " +
                                 llvm::Twine(mostPointsOfPage) + " " + noun +
                                 ", but these are " + llvm::Twine(count) +
                                 "; use fewer values, or --report=json");
}

ExitCode ChoiceOutput::write(StringRef title, Print printTable,
                             PrintJson printJson) const {
  return writeOutput(file, [&](llvm::raw_ostream &os) -> llvm::Error {
    if (format == "json") {
      printJson(os, /*everyPoint=*/false);
      return llvm::Error::success();
    }
    if (!isPage()) {
      printTable(os);
      return llvm::Error::success();
    }
    std::string json;
    llvm::raw_string_ostream text(json);
    printJson(text, /*everyPoint=*/true);
    return writePage(kind, title.str(), json, os);
  });
}

llvm::Expected<ExitCode> ChoiceOutput::write(const Optimum &optimum,
                                             StringRef title, Print printTable,
                                             PrintJson printJson) const {
  ExitCode code = write(title, printTable, printJson);
  if (code == ExitCode::Success && !optimum.choice.chosen)
    return llvm::createStringError(describeNoChoice(optimum));
  return code;
}
