//===- SensitivityTable.h - What time and energy depend on ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_REPORT_SENSITIVITYTABLE_H
#define GPUCOST_LIB_APPLICATIONS_REPORT_SENSITIVITYTABLE_H

#include "gpucost/Core/Report/IterationReport.h"
#include "llvm/Support/raw_ostream.h"

namespace gpucost {

/// Elasticities, and what would double the speed; nothing without any.
void printSensitivities(llvm::raw_ostream &os, const IterationReport &report);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_REPORT_SENSITIVITYTABLE_H
