//===- Composition.h - From kernels to an iteration -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host launch cost and how it joins the GPU's busy time, equations (H1)-(H2) of
// docs/CostModel.md. Sums over kernels are the caller's.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_COMPOSITION_H
#define GPUCOST_CORE_MODEL_COMPOSITION_H

#include "gpucost/Core/Model/Coefficients.h"

namespace gpucost {

/// (H1) Time that the host needs to launch `launches` kernels of which
/// `libraryLaunches` are GEMM, convolution, norm or softmax calls.
Seconds hostTime(const RuntimeCoefficients &c, int64_t launches,
                 int64_t libraryLaunches);

/// (H2) Time of one phase: the slower of GPU and host, rounded at the corner.
Seconds phaseTime(const RuntimeCoefficients &c, Seconds busy, Seconds host);

/// (H10) Time in which the GPU waits between two steps of the serving loop of
/// `software`; 0 for software whose loop was not measured or hides it.
Seconds loopTime(const RuntimeCoefficients &c, Software software,
                 int64_t sequences);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_COMPOSITION_H
