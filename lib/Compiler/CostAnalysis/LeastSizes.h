//===- LeastSizes.h - Sizes for lower bounds --------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_COSTANALYSIS_LEASTSIZES_H
#define GPUCOST_LIB_COMPILER_COSTANALYSIS_LEASTSIZES_H

#include "mlir/IR/Operation.h"

namespace gpucost {

/// Rewrites the copy of a function whose dynamic arguments have sizes of 1, so
/// that its cost is a lower bound. Sizes and trip counts that are data, or that
/// fall with another size and have no lower bound, become 1: `8192 - dim` would
/// be large where `dim` is 1. So do dynamic sizes of the results of calls and
/// of unknown ops.
void assumeLeastSizes(mlir::Operation *function);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_COSTANALYSIS_LEASTSIZES_H
