//===- ExpertLayer.h - Which experts the tokens of a step read --*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules (E1) and (X12) of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_EXPERTLAYER_H
#define GPUCOST_CORE_MODEL_EXPERTLAYER_H

#include <cstdint>

namespace gpucost {

/// A layer of experts on one GPU, whatever the number of tokens.
struct ExpertLayer {
  int64_t experts = 1; ///< of the layer, on all GPUs
  int64_t chosen = 1;  ///< different ones, by each token
  /// GPUs that divide the experts (X12).
  int64_t shards = 1;
  /// Columns of the products of one expert together, and what its weights take.
  int64_t columns = 1;
  int64_t bytes = 0;
  /// How many the tokens read together; 0: not given.
  int64_t active = 0;
  /// The tokens choose as many different ones as possible, and on several GPUs
  /// those of this one.
  bool worst = false;
};

/// What `tokens` tokens make of it.
struct ExpertUse {
  /// Experts of this GPU that are read, on average.
  double active = 0;
  /// The grouped product: experts, rows and columns of each.
  int64_t items = 1, rows = 0, columns = 0;
  /// Rows of all items: pairs of a token and an expert of this GPU.
  int64_t pairs = 0;
  /// Bytes of weights that no token asks for.
  int64_t unread = 0;
};

/// `tokens`, at least 1, are those of each GPU. Sizes saturate.
ExpertUse useOf(const ExpertLayer &layer, int64_t tokens);

/// What is read of `bytes` of weights of all experts of this GPU.
int64_t readBytes(const ExpertLayer &layer, const ExpertUse &use,
                  int64_t bytes);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_EXPERTLAYER_H
