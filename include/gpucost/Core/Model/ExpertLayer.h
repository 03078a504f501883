//===- ExpertLayer.h - Experts read by a step -------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules (E1), (X12) and (X28) of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_EXPERTLAYER_H
#define GPUCOST_CORE_MODEL_EXPERTLAYER_H

#include "gpucost/Core/Model/ExpertLoads.h"

namespace gpucost {

/// An expert layer on one GPU, independent of the number of tokens.
struct ExpertLayer {
  int64_t experts = 1; ///< experts of the layer on all GPUs
  int64_t chosen = 1;  ///< different experts per token
  /// Number of GPUs over which the experts are sharded (X12).
  int64_t shards = 1;
  /// Copies of experts beyond one of each, on all GPUs (X29).
  int64_t redundant = 0;
  ExpertLoads loads;
  /// Total matmul columns per expert, and the bytes of its weights with their
  /// scales, zero points and biases.
  int64_t columns = 1;
  int64_t bytes = 0;
  /// Number of experts that all tokens together read; 0: not given.
  int64_t active = 0;
  /// The tokens choose as many different experts as possible, with several GPUs
  /// those on this GPU.
  bool worst = false;
  /// All GPUs have the same tokens (X28); otherwise each has others (X12).
  bool shared = false;
  /// Other GPUs wait for this one, which is the busiest (X28).
  bool busiest = false;

  /// Copies of experts on this GPU.
  int64_t local() const {
    return std::max<int64_t>((experts + redundant) / shards, 1);
  }
};

/// Use of the layer by a number of tokens.
struct ExpertUse {
  /// Average number of experts on this GPU that are read.
  double active = 0;
  /// The grouped GEMM: experts, and rows and columns per expert.
  int64_t items = 1, rows = 0, columns = 0;
  /// Rows of all items: pairs of a token and an expert on this GPU.
  int64_t pairs = 0;
  /// Weight bytes that the tokens do not use.
  int64_t unread = 0;
};

/// `tokens` (at least 1) is the number per GPU; with `shared`, they are the
/// same on all. Sizes saturate.
ExpertUse useOf(const ExpertLayer &layer, int64_t tokens);

/// (X28) Mean over the GPUs that share a layer's tokens.
struct MeanUse {
  double tokens = 0, pairs = 0, active = 0;
};

/// The mean of a layer with `shared` whose busiest GPU has `pairs`.
MeanUse meanOf(const ExpertLayer &layer, double pairs);

/// Bytes read if the weights of all experts on this GPU have `bytes` bytes.
int64_t readBytes(const ExpertLayer &layer, const ExpertUse &use,
                  int64_t bytes);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_EXPERTLAYER_H
