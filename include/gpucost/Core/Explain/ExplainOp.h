//===- ExplainOp.h - One op from shape to seconds to joules -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of --explain-op: the equations of docs/CostModel.md by their ids
// with the numbers of one kernel in place, the configurations that its library
// could have run, and what would move its bound. docs/ExplainOp.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_EXPLAIN_EXPLAINOP_H
#define GPUCOST_CORE_EXPLAIN_EXPLAINOP_H

#include "gpucost/Core/Iteration/PlacedModel.h"
#include <string>
#include <string_view>

namespace gpucost {

/// Explains what `op` names of `placed` at `totals`: a node of the file with
/// all kernels that it launches, a kernel by its number in the table of the
/// report, from 1, or an operator (the kernel of it that takes most time). The
/// error for another name lists those near to it.
Expected<std::string> explainOp(const PlacedModel &placed,
                                const IterationTotals &totals,
                                std::string_view op);

} // namespace gpucost

#endif // GPUCOST_CORE_EXPLAIN_EXPLAINOP_H
