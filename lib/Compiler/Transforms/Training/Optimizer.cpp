//===- Optimizer.cpp - Accumulation, clipping, parameter update -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each step of an optimizer is a kernel over a list of tensors; Optimizers.def
// defines the steps. docs/CostModel.md, section "Training", rules (O*).

#include "Shapes/Signature.h"
#include "TrainingGraph.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include <map>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::training;

namespace {
/// One kernel: tensors read and written, and tensor lists passed to it (which
/// limit the number of tensors per launch). `fresh`: the result is a new list.
/// (O13) `captured`: number of kernels per tensor in a CUDA graph, which
/// replaces the list kernels.
struct Step {
  const char *name;
  int64_t reads, writes, lists;
  bool fresh = false;
  int64_t captured = 0;
};

/// The kernels of one optimizer for each parameter and for lists.
struct Algorithm {
  OptimizerKind kind;
  /// Number of parameter-sized tensors that it keeps between steps.
  int64_t states;
  std::vector<Step> steps, fused;
};
} // namespace

static const Algorithm &algorithmOf(OptimizerKind kind) {
  static const Algorithm algorithms[] = {
#define OPTIMIZER(Case, name, states, steps, fused)                            \
  {OptimizerKind::Case, states, steps, fused},
#include "gpucost/Core/Scenario/Optimizers.def"
  };
  return algorithms[static_cast<size_t>(kind)];
}

/// (O3) The arguments of a multi-tensor kernel limit the number of tensors, and
/// of chunks of 65,536 elements, per launch.
static int64_t multiTensorLaunches(int64_t tensors, int64_t chunks,
                                   int64_t lists) {
  constexpr int64_t tensorsByLists[] = {110, 110, 64, 48, 36};
  constexpr int64_t chunksPerLaunch = 320;
  int64_t most = tensorsByLists[std::min<int64_t>(lists, 4)];
  return std::max<int64_t>({1, (tensors + most - 1) / most,
                            (chunks + chunksPerLaunch - 1) / chunksPerLaunch});
}

namespace {

/// Formats of the tensors in the update of one parameter (O6).
struct StateLayout {
  /// Formats of the model weight, the updated weight and the gradient.
  Type model, updated, gradient;

  StateLayout(Type element, const Options &options)
      : model(element), updated(element), gradient(element) {
    auto isHalf = [&] { return model.getIntOrFloatBitWidth() == 16; };
    Type single = Float32Type::get(element.getContext());
    if (isHalf() && options.masterWeights == StateFormat::FP32)
      updated = single;
    if (isHalf() && options.mainGrads == StateFormat::FP32)
      gradient = single;
  }
};

/// Gradients of one element type that kernels can process together.
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
      builder.getI64IntegerAttr(bits), builder.getI64IntegerAttr(launches),
      /*read_bytes=*/IntegerAttr(), /*written_bytes=*/IntegerAttr());
  op->setAttr(phaseAttrName, PhaseAttr::get(graph.context(), Phase::Optimizer));
  op->setAttr(originAttrName, builder.getStringAttr(name));
  return op;
}

static int64_t bytesOf(Type element) {
  return element.getIntOrFloatBitWidth() / 8;
}

/// One kernel that reads `read` and writes `written` bytes per element, and
/// additionally reads and writes `more` bytes in total.
static void launchMixed(TrainingGraph &graph, StringRef name,
                        const TensorList &list, int64_t reads, int64_t writes,
                        int64_t read, int64_t written, int64_t launches,
                        int64_t more = 0) {
  auto step = cast<OptimizerStepOp>(
      launch(graph, name, list, reads, writes, 32, launches));
  Builder builder(graph.context());
  auto total = [&](int64_t each) {
    return builder.getI64IntegerAttr(
        saturatingSum(saturatingProduct(list.elements, each), more));
  };
  step.setReadBytesAttr(total(read));
  step.setWrittenBytesAttr(total(written));
}

/// Runs `steps` over all tensors: many at a time, or one kernel per tensor.
static void launchSteps(TrainingGraph &graph, ArrayRef<Step> steps,
                        const TensorList &all,
                        const std::map<int64_t, TensorList> &bySize,
                        int64_t bits, bool multiTensor) {
  int64_t scratch = 0;
  auto setScratch = [&](Operation *op) {
    if (scratch > 0)
      op->setAttr(scratchAttrName,
                  Builder(graph.context()).getI64IntegerAttr(scratch));
  };
  for (const Step &step : steps) {
    // (O5) A result that is not in place is a separate list until the end.
    if (multiTensor && step.fresh)
      addSaturating(scratch, all.elements, bits / 8);
    bool captured = graph.options().capturable && step.captured > 0;
    if (multiTensor && !captured) {
      setScratch(launch(
          graph, step.name, all, step.reads, step.writes, bits,
          multiTensorLaunches(all.gradients.size(), all.chunks, step.lists)));
      continue;
    }
    for (int64_t pass = 0; pass < (captured ? step.captured : 1); ++pass)
      for (const auto &[size, list] : bySize)
        setScratch(launch(graph, step.name, list, step.reads, step.writes, bits,
                          list.gradients.size()));
  }
}

