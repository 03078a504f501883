//===- Inference.h - Functions used in the op tables ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this folder. `infer...` functions set result types: they fail
// after a diagnostic if operands contradict each other, and succeed with
// unknown results if these cannot be inferred. `fold...` functions run after
// them and set the values of results with known operand values.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_DIALECT_ONNX_INFERENCE_INFERENCE_H
#define GPUCOST_LIB_COMPILER_DIALECT_ONNX_INFERENCE_INFERENCE_H

#include "Gradients/Gradients.h"
#include "ShapeArithmetic.h"
#include "Work/WorkRules.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"

namespace gpucost::onnx {

using InferFunction = llvm::LogicalResult (*)(InferenceContext &);
using FoldFunction = void (*)(InferenceContext &);

/// Runs `infer`, then `fold` unless it is null. Results without a type get the
/// one that the file declares.
llvm::LogicalResult inferAndFold(InferenceContext &context, InferFunction infer,
                                 FoldFunction fold);

/// Bounds of a Slice for every axis of its operand; nullopt unless all starts,
/// ends, axes, steps and sliced sizes are known and valid.
std::optional<llvm::SmallVector<SliceBounds>>
getSliceBounds(InferenceContext &context);

/// Result sizes of a Split along its axis; nullopt if unknown.
std::optional<llvm::SmallVector<int64_t>>
getSplitSizes(InferenceContext &context, int64_t dim);

/// Error that `axis` is out of range for an operand of shape `shape`.
inline llvm::LogicalResult emitAxisError(InferenceContext &context,
                                         int64_t axis,
                                         llvm::ArrayRef<int64_t> shape) {
  return context.emitError()
         << "axis " << axis << " is out of range for " << formatShape(shape);
}

/// The only element of operand `i`; unknown if it has no known value.
inline int64_t scalarInput(InferenceContext &context, unsigned i) {
  auto value = context.getInputInts(i);
  return value && value->size() == 1 ? (*value)[0] : unknownDim;
}

/// Axes of a reduction, normalised; all axes if none are given (none with
/// `noop_with_empty_axes`). Nullopt if unknown or out of range.
std::optional<llvm::SmallVector<int64_t>>
getReductionAxes(InferenceContext &context, int64_t rank);

#define GPUCOST_INFER(name) llvm::LogicalResult name(InferenceContext &context);
GPUCOST_INFER(inferAccumulator)
GPUCOST_INFER(inferAdam)
GPUCOST_INFER(inferAdamOptimizer)
GPUCOST_INFER(inferAffineGrid)
GPUCOST_INFER(inferAllGather)
GPUCOST_INFER(inferArgReduce)
GPUCOST_INFER(inferArrayFeatureExtractor)
GPUCOST_INFER(inferAttention)
GPUCOST_INFER(inferBatchNorm)
GPUCOST_INFER(inferBatchNormInternal)
GPUCOST_INFER(inferBeamSearch)
GPUCOST_INFER(inferBiasSplitGelu)
GPUCOST_INFER(inferBinaryGrad)
GPUCOST_INFER(inferBroadcast)
GPUCOST_INFER(inferCast)
GPUCOST_INFER(inferCastLike)
GPUCOST_INFER(inferCausalConv)
GPUCOST_INFER(inferCenterCropPad)
GPUCOST_INFER(inferClassifier)
GPUCOST_INFER(inferCol2Im)
GPUCOST_INFER(inferCompare)
GPUCOST_INFER(inferCompress)
GPUCOST_INFER(inferConcat)
GPUCOST_INFER(inferConcatFromSequence)
GPUCOST_INFER(inferConstant)
GPUCOST_INFER(inferConstantFill)
GPUCOST_INFER(inferConstantOfShape)
GPUCOST_INFER(inferContribAttention)
GPUCOST_INFER(inferConv)
GPUCOST_INFER(inferConvGrad)
GPUCOST_INFER(inferConvInteger)
GPUCOST_INFER(inferConvTranspose)
GPUCOST_INFER(inferConvTransposeGrad)
GPUCOST_INFER(inferCrop)
GPUCOST_INFER(inferCropAndResize)
GPUCOST_INFER(inferCustom)
GPUCOST_INFER(inferDFT)
GPUCOST_INFER(inferDecoderMaskedAttention)
GPUCOST_INFER(inferDenseLoss)
GPUCOST_INFER(inferDepthToSpace)
GPUCOST_INFER(inferDequantizeBFP)
GPUCOST_INFER(inferDequantizeLinear)
GPUCOST_INFER(inferDequantizeWithOrder)
GPUCOST_INFER(inferDet)
GPUCOST_INFER(inferDropout)
GPUCOST_INFER(inferDynamicQuantizeLinear)
GPUCOST_INFER(inferDynamicSparseAttention)
GPUCOST_INFER(inferEinsum)
GPUCOST_INFER(inferEmbedLayerNorm)
GPUCOST_INFER(inferExpand)
GPUCOST_INFER(inferEyeLike)
GPUCOST_INFER(inferFeatureVectorizer)
GPUCOST_INFER(inferFlatten)
GPUCOST_INFER(inferFlattenAndUnpad)
GPUCOST_INFER(inferFloatLikeFirst)
GPUCOST_INFER(inferFromRule)
GPUCOST_INFER(inferFusedAttention)
GPUCOST_INFER(inferFusedMatMul)
GPUCOST_INFER(inferGRUTraining)
GPUCOST_INFER(inferGatedDeltaNet)
GPUCOST_INFER(inferGatedRelativePositionBias)
GPUCOST_INFER(inferGather)
GPUCOST_INFER(inferGatherBlockQuantized)
GPUCOST_INFER(inferGatherElements)
GPUCOST_INFER(inferGatherGrad)
GPUCOST_INFER(inferGatherND)
GPUCOST_INFER(inferGemm)
GPUCOST_INFER(inferGemmFloat8)
GPUCOST_INFER(inferGemmaRotaryEmbedding)
GPUCOST_INFER(inferGlobalPool)
GPUCOST_INFER(inferGradient)
GPUCOST_INFER(inferGreedySearch)
GPUCOST_INFER(inferGridSample)
GPUCOST_INFER(inferGroupQueryAttention)
GPUCOST_INFER(inferImageDecoder)
GPUCOST_INFER(inferIrfft)
GPUCOST_INFER(inferIsAllFinite)
GPUCOST_INFER(inferLSTMTraining)
GPUCOST_INFER(inferLabelEncoder)
GPUCOST_INFER(inferLambOptimizer)
GPUCOST_INFER(inferLayerNorm)
GPUCOST_INFER(inferLikeSecond)
GPUCOST_INFER(inferLinearAttention)
GPUCOST_INFER(inferLoss)
GPUCOST_INFER(inferMatMul)
GPUCOST_INFER(inferMatMulFpQ4)
GPUCOST_INFER(inferMatMulInteger)
GPUCOST_INFER(inferMatMulIntegerToFloat)
GPUCOST_INFER(inferMatMulNBits)
GPUCOST_INFER(inferMaxRoiPool)
GPUCOST_INFER(inferMaxUnpool)
GPUCOST_INFER(inferMelWeightMatrix)
GPUCOST_INFER(inferMixedPrecisionScale)
GPUCOST_INFER(inferMulInteger)
GPUCOST_INFER(inferMultiHeadAttention)
GPUCOST_INFER(inferMultinomial)
GPUCOST_INFER(inferMurmurHash)
GPUCOST_INFER(inferNhwcConv)
GPUCOST_INFER(inferNhwcPool)
GPUCOST_INFER(inferNonMaxSuppression)
GPUCOST_INFER(inferNonZero)
GPUCOST_INFER(inferNormGrad)
GPUCOST_INFER(inferNothing)
GPUCOST_INFER(inferOneHot)
GPUCOST_INFER(inferOneHotEncoder)
GPUCOST_INFER(inferOptional)
GPUCOST_INFER(inferOptionalHasElement)
GPUCOST_INFER(inferPackedMultiHeadAttention)
GPUCOST_INFER(inferPad)
GPUCOST_INFER(inferPadAndUnflatten)
GPUCOST_INFER(inferPagedAttention)
GPUCOST_INFER(inferPairwiseDistance)
GPUCOST_INFER(inferParameterUpdate)
GPUCOST_INFER(inferPassThrough)
GPUCOST_INFER(inferPool)
GPUCOST_INFER(inferPow)
GPUCOST_INFER(inferPredicate)
GPUCOST_INFER(inferQAttention)
GPUCOST_INFER(inferQGemm)
GPUCOST_INFER(inferQLinearBinary)
GPUCOST_INFER(inferQLinearConcat)
GPUCOST_INFER(inferQLinearConv)
GPUCOST_INFER(inferQLinearGlobalPool)
GPUCOST_INFER(inferQLinearMatMul)
GPUCOST_INFER(inferQLinearPool)
GPUCOST_INFER(inferQLinearReduce)
GPUCOST_INFER(inferQLinearWhere)
GPUCOST_INFER(inferQOrderedMatMul)
GPUCOST_INFER(inferQuantizeLinear)
GPUCOST_INFER(inferQuantizeWithOrder)
GPUCOST_INFER(inferRandom)
GPUCOST_INFER(inferRandomLike)
GPUCOST_INFER(inferRange)
GPUCOST_INFER(inferRecurrent)
GPUCOST_INFER(inferRecurrentGrad)
GPUCOST_INFER(inferReduce)
GPUCOST_INFER(inferReduceAllL2)
GPUCOST_INFER(inferRegressor)
GPUCOST_INFER(inferRelativePositionBias)
GPUCOST_INFER(inferRemovePadding)
GPUCOST_INFER(inferReplay)
GPUCOST_INFER(inferReshape)
GPUCOST_INFER(inferResize)
GPUCOST_INFER(inferRestorePadding)
GPUCOST_INFER(inferRfft)
GPUCOST_INFER(inferRoiAlign)
GPUCOST_INFER(inferSGDOptimizer)
GPUCOST_INFER(inferSTFT)
GPUCOST_INFER(inferSameAsFirst)
GPUCOST_INFER(inferSameSequence)
GPUCOST_INFER(inferSequenceAt)
GPUCOST_INFER(inferSequenceConstruct)
GPUCOST_INFER(inferSequenceEmpty)
GPUCOST_INFER(inferSequenceInsert)
GPUCOST_INFER(inferSequenceMap)
GPUCOST_INFER(inferSequenceResult)
GPUCOST_INFER(inferShape)
GPUCOST_INFER(inferSharedInput)
GPUCOST_INFER(inferSize)
GPUCOST_INFER(inferSkipGroupNorm)
GPUCOST_INFER(inferSkipLayerNorm)
GPUCOST_INFER(inferSlice)
GPUCOST_INFER(inferSliceGrad)
GPUCOST_INFER(inferSoftmax)
GPUCOST_INFER(inferSpaceToDepth)
GPUCOST_INFER(inferSparseAttention)
GPUCOST_INFER(inferSparsePagedAttention)
GPUCOST_INFER(inferSplit)
GPUCOST_INFER(inferSplitToSequence)
GPUCOST_INFER(inferSqueeze)
GPUCOST_INFER(inferStringNormalizer)
GPUCOST_INFER(inferStringSplit)
GPUCOST_INFER(inferTfIdfVectorizer)
GPUCOST_INFER(inferTile)
GPUCOST_INFER(inferTopK)
GPUCOST_INFER(inferTranspose)
GPUCOST_INFER(inferUnfold)
GPUCOST_INFER(inferUnique)
GPUCOST_INFER(inferUnsqueeze)
GPUCOST_INFER(inferWhere)
GPUCOST_INFER(inferWindow)
#undef GPUCOST_INFER

#define GPUCOST_FOLD(name) void name(InferenceContext &context);
GPUCOST_FOLD(foldAbs)
GPUCOST_FOLD(foldAdd)
GPUCOST_FOLD(foldAnd)
GPUCOST_FOLD(foldBitwiseAnd)
GPUCOST_FOLD(foldBitwiseOr)
GPUCOST_FOLD(foldBroadcastGradientArgs)
GPUCOST_FOLD(foldCast)
GPUCOST_FOLD(foldCeil)
GPUCOST_FOLD(foldClip)
GPUCOST_FOLD(foldConcat)
GPUCOST_FOLD(foldConstant)
GPUCOST_FOLD(foldConstantOfShape)
GPUCOST_FOLD(foldCopy)
GPUCOST_FOLD(foldCos)
GPUCOST_FOLD(foldCumSum)
GPUCOST_FOLD(foldDiv)
GPUCOST_FOLD(foldEqual)
GPUCOST_FOLD(foldExp)
GPUCOST_FOLD(foldExpand)
GPUCOST_FOLD(foldFloor)
GPUCOST_FOLD(foldGather)
GPUCOST_FOLD(foldGatherElements)
GPUCOST_FOLD(foldGatherND)
GPUCOST_FOLD(foldGreater)
GPUCOST_FOLD(foldGreaterOrEqual)
GPUCOST_FOLD(foldLess)
GPUCOST_FOLD(foldLessOrEqual)
GPUCOST_FOLD(foldLog)
GPUCOST_FOLD(foldMax)
GPUCOST_FOLD(foldMin)
GPUCOST_FOLD(foldMod)
GPUCOST_FOLD(foldMul)
GPUCOST_FOLD(foldNeg)
GPUCOST_FOLD(foldNonZero)
GPUCOST_FOLD(foldNot)
GPUCOST_FOLD(foldOr)
GPUCOST_FOLD(foldPad)
GPUCOST_FOLD(foldPow)
GPUCOST_FOLD(foldRange)
GPUCOST_FOLD(foldReciprocal)
GPUCOST_FOLD(foldReduceMax)
GPUCOST_FOLD(foldReduceMean)
GPUCOST_FOLD(foldReduceMin)
GPUCOST_FOLD(foldReduceProd)
GPUCOST_FOLD(foldReduceSum)
GPUCOST_FOLD(foldRelu)
GPUCOST_FOLD(foldRound)
GPUCOST_FOLD(foldScatterElements)
GPUCOST_FOLD(foldScatterND)
GPUCOST_FOLD(foldShape)
GPUCOST_FOLD(foldSign)
GPUCOST_FOLD(foldSin)
GPUCOST_FOLD(foldSize)
GPUCOST_FOLD(foldSlice)
GPUCOST_FOLD(foldSplit)
GPUCOST_FOLD(foldSqrt)
GPUCOST_FOLD(foldSub)
GPUCOST_FOLD(foldTile)
GPUCOST_FOLD(foldTranspose)
GPUCOST_FOLD(foldTrilu)
GPUCOST_FOLD(foldWhere)
GPUCOST_FOLD(foldXor)
#undef GPUCOST_FOLD

} // namespace gpucost::onnx

#endif // GPUCOST_LIB_COMPILER_DIALECT_ONNX_INFERENCE_INFERENCE_H
