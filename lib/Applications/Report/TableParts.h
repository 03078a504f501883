//===- TableParts.h - Parts of the report for people ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TableWriter.cpp prints these parts in order; each is defined in a separate
// file.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_REPORT_TABLEPARTS_H
#define GPUCOST_LIB_APPLICATIONS_REPORT_TABLEPARTS_H

#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "gpucost/Core/Report/Groups.h"
#include "gpucost/Core/Report/IterationReport.h"

namespace gpucost {

/// Width of a bar that represents the whole time.
constexpr size_t barWidth = 20;

/// "model on GPU, format".
std::string titleOf(const IterationReport &report);

/// Prediction intervals of the totals; time outside of the calibrated domain.
void printErrorBars(llvm::raw_ostream &os, const IterationReport &report);

/// The cost of the run and of a million samples or tokens, the stated run
/// settings, and another operating point that saves energy.
void printRun(llvm::raw_ostream &os, const IterationReport &report);

/// A table of the first `options.top` groups; nothing without grouping.
void printGroups(llvm::raw_ostream &os, const IterationReport &report,
                 const ReportOptions &options);

/// The launches of `report` as a tree of their nodes' modules, longest time
/// first, with `options.treeDepth` levels. Nothing for 0 levels.
void printScopeTree(llvm::raw_ostream &os, const IterationReport &report,
                    const ReportOptions &options);

/// The `options.top` kernels with the longest time, and rows for the rest of
/// the time. (H4) The rows add up to the time, except collectives, which
/// overlap with other kernels.
void printKernels(llvm::raw_ostream &os, const IterationReport &report,
                  const ReportOptions &options);

/// Stages and ranks of a pipeline, and its schedule in one line; nothing
/// without one.
void printPipeline(llvm::raw_ostream &os, const IterationReport &report,
                   size_t width);
void printPipelineLine(llvm::raw_ostream &os, const IterationReport &report);

/// Elasticities, and facts that double the speed; nothing without any.
void printSensitivities(llvm::raw_ostream &os, const IterationReport &report);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_REPORT_TABLEPARTS_H
