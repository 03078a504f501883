//===- ShapeSizes.h - The numbers and the structure of a model --*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_ITERATION_SHAPESIZES_H
#define GPUCOST_LIB_CORE_ITERATION_SHAPESIZES_H

#include "gpucost/Core/Iteration/ShapeFamily.h"

namespace gpucost {

/// Adds the whole numbers of `work`.
void addSizes(KernelWork &work, std::vector<int64_t *> &sizes);
/// Adds those of all kernels and of what they touch; returns their number.
size_t addKernelSizes(PreparedModel &model, std::vector<int64_t *> &sizes);
/// What the models have other ones of; "" where their sizes alone differ.
std::string findOtherStructure(const PreparedModel &a, const PreparedModel &b);
/// The peak of activations from the trace, of a forward pass.
void updatePeak(MemoryUse &memory);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_ITERATION_SHAPESIZES_H
