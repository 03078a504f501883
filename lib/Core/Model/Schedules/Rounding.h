//===- Rounding.h - Rounding without library calls --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_SCHEDULES_ROUNDING_H
#define GPUCOST_LIB_CORE_MODEL_SCHEDULES_ROUNDING_H

#include <cstdint>

namespace gpucost {

/// Equal to std::ceil and std::floor for values of at least 0. The standard
/// functions are calls if the baseline architecture has no such instruction,
/// and choosing a schedule rounds some thousand times.
inline double roundUp(double value) {
  if (!(value < 0x1p52)) // already an integer, or NaN
    return value;
  auto whole = static_cast<double>(static_cast<int64_t>(value));
  return whole < value ? whole + 1 : whole;
}
inline double roundDown(double value) {
  return value < 0x1p52 ? static_cast<double>(static_cast<int64_t>(value))
                        : value;
}

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_SCHEDULES_ROUNDING_H
