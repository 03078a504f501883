//===- Depthwise.h - Depthwise convolutions ---------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_FAMILIES_DEPTHWISE_H
#define GPUCOST_LIB_CORE_MODEL_FAMILIES_DEPTHWISE_H

#include "../Streaming.h"

namespace gpucost {

/// Terms of a depthwise convolution or one of its gradients, (C5) and (C7).
Expected<LaunchTerms> depthwiseTerms(const CostModel &model,
                                     const KernelWork &work,
                                     const KernelQuery &query);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_FAMILIES_DEPTHWISE_H
