//===- Software.h - Attention kernels of software ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attention kernels of frameworks and serving engines differ by 1.3 to 1.7
// x in time. A coefficient set holds those that were measured
// (`attention_stacks`) and a common one; this file selects one of them for each
// software, equation (D6) of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_SOFTWARE_H
#define GPUCOST_CORE_MODEL_SOFTWARE_H

#include "gpucost/Core/Model/Implementations.h"
#include "gpucost/Core/Vocabulary/Software.h"
#include <optional>
#include <string>

namespace gpucost {

/// Whose coefficients each kind of attention has; nullopt: the common set.
struct AttentionOrigin {
  std::optional<Software> causal, full, decode;
};

/// Replaces the common attention coefficients of `set` by those for `software`,
/// and leaves its entries of `low_precision` (G15) and `eight_bit_attention`
/// (A15), else the first ones.
AttentionOrigin selectStacks(Coefficients &set, Software software);

/// (G15) The matmuls in `format`, else those in the format whose rate it has,
/// else those in another block format as wide; null: none was measured.
const LowPrecisionGemm *findLowPrecision(const Coefficients &set,
                                         NumericFormat format);

/// "fp8 matmuls: none of pytorch was measured on h100-sxm-80gb; vllm stands
/// in"; empty if those of `software` were.
std::string describeLowPrecision(const LowPrecisionGemm &kernels,
                                 Software software, std::string_view gpu);

/// (X19) The level of a stack for training on boards of the vendor of
/// `architecture`; null: none was fitted.
const TrainingLevel *findTrainingLevel(const Coefficients &set,
                                       Software software,
                                       Architecture architecture);

/// Whether `software` has a level on boards of any vendor.
bool hasTrainingLevel(const Coefficients &set, Software software);

/// (V12) The host of a serving stack; null: none was fitted.
const ServingHost *findServingHost(const Coefficients &set, Software software);

/// The set of an entry for heads of `headDim`; null: none.
const AttentionCoefficients *causalOf(const AttentionStack &kernels,
                                      int64_t headDim);
const DecodeCoefficients *decodeOf(const AttentionStack &kernels,
                                   int64_t headDim);
/// (D10) Whether a few new tokens per sequence attend to a longer cache, as in
/// a step that verifies draft tokens.
bool isVerifyingStep(const AttentionProblem &p);
/// Whether the kernel of decoding steps runs `work`, which is attention.
bool runsDecodeKernel(const CostModel &model, const KernelWork &work);
/// (A15) The kernels for `work`, attention with keys and values in 8 bits:
/// those with products as wide as it requests, else the first ones; null: none
/// was measured, or the cache has another width.
const AttentionStack *findEightBitAttention(const Coefficients &set,
                                            const KernelWork &work);
/// Bytes of an element of queries and results: those of `work`, but 16 bits
/// with kernels of `eight_bit_attention`.
double queryElementBytes(const Coefficients &set, const KernelWork &work);
/// "prompt attention with keys and values in 8 bits: as measured on H100 SXM
/// with vllm"; empty if the kernels are those of `software` on `gpu`.
std::string describeEightBit(const AttentionStack &kernels,
                             const KernelWork &work, Software software,
                             std::string_view gpu);

/// fp32 tensors, whether their products may use TF32 or not (A11).
bool isFp32Attention(const KernelWork &work);

/// The coefficients of an attention kernel with several queries.
struct AttentionKernel {
  CoefficientGroup member;
  const AttentionCoefficients *coefficients = nullptr; ///< null: none
  /// Fitted to kernels of one kind (A11)-(A13), not to a serving stack.
  bool isOwn = false;
  /// The entry of `eight_bit_attention` that holds them; null: none does.
  const AttentionStack *eightBit = nullptr;
};

/// (D6), (A11)-(A13), (A15): the set of `kind`, else the common one.
AttentionKernel findAttentionSet(const Coefficients &all,
                                 const KernelWork &work,
                                 ImplementationKind kind);

/// The coefficients of the kernel of decoding steps; null: none.
const DecodeCoefficients *findDecodeSet(const Coefficients &all,
                                        const KernelWork &work);

/// (A9), (A12), (A13) Time of a block of `kind`, relative to (A3) and (A8) with
/// `c`, a set of `all`.
double attentionSlowdown(const Coefficients &all,
                         const AttentionCoefficients &c, const KernelWork &work,
                         ImplementationKind kind);

/// "decode attention: no kernels of tensorrt-llm were measured on l4; ...";
/// empty when those of `software` were.
std::string describeStandIn(std::string_view kernels, Software software,
                            std::optional<Software> origin,
                            std::string_view gpu);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_SOFTWARE_H
