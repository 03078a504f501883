//===- SampleReport.h - A report made by hand -------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNITTESTS_APPLICATIONS_REPORT_SAMPLEREPORT_H
#define UNITTESTS_APPLICATIONS_REPORT_SAMPLEREPORT_H

#include "gpucost/Applications/Report/Report.h"
#include <string>

namespace gpucost::sample {

/// Three kernels, two phases, full coverage; round numbers.
IterationReport report();

/// The text of `report` in `format`; the format must exist.
std::string write(llvm::StringRef format, const IterationReport &report,
                  const ReportOptions &options = {});

} // namespace gpucost::sample

#endif // UNITTESTS_APPLICATIONS_REPORT_SAMPLEREPORT_H
