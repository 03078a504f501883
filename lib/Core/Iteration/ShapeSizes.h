//===- ShapeSizes.h - Sizes and structure of a model ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_ITERATION_SHAPESIZES_H
#define GPUCOST_LIB_CORE_ITERATION_SHAPESIZES_H

#include "gpucost/Core/Iteration/ShapeFamily.h"

namespace gpucost {

/// Adds the integers of `work`.
void addSizes(KernelWork &work, std::vector<int64_t *> &sizes);
/// Adds the integers of all kernels and tensor accesses; returns their number.
size_t addKernelSizes(PreparedModel &model, std::vector<int64_t *> &sizes);
/// The first structural difference of the models; "" if only their sizes
/// differ.
std::string findOtherStructure(const PreparedModel &a, const PreparedModel &b);
/// Updates the activation peak of a forward pass from the trace.
void updatePeak(MemoryUse &memory);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_ITERATION_SHAPESIZES_H
