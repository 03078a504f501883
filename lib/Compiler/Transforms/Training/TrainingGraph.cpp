//===- TrainingGraph.cpp - The graph of one training step -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainingGraph.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/DequantizedWeights.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Scenario/TrainingStack.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "gpucost-expand-training"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::training;

TrainingGraph::TrainingGraph(func::FuncOp function, const Options &options)
    : function(function), settings(options),
      phaseName(StringAttr::get(context(), phaseAttrName)),
      originName(StringAttr::get(context(), originAttrName)) {}

static bool isFloatTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<FloatType>(type.getElementType());
}

/// Name of a parameter in the model file; "" if it has none.
static StringRef nameOf(Operation *parameter) {
  auto name = parameter->getAttrOfType<StringAttr>("name");
  return name ? name.getValue() : StringRef();
}

bool TrainingGraph::isOrthogonalized(Operation *parameter) const {
  auto type = dyn_cast<RankedTensorType>(parameter->getResult(0).getType());
  return type && type.getRank() == 2 &&
         settings.muonParameters.match(nameOf(parameter));
}

size_t TrainingGraph::findTrainable() {
  size_t trained = 0;
  for (Value input : stageInputs())
    if (isFloatTensor(input))
      grads.insert(input);
  for (Operation &op : block()) {
    if (isTrainableParameter(&op)) {
      parameters.push_back(&op);
      if (settings.trainable.match(nameOf(&op))) {
        grads.insert(op.getResult(0));
        ++trained;
      } else {
        op.setAttr(frozenAttrName, UnitAttr::get(context()));
      }
      continue;
    }
    // (B12) Stored weights stay so, and are dequantised in every pass.
    if (onnx::dequantizesBlocks(&op))
      op.removeAttr(onnx::OnnxDialect::constantAttrName);
    if (llvm::none_of(op.getOperands(),
                      [&](Value v) { return grads.contains(v); }))
      continue;
    for (Value result : op.getResults())
      if (isFloatTensor(result))
        grads.insert(result);
    // Values computed from weights change with every step.
    auto work = dyn_cast<WorkOpInterface>(&op);
    if (work && work.getCostClass() != CostClass::View &&
        op.hasAttr(onnx::OnnxDialect::constantAttrName))
      op.removeAttr(onnx::OnnxDialect::constantAttrName);
  }
  if (trained < parameters.size())
    notes.push_back(std::to_string(trained) + " of " +
                    std::to_string(parameters.size()) +
                    " parameters are trained, the others are frozen");
  return trained;
}

Operation *TrainingGraph::create(StringRef name, Location loc, TypeRange types,
                                 ValueRange operands,
                                 ArrayRef<NamedAttribute> attributes,
                                 Phase phase, StringAttr rule, int64_t repeat) {
  OpBuilder builder(block().getTerminator());
  OperationState state(loc, name);
  assert(state.name.isRegistered() && "expected an op of the dialect");
  state.addTypes(types);
  state.addOperands(operands);
  state.addAttributes(attributes);
  state.addAttribute(phaseName, PhaseAttr::get(context(), phase));
  state.addAttribute(originName, rule);
  if (repeat != 1)
    state.addAttribute(accumulationCountAttrName,
                       builder.getI64IntegerAttr(repeat));
  return builder.create(state);
}

Value TrainingGraph::createPersistent(Type type, TensorRole role,
                                      Location loc) {
  OpBuilder builder(&block(), block().begin());
  OperationState state(loc, onnx::ParameterOp::getOperationName());
  state.addTypes(type);
  state.addAttribute(roleAttrName, TensorRoleAttr::get(context(), role));
  return builder.create(state)->getResult(0);
}

Value TrainingGraph::addInput(Type type, Location loc) {
  unsigned index = function.getNumArguments();
  // Fails only for an invalid index.
  (void)function.insertArgument(index, type, {}, loc);
  return function.getArgument(index);
}

void TrainingGraph::accumulate(Value value, Value gradient, Location loc) {
  Value &known = gradientOf[value];
  if (!known) {
    known = gradient;
    return;
  }
  Value sum = create(onnx::AddOp::getOperationName(), loc, known.getType(),
                     {known, gradient}, {}, Phase::Backward, "gradient sum",
                     settings.gradAccum)
                  ->getResult(0);
  gradientOf[value] = sum;
}

