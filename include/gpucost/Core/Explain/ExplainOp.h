//===- ExplainOp.h - One op from shape to seconds to joules -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of --explain-op: the equations of docs/CostModel.md with the numbers
// of one kernel, the configurations that its library could have run, and the
// changes that would move its bound. See docs/ExplainOp.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_EXPLAIN_EXPLAINOP_H
#define GPUCOST_CORE_EXPLAIN_EXPLAINOP_H

#include "gpucost/Core/Iteration/PlacedModel.h"
#include <string>
#include <string_view>

namespace gpucost {

/// Explains `op` of `placed` at `totals`. `op` is a node of the file (all
/// kernels that it launches), the number of a kernel in the report's table,
/// starting with 1, or an operator (its longest kernel). The error for any
/// other name lists similar names.
Expected<std::string> explainOp(const PlacedModel &placed,
                                const IterationTotals &totals,
                                std::string_view op);

} // namespace gpucost

#endif // GPUCOST_CORE_EXPLAIN_EXPLAINOP_H
