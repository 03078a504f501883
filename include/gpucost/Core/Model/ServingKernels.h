//===- ServingKernels.h - Kernels of serving stacks -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expert layers (E2)-(E5), latent attention (K6)-(K11), attention to chosen
// keys (K12)-(K14) and the quantisation of activations (Q7) run kernels of the
// serving stack, which were measured on one board per generation. A GPU takes
// the sets of the board with the same tensor cores; software without a set
// takes that of another stack, or the kernels that all software has (Q7).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_SERVINGKERNELS_H
#define GPUCOST_CORE_MODEL_SERVINGKERNELS_H

#include "gpucost/Core/Model/CostModel.h"
#include <string>

namespace gpucost {

/// The set for `work`, an expert layer; null: none was measured for its formats
/// on GPUs of this generation, or the software is PyTorch.
const ExpertStack *findExpertStack(const CostModel &model,
                                   const KernelWork &work);

/// The part of latent attention that `work` is; null members: not that part, or
/// no set.
struct LatentKernel {
  const LatentStack *stack = nullptr;
  const LatentStepFit *step = nullptr;
  const LatentPromptFit *prompt = nullptr;
  const LatentProductFit *product = nullptr;
  int64_t leastHeads = 1; ///< to which `step` pads the heads of new tokens
};
LatentKernel findLatentKernel(const CostModel &model, const KernelWork &work);

/// The part of attention to chosen keys that `work` is; null members: not that
/// part, or no set.
struct SparseKernel {
  const SparseStack *stack = nullptr;
  const KeyScoresFit *scores = nullptr;
  const KeyChoiceFit *choice = nullptr;
  const SparsePromptFit *prompt = nullptr;
};
SparseKernel findSparseKernel(const CostModel &model, const KernelWork &work);

/// The set for `work`, a kernel that quantises an activation with one scale;
/// null: the software has none for GPUs with these tensor cores and memory.
const QuantizeStack *findQuantizeStack(const CostModel &model,
                                       const KernelWork &work);

/// "expert layers in fp8-block: sglang_fused_moe_triton of sglang, as measured
/// on h100-sxm-80gb"; empty if `work` has no such kernel.
std::string describeServingKernel(const CostModel &model,
                                  const KernelWork &work);

/// Whether a set was measured on the GPU with the software of `model`.
template <typename Stack>
bool isMeasuredStack(const Stack &stack, const CostModel &model) {
  return stack.gpu == model.gpu().name &&
         isOf(model.software(), releaseOf(stack.software).framework);
}

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_SERVINGKERNELS_H
