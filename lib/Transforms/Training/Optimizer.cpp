//===- Optimizer.cpp - Accumulation, clipping, parameter update ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each step of an optimizer is a kernel over a list of tensors; Optimizers.def
// states them. docs/CostModel.md, section "Training", rules (O*).

#include "../Signature.h"
#include "TrainingGraph.h"
#include "gpucost/Analysis/TrainingAnnotations.h"
#include "gpucost/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Support/CheckedMath.h"
#include <map>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::training;

namespace {
/// One kernel: tensors read and written, and lists handed over (they limit how
/// many tensors fit into one launch). `fresh`: the result is a new list.
struct Step {
  const char *name;
  int64_t reads, writes, lists;
  bool fresh = false;
};

/// What one optimizer runs for each parameter, and for lists of them.
struct Algorithm {
  OptimizerKind kind;
  /// Tensors of the parameter's size that it keeps between steps.
  int64_t states;
  std::vector<Step> steps, fused;
};
} // namespace

static const Algorithm &algorithmOf(OptimizerKind kind) {
  static const Algorithm algorithms[] = {
#define OPTIMIZER(Case, name, states, steps, fused)                            \
  {OptimizerKind::Case, states, steps, fused},
#include "gpucost/Scenario/Optimizers.def"
  };
  return algorithms[static_cast<size_t>(kind)];
}

/// (O3) A multi-tensor kernel takes so many tensors, and so many chunks of
/// 65,536 elements, as fit into its arguments.
static int64_t multiTensorLaunches(int64_t tensors, int64_t chunks,
                                   int64_t lists) {
  constexpr int64_t tensorsByLists[] = {110, 110, 64, 48, 36};
  constexpr int64_t chunksPerLaunch = 320;
  int64_t most = tensorsByLists[std::min<int64_t>(lists, 4)];
  return std::max<int64_t>({1, (tensors + most - 1) / most,
                            (chunks + chunksPerLaunch - 1) / chunksPerLaunch});
}

namespace {

/// Gradients of one element type that kernels can treat together.
struct TensorList {
  SmallVector<Value> gradients;
  int64_t elements = 0, chunks = 0;
  void add(Value gradient, int64_t count) {
    gradients.push_back(gradient);
    elements = saturatingSum(elements, count);
    chunks = saturatingSum(chunks, llvm::divideCeil(count, int64_t(65536)));
  }
};

} // namespace

static Operation *launch(TrainingGraph &graph, StringRef name,
                         const TensorList &list, int64_t reads, int64_t writes,
                         int64_t bits, int64_t launches) {
  OpBuilder builder(graph.block().getTerminator());
  auto op = OptimizerStepOp::create(
      builder, builder.getUnknownLoc(), list.gradients,
      builder.getStringAttr(name), builder.getI64IntegerAttr(list.elements),
      builder.getI64IntegerAttr(reads), builder.getI64IntegerAttr(writes),
      builder.getI64IntegerAttr(bits), builder.getI64IntegerAttr(launches));
  op->setAttr(phaseAttrName, PhaseAttr::get(graph.context(), Phase::Optimizer));
  op->setAttr(originAttrName, builder.getStringAttr(name));
  return op;
}

/// `steps` over all tensors: many at a time, or one kernel per tensor.
static void launchSteps(TrainingGraph &graph, ArrayRef<Step> steps,
                        const TensorList &all,
                        const std::map<int64_t, TensorList> &bySize,
                        int64_t bits, bool multiTensor) {
  int64_t scratch = 0;
  for (const Step &step : steps) {
    if (multiTensor) {
      Operation *op = launch(
          graph, step.name, all, step.reads, step.writes, bits,
          multiTensorLaunches(all.gradients.size(), all.chunks, step.lists));
      // (O5) A result beside its operand is a list of its own until the end.
      if (step.fresh)
        addSaturating(scratch, all.elements, bits / 8);
      if (scratch > 0)
        op->setAttr(scratchAttrName,
                    Builder(graph.context()).getI64IntegerAttr(scratch));
      continue;
    }
    for (const auto &[size, list] : bySize)
      launch(graph, step.name, list, step.reads, step.writes, bits,
             list.gradients.size());
  }
}

void TrainingGraph::addOptimizer() {
  bool keeps =
      settings.gradAccum > 1 || settings.zeroGrad != ZeroGradMode::SetToNone;
  // (O4) The first gradient after set-to-none becomes the buffer itself.
  int64_t additions = settings.zeroGrad == ZeroGradMode::SetToNone
                          ? settings.gradAccum - 1
                          : settings.gradAccum;
  struct Trainable {
    TensorList all;
    std::map<int64_t, TensorList> bySize;
    Type element;
  };
  llvm::MapVector<Type, Trainable> trainable;
  SmallVector<Value> results;
  SmallVector<int64_t> ordinals;
  for (Operation *&parameter : parameters) {
    Value gradient = gradientOf.lookup(parameter->getResult(0));
    auto type = cast<RankedTensorType>(parameter->getResult(0).getType());
    std::optional<int64_t> count = elementCount(type);
    if (!gradient || !count)
      continue; // the loss does not depend on it
    Location loc = parameter->getLoc();
    if (keeps && additions > 0) {
      Value buffer = createPersistent(type, TensorRole::Gradient, loc);
      Operation *sum =
          create(onnx::InPlaceAccumulatorOp::getOperationName(), loc, type,
                 {buffer, gradient}, {}, Phase::Backward,
                 "gradient accumulation", additions);
      // (O4) Autograd adds a gradient as soon as it is there.
      if (Operation *ready = gradient.getDefiningOp())
        sum->moveAfter(ready);
      gradient = sum->getResult(0);
    }
    results.push_back(gradient);
    ordinals.push_back(&parameter - parameters.begin());
    Trainable &group = trainable[type.getElementType()];
    group.element = type.getElementType();
    group.all.add(gradient, *count);
    group.bySize[*count].add(gradient, *count);
  }
  // The gradients are what a step without an update ends with.
  Operation *end = block().getTerminator();
  llvm::append_range(results, outputsKept);
  end->setOperands(results);
  end->setAttr(gradientsAttrName, DenseI64ArrayAttr::get(context(), ordinals));
  updateSignature(function);
  const Algorithm &algorithm = algorithmOf(settings.optimizer);
  bool multiTensor = settings.variant != OptimizerVariant::Unfused;
  for (auto &[element, group] : trainable) {
    int64_t bits = element.getIntOrFloatBitWidth();
    if (settings.zeroGrad == ZeroGradMode::Zero)
      launchSteps(*this, Step{"zero gradients", 0, 1, 1}, group.all,
                  group.bySize, bits, multiTensor);
    if (settings.lossScaling)
      launchSteps(*this, Step{"unscale gradients", 1, 1, 1}, group.all,
                  group.bySize, bits, /*multiTensor=*/true);
    if (settings.clipGradNorm)
      launchSteps(*this, {Step{"norm of grad", 1, 0, 1}, Step{"clip", 1, 1, 1}},
                  group.all, group.bySize, bits, multiTensor);
    launchSteps(*this,
                settings.variant == OptimizerVariant::Fused ? algorithm.fused
                                                            : algorithm.steps,
                group.all, group.bySize, bits, multiTensor);
    for (int64_t i = 0; i < algorithm.states; ++i)
      createPersistent(RankedTensorType::get({group.all.elements}, element),
                       TensorRole::OptimizerState, UnknownLoc::get(context()));
  }
}
