//===- Balance.h - Layers of each stage -------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_STAGES_BALANCE_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_STAGES_BALANCE_H

#include "gpucost/Core/Vocabulary/Enums.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace gpucost::stages {

/// (X13) The number of layers with this work in each of `stages` stages. Equal
/// layers are split evenly, with more in the first of two stages; `slots`
/// counts the embedding or the head as one more layer. Empty if a stage would
/// have nothing.
llvm::SmallVector<int64_t> balanceLayers(llvm::ArrayRef<double> work,
                                         int64_t stages, StageSlots slots);

} // namespace gpucost::stages

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_STAGES_BALANCE_H
