//===- VocabularyLoss.h - Loss over a divided vocabulary --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_TRAINING_VOCABULARYLOSS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_TRAINING_VOCABULARYLOSS_H

#include "mlir/IR/Builders.h"

namespace gpucost {

/// (X7) What a cross entropy over the `gpus` parts of `logits` [..., words]
/// adds to that over one part, after Megatron's vocab_parallel_cross_entropy:
/// the largest score of each row, and three fp32 numbers for each row summed
/// over the GPUs (largest score, sum of exponentials, score of the label).
void insertVocabularyLoss(mlir::OpBuilder &builder, mlir::Value logits,
                          int64_t gpus);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_TRAINING_VOCABULARYLOSS_H
