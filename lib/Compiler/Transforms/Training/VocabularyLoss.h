//===- VocabularyLoss.h - Loss over a sharded vocabulary --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_TRAINING_VOCABULARYLOSS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_TRAINING_VOCABULARYLOSS_H

#include "mlir/IR/Builders.h"

namespace gpucost {

/// (X7) The additional ops of a cross entropy over `logits` [..., tokens] that
/// are sharded across `gpus`, compared with one over a single part, as in
/// Megatron's vocab_parallel_cross_entropy: the row maximum, and an all-reduce
/// of three fp32 values per row (maximum, sum of exponentials, label score).
void insertVocabularyLoss(mlir::OpBuilder &builder, mlir::Value logits,
                          int64_t gpus);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_TRAINING_VOCABULARYLOSS_H
