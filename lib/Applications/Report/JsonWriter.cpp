//===- JsonWriter.cpp - The report for programs ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Report/Report.h"
#include "gpucost/Core/Report/ReportJson.h"

namespace gpucost {

llvm::Error writeJson(const IterationReport &report,
                      const ReportOptions &options, llvm::raw_ostream &os) {
  os << reportJson(report, options);
  return llvm::Error::success();
}

} // namespace gpucost
