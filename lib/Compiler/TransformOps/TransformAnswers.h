//===- TransformAnswers.h - Costs in results of transform ops ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMOPS_TRANSFORMANSWERS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMOPS_TRANSFORMANSWERS_H

#include "gpucost/Compiler/CostAnalysis/CostAnalysis.h"
#include "mlir/IR/Builders.h"

namespace gpucost {

/// Parameters of the transform dialect are integers; infinity is the largest.
mlir::Attribute nanoseconds(mlir::Builder &builder, Seconds time);
/// "3.200 us (as-written)", "at least 3.200 us (as-written; reason)", or why
/// there is no number.
std::string describe(const Cost &cost);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMOPS_TRANSFORMANSWERS_H
