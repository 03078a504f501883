//===- GroupTable.h - Groups of launches as a table -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_REPORT_GROUPTABLE_H
#define GPUCOST_LIB_APPLICATIONS_REPORT_GROUPTABLE_H

#include "gpucost/Core/Report/Groups.h"
#include "llvm/Support/raw_ostream.h"

namespace gpucost {

/// A table of the first `options.top` groups; nothing without grouping.
void printGroups(llvm::raw_ostream &os, const IterationReport &report,
                 const ReportOptions &options);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_REPORT_GROUPTABLE_H
