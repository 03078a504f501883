//===- VocabularyLoss.cpp - Cross entropy over a sharded vocabulary -------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VocabularyLoss.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Scenario/TrainingStack.h"

using namespace mlir;
using namespace gpucost;

void gpucost::insertVocabularyLoss(OpBuilder &builder, Value logits,
                                   int64_t gpus) {
  auto type = cast<RankedTensorType>(logits.getType());
  Location loc = logits.getLoc();
  auto rows =
      RankedTensorType::get(type.getShape().drop_back(), builder.getF32Type());
  OperationState state(loc, onnx::ReduceMaxOp::getOperationName());
  state.addTypes(rows);
  state.addOperands(logits);
  state.addAttribute("keepdims", builder.getI64IntegerAttr(0));
  state.addAttribute(originAttrName,
                     builder.getStringAttr("cross-entropy loss"));
  Value value = builder.create(state)->getResult(0);
  for (int i = 0; i < 3; ++i) {
    auto sum = CollectiveOp::create(builder, loc, rows, value,
                                    CollectiveKind::AllReduce,
                                    byteCount(rows).value_or(0), gpus);
    sum->setAttr(inPlaceAttrName, builder.getUnitAttr());
    sum->setAttr(originAttrName, builder.getStringAttr(tensorParallelOrigin));
    value = sum.getOutputs()[0];
  }
}
