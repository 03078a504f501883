//===- Update.cpp - The kernels that update parameters --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each step of an optimizer is a kernel over a list of tensors; Optimizers.def
// defines the steps. docs/CostModel.md, section "Training", rules (O*).

#include "Update.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Core/Support/CheckedMath.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::training;

namespace {
/// The kernels of one optimizer for each parameter and for lists.
struct Algorithm {
  OptimizerKind kind;
  /// Number of tensors that it keeps between steps: of each parameter, or of
  /// the vectors if matrices have one of their rows and one of their columns.
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

StateLayout::StateLayout(Type element, const Options &options)
    : model(element), updated(element), gradient(element) {
  auto isHalf = [&] { return model.getIntOrFloatBitWidth() == 16; };
  Type single = Float32Type::get(element.getContext());
  if (isHalf() && options.masterWeights == StateFormat::FP32)
    updated = single;
  if (isHalf() && options.mainGrads == StateFormat::FP32)
    gradient = single;
}

void TensorList::add(Value gradient, int64_t count) {
  gradients.push_back(gradient);
  elements = saturatingSum(elements, count);
  chunks = saturatingSum(chunks, llvm::divideCeil(count, int64_t(65536)));
}

void Trainable::addTo(Over part, Value gradient, int64_t count) {
  Lists &found = lists[static_cast<size_t>(part)];
  found.all.add(gradient, count);
  found.bySize[count].add(gradient, count);
}

void Trainable::add(Value gradient, ArrayRef<int64_t> shape, int64_t count) {
  addTo(Over::All, gradient, count);
  TensorList &flat = lists[static_cast<size_t>(Over::Flat)].all;
  flat.add(gradient, count);
  if (shape.size() < 2 || count == 0)
    return addTo(Over::Vectors, gradient, count);
  addTo(Over::Matrices, gradient, count);
  addTo(Over::Rows, gradient, count / shape.back());
  addTo(Over::Columns, gradient, count / shape[shape.size() - 2]);
}

Operation *training::launchStep(TrainingGraph &graph, StringRef name,
                                const TensorList &list, int64_t reads,
                                int64_t writes, int64_t bits,
                                int64_t launches) {
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

void training::launchMixed(TrainingGraph &graph, StringRef name,
                           const TensorList &list, int64_t reads,
                           int64_t writes, int64_t read, int64_t written,
                           int64_t launches, int64_t more) {
  auto step = cast<OptimizerStepOp>(
      launchStep(graph, name, list, reads, writes, 32, launches));
  Builder builder(graph.context());
  auto total = [&](int64_t each) {
    return builder.getI64IntegerAttr(
        saturatingSum(saturatingProduct(list.elements, each), more));
  };
  step.setReadBytesAttr(total(read));
  step.setWrittenBytesAttr(total(written));
}

namespace {

/// The update of the parameters with one format.
class Update {
public:
  Update(TrainingGraph &graph, const Trainable &group,
         const StateLayout &layout, OptimizerKind kind)
      : graph(graph), options(graph.options()), group(group), layout(layout),
        kind(kind), algorithm(algorithmOf(kind)),
        multiTensor(options.variant != OptimizerVariant::Unfused) {}

  void run();

private:
  void launch(ArrayRef<Step> steps, Type element, bool multi);
  void launch(const Step &step, int64_t bits, bool multi, int64_t scratch);
  /// Converts one list into another.
  void copy(StringRef name, Type from, Type to) {
    const TensorList &all = group.all();
    launchMixed(graph, name, all, 1, 1, bytesOf(from), bytesOf(to),
                multiTensorLaunches(all.gradients.size(), all.chunks, 2));
  }
  void addState(int64_t elements, Type element) {
    if (elements > 0)
      graph.createPersistent(RankedTensorType::get({elements}, element),
                             TensorRole::OptimizerState,
                             UnknownLoc::get(graph.context()));
  }
  void unscale();
  void updateInSingle();
  void updateInEightBit();
  void addStates();

  TrainingGraph &graph;
  const Options &options;
  const Trainable &group;
  StateLayout layout;
  OptimizerKind kind;
  const Algorithm &algorithm;
  bool multiTensor;
};

} // namespace

/// Runs `steps` over all tensors: many at a time, or one kernel per tensor.
void Update::launch(ArrayRef<Step> steps, Type element, bool multi) {
  int64_t bits = element.getIntOrFloatBitWidth(), scratch = 0;
  // (O16) Steps of the history are repeated together.
  for (const Step *step = steps.begin(); step != steps.end();) {
    const Step *next = step + 1;
    if (step->times > 0) {
      // (O5) A result that is not in place is a separate list until the end.
      if (multi && step->fresh)
        addSaturating(scratch, group.over(step->over).all.elements, bits / 8);
      launch(*step, bits, multi, scratch);
    } else {
      while (next != steps.end() && next->times == 0)
        ++next;
      for (int64_t pair = 0; pair < options.lbfgsHistory; ++pair)
        for (const Step *each = step; each != next; ++each)
          launch(*each, bits, multi, scratch);
    }
    step = next;
  }
}

void Update::launch(const Step &step, int64_t bits, bool multi,
                    int64_t scratch) {
  const auto &[all, bySize] = group.over(step.over);
  if (all.gradients.empty())
    return;
  auto add = [&](const TensorList &list, int64_t launches) {
    Operation *op = launchStep(graph, step.name, list, step.reads, step.writes,
                               bits, launches);
    if (scratch > 0)
      op->setAttr(scratchAttrName,
                  Builder(graph.context()).getI64IntegerAttr(scratch));
    if (step.synchronizes)
      op->setAttr(synchronizesAttrName, Builder(graph.context()).getUnitAttr());
  };
  if (step.over == Over::Flat)
    return add(all, 1);
  bool captured = options.capturable && step.captured > 0;
  if (multi && !captured && step.lists > 0)
    return add(
        all, multiTensorLaunches(all.gradients.size(), all.chunks, step.lists));
  for (int64_t pass = 0; pass < (captured ? step.captured : 1); ++pass)
    for (const auto &[size, list] : bySize)
      add(list, static_cast<int64_t>(list.gradients.size()));
}

void Update::run() {
  bool buffers = layout.gradient != layout.model && options.stage < 2;
  if (options.zeroGrad == ZeroGradMode::Zero || buffers)
    launch(Step{"zero gradients", 0, 1, 1}, layout.gradient, multiTensor);
  if (options.lossScaling)
    unscale();
  if (options.clipGradNorm)
    launch({Step{"norm of grad", 1, 0, 1}, Step{"clip", 1, 1, 1}},
           layout.gradient, multiTensor);
  if (kind == OptimizerKind::None)
    return;
  if (options.optimizerStates == OptimizerStates::EightBit &&
      algorithm.states > 0)
    updateInEightBit();
  else
    updateInSingle();
  // (O6) FSDP stores only the shards of the updated weights.
  if (layout.updated != layout.model && options.stage < 3) {
    addState(group.all().elements, layout.updated);
    copy("copy to model weights", layout.updated, layout.model);
  }
}

/// (H12) Fused optimizers read on the GPU whether gradients are finite, others
/// are launched only if they are.
void Update::unscale() {
  launch(Step{"unscale gradients", 1, 1, 1}, layout.gradient, true);
  if (options.variant != OptimizerVariant::Fused && !options.capturable)
    launch(Step{"finite gradients to host", 0, 0, 1, false, 0, Over::Flat, 1,
                true},
           layout.gradient, true);
}

void Update::updateInSingle() {
  if (layout.gradient != layout.updated) {
    copy("gradients to master format", layout.gradient, layout.updated);
    graph.block().getTerminator()->getPrevNode()->setAttr(
        scratchAttrName,
        Builder(graph.context())
            .getI64IntegerAttr(saturatingProduct(group.all().elements,
                                                 bytesOf(layout.updated))));
  }
  bool fused = options.variant == OptimizerVariant::Fused;
  launch(fused && hasFusedVariant(kind) ? algorithm.fused : algorithm.steps,
         layout.updated, multiTensor);
  if (kind == OptimizerKind::Muon)
    orthogonalize(graph, group.all(), layout.updated);
  addStates();
}

void Update::addStates() {
  // (O15)
  SmallVector<Over> parts = {Over::All};
  if (kind == OptimizerKind::Adafactor)
    parts = {Over::Vectors, Over::Rows, Over::Columns};
  for (Over part : parts)
    for (int64_t i = 0; i < algorithm.states; ++i)
      addState(group.over(part).all.elements, layout.updated);
  // (O16) Directions and changes of the gradient.
  if (kind == OptimizerKind::LBFGS)
    addState(saturatingProduct(group.all().elements, 2 * options.lbfgsHistory),
             layout.updated);
}

/// (O7) bitsandbytes: one kernel per tensor; each state has one byte per
/// element and an fp32 scale per block of 256; small tensors keep fp32 states.
void Update::updateInEightBit() {
  constexpr int64_t block = 256, smallest = 4096;
  Builder builder(graph.context());
  TensorList large, small;
  for (const auto &[size, list] : group.over(Over::All).bySize) {
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

void training::update(TrainingGraph &graph, const Trainable &group,
                      const StateLayout &layout, OptimizerKind kind) {
  Update(graph, group, layout, kind).run();
}
