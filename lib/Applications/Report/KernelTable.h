//===- KernelTable.h - Kernels as a table -----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_REPORT_KERNELTABLE_H
#define GPUCOST_LIB_APPLICATIONS_REPORT_KERNELTABLE_H

#include "gpucost/Core/Report/IterationReport.h"
#include "gpucost/Core/Report/ReportOptions.h"
#include "llvm/Support/raw_ostream.h"

namespace gpucost {

/// The `options.top` kernels of most time, and rows for the rest of the time.
/// (H4) The rows add up to the time; collectives, beside which kernels run,
/// take no part.
void printKernels(llvm::raw_ostream &os, const IterationReport &report,
                  const ReportOptions &options);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_REPORT_KERNELTABLE_H
