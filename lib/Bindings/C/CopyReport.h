//===- CopyReport.h - Records of a report as C structs ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The column IN_C of Report.def names the member that each field has in C.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_BINDINGS_C_COPYREPORT_H
#define GPUCOST_LIB_BINDINGS_C_COPYREPORT_H

#include "Handles.h"
#include "gpucost/Core/Report/ReportFields.h"

namespace gpucost::capi {

/// All members but `size`; texts belong to the record.
void copyTo(gpucostTotals &out, const IterationReport &report);
void copyTo(gpucostPhaseTotals &out, const PhaseTotals &phase);
/// Of `cost` all but the members that are the report's.
void copyTo(gpucostKernelRow &out, const KernelRow &row);

} // namespace gpucost::capi

#endif // GPUCOST_LIB_BINDINGS_C_COPYREPORT_H
