//===- ChoiceOutput.cpp - Output of optimize and plan ---------------------===//
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

llvm::Expected<ChoiceOutput> ChoiceOutput::read(const CommandFlags &flags) {
  ChoiceOutput output;
  output.file = flags.value("o", "-");
  output.format = flags.value(
      "report", StringRef(output.file).ends_with(".html") ? "html" : "table");
  // Before the search.
  if (output.isPage())
    if (llvm::Error error =
            writePage(PageKind::Optimum, "", "{}", llvm::nulls()))
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

llvm::Expected<ExitCode> ChoiceOutput::write(
    const Optimum &optimum, StringRef title,
    llvm::function_ref<void(llvm::raw_ostream &)> printTable,
    llvm::function_ref<void(llvm::raw_ostream &, bool everyPoint)> printJson)
    const {
  ExitCode code = writeOutput(file, [&](llvm::raw_ostream &os) -> llvm::Error {
    if (format == "table") {
      printTable(os);
      return llvm::Error::success();
    }
    std::string json;
    llvm::raw_string_ostream text(json);
    printJson(text, isPage());
    if (isPage())
      return writePage(PageKind::Optimum, title.str(), json, os);
    os << json;
    return llvm::Error::success();
  });
  if (code == ExitCode::Success && !optimum.choice.chosen)
    return llvm::createStringError(describeNoChoice(optimum));
  return code;
}
