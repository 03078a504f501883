//===- ConvolutionBias.h - Bias of a library's convolution ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_KERNELS_CONVOLUTIONBIAS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_KERNELS_CONVOLUTIONBIAS_H

#include "gpucost/Core/Scenario/Scenario.h"
#include "mlir/IR/Block.h"

namespace gpucost {

/// (L18) Whether the framework of `settings` adds the bias of a convolution
/// with a kernel of its own.
bool addsBiasSeparately(const Settings &settings);

/// (L18) Replaces the bias operands of convolutions in `block` with ops that
/// add it in place.
void splitConvolutionBias(mlir::Block &block, bool channelsLast);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_KERNELS_CONVOLUTIONBIAS_H
