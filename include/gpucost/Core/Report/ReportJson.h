//===- ReportJson.h - JSON reports ------------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_REPORT_REPORTJSON_H
#define GPUCOST_CORE_REPORT_REPORTJSON_H

#include "gpucost/Core/Report/IterationReport.h"
#include "gpucost/Core/Report/ReportOptions.h"

namespace gpucost {

/// The text of `--report=json` (docs/JsonSchema.md), with a final newline.
std::string reportJson(const IterationReport &report,
                       const ReportOptions &options);

} // namespace gpucost

#endif // GPUCOST_CORE_REPORT_REPORTJSON_H