namespace {

/// The context of the rules for one forward op.
class OpGradient : public GradientContext {
public:
  OpGradient(TrainingGraph &graph, Operation *op, const IRMapping &again)
      : graph(graph), op(op), again(again),
        rule(StringAttr::get(op->getContext(),
                             "gradient of " + op->getName().stripDialect())) {}

  Value gradient(unsigned result) override {
    return graph.gradientOf.lookup(op->getResult(result));
  }
  bool needsGradient(unsigned operand) override {
    return operand < op->getNumOperands() &&
           graph.needsGradient(op->getOperand(operand));
  }
  Value operand(unsigned i) override {
    return again.lookupOrDefault(op->getOperand(i));
  }
  Value result(unsigned i) override {
    return again.lookupOrDefault(op->getResult(i));
  }
  unsigned size() override { return op->getNumOperands(); }

  using GradientContext::create;
  Operation *create(StringRef name, TypeRange types, ValueRange operands,
                    ArrayRef<NamedAttribute> attributes) override {
    Operation *made =
        graph.create(name, op->getLoc(), types, operands, attributes,
                     Phase::Backward, rule, graph.options().gradAccum);
    // The backward pass of a loop body has the same trip count as the body.
    // Rules of recurrent layers set the trip counts themselves.
    bool isRecurrent = isa<onnx::RecurrentProductOp, onnx::RecurrentCellOp>(op);
    if (auto steps = op->getAttrOfType<IntegerAttr>(tripCountAttrName);
        steps && !isRecurrent && !made->hasAttr(tripCountAttrName))
      made->setAttr(tripCountAttrName, steps);
    if (op->hasAttr(narrowAttrName) && isa<onnx::MatMulOp>(made))
      made->setAttr(narrowAttrName, op->getAttr(narrowAttrName));
    return made;
  }
  void setGradient(unsigned operand, Value value) override {
    if (value && needsGradient(operand))
      graph.accumulate(op->getOperand(operand), value, op->getLoc());
  }

private:
  TrainingGraph &graph;
  Operation *op;
  const IRMapping &again;
  StringAttr rule;
};

} // namespace

/// Whether all operands and results that a rule may read have a static type.
static bool isTyped(Operation *op) {
  auto typed = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return isa<onnx::NoneType>(value.getType()) ||
           (type && type.hasStaticShape());
  };
  // Rules read required operands without checks.
  const onnx::OpInfo *info = onnx::getOpInfo(op);
  unsigned required = info ? std::max(info->minOperands, 1) : 1;
  return op->getNumResults() > 0 && op->getNumOperands() >= required &&
         llvm::all_of(op->getOperands(), typed) &&
         llvm::none_of(op->getOperands().take_front(required),
                       [](Value value) {
                         return isa<onnx::NoneType>(value.getType());
                       }) &&
         (typed(op->getResult(0)) &&
          isa<RankedTensorType>(op->getResult(0).getType()));
}

/// A lower bound for an op without a rule: its gradients are read and written.
static void addUnknown(TrainingGraph &graph, OpGradient &context,
                       Operation *op) {
  SmallVector<Value> inputs;
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    if (Value gradient = context.gradient(i))
      inputs.push_back(gradient);
  SmallVector<unsigned> targets;
  SmallVector<Type> types;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    if (isFloatTensor(op->getOperand(i)))
      inputs.push_back(context.operand(i));
    if (context.needsGradient(i)) {
      targets.push_back(i);
      types.push_back(op->getOperand(i).getType());
    }
  }
  Builder builder(op->getContext());
  Operation *unknown = context.create<onnx::UnknownGradOp>(
      types, inputs,
      builder.getNamedAttr("of", builder.getStringAttr(describeOp(op))));
  for (auto [target, gradient] :
       llvm::zip_equal(targets, unknown->getResults()))
    context.setGradient(target, gradient);
}

