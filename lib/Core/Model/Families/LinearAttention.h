//===- LinearAttention.h - Kernels of linear attention ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The serving stacks run different kernels, which were measured on few boards.
// A kernel takes the numbers of the nearest stack: its rule, its board or one
// with the same tensor cores and kind of memory, its software (R14).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_FAMILIES_LINEARATTENTION_H
#define GPUCOST_LIB_CORE_MODEL_FAMILIES_LINEARATTENTION_H

#include "gpucost/Core/Model/KernelFamily.h"

namespace gpucost {

/// How well `stack` fits; larger is better.
int rankOfStack(const LinearStack &stack, const CostModel &model,
                LinearRule rule);

/// The nearest stack with numbers in `member`; null if there is none.
template <typename Fit>
const LinearStack *findStack(const CostModel &model, LinearRule rule,
                             std::optional<Fit> LinearStack::*member) {
  const LinearStack *best = nullptr;
  for (const LinearStack &stack : model.coefficients().linearAttention->stacks)
    if (stack.*member && (!best || rankOfStack(stack, model, rule) >
                                       rankOfStack(*best, model, rule)))
      best = &stack;
  return best;
}

/// The nearest stack and its fit for new tokens: `verify` if states after
/// several tokens are kept and a stack has it, otherwise `step`; nulls if no
/// stack has it.
template <typename Fit>
std::pair<const LinearStack *, const Fit *>
findStepFit(const CostModel &model, LinearRule rule, int64_t snapshots,
            std::optional<Fit> LinearStack::*verify,
            std::optional<Fit> LinearStack::*step) {
  if (snapshots > 1)
    if (const LinearStack *stack = findStack(model, rule, verify))
      return {stack, &*(stack->*verify)};
  const LinearStack *stack = findStack(model, rule, step);
  return {stack, stack ? &*(stack->*step) : nullptr};
}

/// Whether `stack` was measured on the GPU with the software of `model`;
/// PyTorch runs the Triton kernels of SGLang.
bool isMeasured(const LinearStack &stack, const CostModel &model);

/// (R8) Share of a kernel's bytes that is in L2 if `touched` bytes are used
/// since their last use.
double hitShare(const CostModel &model, const KernelWork &work, double touched,
                double l2Fraction, double hitExponent,
                const KernelQuery &query);

/// (R8) Time of `bytes` from and to DRAM if `touched` bytes are used since
/// their last use; reported as `dram`.
Seconds dramTime(const CostModel &model, const KernelWork &work, double bytes,
                 double touched, double dramEfficiency, double l2Fraction,
                 double hitExponent, const KernelQuery &query);

/// (R6) Rounds of `ctas` CTAs on `slots` slots, at least one; `wholeShare`: the
/// weight of whole waves.
double countRounds(double ctas, double slots, double wholeShare);

/// The error for a kernel that no stack of the set has.
tl::unexpected<Error> noStack(const CostModel &model);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_FAMILIES_LINEARATTENTION_H
