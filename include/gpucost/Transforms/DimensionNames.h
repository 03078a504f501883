//===- DimensionNames.h - Customary names of dimensions ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_TRANSFORMS_DIMENSIONNAMES_H
#define GPUCOST_TRANSFORMS_DIMENSIONNAMES_H

#include "mlir/IR/BuiltinOps.h"

namespace gpucost {

/// Whether an input of `model` has a dimension that exporters call the tokens
/// in the cache: what `--past` binds.
bool takesPast(mlir::ModuleOp model);

} // namespace gpucost

#endif // GPUCOST_TRANSFORMS_DIMENSIONNAMES_H
