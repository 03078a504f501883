//===- Report.cpp - List of report formats --------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Report/Report.h"

using namespace gpucost;

namespace gpucost {
#define GPUCOST_WRITER(name, function)                                         \
  llvm::Error function(const IterationReport &, const ReportOptions &,         \
                       llvm::raw_ostream &);
#include "Writers.def"
#undef GPUCOST_WRITER
} // namespace gpucost

llvm::ArrayRef<Writer> gpucost::reportWriters() {
  static constexpr Writer writers[] = {
#define GPUCOST_WRITER(name, function) {name, function},
#include "Writers.def"
#undef GPUCOST_WRITER
  };
  return writers;
}

llvm::Error gpucost::writeReport(llvm::StringRef format,
                                 const IterationReport &report,
                                 const ReportOptions &options,
                                 llvm::raw_ostream &os) {
  std::string known;
  for (const Writer &writer : reportWriters()) {
    if (writer.name == format)
      return writer.write(report, options, os);
    known += (known.empty() ? "" : ", ") + writer.name.str();
  }
  return llvm::createStringError("unknown report format '" + format +
                                 "', expected one of " + known);
}
