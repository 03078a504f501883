//===- LayerBalance.h - Layers of each stage --------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SCENARIO_LAYERBALANCE_H
#define GPUCOST_CORE_SCENARIO_LAYERBALANCE_H

#include "gpucost/Core/Vocabulary/Enums.h"
#include <cstdint>
#include <vector>

namespace gpucost {

/// The repeated blocks of a model, in order.
struct LayerWork {
  std::vector<double> layers; ///< matrix FLOPs of each
  double head = 0; ///< FLOPs of the matmuls behind them, in those of a layer
};

/// (X13) The number of layers with this work in each of `stages` stages. Equal
/// layers are split evenly, with more in the first of two stages; `slots`
/// counts the embedding or the head as one more layer, or the head as `head`
/// layers. Empty if a stage would have nothing.
std::vector<int64_t> balanceLayers(const LayerWork &work, int64_t stages,
                                   StageSlots slots);
/// Layers whose place the embedding and the head take in a balanced split.
struct EndSlots {
  int64_t embedding = 0, head = 0;
};
EndSlots endSlotsOf(StageSlots slots);
/// Whether layers with this work count as equal.
bool areEqualLayers(const std::vector<double> &work);

} // namespace gpucost

#endif // GPUCOST_CORE_SCENARIO_LAYERBALANCE_H
