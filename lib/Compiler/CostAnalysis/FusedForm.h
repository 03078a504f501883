//===- FusedForm.h - Ops as MLIR fuses them ---------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hypothetical kernel of structured ops costs what the op costs that
// `linalg-fuse-elementwise-ops` makes of them. The fusion runs on a copy.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_COSTANALYSIS_FUSEDFORM_H
#define GPUCOST_LIB_COMPILER_COSTANALYSIS_FUSEDFORM_H

#include "LaunchView.h"

namespace gpucost {

/// The launch of the op into which MLIR fuses `members`; nullopt if it cannot
/// fuse all of them.
std::optional<LaunchView> viewFusedForm(const KernelMembers &members,
                                        const UnitRules &rules);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_COSTANALYSIS_FUSEDFORM_H
