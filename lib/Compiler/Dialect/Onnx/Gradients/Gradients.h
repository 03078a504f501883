//===- Gradients.h - Backward rules of onnx ops -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One rule per op family, in Grad*.cpp, with the launches of PyTorch's
// autograd, op by op. docs/CostModel.md, section "Training", rules (B*).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_DIALECT_ONNX_GRADIENTS_GRADIENTS_H
#define GPUCOST_LIB_COMPILER_DIALECT_ONNX_GRADIENTS_GRADIENTS_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/GradientContext.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace gpucost::onnx {

/// `value` summed over the broadcast dimensions of `type`, in its format.
mlir::Value sumTo(GradientContext &context, mlir::Value value, mlir::Type type);

/// Sets the gradient of `operand` to `value` in its shape and format.
void give(GradientContext &context, unsigned operand, mlir::Value value);

/// A tensor type with the shape of `like` and a different element type.
mlir::RankedTensorType withElement(mlir::Type like, mlir::Type element);

mlir::RankedTensorType tensorOf(mlir::Value value);

/// The named attributes that the forward op has.
llvm::SmallVector<mlir::NamedAttribute>
attributesOf(mlir::Operation *op, std::initializer_list<llvm::StringRef> names);

/// Names the forward op on a gradient op that serves several forward ops.
llvm::SmallVector<mlir::NamedAttribute, 1> namedAfter(mlir::Operation *op);

#define GPUCOST_GRAD(name)                                                     \
  llvm::LogicalResult name(mlir::Operation *op, GradientContext &context);
GPUCOST_GRAD(gradAbs)
GPUCOST_GRAD(gradAcos)
GPUCOST_GRAD(gradAdd)
GPUCOST_GRAD(gradAsin)
GPUCOST_GRAD(gradAtan)
GPUCOST_GRAD(gradAtanh)
GPUCOST_GRAD(gradAttention)
GPUCOST_GRAD(gradBatchNorm)
GPUCOST_GRAD(gradCast)
GPUCOST_GRAD(gradConcat)
GPUCOST_GRAD(gradConv)
GPUCOST_GRAD(gradConvTranspose)
GPUCOST_GRAD(gradCos)
GPUCOST_GRAD(gradCosh)
GPUCOST_GRAD(gradDiv)
GPUCOST_GRAD(gradDropoutTraining)
GPUCOST_GRAD(gradEinsum)
GPUCOST_GRAD(gradErf)
GPUCOST_GRAD(gradCumProd)
GPUCOST_GRAD(gradExpand)
GPUCOST_GRAD(gradFromInput)
GPUCOST_GRAD(gradFromOutput)
GPUCOST_GRAD(gradGather)
GPUCOST_GRAD(gradGemm)
GPUCOST_GRAD(gradInverseHyperbolic)
GPUCOST_GRAD(gradLayerNorm)
GPUCOST_GRAD(gradLog)
GPUCOST_GRAD(gradLogSoftmax)
GPUCOST_GRAD(gradMatMul)
GPUCOST_GRAD(gradMean)
GPUCOST_GRAD(gradMinMax)
GPUCOST_GRAD(gradMod)
GPUCOST_GRAD(gradMseLoss)
GPUCOST_GRAD(gradMul)
GPUCOST_GRAD(gradNeg)
GPUCOST_GRAD(gradFusedLoss)
GPUCOST_GRAD(gradInPlaceLoss)
GPUCOST_GRAD(gradNllLoss)
GPUCOST_GRAD(gradNothing)
GPUCOST_GRAD(gradPRelu)
GPUCOST_GRAD(gradPad)
GPUCOST_GRAD(gradPermuteCopy)
GPUCOST_GRAD(gradPool)
GPUCOST_GRAD(gradPow)
GPUCOST_GRAD(gradReciprocal)
GPUCOST_GRAD(gradRecurrentCell)
GPUCOST_GRAD(gradRecurrentProduct)
GPUCOST_GRAD(gradReduceL1)
GPUCOST_GRAD(gradReduceL2)
GPUCOST_GRAD(gradReduceLogSum)
GPUCOST_GRAD(gradReduceLogSumExp)
GPUCOST_GRAD(gradReduceMax)
GPUCOST_GRAD(gradReduceMean)
GPUCOST_GRAD(gradReduceProd)
GPUCOST_GRAD(gradReduceSum)
GPUCOST_GRAD(gradReduceSumSquare)
GPUCOST_GRAD(gradReshape)
GPUCOST_GRAD(gradResize)
GPUCOST_GRAD(gradRotary)
GPUCOST_GRAD(gradRsqrt)
GPUCOST_GRAD(gradScatter)
GPUCOST_GRAD(gradSin)
GPUCOST_GRAD(gradSinh)
GPUCOST_GRAD(gradSlice)
GPUCOST_GRAD(gradSoftmax)
GPUCOST_GRAD(gradSplit)
GPUCOST_GRAD(gradSqrt)
GPUCOST_GRAD(gradSub)
GPUCOST_GRAD(gradTan)
GPUCOST_GRAD(gradJoint)
GPUCOST_GRAD(gradTimesOutput)
GPUCOST_GRAD(gradTopK)
GPUCOST_GRAD(gradTranspose)
GPUCOST_GRAD(gradUnknown)
GPUCOST_GRAD(gradFourier)
GPUCOST_GRAD(gradUnpool)
GPUCOST_GRAD(gradGridSample)
GPUCOST_GRAD(gradAffineGrid)
GPUCOST_GRAD(gradDeformConv)
GPUCOST_GRAD(gradWhere)
GPUCOST_GRAD(gradZero)
#undef GPUCOST_GRAD

} // namespace gpucost::onnx

#endif // GPUCOST_LIB_COMPILER_DIALECT_ONNX_GRADIENTS_GRADIENTS_H
