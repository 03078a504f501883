//===- ConvolutionBias.cpp - Bias of a library's convolution --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvolutionBias.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gpucost;

/// Operands of a convolution: image, filter, bias.
static constexpr unsigned biasOperand = 2;

bool gpucost::addsBiasSeparately(const Settings &settings) {
  bool eager = settings.runtime == Runtime::Eager ||
               settings.runtime == Runtime::CudaGraph;
  return eager && isOf(settings.software, Software::PyTorch);
}

/// Whether PyTorch's own kernel computes `op`: depthwise, NCHW. It adds the
/// bias itself.
static bool isNativeDepthwise(Operation *op, bool channelsLast) {
  auto in = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  int64_t groups = onnx::getInt(op, "group");
  return !channelsLast && groups > 1 && in && in.getRank() > 1 &&
         in.getDimSize(1) == groups;
}

void gpucost::splitConvolutionBias(Block &block, bool channelsLast) {
  SmallVector<Operation *> found;
  for (Operation &op : block)
    if (isa<onnx::ConvOp, onnx::ConvTransposeOp>(op) &&
        op.getNumOperands() == biasOperand + 1 && op.getNumResults() == 1 &&
        isa<RankedTensorType>(op.getOperand(biasOperand).getType()) &&
        isa<RankedTensorType>(op.getResult(0).getType()) &&
        isa<FloatType>(getElementTypeOrSelf(op.getResult(0).getType())) &&
        !isNativeDepthwise(&op, channelsLast))
      found.push_back(&op);
  for (Operation *op : found) {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Value result = op->getResult(0);
    Operation *sum = onnx::InPlaceBiasOp::create(
        builder, op->getLoc(), TypeRange(result.getType()),
        ValueRange{result, op->getOperand(biasOperand)});
    // Phase, origin and trip counts.
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      if (attribute.getName().strref().starts_with("gpucost."))
        sum->setAttr(attribute.getName(), attribute.getValue());
    result.replaceAllUsesExcept(sum->getResult(0), sum);
    op->eraseOperand(biasOperand);
  }
}
