//===- Buckets.cpp - Gradient reduction in buckets ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parallelizer.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Support/CheckedMath.h"

using namespace mlir;
using namespace gpucost;

/// PyTorch's first DDP bucket is small (1 MiB), so communication starts early.
static constexpr int64_t firstBucketBytes = int64_t(1) << 20;

/// (X1) Buckets are filled in the order in which gradients become ready; each
/// full bucket is reduced immediately.
void Parallelizer::runDataParallel(int64_t bucketBytes) {
  auto ordinals = end->getAttrOfType<DenseI64ArrayAttr>(gradientsAttrName);
  SmallVector<Value> ready(end->getOperands().take_front(
      ordinals ? ordinals.size() : end->getNumOperands()));
  llvm::DenseSet<Value> expertGradients;
  for (auto [parameter, gradient] : findTrained())
    if (parameter->hasAttr(expertShardsAttrName))
      expertGradients.insert(gradient);
  llvm::erase_if(ready, [](Value v) { return !v.getDefiningOp(); });
  llvm::stable_sort(ready, [](Value a, Value b) {
    return a.getDefiningOp() != b.getDefiningOp() &&
           a.getDefiningOp()->isBeforeInBlock(b.getDefiningOp());
  });
  // Buckets are separate buffers; main gradients (O6) are computed in them.
  OpBuilder start(&block, block.begin());
  auto isBuffer = [&](Value gradient) {
    return mainGrads &&
           isa<onnx::InPlaceAccumulatorOp>(gradient.getDefiningOp());
  };
  for (Value gradient : ready) {
    bool isExpert = expertGradients.contains(gradient);
    if (isBuffer(gradient) || !isReduced(isExpert ? experts : group))
      continue;
    OperationState state(gradient.getLoc(),
                         onnx::ParameterOp::getOperationName());
    state.addTypes(gradient.getType());
    state.addAttribute(roleAttrName, TensorRoleAttr::get(start.getContext(),
                                                         TensorRole::Gradient));
    start.create(state);
  }
  // The copies back are launched after the last gradient.
  Operation *lastBackward = findUpdate();
  // (X21) Gradients of experts have their own buckets.
  struct Bucket {
    GroupSpan group;
    SmallVector<Value> gradients;
    int64_t filled = 0, limit = firstBucketBytes;
  };
  Bucket dense{group, {}}, expert{experts, {}};
  auto flush = [&](Bucket &bucket) {
    SmallVector<Value> &gradients = bucket.gradients;
    if (gradients.empty())
      return;
    OpBuilder builder(function.getContext());
    builder.setInsertionPointAfter(gradients.back().getDefiningOp());
    bool copies = !isBuffer(gradients.front());
    if (copies)
      copyBucket(builder, "copy into bucket", gradients);
    auto op = reduce(builder, gradients, ValueRange(gradients).getTypes(), 1,
                     bucket.group);
    replaceGradients(gradients, op.getOutputs());
    builder.setInsertionPoint(lastBackward);
    if (copies)
      copyBucket(builder, "copy from bucket", op.getOutputs());
    gradients.clear();
    bucket.filled = 0;
    bucket.limit = bucketBytes;
  };
  for (Value gradient : ready) {
    Bucket &bucket = expertGradients.contains(gradient) ? expert : dense;
    if (!isReduced(bucket.group))
      continue;
    bucket.gradients.push_back(gradient);
    bucket.filled += byteCount(gradient.getType()).value_or(0);
    if (bucket.filled >= bucket.limit)
      flush(bucket);
  }
  flush(dense);
  flush(expert);
  if (!stage)
    return;
  shardPersistent();
  gatherUpdated(divideUnits(findUnits()));
}

/// (X5) One kernel copies each gradient to the bucket, and one copies it back.
void Parallelizer::copyBucket(OpBuilder &builder, StringRef name,
                              ValueRange gradients) {
  int64_t elements = 0, bits = 32;
  for (Value gradient : gradients) {
    auto type = cast<RankedTensorType>(gradient.getType());
    elements = saturatingSum(elements, elementCount(type).value_or(0));
    bits = storedBits(type.getElementType()).value_or(32);
  }
  auto copy = OptimizerStepOp::create(
      builder, gradients.front().getLoc(), gradients,
      builder.getStringAttr(name), builder.getI64IntegerAttr(elements),
      builder.getI64IntegerAttr(1), builder.getI64IntegerAttr(1),
      builder.getI64IntegerAttr(bits),
      builder.getI64IntegerAttr(static_cast<int64_t>(gradients.size())),
      /*read_bytes=*/IntegerAttr(), /*written_bytes=*/IntegerAttr());
  copy->setAttr(phaseAttrName,
                PhaseAttr::get(function.getContext(), Phase::Backward));
  copy->setAttr(originAttrName, builder.getStringAttr(name));
}
