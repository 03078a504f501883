//===- PlanParts.h - Parts of a search -------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The composed plans of a part of a search as JSON: what several machines
// compute, and one of them joins. Numbers are exact.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_PLAN_PLANPARTS_H
#define GPUCOST_LIB_APPLICATIONS_PLAN_PLANPARTS_H

#include "PlanSearch.h"

namespace gpucost::plan {

/// Names the plans of a space: the same for all parts of one search.
std::string digestOf(const sweep::Space &space);

/// `costs` are the plans of part `part` of the search with this digest.
std::string writePart(llvm::StringRef digest, const PlanPart &part,
                      llvm::ArrayRef<PlanCost> costs);

/// The plans of all `texts`. Fails unless these are all parts of the search of
/// `space`.
llvm::Expected<std::vector<PlanCost>>
readParts(const sweep::Space &space, llvm::ArrayRef<std::string> texts);

} // namespace gpucost::plan

#endif // GPUCOST_LIB_APPLICATIONS_PLAN_PLANPARTS_H
