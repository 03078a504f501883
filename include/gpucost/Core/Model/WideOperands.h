//===- WideOperands.h - 32-bit operands of tensor cores ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What TF32 products lose in addition to the rate of the format.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_WIDEOPERANDS_H
#define GPUCOST_CORE_MODEL_WIDEOPERANDS_H

#include <algorithm>

namespace gpucost {

/// (G2) How much longer a step of the pipeline waits for operands of `bytes`
/// bytes than for 16-bit ones: steps are as many times as many, and as many
/// times fewer of them are under way.
inline double operandLatencyFactor(double bytes) {
  constexpr double narrowBytes = 2;
  double wider = std::max(1.0, bytes / narrowBytes);
  return wider * wider;
}

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_WIDEOPERANDS_H
