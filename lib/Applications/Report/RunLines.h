//===- RunLines.h - Runs and hints in the summary ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_REPORT_RUNLINES_H
#define GPUCOST_LIB_APPLICATIONS_REPORT_RUNLINES_H

#include "gpucost/Core/Report/IterationReport.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace gpucost {

/// Width of the summary's labels.
constexpr size_t labelWidth = 9;

/// A line of the summary without a number.
void printText(llvm::raw_ostream &os, llvm::StringRef label,
               llvm::StringRef text);

/// What a run and a million samples or tokens cost, beside what was stated of
/// them; another operating point that saves energy. Nothing without either.
void printRun(llvm::raw_ostream &os, const IterationReport &report);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_REPORT_RUNLINES_H
