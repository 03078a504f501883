//===- WorkRules.h - Work rules used in the op tables -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this folder: one rule for each cost class, and rules for ops
// without a matching cost class, whose `formula` describes the counts. Rules
// fail if shapes are unknown or do not match.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_DIALECT_ONNX_WORK_WORKRULES_H
#define GPUCOST_LIB_COMPILER_DIALECT_ONNX_WORK_WORKRULES_H

#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"

namespace gpucost::onnx {

#define GPUCOST_WORK(name)                                                     \
  mlir::FailureOr<WorkAttr> name(mlir::Operation *op, CostClass shape,         \
                                 ElementCost element);
// OnnxWork.cpp: rules by cost class, and exceptions
GPUCOST_WORK(contribRotaryWork)
GPUCOST_WORK(elementwiseWork)
GPUCOST_WORK(gatherWork)
GPUCOST_WORK(groupNormWork)
GPUCOST_WORK(insertWork)
GPUCOST_WORK(instanceNormWork)
GPUCOST_WORK(loopStackWork)
GPUCOST_WORK(movementWork)
GPUCOST_WORK(nllLossWork)
GPUCOST_WORK(fusedLossWork)
GPUCOST_WORK(noKernelWork)
GPUCOST_WORK(poolingWork)
GPUCOST_WORK(recurrentCellGradWork)
GPUCOST_WORK(recurrentCellWork)
GPUCOST_WORK(reductionWork)
GPUCOST_WORK(rotaryWork)
GPUCOST_WORK(rowNormalizationWork)
GPUCOST_WORK(scatterWork)
GPUCOST_WORK(tensorScatterWork)
GPUCOST_WORK(unknownWork)
// OnnxMatrixWork.cpp
GPUCOST_WORK(gemmWork)
GPUCOST_WORK(matmulWork)
GPUCOST_WORK(packedMatmulWork)
GPUCOST_WORK(recurrentInputGradWork)
GPUCOST_WORK(recurrentProductWork)
// ConvolutionWork.cpp
GPUCOST_WORK(convInputGradWork)
GPUCOST_WORK(convWeightGradWork)
GPUCOST_WORK(convolutionWork)
GPUCOST_WORK(deformConvWork)
GPUCOST_WORK(nhwcConvWork)
GPUCOST_WORK(quantizedConvWork)
GPUCOST_WORK(transposedConvWork)
// EinsumWork.cpp
GPUCOST_WORK(einsumWork)
// LibraryWork.cpp
GPUCOST_WORK(adamWork)
GPUCOST_WORK(blockGatherWork)
GPUCOST_WORK(determinantWork)
GPUCOST_WORK(dftWork)
GPUCOST_WORK(dynamicQuantizeWork)
GPUCOST_WORK(embedNormWork)
GPUCOST_WORK(gridSampleWork)
GPUCOST_WORK(inverseWork)
GPUCOST_WORK(irfftWork)
GPUCOST_WORK(multinomialWork)
GPUCOST_WORK(overlapWork)
GPUCOST_WORK(pairwiseDistanceWork)
GPUCOST_WORK(parameterUpdateWork)
GPUCOST_WORK(rfftWork)
GPUCOST_WORK(roiAlignWork)
GPUCOST_WORK(stftWork)
// SelectionWork.cpp
GPUCOST_WORK(keyChoiceWork)
GPUCOST_WORK(passWork)
GPUCOST_WORK(selectedWork)
GPUCOST_WORK(suppressionWork)
// AttentionWork.cpp
GPUCOST_WORK(attentionWork)
GPUCOST_WORK(contribAttentionWork)
GPUCOST_WORK(decoderAttentionWork)
GPUCOST_WORK(fusedAttentionGradWork)
GPUCOST_WORK(fusedAttentionWork)
GPUCOST_WORK(groupQueryAttentionWork)
GPUCOST_WORK(multiHeadAttentionWork)
GPUCOST_WORK(packedAttentionWork)
GPUCOST_WORK(packedMultiHeadWork)
GPUCOST_WORK(pagedAttentionWork)
GPUCOST_WORK(quantizedAttentionWork)
// Rules/RuleWork.cpp
GPUCOST_WORK(countedWork)
// SequenceWork.cpp
GPUCOST_WORK(causalConvWork)
GPUCOST_WORK(expertsWork)
// SparseAttentionWork.cpp
GPUCOST_WORK(dynamicSparseAttentionWork)
GPUCOST_WORK(sparsePagedAttentionWork)
// StateSpaceWork.cpp
GPUCOST_WORK(gatedDeltaNetWork)
GPUCOST_WORK(linearAttentionWork)
GPUCOST_WORK(mambaVerifyWork)
GPUCOST_WORK(replayWork)
GPUCOST_WORK(varlenConvWork)
#undef GPUCOST_WORK

} // namespace gpucost::onnx

#endif // GPUCOST_LIB_COMPILER_DIALECT_ONNX_WORK_WORKRULES_H
