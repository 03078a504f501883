//===- HtmlWriter.cpp - The report as a page ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Report/Report.h"
#include "gpucost/Compiler/Support/Errors.h"
#include "gpucost/Core/Report/ReportJson.h"
#include "gpucost/Core/Vocabulary/Vendors.h"

using namespace gpucost;

namespace gpucost {

llvm::Error writePage(PageKind kind, std::string_view title,
                      std::string_view json, llvm::raw_ostream &os) {
  Expected<std::string> page = makePage(kind, title, json);
  if (!page)
    return toLLVMError(page.error());
  os << *page;
  return llvm::Error::success();
}

llvm::Error writeHtml(const IterationReport &report,
                      const ReportOptions &options, llvm::raw_ostream &os) {
  Expected<std::string> page =
      makePage(PageKind::Report, report.model + " on " + report.target,
               reportJson(report, options));
  if (!page)
    return toLLVMError(page.error());
  os << inWordsOf(report.vendor, *page);
  return llvm::Error::success();
}

} // namespace gpucost
