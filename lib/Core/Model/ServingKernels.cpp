//===- ServingKernels.cpp - Kernels of serving stacks ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/ServingKernels.h"
#include "gpucost/Core/Model/ExpertExchange.h"
#include "gpucost/Core/Model/Software.h"
#include "gpucost/Core/Support/Text.h"

using namespace gpucost;

/// The first stack of the nearest software, then board, that `fits` among those
/// with the GPU's tensor cores and HBM; null if there is none.
template <typename Stack, typename Predicate>
static const Stack *nearest(const CostModel &model,
                            const std::vector<Stack> &stacks, Predicate fits) {
  const Gpu &gpu = model.gpu();
  if (isOf(model.software(), Software::PyTorch) || !gpu.sm ||
      !gpu.hasStackedMemory())
    return nullptr;
  const Stack *best = nullptr;
  int bestRank = -1;
  for (const Stack &stack : stacks) {
    if (stack.matrixPath != gpu.sm->matrixPath || !fits(stack))
      continue;
    bool isOwn = isOf(model.software(), releaseOf(stack.software).framework);
    int rank = 2 * (isOwn ? 1 : 0) + (stack.gpu == gpu.name ? 1 : 0);
    if (rank > bestRank) {
      best = &stack;
      bestRank = rank;
    }
  }
  return best;
}

/// bf16 and fp16 have the same kernels.
static bool isSameFormat(NumericFormat a, NumericFormat b) {
  auto wide = [](NumericFormat format) {
    return format == NumericFormat::FP16 ? NumericFormat::BF16 : format;
  };
  return wide(a) == wide(b);
}

const ExpertStack *gpucost::findExpertStack(const CostModel &model,
                                            const KernelWork &work) {
  const auto *p = work.getIf<MatmulProblem>();
  const auto &group = model.coefficients().fusedExperts;
  if (!p || p->experts == 0 || !group)
    return nullptr;
  // (E7) What the stack runs between its own exchanges.
  ExchangeMode mode = ExchangeMode::None;
  if (const ExchangeStack *exchange =
          p->exchanged > 0 ? findExchange(model, p->exchanged) : nullptr)
    mode = exchange->mode;
  auto fits = [&](const ExpertStack &stack) {
    if (!isSameFormat(stack.format, work.format) || (stack.ungated && p->gated))
      return false;
    if (stack.after &&
        isBefore(model.software(), releaseOf(*stack.after).framework,
                 releaseOf(*stack.after).last + 1))
      return false;
    bool hasOther = stack.weights != stack.format;
    return hasOther ? p->weightBits == infoOf(stack.weights).bits
                    : p->weightBits == 0 || p->weightBits == work.inputBits;
  };
  if (mode != ExchangeMode::None)
    if (const ExpertStack *own =
            nearest(model, group->stacks, [&](const ExpertStack &stack) {
              return stack.exchange == mode && fits(stack) &&
                     isOf(model.software(),
                          releaseOf(stack.software).framework);
            }))
      return own;
  return nearest(model, group->stacks, [&](const ExpertStack &stack) {
    return stack.exchange == ExchangeMode::None && fits(stack);
  });
}

const ExchangeStack *gpucost::findExchange(const CostModel &model,
                                           int64_t tokens) {
  const auto &group = model.coefficients().expertExchange;
  const auto &link = model.gpu().interconnect;
  if (!group || !link || link->kind != InterconnectKind::NVLink)
    return nullptr;
  return nearest(model, group->stacks, [&](const ExchangeStack &stack) {
    return stack.mostTokens == 0 || tokens <= stack.mostTokens;
  });
}

/// (K6) vLLM's first kernel for Blackwell, CUTLASS's, has tiles of 128 heads,
/// to which vLLM pads the queries of a GPU.
static int64_t leastHeadsOf(const CostModel &model) {
  constexpr int64_t cutlassHeads = 128;
  return isBefore(model.software(), Software::Vllm, version(0, 18)) &&
                 model.gpu().sm->matrixPath == MatrixPath::Tcgen05
             ? cutlassHeads
             : 1;
}

/// The stack whose `part` was measured with a cache of `bits` per element.
template <typename Part>
static const SparseStack *findSparseStack(const CostModel &model,
                                          Part SparseStack::*part,
                                          std::optional<int64_t> bits) {
  const auto &group = model.coefficients().sparseAttention;
  return group ? nearest(model, group->stacks,
                         [&](const SparseStack &stack) {
                           return stack.*part && (!bits || stack.bits == *bits);
                         })
               : nullptr;
}

/// (K6) Stacks that multiply chosen keys in 16 bits convert them from a cache
/// of 8 bits: steps have the numbers of a cache as wide as the products.
static int64_t bitsOfStep(const CostModel &model, const KernelWork &work) {
  const auto &p = work.as<AttentionProblem>();
  const SparseStack *sparse =
      p.chosen ? findSparseStack(model, &SparseStack::prompt, work.inputBits)
               : nullptr;
  return sparse ? infoOf(sparse->prompt->products).bits : work.inputBits;
}

