//===- Optimizer.cpp - Accumulation, clipping, parameter update -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// docs/CostModel.md, section "Training", rules (O*).

#include "Shapes/Signature.h"
#include "Update.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::training;

void TrainingGraph::addOptimizer() {
  bool keeps =
      settings.gradAccum > 1 || settings.zeroGrad != ZeroGradMode::SetToNone;
  // (O4) After set-to-none, the first gradient becomes the buffer itself.
  int64_t additions = settings.zeroGrad == ZeroGradMode::SetToNone
                          ? settings.gradAccum - 1
                          : settings.gradAccum;
  // By format of the model and rule.
  llvm::MapVector<std::pair<Type, uint32_t>, Trainable> trainable;
  SmallVector<Value> results;
  SmallVector<int64_t> ordinals;
  for (Operation *&parameter : parameters) {
    Value gradient = gradientOf.lookup(parameter->getResult(0));
    auto type = cast<RankedTensorType>(parameter->getResult(0).getType());
    std::optional<int64_t> count = elementCount(type);
    if (!gradient || !count)
      continue; // the loss does not depend on it
    Location loc = parameter->getLoc();
    StateLayout layout(type.getElementType(), settings);
    bool widens = layout.gradient != layout.model;
    // Autograd accumulates a gradient as soon as it is ready.
    auto placeEarly = [](Operation *op, Value gradient) {
      if (Operation *ready = gradient.getDefiningOp())
        op->moveAfter(ready);
      return op->getResult(0);
    };
    type = type.clone(layout.gradient);
    // (O6) Sharded gradients are reduced in fp32; each GPU keeps its part.
    if (widens && settings.stage >= 2)
      gradient = placeEarly(create(onnx::CastOp::getOperationName(), loc, type,
                                   gradient, {}, Phase::Backward,
                                   "main gradient", settings.gradAccum),
                            gradient);
    // (O6) An fp32 buffer exists from the start.
    bool adds = widens && settings.stage < 2;
    if (adds || (keeps && additions > 0)) {
      Value buffer = createPersistent(type, TensorRole::Gradient, loc);
      gradient =
          placeEarly(create(onnx::InPlaceAccumulatorOp::getOperationName(), loc,
                            type, {buffer, gradient}, {}, Phase::Backward,
                            "gradient accumulation",
                            adds ? settings.gradAccum : additions),
                     gradient);
    }
    results.push_back(gradient);
    ordinals.push_back(&parameter - parameters.begin());
    OptimizerKind kind = settings.optimizer;
    if (kind == OptimizerKind::Muon && !isOrthogonalized(parameter))
      kind = OptimizerKind::AdamW;
    trainable[{layout.model, static_cast<uint32_t>(kind)}].add(
        gradient, type.getShape(), *count);
  }
  // A step without an update returns the gradients.
  Operation *end = block().getTerminator();
  llvm::append_range(results, outputsKept);
  end->setOperands(results);
  end->setAttr(gradientsAttrName, DenseI64ArrayAttr::get(context(), ordinals));
  updateSignature(function);
  for (auto &[key, group] : trainable)
    update(*this, group, StateLayout(key.first, settings),
           static_cast<OptimizerKind>(key.second));
}
