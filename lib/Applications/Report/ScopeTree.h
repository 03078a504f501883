//===- ScopeTree.h - Modules as a tree --------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_REPORT_SCOPETREE_H
#define GPUCOST_LIB_APPLICATIONS_REPORT_SCOPETREE_H

#include "gpucost/Core/Report/IterationReport.h"
#include "gpucost/Core/Report/ReportOptions.h"
#include "llvm/Support/raw_ostream.h"

namespace gpucost {

/// The launches of `report` by the modules of their nodes, each module below
/// the one that holds it with all that is in it, most time first, down to
/// `options.treeDepth` levels. Nothing for 0 levels.
void printScopeTree(llvm::raw_ostream &os, const IterationReport &report,
                    const ReportOptions &options);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_REPORT_SCOPETREE_H
