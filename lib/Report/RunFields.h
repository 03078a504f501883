//===- RunFields.h - Runs, hints and sensitivities in JSON ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_REPORT_RUNFIELDS_H
#define GPUCOST_LIB_REPORT_RUNFIELDS_H

#include "gpucost/Report/IterationReport.h"
#include "gpucost/Support/JsonStream.h"

namespace gpucost {

/// The members `run`, `hint` and `sensitivities` of a report.
void writeRun(JsonStream &json, const IterationReport &report);

} // namespace gpucost

#endif // GPUCOST_LIB_REPORT_RUNFIELDS_H
