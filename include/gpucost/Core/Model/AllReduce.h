//===- AllReduce.h - All-reduces of serving stacks --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Serving stacks run their own kernels for short all-reduces inside a node,
// equations (N9) to (N12) of docs/CostModel.md; other messages, and PyTorch,
// run NCCL.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_ALLREDUCE_H
#define GPUCOST_CORE_MODEL_ALLREDUCE_H

#include "gpucost/Core/Model/CostModel.h"
#include <string>

namespace gpucost {

/// (N12) The kernels that `model`'s software runs on its links, and whether
/// they were measured on the board and with the release.
struct AllReduceKernels {
  const AllReduceStack *stack = nullptr; ///< null: NCCL only
  double linkShare = 1; ///< link bandwidth relative to the measured board
  bool isMeasured = false;
};
AllReduceKernels findAllReduce(const CostModel &model);

/// Whether a serving stack could run its own kernel for `work`.
bool isAllReduceOfNode(const KernelWork &work);

/// Whose all-reduces inside a node are assumed; "" for PyTorch.
std::string describeAllReduce(const CostModel &model);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_ALLREDUCE_H
