//===- ShapeRegions.h - Regions that sliding windows create -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_ITERATION_SHAPEREGIONS_H
#define GPUCOST_LIB_CORE_ITERATION_SHAPEREGIONS_H

#include "gpucost/Core/Iteration/ShapeFamily.h"

namespace gpucost {

/// Shapes of one region: the probes, a far shape for comparison, and the one
/// with the most tokens.
struct RegionShapes {
  size_t number; ///< of numberOfRegion
  ShapeRange box;
  StepShape far, widest;
};

/// New tokens of a sequence that is shorter than `window`. A sequence as long
/// as the window has sizes that often equal others of the model, and then
/// fewer distinct kernels.
int64_t longestQuery(const StepShape &low, int64_t window);

/// The regions that contain shapes of `range`, with boxes large enough for the
/// probes.
std::vector<RegionShapes> regionsOf(const ShapeRange &range,
                                    const Windows &windows);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_ITERATION_SHAPEREGIONS_H
