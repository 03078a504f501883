//===- TrainingRecipe.h - Rules of 8- and 4-bit training --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SCENARIO_TRAININGRECIPE_H
#define GPUCOST_CORE_SCENARIO_TRAININGRECIPE_H

#include "gpucost/Core/Vocabulary/Formats.h"
#include <optional>

namespace gpucost {

/// (Q6) The recipes of TransformerEngine.
struct RecipeRules {
  NumericFormat format = NumericFormat::FP8;
  /// The largest element of the whole tensor is found first.
  bool readsTwice = false;
  /// Matmuls of the backward pass have a split accumulator (G19).
  bool splitsBackward = false;
  /// Those of the forward pass do, too.
  bool splitsForward = false;
};

constexpr RecipeRules rulesOf(Recipe recipe) {
  switch (recipe) {
  case Recipe::None:
    break;
  case Recipe::Delayed:
    return {NumericFormat::FP8, false, true, false};
  case Recipe::Block:
    return {NumericFormat::FP8, false, true, true};
  case Recipe::Current:
    return {NumericFormat::FP8, true, true, false};
  case Recipe::Mxfp8:
    return {NumericFormat::MXFP8};
  case Recipe::Nvfp4:
    return {NumericFormat::NVFP4, true};
  }
  return {};
}

/// The recipe of --target=GPU-FORMAT; nullopt for formats without one.
constexpr std::optional<Recipe> recipeOf(NumericFormat format) {
  if (format == NumericFormat::FP8)
    return Recipe::Current;
  if (format == NumericFormat::MXFP8)
    return Recipe::Mxfp8;
  if (format == NumericFormat::NVFP4)
    return Recipe::Nvfp4;
  return std::nullopt;
}

} // namespace gpucost

#endif // GPUCOST_CORE_SCENARIO_TRAININGRECIPE_H
