//===- ReportSchemas.cpp - Schemas of the reports -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReportSchemas.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpucost;

const std::vector<ReportKind> &gpucost::reportKinds() {
  static const std::vector<ReportKind> kinds = {
      {"report", "Report of gpu-cost-opt", shapeOfReport}};
  return kinds;
}

const ReportKind *gpucost::findReportKind(llvm::StringRef name) {
  auto it = llvm::find_if(reportKinds(), [&](const ReportKind &kind) {
    return llvm::StringRef(kind.name) == name;
  });
  return it == reportKinds().end() ? nullptr : &*it;
}