LatentKernel gpucost::findLatentKernel(const CostModel &model,
                                       const KernelWork &work) {
  LatentKernel found;
  const auto &group = model.coefficients().latentAttention;
  if (!group)
    return found;
  auto find = [&](int64_t bits, auto has) {
    return nearest(model, group->stacks, [&](const LatentStack &stack) {
      return stack.bits == bits && has(stack);
    });
  };
  if (const auto *p = work.getIf<MatmulProblem>()) {
    int64_t bits = p->weightBits ? p->weightBits : work.inputBits;
    if (p->linear || p->experts > 0)
      return found;
    auto productOf = [&](const LatentStack &stack) -> const LatentProductFit * {
      for (const LatentProductFit &each : stack.products)
        if (each.n == p->n && each.k == p->k)
          return &each;
      return nullptr;
    };
    found.stack = find(bits, productOf);
    found.product = found.stack ? productOf(*found.stack) : nullptr;
    return found;
  }
  const auto *p = work.getIf<AttentionProblem>();
  // (K5) One latent vector per token, or keys longer than the values. Values of
  // one element are scores of an indexer.
  if (!p || p->valueDim <= 1 || p->valueDim >= p->headDim || !p->causal ||
      p->backward)
    return found;
  // A prompt of one token has one key. (D10) New tokens are rows, like heads.
  if ((p->isDecode() && p->kvLength > 1) ||
      (isVerifyingStep(*p) && p->kvHeads == 1)) {
    if (p->kvHeads != 1)
      return found;
    found.stack = find(bitsOfStep(model, work), [](const LatentStack &stack) {
      return stack.step.has_value();
    });
    if (found.stack) {
      found.step = &*found.stack->step;
      found.leastHeads = leastHeadsOf(model);
    }
    return found;
  }
  // (K6) A step reads the chosen keys. No stack was measured with prompts that
  // choose.
  if (p->window > 0)
    return found;
  // Another stack's absorbed projections are its own choice.
  auto hasPrompt = [&](const LatentStack &stack) {
    return stack.prompt &&
           (stack.prompt->absorbedKeys == 0 ||
            isOf(model.software(), releaseOf(stack.software).framework));
  };
  found.stack = find(work.inputBits, hasPrompt);
  found.prompt = found.stack ? &*found.stack->prompt : nullptr;
  return found;
}

/// The scores of an indexer are attention with values of one element.
static bool isKeyScores(const AttentionProblem &p) {
  return p.valueDim == 1 && p.kvHeads == 1 && p.causal && !p.backward &&
         p.window == 0;
}

/// (K6) covers few new tokens.
static bool isSparsePrompt(const AttentionProblem &p) {
  bool isStep = p.isDecode() || (isVerifyingStep(p) && p.kvHeads == 1);
  return p.chosen && p.causal && !p.backward && !isStep;
}

SparseKernel gpucost::findSparseKernel(const CostModel &model,
                                       const KernelWork &work) {
  SparseKernel found;
  auto find = [&](auto part, std::optional<int64_t> bits = std::nullopt) {
    found.stack = findSparseStack(model, part, bits);
    return found.stack ? &*(found.stack->*part) : nullptr;
  };
  if (const auto *rows = work.getIf<RowsProblem>()) {
    if (rows->pass == RowsPass::Choice)
      found.choice = find(&SparseStack::choice);
    return found;
  }
  const auto *p = work.getIf<AttentionProblem>();
  if (p && isKeyScores(*p)) {
    found.scores = find(&SparseStack::scores, work.inputBits);
    if (!found.scores)
      found.scores = find(&SparseStack::scores);
  }
  if (p && isSparsePrompt(*p)) {
    found.prompt = find(&SparseStack::prompt, work.inputBits);
    if (found.prompt && p->window == 0 && !found.prompt->allKeys)
      return SparseKernel();
  }
  return found;
}

const QuantizeStack *gpucost::findQuantizeStack(const CostModel &model,
                                                const KernelWork &work) {
  const auto *p = work.getIf<ElementsProblem>();
  const auto &group = model.coefficients().staticQuantization;
  const Gpu &gpu = model.gpu();
  if (!p || p->quantizedColumns == 0 || !group || !gpu.sm)
    return nullptr;
  const QuantizeStack *best = nullptr;
  for (const QuantizeStack &stack : group->stacks)
    if (isOf(model.software(), releaseOf(stack.software).framework) &&
        stack.matrixPath == gpu.sm->matrixPath &&
        stack.stackedMemory == gpu.hasStackedMemory() &&
        (!best || stack.gpu == gpu.name))
      best = &stack;
  return best;
}

std::string gpucost::describeServingKernel(const CostModel &model,
                                           const KernelWork &work) {
  auto text = [&](std::string_view what, const auto &stack) {
    std::string from =
        concat(what, ": kernels of ", stringifySoftware(stack.software));
    return isMeasuredStack(stack, model)
               ? from
               : concat(from, " as measured on ", stack.gpu);
  };
  if (const ExpertStack *stack = findExpertStack(model, work))
    return concat(text(concat("expert layers in ",
                              stringifyNumericFormat(stack->weights)),
                       *stack),
                  " (", stack->kernel, ")");
  if (SparseKernel sparse = findSparseKernel(model, work); sparse.stack)
    return text(sparse.scores   ? "scores of an indexer"
                : sparse.choice ? "choice of keys"
                                : "prompts with chosen keys",
                *sparse.stack);
  LatentKernel kernel = findLatentKernel(model, work);
  if (kernel.step) {
    std::string step =
        "latent attention of one new token, absorbed projections";
    if (kernel.leastHeads > 1)
      step += concat(", ", stringifySoftware(model.software()),
                     " pads heads to ", kernel.leastHeads);
    return text(step, *kernel.stack);
  }
  if (kernel.prompt)
    return text(kernel.prompt->absorbedKeys > 0
                    ? "latent attention of prompts, absorbed projections"
                    : "latent attention of prompts",
                *kernel.stack);
  if (kernel.product)
    return text("projections of latent attention", *kernel.stack);
  if (const QuantizeStack *stack = findQuantizeStack(model, work))
    return text("activations quantised with one scale", *stack);
  return "";
}