namespace {

/// Parameters with the same format.
struct Trainable {
  TensorList all;
  std::map<int64_t, TensorList> bySize;
};

/// The update of the parameters with one format.
class Update {
public:
  Update(TrainingGraph &graph, const Trainable &group, StateLayout layout)
      : graph(graph), options(graph.options()), group(group), layout(layout),
        algorithm(algorithmOf(options.optimizer)),
        multiTensor(options.variant != OptimizerVariant::Unfused) {}

  void run();

private:
  void launch(ArrayRef<Step> steps, Type element, bool multi) {
    launchSteps(graph, steps, group.all, group.bySize,
                element.getIntOrFloatBitWidth(), multi);
  }
  /// Converts one list into another.
  void copy(StringRef name, Type from, Type to) {
    launchMixed(
        graph, name, group.all, 1, 1, bytesOf(from), bytesOf(to),
        multiTensorLaunches(group.all.gradients.size(), group.all.chunks, 2));
  }
  void addState(int64_t elements, Type element) {
    graph.createPersistent(RankedTensorType::get({elements}, element),
                           TensorRole::OptimizerState,
                           UnknownLoc::get(graph.context()));
  }
  void updateInSingle();
  void updateInEightBit();

  TrainingGraph &graph;
  const Options &options;
  const Trainable &group;
  StateLayout layout;
  const Algorithm &algorithm;
  bool multiTensor;
};

} // namespace

void Update::run() {
  bool buffers = layout.gradient != layout.model && options.stage < 2;
  if (options.zeroGrad == ZeroGradMode::Zero || buffers)
    launch(Step{"zero gradients", 0, 1, 1}, layout.gradient, multiTensor);
  if (options.lossScaling)
    launch(Step{"unscale gradients", 1, 1, 1}, layout.gradient, true);
  if (options.clipGradNorm)
    launch({Step{"norm of grad", 1, 0, 1}, Step{"clip", 1, 1, 1}},
           layout.gradient, multiTensor);
  if (options.optimizer == OptimizerKind::None)
    return;
  if (options.optimizerStates == OptimizerStates::EightBit &&
      algorithm.states > 0)
    updateInEightBit();
  else
    updateInSingle();
  // (O6) FSDP stores only the shards of the updated weights.
  if (layout.updated != layout.model && options.stage < 3) {
    addState(group.all.elements, layout.updated);
    copy("copy to model weights", layout.updated, layout.model);
  }
}

void Update::updateInSingle() {
  if (layout.gradient != layout.updated) {
    copy("gradients to master format", layout.gradient, layout.updated);
    graph.block().getTerminator()->getPrevNode()->setAttr(
        scratchAttrName, Builder(graph.context())
                             .getI64IntegerAttr(saturatingProduct(
                                 group.all.elements, bytesOf(layout.updated))));
  }
  launch(options.variant == OptimizerVariant::Fused ? algorithm.fused
                                                    : algorithm.steps,
         layout.updated, multiTensor);
  for (int64_t i = 0; i < algorithm.states; ++i)
    addState(group.all.elements, layout.updated);
}

/// (O7) bitsandbytes: one kernel per tensor; each state has one byte per
/// element and an fp32 scale per block of 256; small tensors keep fp32 states.
void Update::updateInEightBit() {
  constexpr int64_t block = 256, smallest = 4096;
  Builder builder(graph.context());
  TensorList large, small;
  for (const auto &[size, list] : group.bySize) {
    TensorList &part = size < smallest ? small : large;
    llvm::append_range(part.gradients, list.gradients);
    part.elements = saturatingSum(part.elements, list.elements);
  }
  int64_t weight = bytesOf(layout.updated), n = algorithm.states;
  int64_t gradient = bytesOf(layout.gradient);
  for (auto [list, state] : {std::pair(&large, int64_t(1)), {&small, 4}}) {
    if (list->gradients.empty())
      continue;
    int64_t scales = llvm::divideCeil(list->elements, block);
    launchMixed(graph, state == 1 ? "8-bit update" : "32-bit update", *list,
                2 + n, 1 + n, weight + gradient + n * state, weight + n * state,
                static_cast<int64_t>(list->gradients.size()),
                state == 1 ? n * scales * 4 : 0);
    for (int64_t i = 0; i < n; ++i) {
      addState(list->elements,
               state == 1 ? Type(builder.getI8Type()) : builder.getF32Type());
      if (state == 1)
        addState(scales, builder.getF32Type());
    }
  }
}

void TrainingGraph::addOptimizer() {
  bool keeps =
      settings.gradAccum > 1 || settings.zeroGrad != ZeroGradMode::SetToNone;
  // (O4) After set-to-none, the first gradient becomes the buffer itself.
  int64_t additions = settings.zeroGrad == ZeroGradMode::SetToNone
                          ? settings.gradAccum - 1
                          : settings.gradAccum;
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
    Trainable &group = trainable[layout.model];
    group.all.add(gradient, *count);
    group.bySize[*count].add(gradient, *count);
  }
  // A step without an update returns the gradients.
  Operation *end = block().getTerminator();
  llvm::append_range(results, outputsKept);
  end->setOperands(results);
  end->setAttr(gradientsAttrName, DenseI64ArrayAttr::get(context(), ordinals));
  updateSignature(function);
  for (auto &[element, group] : trainable)
    Update(*this, group, StateLayout(element, settings)).run();
}
