//===- SampleModel.h - A small training step --------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNITTESTS_CORE_TRACE_SAMPLEMODEL_H
#define UNITTESTS_CORE_TRACE_SAMPLEMODEL_H

#include "gpucost/Core/Iteration/PlacedModel.h"

namespace gpucost::sample {

/// A100 with a gap of 1 us at the highest clock, a host that launches in 2 us,
/// and links.
CostModel a100();

KernelWork gemm(int64_t size);
KernelWork relu(int64_t elements);
KernelWork allReduce(int64_t bytes);

/// One launch site of `work` for `node`; its number.
uint32_t add(PreparedModel &model, const KernelWork &work, Phase phase,
             int64_t count = 1, const std::string &node = "");

/// Two matmuls and an activation, their backward passes, gradients that are
/// reduced at the same time, and an update.
PreparedModel trainingStep();

PlacedModel place(PreparedModel model);

} // namespace gpucost::sample

#endif // UNITTESTS_CORE_TRACE_SAMPLEMODEL_H
