//===- KernelWork.h - What a kernel has to do -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One launched kernel as the cost model sees it: family, problem shape, exact
// arithmetic and exact compulsory bytes. No IR, no device, no time: the same
// work runs on every GPU. Section "Work" of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_MODEL_KERNELWORK_H
#define GPUCOST_MODEL_KERNELWORK_H

#include "gpucost/Dialect/GpuCost/IR/GpuCostEnums.h"
#include "llvm/ADT/Hashing.h"
#include <cstdint>
#include <string>

namespace gpucost {

/// C[batch, m, n] = A[batch, m, k] * B[batch, k, n] (+ bias). `linear` tells a
/// product with a weight matrix (batch 1) from a batched product of two
/// activations: the libraries use other kernels for it on CUDA cores.
struct MatmulProblem {
  int64_t batch = 1, m = 0, n = 0, k = 0;
  bool linear = true;
  /// Bits of one element of the second matrix where they are not those of the
  /// first (weights of 4 bits); else 0.
  int32_t weightBits = 0;
};

/// NCHW convolution; `outHeight`/`outWidth` are those of the output tensor.
/// `channels` and `outChannels` count all groups. Sizes are those of the
/// forward convolution whatever `pass` computes.
struct ConvolutionProblem {
  int64_t batch = 1, channels = 0, height = 0, width = 0;
  int64_t outChannels = 0, outHeight = 0, outWidth = 0;
  int64_t kernelHeight = 1, kernelWidth = 1;
  int64_t strideHeight = 1, strideWidth = 1;
  int64_t groups = 1;
  ConvolutionPass pass = ConvolutionPass::Forward;
};

/// softmax(Q K^T * scale + mask) V in one kernel. `window` 0 means unlimited.
struct AttentionProblem {
  int64_t batch = 1, heads = 0, kvHeads = 0;
  int64_t queryLength = 0, kvLength = 0, headDim = 0, window = 0;
  bool causal = false;
  /// Gradients of Q, K and V; the scores are computed again.
  bool backward = false;
  /// 1: FlashAttention 1; 2: the kernels that the coefficients hold for.
  int64_t generation = 2;
};

/// `bytes` as nccl-tests state a message, on `ranks` GPUs of one node.
struct CollectiveProblem {
  CollectiveKind kind = CollectiveKind::AllReduce;
  int64_t bytes = 0, ranks = 1;
};

/// `rows` independent rows of `cols` contiguous elements (softmax, norms,
/// reductions along the last axis).
struct RowsProblem {
  int64_t rows = 0, cols = 0;
};

/// `elements` results, one thread-level item each. `strided` tells kernels that
/// index through broadcast or permuted operands from plain vectorised ones.
struct ElementsProblem {
  int64_t elements = 0;
  bool strided = false;
};

/// Exact counts of one launch. FLOP = 2 per multiply-add. Bytes are compulsory
/// traffic: each input read once, each output written once.
struct WorkCount {
  int64_t tensorFlops = 0; ///< multiply-adds that tensor cores can take
  int64_t fp32Flops = 0;   ///< other adds, multiplies, compares
  int64_t specialOps = 0;  ///< exp, tanh, rsqrt, ... (SFU results)
  int64_t bytesRead = 0;
  int64_t bytesWritten = 0;
};

/// One launch. Only the problem that belongs to `family` is meaningful:
/// matmul -> Matmul; convolution -> Convolution; attention -> Attention;
/// softmax, normalization, reduction -> Rows; collective -> Collective;
/// everything else -> Elements.
struct KernelWork {
  KernelFamily family = KernelFamily::Opaque;
  InstructionClass instructions = InstructionClass::None;
  /// Format of the matrix unit (matmul, convolution, attention); for the other
  /// families the format of the elements.
  NumericFormat format = NumericFormat::FP32;
  /// Bits of one input and one output element (int4 has 4).
  int32_t inputBits = 32, outputBits = 32;
  /// Convolution: activations are channels-last, no layout kernels needed.
  bool channelsLast = false;
  MatmulProblem matmul;
  ConvolutionProblem convolution;
  AttentionProblem attention;
  RowsProblem rows;
  ElementsProblem elements;
  CollectiveProblem collective;
  WorkCount count;
};

bool operator==(const KernelWork &a, const KernelWork &b);
llvm::hash_code hash_value(const KernelWork &work);

/// The same bytes as a kernel of no family: what is left to say when the GPU or
/// the coefficients lack what `work` needs.
KernelWork asOpaque(const KernelWork &work);

/// The problem in words, e.g. "m=2048 n=1024 k=1024".
std::string describeProblem(const KernelWork &work);

/// Matrix-unit FLOPs of a problem, 2 per multiply-add, exact.
int64_t countFlops(const MatmulProblem &p);
int64_t countFlops(const ConvolutionProblem &p);
/// Both products (five in the backward pass); a causal problem counts only the
/// scores that are computed (half, plus the diagonal: q * (q + 1) / 2 rows for
/// q_len == kv_len).
int64_t countFlops(const AttentionProblem &p);

} // namespace gpucost

#endif // GPUCOST_MODEL_KERNELWORK_H
