//===- Decode.h - Attention of one query token ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equations (D1)-(D5) of docs/CostModel.md; part of the attention family.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_FAMILIES_DECODE_H
#define GPUCOST_LIB_CORE_MODEL_FAMILIES_DECODE_H

#include "gpucost/Core/Model/KernelFamily.h"

namespace gpucost {

Expected<Tiling> selectDecodeTiling(const CostModel &model,
                                    const KernelWork &work,
                                    const KernelQuery &query);
/// Paths and splits, powers of two, that the library could have run.
std::vector<Tiling> decodeCandidates(const CostModel &model,
                                     const KernelWork &work,
                                     const Tiling &chosen);
Expected<LaunchTerms> decodeTerms(const CostModel &model,
                                  const KernelWork &work, const Tiling &tiling,
                                  const KernelQuery &query);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_FAMILIES_DECODE_H
