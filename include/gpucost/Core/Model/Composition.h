//===- Composition.h - From kernels to an iteration -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host launch cost and its combination with the GPU's busy time, equations
// (H1)-(H2) of docs/CostModel.md. The caller sums over kernels.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_COMPOSITION_H
#define GPUCOST_CORE_MODEL_COMPOSITION_H

#include "gpucost/Core/Model/Coefficients.h"
#include "gpucost/Core/Model/KernelWork.h"
#include <vector>

namespace gpucost {

/// (H1) Host time of `launches` kernel launches, including `libraryLaunches`
/// GEMM, convolution, norm or softmax calls.
Seconds hostTime(const RuntimeCoefficients &c, int64_t launches,
                 int64_t libraryLaunches);

/// (H2) Time of one phase: a smooth maximum of GPU and host time.
Seconds phaseTime(const RuntimeCoefficients &c, Seconds busy, Seconds host);

/// (H10) Time in which the GPU waits between two serving steps of `software`; 0
/// if its loop was not measured or hides the wait.
Seconds loopTime(const RuntimeCoefficients &c, Software software,
                 int64_t sequences);

/// (H11) Additional time between two steps if an attention of `works` has
/// chunks; 0 if the loop of `software` was not measured or hides it.
Seconds chunkTime(const Coefficients &set, Software software,
                  const std::vector<KernelWork> &works);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_COMPOSITION_H
