//===- Description.h - What a configuration describes -------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_IMPORT_CONFIGURATION_DESCRIPTION_H
#define GPUCOST_LIB_COMPILER_IMPORT_CONFIGURATION_DESCRIPTION_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <string>
#include <vector>

namespace gpucost::configuration {

enum class Norm { Rms, Layer, LayerWeight, Plain };
enum class Order { Pre, After, Sandwich, Post, Parallel, Parallel2 };
enum class QkNorm { None, Head, Full, Each };
enum class Position { Rotary, Learned, Alibi, None };
/// Layers with a state: the gated delta rule, or a state space (Mamba-2).
enum class Recurrence { None, Delta, StateSpace };
/// What is computed after the last block.
enum class Head {
  None,
  Pooler,
  Words,   ///< logits of all words
  Masked,  ///< dense, activation, norm, and logits with a bias (encoders)
  Classes, ///< of the pooled sequence, or of the image
  Tokens,  ///< labels of each token
  Spans    ///< start and end of an answer
};

struct Layer {
  bool linear = false; ///< a recurrence instead of softmax attention
  int64_t window = 0;  ///< 0: all tokens
  bool hasExperts = false;
  bool mixes = true;   ///< has attention or a recurrence
  bool feeds = true;   ///< has experts or a dense feed-forward layer
  bool rotates = true; ///< positions are rotated, if they are in the model
  bool chooses = true; ///< has an indexer, if the model has one
};

/// Sizes and structure of a model, all values checked.
struct Description {
  std::string modelType;
  std::string format; ///< of the parameters: bf16, fp16 or fp32
  Head head = Head::Words;
  int64_t labels = 2;

  int64_t hidden = 0, heads = 0, kvHeads = 0, headDim = 0, inner = 0, words = 0,
          positions = 0, positionOffset = 0, embedding = 0, types = 0,
          rotary = 0;
  std::vector<Layer> layers;
  /// A module that predicts a further token: one layer that reads a token and a
  /// hidden state.
  bool isPredictor = false;
  Norm norm = Norm::Rms, qkKind = Norm::Rms;
  Order order = Order::Pre;
  QkNorm qkNorm = QkNorm::None;
  Position position = Position::Rotary;
  std::string activation;
  bool isGated = false, isCausal = true, isTied = false;
  /// Queries, keys and values, or gate and up projections, are one linear in
  /// transformers, with one adapter.
  bool joinsQkv = false, joinsGate = false;
  bool qkvBias = false, outBias = false, mlpBias = false, headBias = false;
  bool embedNorm = false, embedScale = false, finalNorm = true, softcap = false,
       sinks = false, chunks = false, gatesAttention = false,
       scalesLogits = false, scalesResiduals = false, isRoberta = false;

  // Multi-head latent attention.
  bool isLatent = false;
  int64_t qRank = 0, kvRank = 0, nope = 0, rope = 0, valueDim = 0;
  // Sparse attention: an indexer chooses the keys of each query. 0 heads: none.
  int64_t indexHeads = 0, indexDim = 0, chosenKeys = 0;

  // Experts.
  int64_t experts = 0, topK = 0, expertInner = 0, sharedInner = 0;
  /// Width of the tokens that experts see; a projection before and after them
  /// changes it if it is not the hidden size.
  int64_t expertWidth = 0;
  bool sharedGate = false, routerBias = false, expertBias = false,
       usesSigmoid = false;

  // Layers with a state. In a state space, the keys are groups of B and C.
  Recurrence recurrence = Recurrence::None;
  int64_t linearKeyHeads = 0, linearValueHeads = 0, linearKeyDim = 0,
          linearValueDim = 0, taps = 0;
  bool linearBias = false, tapsBias = false;

  // Images.
  int64_t image = 0, patch = 0, channels = 0;

  /// Parts of the file that the graph leaves out.
  std::vector<std::string> notes;

  bool isImage() const { return image > 0; }
};

/// The field that `readPredictor` adds.
inline constexpr llvm::StringLiteral predictorField = "gpucost_predictor";

/// Reads the object of a config.json. An error names the field.
llvm::Expected<Description>
readDescription(const llvm::json::Object &configuration);

} // namespace gpucost::configuration

#endif // GPUCOST_LIB_COMPILER_IMPORT_CONFIGURATION_DESCRIPTION_H
