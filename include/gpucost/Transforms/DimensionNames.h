//===- DimensionNames.h - Customary names of dimensions ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_TRANSFORMS_DIMENSIONNAMES_H
#define GPUCOST_TRANSFORMS_DIMENSIONNAMES_H

#include "llvm/ADT/StringRef.h"

namespace gpucost {

/// Whether exporters call the tokens in the cache so: what `--past` binds.
bool isPastDimension(llvm::StringRef name);

} // namespace gpucost

#endif // GPUCOST_TRANSFORMS_DIMENSIONNAMES_H