/// Emits a copy of `segment` before its backward pass.
static void computeAgain(TrainingGraph &graph, const Segment &segment,
                         IRMapping &again) {
  OpBuilder builder(graph.block().getTerminator());
  for (Operation *op : segment.ops) {
    if (segment.kept.contains(op))
      continue;
    Operation *copy = builder.clone(*op, again);
    copy->setAttr(phaseAttrName,
                  PhaseAttr::get(op->getContext(), Phase::Backward));
    copy->setAttr(originAttrName, builder.getStringAttr("recompute"));
    copy->setAttr(recomputedAttrName, builder.getUnitAttr());
  }
}

/// Whether a matmul multiplies `value` by a weight that is not trained.
static bool meetsFrozenWeight(const TrainingGraph &graph, Value value) {
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    return isa<onnx::MatMulOp, onnx::GemmOp>(user) &&
           use.getOperandNumber() == 0 &&
           !graph.needsGradient(user->getOperand(1));
  });
}

/// The collective that exchanges the gradient of the result of `op`.
static std::optional<CollectiveKind> exchangeOfGradient(Operation *op) {
  auto collective = dyn_cast<CollectiveOp>(op);
  CollectiveKind kind =
      collective ? collective.getKind() : CollectiveKind::AllReduce;
  if (kind == CollectiveKind::AllToAll)
    return CollectiveKind::AllToAll;
  // (X32) Of a slice: the sum of gradients that are 0 outside of a GPU's
  // tokens.
  if (kind == CollectiveKind::ReduceScatter || isa<onnx::SliceOp>(op))
    return CollectiveKind::AllGather;
  if (!op->hasAttr(reduceGradientAttrName))
    return std::nullopt;
  return collective ? CollectiveKind::ReduceScatter : CollectiveKind::AllReduce;
}

/// Tensor parallelism: the gradient of a sum over GPUs is sent to each of them,
/// and the gradient of an activation that all of them read is a sum. (X17) With
/// sharded tokens, scattered sums are gathered and the other way round. (X21)
/// Gradients of rows return on the way of the rows.
bool TrainingGraph::addSharedGradient(Operation *op) {
  auto collective = dyn_cast<CollectiveOp>(op);
  auto sharers = op->getAttrOfType<IntegerAttr>(reduceGradientAttrName);
  if (!collective && !sharers)
    return false;
  Value gradient = gradientOf.lookup(op->getResult(0));
  if (!gradient)
    return true;
  Type type = op->getOperand(0).getType();
  auto exchange = [&](CollectiveKind kind) {
    OpBuilder builder(block().getTerminator());
    bool keepsType = kind == CollectiveKind::AllReduce;
    Type result = keepsType ? gradient.getType() : type;
    auto made = collective && !keepsType
                    ? CollectiveOp::create(
                          builder, op->getLoc(), result, gradient, kind,
                          collective.getBytes(), collective.getWorldSize(),
                          collective.getNodes(), collective.getGroups(),
                          collective.getChoices())
                    : CollectiveOp::create(
                          builder, op->getLoc(), result, gradient, kind,
                          byteCount(result).value_or(0), sharers.getInt());
    made->setAttr(phaseAttrName, PhaseAttr::get(context(), Phase::Backward));
    auto origin = op->getAttrOfType<StringAttr>(originAttrName);
    // (X19) The gradient of a weight hides the sum of its operand's gradient.
    bool isHidden = kind != CollectiveKind::ReduceScatter ||
                    !meetsFrozenWeight(*this, op->getResult(0));
    made->setAttr(originAttrName,
                  origin && isHidden
                      ? origin
                      : builder.getStringAttr(tensorParallelOrigin));
    if (keepsType)
      made->setAttr(inPlaceAttrName, builder.getUnitAttr());
    gradient = made.getOutputs()[0];
  };
  if (std::optional<CollectiveKind> kind = exchangeOfGradient(op))
    exchange(*kind);
  // For a gathered tensor: the part of this GPU.
  if (gradient.getType() != type)
    gradient = create(onnx::SliceOp::getOperationName(), op->getLoc(), type,
                      gradient, {}, Phase::Backward, tensorParallelOrigin, 1)
                   ->getResult(0);
  accumulate(op->getOperand(0), gradient, op->getLoc());
  return true;
}

