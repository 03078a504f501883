//===- ExpertCopies.cpp - Loads and copies of experts ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parallel/ExpertCopies.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace gpucost;

/// The first dimension of the weights, scales and biases is the expert.
static LogicalResult addCopies(Operation *op, int64_t experts, int64_t copies) {
  for (Value weight : op->getOperands().drop_front(2)) {
    auto type = dyn_cast<RankedTensorType>(weight.getType());
    if (!type || type.getRank() < 2 || type.getDimSize(0) != experts)
      continue;
    if (!weight.getDefiningOp<onnx::ParameterOp>() || !weight.hasOneUse())
      return op->emitError("--redundant-experts requires weights that a single "
                           "MoE layer reads without conversion");
    SmallVector<int64_t> shape(type.getShape());
    shape[0] = experts + copies;
    weight.setType(type.clone(shape));
  }
  return success();
}

DenseF64ArrayAttr ExpertMarker::loadsOf(MLIRContext *context,
                                        const ExpertPlacement &placement) {
  auto keyOf = [](const ExpertPlacement &each) {
    return std::tuple(each.experts, each.chosen, each.gpus, each.redundant);
  };
  if (loads && keyOf(placement) == keyOf(known))
    return loads;
  ExpertLoads found = placeExperts(placement, settings.expertSkew.value());
  SmallVector<double> numbers{found.excess};
  numbers.append(found.copies.begin(), found.copies.end());
  known = placement;
  return loads = DenseF64ArrayAttr::get(context, numbers);
}

LogicalResult ExpertMarker::mark(Operation *op, int64_t gpus) {
  std::optional<int64_t> redundant =
      gpus > 1 ? settings.redundantExperts : std::nullopt;
  double skew = settings.expertSkew.value();
  std::optional<ExpertLayer> layer = onnx::readExpertLayer(op);
  if ((skew == 0 && !redundant) || !layer)
    return success();
  if (double most = largestSkew(layer->experts, layer->chosen); skew > most)
    return op->emitError() << llvm::formatv(
               "--expert-skew is at most {0:f2} if tokens choose {1} of {2} "
               "experts, but got {3}",
               most, layer->chosen, layer->experts, skew);
  int64_t copies = layer->experts + redundant.value_or(0);
  if (copies % gpus)
    return op->emitError() << "the layer has " << layer->experts
                           << " experts and " << redundant.value_or(0)
                           << " redundant ones, which cannot be split across "
                           << gpus << " GPUs";
  if (redundant.value_or(0) > 0) {
    if (failed(addCopies(op, layer->experts, *redundant)))
      return failure();
    op->setAttr(redundantExpertsAttrName,
                Builder(op->getContext()).getI64IntegerAttr(*redundant));
  }
  op->setAttr(expertLoadsAttrName,
              loadsOf(op->getContext(),
                      {layer->experts, layer->chosen, gpus, redundant}));
  return success();
}

std::string gpucost::describeLoads(const ExpertLayer &layer) {
  std::string text;
  constexpr double percent = 100;
  if (layer.loads.excess > 0)
    text = llvm::formatv("; the busiest GPU has {0:f1} % more tokens than the "
                         "mean",
                         layer.loads.excess * percent);
  if (layer.redundant > 0)
    text += llvm::formatv("; {0} redundant experts", layer.redundant);
  return text;
}
