//===- WorkRules.h - Work rules that the op tables name -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this folder: rules of ops that no cost class describes. Each
// counts what the op's `formula` says; failure where shapes are unknown or do
// not fit.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_DIALECT_ONNX_IR_WORKRULES_H
#define GPUCOST_LIB_DIALECT_ONNX_IR_WORKRULES_H

#include "gpucost/Dialect/Onnx/IR/OnnxDialect.h"

namespace gpucost::onnx {

#define GPUCOST_WORK(name)                                                     \
  mlir::FailureOr<WorkAttr> name(mlir::Operation *op, CostClass shape,         \
                                 ElementCost element);
// LibraryWork.cpp
GPUCOST_WORK(blockGatherWork)
GPUCOST_WORK(compactionWork)
GPUCOST_WORK(determinantWork)
GPUCOST_WORK(dynamicQuantizeWork)
GPUCOST_WORK(embedNormWork)
GPUCOST_WORK(fourierWork)
GPUCOST_WORK(gridSampleWork)
GPUCOST_WORK(multinomialWork)
GPUCOST_WORK(overlapWork)
GPUCOST_WORK(pairwiseDistanceWork)
GPUCOST_WORK(parameterUpdateWork)
GPUCOST_WORK(roiAlignWork)
GPUCOST_WORK(selectionWork)
GPUCOST_WORK(sortWork)
GPUCOST_WORK(suppressionWork)
// SequenceWork.cpp
GPUCOST_WORK(causalConvWork)
GPUCOST_WORK(contribAttentionWork)
GPUCOST_WORK(expertsWork)
GPUCOST_WORK(linearAttentionWork)
#undef GPUCOST_WORK

} // namespace gpucost::onnx

#endif // GPUCOST_LIB_DIALECT_ONNX_IR_WORKRULES_H