/// (X17) All tokens are gathered again for the gradient of a weight instead of
/// being kept. (X32) Adapters keep them.
void TrainingGraph::gatherAgain(Operation *op, IRMapping &again) {
  for (Value operand : op->getOperands()) {
    auto gather = operand.getDefiningOp<CollectiveOp>();
    auto origin =
        gather ? gather->getAttrOfType<StringAttr>(originAttrName) : nullptr;
    if (!gather || !gather->hasAttr(reduceGradientAttrName) ||
        (origin && origin.getValue() == StringRef(adapterOrigin)) ||
        again.contains(operand))
      continue;
    OpBuilder builder(block().getTerminator());
    Operation *copy = builder.clone(*gather, again);
    copy->setAttr(phaseAttrName, PhaseAttr::get(context(), Phase::Backward));
    copy->setAttr(recomputedAttrName, builder.getUnitAttr());
  }
}

/// (X18) Fused layers compute the activation of a gate again in the kernel of
/// its gradient instead of keeping it.
void TrainingGraph::activateAgain(Operation *op, IRMapping &again) {
  if (!settings.fusesLayers || !isa<onnx::MulOp>(op))
    return;
  for (Value operand : op->getOperands()) {
    Operation *activation = operand.getDefiningOp();
    if (!isa_and_nonnull<onnx::SwishOp, onnx::GeluOp, onnx::SigmoidOp>(
            activation) ||
        !operand.hasOneUse() || again.contains(operand))
      continue;
    OpBuilder builder(block().getTerminator());
    Operation *copy = builder.clone(*activation, again);
    copy->setAttr(phaseAttrName, PhaseAttr::get(context(), Phase::Backward));
    copy->setAttr(originAttrName, builder.getStringAttr("recompute"));
    copy->setAttr(recomputedAttrName, builder.getUnitAttr());
  }
}

/// (B12) Weights that are stored in few bits are dequantised again for the
/// gradient of the activations instead of being kept.
void TrainingGraph::dequantizeAgain(Operation *op, IRMapping &again) {
  if (!isa<onnx::MatMulOp>(op))
    return;
  Operation *weight = op->getOperand(1).getDefiningOp();
  if (!weight || !onnx::dequantizesBlocks(weight))
    return;
  // The weight, and the chain of its scales.
  SmallVector<Operation *> chain = {weight};
  for (size_t i = 0; i < chain.size(); ++i)
    for (Value operand : chain[i]->getOperands())
      if (Operation *def = operand.getDefiningOp();
          def && onnx::dequantizesBlocks(def))
        chain.push_back(def);
  OpBuilder builder(block().getTerminator());
  for (Operation *each : llvm::reverse(chain)) {
    Operation *copy = builder.clone(*each, again);
    copy->setAttr(phaseAttrName, PhaseAttr::get(context(), Phase::Backward));
    copy->setAttr(originAttrName, builder.getStringAttr("dequantise again"));
    copy->setAttr(recomputedAttrName, builder.getUnitAttr());
  }
}

