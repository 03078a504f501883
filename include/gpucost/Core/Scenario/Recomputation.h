//===- Recomputation.h - Activation checkpointing ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SCENARIO_RECOMPUTATION_H
#define GPUCOST_CORE_SCENARIO_RECOMPUTATION_H

#include "gpucost/Core/Vocabulary/Enums.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpucost {

/// (B9) Activation checkpointing: "none", "full", "selective", "every-2",
/// "every-2:MatMul", "Softmax,Gelu", "@blocks.*.mlp".
struct Recomputation {
  RecomputeMode mode = RecomputeMode::None;
  /// For `Every`: every n-th block, or every n-th op of the kind in `ops`.
  int64_t every = 1;
  /// Names of ONNX ops: for `Every` the op kind (empty: blocks), for
  /// `Operators` all op kinds. For `Modules` patterns of module paths, in which
  /// "*" is a part of the path and "+" joins modules of one checkpoint.
  std::vector<std::string> ops;

  bool operator==(const Recomputation &other) const {
    return mode == other.mode && every == other.every && ops == other.ops;
  }
  bool operator!=(const Recomputation &other) const {
    return !(*this == other);
  }
};

/// nullopt if `text` is invalid. `attention` means `selective`.
std::optional<Recomputation> parseRecomputation(std::string_view text);
/// Inverse of `parseRecomputation`.
std::string toText(const Recomputation &recompute);

} // namespace gpucost

#endif // GPUCOST_CORE_SCENARIO_RECOMPUTATION_H