void TrainingGraph::addBackward() {
  SmallVector<Operation *> forward;
  for (Operation &op : block().without_terminator())
    forward.push_back(&op);
  SmallVector<Segment> segments = findSegments(*this, settings.recompute);
  RecomputeMode mode = settings.recompute.mode;
  if (segments.empty() && mode != RecomputeMode::None)
    notes.push_back("no recomputation: '" + toText(settings.recompute) +
                    "' matches no part of the graph");
  llvm::DenseMap<Operation *, unsigned> segmentOf;
  for (auto [i, segment] : llvm::enumerate(segments))
    for (Operation *op : segment.ops)
      segmentOf[op] = i;
  // Readers of a recomputed value outside its segment also start it.
  auto segmentToRun = [&](Operation *op) -> std::optional<unsigned> {
    if (auto it = segmentOf.find(op); it != segmentOf.end())
      return it->second;
    if (mode == RecomputeMode::Selective)
      for (Value operand : op->getOperands())
        if (Operation *def = operand.getDefiningOp())
          if (auto it = segmentOf.find(def); it != segmentOf.end())
            return it->second;
    return std::nullopt;
  };
  IRMapping again;
  llvm::DenseSet<unsigned> done;
  for (Operation *op : llvm::reverse(forward)) {
    bool reached = llvm::any_of(op->getResults(), [&](Value result) {
      return gradientOf.contains(result);
    });
    if (!reached || llvm::none_of(op->getOperands(), [&](Value operand) {
          return needsGradient(operand);
        }))
      continue;
    if (auto segment = segmentToRun(op);
        segment && done.insert(*segment).second)
      computeAgain(*this, segments[*segment], again);
    if (addSharedGradient(op))
      continue;
    gatherAgain(op, again);
    activateAgain(op, again);
    dequantizeAgain(op, again);
    OpGradient context(*this, op, again);
    auto rule = dyn_cast<BackwardOpInterface>(op);
    // A rule fails before it emits ops; only the rule of a split works without
    // the gradient of the first result.
    if (rule && isTyped(op) &&
        (context.gradient(0) || isa<onnx::SplitOp>(op)) &&
        succeeded(rule.emitGradient(context))) {
      LDBG() << "gradient of " << op->getName() << " at " << op->getLoc();
      continue;
    }
    LDBG() << "no gradient of " << op->getName() << " at " << op->getLoc();
    addUnknown(*this, context, op);
  }
  eraseUnreadCopies();
  markRepeats();
}

SmallVector<Value> TrainingGraph::stageInputs() {
  SmallVector<Value> inputs;
  auto indices =
      function->getAttrOfType<DenseI64ArrayAttr>(stageInputsAttrName);
  for (int64_t index : indices ? indices.asArrayRef() : ArrayRef<int64_t>())
    if (index >= 0 && index < static_cast<int64_t>(function.getNumArguments()))
      inputs.push_back(function.getArgument(static_cast<unsigned>(index)));
  return inputs;
}

/// (X13) Gradients of the values that the previous stage has sent.
void TrainingGraph::sendGradients() {
  SmallVector<Value> gradients;
  int64_t bytes = 0;
  for (Value input : stageInputs())
    if (Value gradient = gradientOf.lookup(input)) {
      gradients.push_back(gradient);
      bytes = saturatingSum(bytes, byteCount(gradient.getType()).value_or(0));
    }
  auto nodes = function->getAttrOfType<IntegerAttr>(receiveNodesAttrName);
  if (gradients.empty() || !nodes)
    return;
  bytes = llvm::divideCeilSigned(bytes, settings.messageParts);
  int64_t between = nodes.getInt();
  OpBuilder builder(block().getTerminator());
  auto op = CollectiveOp::create(
      builder, function.getLoc(), TypeRange(), gradients,
      CollectiveKind::SendRecv, bytes, std::min<int64_t>(between, 1) + 1,
      std::max<int64_t>(between, 1), between > 1 ? settings.senders : 1);
  op->setAttr(phaseAttrName, PhaseAttr::get(context(), Phase::Backward));
  op->setAttr(originAttrName, builder.getStringAttr("send to previous stage"));
  if (settings.gradAccum > 1)
    op->setAttr(accumulationCountAttrName,
                builder.getI64IntegerAttr(settings.gradAccum));
}

/// (B9) Values that no gradient reads are not recomputed, and (X17) not
/// gathered again.
void TrainingGraph::eraseUnreadCopies() {
  SmallVector<Operation *> copies;
  for (Operation &op : block())
    if (op.hasAttr(recomputedAttrName) &&
        (settings.stopsRecomputationEarly || isa<CollectiveOp>(op)))
      copies.push_back(&op);
  for (Operation *op : llvm::reverse(copies))
    if (op->use_empty())
      op->erase();
}

/// Forward and backward passes run `gradAccum` times per update.
void TrainingGraph::markRepeats() {
  if (settings.gradAccum == 1)
    return;
  OpBuilder builder(context());
  for (Operation &op : block().without_terminator())
    op.setAttr(accumulationCountAttrName,
               builder.getI64IntegerAttr(settings.gradAccum));
}
