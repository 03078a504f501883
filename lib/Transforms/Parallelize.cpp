//===- Parallelize.cpp - gpucost-parallelize ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Data parallelism keeps the graph of one GPU and adds what it exchanges with
// the others. docs/CostModel.md, section "Training", rules (X*).

#include "Signature.h"
#include "gpucost/Analysis/ModuleSettings.h"
#include "gpucost/Analysis/TrainingAnnotations.h"
#include "gpucost/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Support/CheckedMath.h"
#include "gpucost/Transforms/Passes.h"
#include "gpucost/Transforms/SettingOptions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace gpucost {
#define GEN_PASS_DEF_PARALLELIZEPASS
#include "gpucost/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

/// The first bucket of PyTorch's DDP is small, so that communication starts
/// early: 1 MiB.
static constexpr int64_t firstBucketBytes = int64_t(1) << 20;

namespace {
/// (X10) The GPUs that exchange gradients, and the nodes that they are in. One
/// such group for each GPU of a tensor parallel one uses the same network.
struct DataGroup {
  int64_t gpus, nodes, groups;
};
} // namespace

static int64_t bytesOf(ValueRange values) {
  int64_t bytes = 0;
  for (Value value : values)
    bytes = saturatingSum(bytes, byteCount(value.getType()).value_or(0));
  return bytes;
}

static bool isBucketCopy(OptimizerStepOp step) {
  auto phase = step->getAttrOfType<PhaseAttr>(phaseAttrName);
  return phase && phase.getValue() == Phase::Backward;
}

static bool isBackward(Operation *op) {
  auto phase = op->getAttrOfType<PhaseAttr>(phaseAttrName);
  return phase && phase.getValue() != Phase::Forward;
}

namespace {

class Parallelizer {
public:
  Parallelizer(func::FuncOp function, const Settings &settings,
               const DataGroup &group)
      : function(function), block(function.getBody().front()), group(group),
        worldSize(group.gpus), stage(settings.plan().stage),
        mainGrads(settings.mainGrads == StateFormat::FP32),
        masterWeights(settings.masterWeights == StateFormat::FP32),
        end(block.getTerminator()) {}

  void runDataParallel(int64_t bucketBytes);
  void runSharded();

private:
  CollectiveOp insert(OpBuilder &builder, CollectiveKind kind,
                      ValueRange inputs, TypeRange types, int64_t repeat);
  void replaceGradients(ArrayRef<Value> gradients, ValueRange results);
  void copyBucket(OpBuilder &builder, StringRef name, ValueRange gradients);
  Operation *findUpdate();

  /// Parameters in the order of use, by the block that first reads them.
  struct Unit {
    SmallVector<Operation *> parameters;
    Operation *firstForward = nullptr, *firstBackward = nullptr;
    SmallVector<Value> gradients;
  };
  SmallVector<Unit> findUnits();
  void gather(ArrayRef<Unit> units, bool backward);
  void scatter(Unit &unit);
  bool isDivided(Operation &op) const;
  void shardPersistent();
  void widenShards(ArrayRef<Operation *> parameters);
  llvm::DenseSet<Operation *> findTrained();
  void gatherUpdated(ArrayRef<Unit> units);

  func::FuncOp function;
  Block &block;
  DataGroup group;
  int64_t worldSize;
  /// (X11) What is divided: states (1), gradients (2), parameters (3).
  int stage;
  bool mainGrads, masterWeights;
  Operation *end;
  int64_t repeat = 1;
};

} // namespace

CollectiveOp Parallelizer::insert(OpBuilder &builder, CollectiveKind kind,
                                  ValueRange inputs, TypeRange types,
                                  int64_t repeat) {
  Location loc = inputs.front().getLoc();
  auto op =
      CollectiveOp::create(builder, loc, types, inputs, kind, bytesOf(inputs),
                           worldSize, group.nodes, group.groups);
  op->setAttr(phaseAttrName,
              PhaseAttr::get(function.getContext(), Phase::Communication));
  op->setAttr(originAttrName,
              builder.getStringAttr(stringifyCollectiveKind(kind)));
  if (repeat != 1)
    op->setAttr(accumulationCountAttrName, builder.getI64IntegerAttr(repeat));
  return op;
}

/// Whoever comes after the backward pass reads the reduced gradients.
void Parallelizer::replaceGradients(ArrayRef<Value> gradients,
                                    ValueRange results) {
  for (auto [gradient, reduced] : llvm::zip_equal(gradients, results))
    Value(gradient).replaceUsesWithIf(
        reduced, [&, result = reduced](OpOperand &use) {
          // The copy into the bucket comes before.
          return (isa<OptimizerStepOp>(use.getOwner()) &&
                  !use.getOwner()->isBeforeInBlock(result.getDefiningOp())) ||
                 use.getOwner() == end;
        });
}

/// Where the backward pass ends: the first kernel of the optimizer, or the end.
Operation *Parallelizer::findUpdate() {
  Operation *update = end;
  while (update->getPrevNode() && isa<OptimizerStepOp>(update->getPrevNode()))
    update = update->getPrevNode();
  return update;
}

/// (X1) Buckets fill in the order in which gradients become ready; each one is
/// reduced as soon as it is full.
void Parallelizer::runDataParallel(int64_t bucketBytes) {
  auto ordinals = end->getAttrOfType<DenseI64ArrayAttr>(gradientsAttrName);
  SmallVector<Value> ready(end->getOperands().take_front(
      ordinals ? ordinals.size() : end->getNumOperands()));
  llvm::erase_if(ready, [](Value v) { return !v.getDefiningOp(); });
  llvm::stable_sort(ready, [](Value a, Value b) {
    return a.getDefiningOp() != b.getDefiningOp() &&
           a.getDefiningOp()->isBeforeInBlock(b.getDefiningOp());
  });
  // Buckets are buffers of their own; main gradients (O6) are in theirs.
  OpBuilder start(&block, block.begin());
  auto isBuffer = [&](Value gradient) {
    return mainGrads &&
           isa<onnx::InPlaceAccumulatorOp>(gradient.getDefiningOp());
  };
  for (Value gradient : ready) {
    if (isBuffer(gradient))
      continue;
    OperationState state(gradient.getLoc(),
                         onnx::ParameterOp::getOperationName());
    state.addTypes(gradient.getType());
    state.addAttribute(roleAttrName, start.getStringAttr(stringifyTensorRole(
                                         TensorRole::Gradient)));
    start.create(state);
  }
  // The copies back happen once the last gradient is there.
  Operation *lastBackward = findUpdate();
  SmallVector<Value> bucket;
  int64_t filled = 0, limit = firstBucketBytes;
  auto flush = [&] {
    if (bucket.empty())
      return;
    OpBuilder builder(function.getContext());
    builder.setInsertionPointAfter(bucket.back().getDefiningOp());
    bool copies = !isBuffer(bucket.front());
    if (copies)
      copyBucket(builder, "copy into bucket", bucket);
    auto op = insert(builder,
                     stage ? CollectiveKind::ReduceScatter
                           : CollectiveKind::AllReduce,
                     bucket, ValueRange(bucket).getTypes(), 1);
    op->setAttr(inPlaceAttrName, builder.getUnitAttr());
    replaceGradients(bucket, op.getOutputs());
    builder.setInsertionPoint(lastBackward);
    if (copies)
      copyBucket(builder, "copy from bucket", op.getOutputs());
    bucket.clear();
    filled = 0;
    limit = bucketBytes;
  };
  for (Value gradient : ready) {
    bucket.push_back(gradient);
    filled += byteCount(gradient.getType()).value_or(0);
    if (filled >= limit)
      flush();
  }
  flush();
  if (!stage)
    return;
  shardPersistent();
  gatherUpdated(findUnits());
}

/// Parameters with a gradient.
llvm::DenseSet<Operation *> Parallelizer::findTrained() {
  SmallVector<Operation *> parameters;
  for (Operation &op : block)
    if (isTrainableParameter(&op))
      parameters.push_back(&op);
  llvm::DenseSet<Operation *> trained;
  auto ordinals = end->getAttrOfType<DenseI64ArrayAttr>(gradientsAttrName);
  for (int64_t ordinal : ordinals ? ordinals.asArrayRef() : ArrayRef<int64_t>())
    if (ordinal >= 0 && ordinal < static_cast<int64_t>(parameters.size()))
      trained.insert(parameters[ordinal]);
  return trained;
}

/// (X11) Each GPU sends the weights that it has updated, in the format of the
/// model, once the update is over.
void Parallelizer::gatherUpdated(ArrayRef<Unit> units) {
  OpBuilder builder(end);
  llvm::DenseSet<Operation *> trained = findTrained();
  for (const Unit &unit : units) {
    SmallVector<Value> weights;
    for (Operation *parameter : unit.parameters)
      if (trained.contains(parameter))
        weights.push_back(parameter->getResult(0));
    if (weights.empty())
      continue;
    auto op = insert(builder, CollectiveKind::AllGather, weights,
                     ValueRange(weights).getTypes(), 1);
    op->setAttr(inPlaceAttrName, builder.getUnitAttr());
  }
}

/// (O6) Shards of the weights that the optimizer updates are all that is kept.
void Parallelizer::widenShards(ArrayRef<Operation *> parameters) {
  Type single = Float32Type::get(function.getContext());
  for (Operation *parameter : parameters) {
    Value weight = parameter->getResult(0);
    auto type = dyn_cast<RankedTensorType>(weight.getType());
    if (type && type.getElementType().isIntOrFloat() &&
        type.getElementTypeBitWidth() == 16 &&
        llvm::all_of(weight.getUsers(),
                     [](Operation *user) { return isa<CollectiveOp>(user); }))
      weight.setType(type.clone(single));
  }
}

/// (X5) One kernel for each gradient of a bucket, once into it and once back.
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

SmallVector<Parallelizer::Unit> Parallelizer::findUnits() {
  SmallVector<Unit> units(1);
  llvm::DenseMap<Operation *, unsigned> unitOf;
  // Everything that leads from a parameter to its first kernel is weight
  // preparation: follow it.
  llvm::DenseMap<Value, Operation *> parameterOf;
  for (Operation &op : block) {
    if (isTrainableParameter(&op)) {
      parameterOf[op.getResult(0)] = &op;
      continue;
    }
    bool prepares = op.hasAttr("onnx.constant") || isa<onnx::CastOp>(op);
    if (isBackward(&op) && !isa<onnx::ParameterOp>(op)) {
      for (Value operand : op.getOperands())
        if (Operation *parameter = parameterOf.lookup(operand)) {
          Unit &unit = units[unitOf.lookup(parameter)];
          if (!unit.firstBackward)
            unit.firstBackward = &op;
        }
      continue;
    }
    if (isa<onnx::SoftmaxOp, onnx::AttentionOp, onnx::FusedAttentionOp>(op) &&
        !units.back().parameters.empty())
      units.emplace_back();
    for (Value operand : op.getOperands()) {
      Operation *parameter = parameterOf.lookup(operand);
      if (!parameter)
        continue;
      if (prepares && op.getNumOperands() == 1) {
        parameterOf[op.getResult(0)] = parameter;
        continue;
      }
      if (unitOf.try_emplace(parameter, units.size() - 1).second) {
        units.back().parameters.push_back(parameter);
        if (!units.back().firstForward)
          units.back().firstForward = &op;
      }
    }
  }
  return units;
}

/// (X2) The parameters of a unit are gathered while the unit before it
/// computes. Those that are only read in a lower precision travel in it.
void Parallelizer::gather(ArrayRef<Unit> units, bool backward) {
  auto firstOf = [&](const Unit &unit) {
    return backward ? unit.firstBackward : unit.firstForward;
  };
  for (auto [i, unit] : llvm::enumerate(units)) {
    if (unit.parameters.empty() || !firstOf(unit))
      continue;
    Operation *before = firstOf(unit);
    // The backward pass runs from the last unit to the first.
    size_t previous = backward ? i + 1 : i - 1;
    if (previous < units.size() && firstOf(units[previous]))
      before = firstOf(units[previous]);
    SmallVector<Value> inputs;
    SmallVector<Type> types;
    SmallVector<SmallVector<Value>> replaced;
    OpBuilder builder(before);
    for (Operation *parameter : unit.parameters) {
      Value value = parameter->getResult(0);
      SmallVector<Value> views = {value};
      Type type = value.getType();
      for (Operation *user : value.getUsers())
        if (isa<onnx::CastOp>(user)) {
          type = user->getResult(0).getType();
          views.push_back(user->getResult(0));
        }
      inputs.push_back(value);
      types.push_back(type);
      replaced.push_back(views);
    }
    auto op = insert(builder, CollectiveKind::AllGather, inputs, types, repeat);
    int64_t bytes = 0;
    for (Type type : types)
      bytes = saturatingSum(bytes, byteCount(type).value_or(0));
    op.setBytes(bytes);
    for (auto [views, result] : llvm::zip_equal(replaced, op.getOutputs()))
      for (Value view : views)
        view.replaceUsesWithIf(result, [&](OpOperand &use) {
          Operation *user = use.getOwner();
          return user != op && !isa<CollectiveOp, onnx::CastOp>(user) &&
                 user->getResultTypes() != TypeRange() &&
                 isBackward(user) == backward && !user->isBeforeInBlock(op);
        });
  }
}

/// (X3) Each GPU keeps its part of the sum; 16-bit gradients travel as such.
/// Accumulated passes add to that part.
void Parallelizer::scatter(Unit &unit) {
  SmallVector<Value> gradients, inputs;
  SmallVector<Type> types;
  Operation *last = nullptr;
  for (Value gradient : unit.gradients) {
    Operation *def = gradient.getDefiningOp();
    if (!def)
      continue;
    Value sent = gradient;
    if (isa<onnx::InPlaceAccumulatorOp>(def))
      sent = def->getOperand(1);
    // (O6) Main gradients travel in fp32, others as they were computed.
    if (auto cast = sent.getDefiningOp<onnx::CastOp>(); cast && !mainGrads)
      sent = cast->getOperand(0);
    auto type = cast<RankedTensorType>(gradient.getType());
    gradients.push_back(gradient);
    inputs.push_back(sent);
    types.push_back(RankedTensorType::get(
        {(elementCount(type).value_or(0) + worldSize - 1) / worldSize},
        type.getElementType()));
    // Sums of passes follow at the end; what is sent is ready before.
    Operation *ready = sent.getDefiningOp() ? sent.getDefiningOp() : def;
    if (!last || last->isBeforeInBlock(ready))
      last = ready;
  }
  if (inputs.empty())
    return;
  OpBuilder builder(function.getContext());
  builder.setInsertionPointAfter(last);
  auto op =
      insert(builder, CollectiveKind::ReduceScatter, inputs, types, repeat);
  // FSDP adds the parts beside the computation, which does not wait for them.
  Operation *update = findUpdate();
  for (auto [gradient, part] : llvm::zip_equal(gradients, op.getOutputs())) {
    auto sum = gradient.getDefiningOp<onnx::InPlaceAccumulatorOp>();
    if (!sum) {
      replaceGradients(gradient, part);
      continue;
    }
    sum->setOperand(1, part);
    sum->getResult(0).setType(part.getType());
    sum->moveBefore(update);
    if (Operation *buffer = sum->getOperand(0).getDefiningOp()) {
      buffer->getResult(0).setType(part.getType());
      buffer->setAttr(shardsAttrName, builder.getI64IntegerAttr(1));
    }
  }
}

/// (X11) Tensors that each GPU has a part of.
bool Parallelizer::isDivided(Operation &op) const {
  if (isTrainableParameter(&op))
    return stage == 3;
  if (!isa<onnx::ParameterOp>(op))
    return false;
  auto role = op.getAttrOfType<StringAttr>(roleAttrName);
  std::optional<TensorRole> known =
      role ? symbolizeTensorRole(role.getValue()) : std::nullopt;
  if (!known)
    return false;
  switch (*known) {
  case TensorRole::Parameter:
    return stage == 3;
  case TensorRole::Gradient:
    return stage >= 2;
  case TensorRole::OptimizerState:
    return true;
  }
  llvm_unreachable("unknown role");
}

void Parallelizer::shardPersistent() {
  OpBuilder builder(function.getContext());
  for (Operation &op : block) {
    if (isDivided(op) && !op.hasAttr(shardsAttrName))
      op.setAttr(shardsAttrName, builder.getI64IntegerAttr(worldSize));
    auto step = dyn_cast<OptimizerStepOp>(op);
    // Copies of buckets are no part of the update; a buffer of all gradients is
    // set to zero as a whole.
    if (!step || isBucketCopy(step) || (stage == 1 && !step.getReads()))
      continue;
    auto part = [&](int64_t whole) {
      return (whole + worldSize - 1) / worldSize;
    };
    step.setElements(part(step.getElements()));
    if (step.getReadBytes() && step.getWrittenBytes()) {
      step.setReadBytes(part(*step.getReadBytes()));
      step.setWrittenBytes(part(*step.getWrittenBytes()));
    }
    if (auto scratch = op.getAttrOfType<IntegerAttr>(scratchAttrName))
      op.setAttr(scratchAttrName,
                 builder.getI64IntegerAttr((scratch.getInt() + worldSize - 1) /
                                           worldSize));
  }
}

void Parallelizer::runSharded() {
  for (Operation &op : block)
    if (auto attr = op.getAttrOfType<IntegerAttr>(accumulationCountAttrName);
        attr && !isa<onnx::InPlaceAccumulatorOp>(op))
      repeat = std::max(repeat, attr.getInt());
  // What is gathered early must stand before.
  SmallVector<Operation *> parameters;
  for (Operation &op : block)
    if (isTrainableParameter(&op))
      parameters.push_back(&op);
  for (Operation *parameter : llvm::reverse(parameters))
    parameter->moveBefore(&block, block.begin());
  SmallVector<Unit> units = findUnits();
  llvm::DenseMap<Operation *, Value> gradientOf;
  auto ordinals = end->getAttrOfType<DenseI64ArrayAttr>(gradientsAttrName);
  for (auto [i, gradient] : llvm::enumerate(end->getOperands()))
    if (ordinals && i < static_cast<size_t>(ordinals.size()) &&
        ordinals[i] >= 0 &&
        ordinals[i] < static_cast<int64_t>(parameters.size()))
      gradientOf[parameters[ordinals[i]]] = gradient;
  for (Unit &unit : units)
    for (Operation *parameter : unit.parameters)
      if (Value gradient = gradientOf.lookup(parameter))
        unit.gradients.push_back(gradient);
  if (stage == 3) {
    gather(units, /*backward=*/false);
    gather(units, /*backward=*/true);
  }
  for (Unit &unit : units)
    scatter(unit);
  // Casts of gathered parameters happened before they were sent.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isa<onnx::CastOp>(op) && op.use_empty())
      op.erase();
  shardPersistent();
  if (stage < 3)
    gatherUpdated(units);
  else if (masterWeights)
    widenShards(parameters);
  updateSignature(function);
}

namespace {
struct ParallelizePass
    : public gpucost::impl::ParallelizePassBase<ParallelizePass> {
  using ParallelizePassBase::ParallelizePassBase;
  ParallelizePass() = default;
  ParallelizePass(const ParallelizePass &other) : ParallelizePassBase(other) {}

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Settings before = getSettings(module);
    if (asStated && (!before.trains() || before.plan().data == 1))
      return;
    FailureOr<Settings> settings = stateSettings(module, options.stated());
    if (failed(settings))
      return signalPassFailure();
    if (bucketMiB < 1 || bucketMiB > 1'000'000) {
      module.emitError() << "expected buckets of at least 1 MiB, but got "
                         << static_cast<int64_t>(bucketMiB);
      return signalPassFailure();
    }
    Parallelism plan = settings->plan();
    if (plan.tensor > 1 && plan.data == 1) {
      module.emitError("tensor parallelism is the business of "
                       "'gpucost-shard-tensors'; expected ddp, zero1, zero2 or "
                       "fsdp");
      return signalPassFailure();
    }
    if (plan.data == 1)
      return;
    DataGroup group{plan.data, settings->nodes,
                    settings->nodes > 1 ? plan.tensor : 1};
    if (group.gpus % group.nodes) {
      module.emitError() << "expected a number of data parallel GPUs that "
                         << group.nodes << " nodes divide, but got "
                         << group.gpus;
      return signalPassFailure();
    }
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal() ||
          !function.getBody().back().getTerminator()->hasAttr(
              gradientsAttrName))
        continue;
      Parallelizer parallelizer(function, *settings, group);
      if (plan.stage < 2)
        parallelizer.runDataParallel(bucketMiB << 20);
      else
        parallelizer.runSharded();
    }
  }

private:
  SettingOptions options{*this,
                         &Scenario::gpus,
                         &Scenario::nodes,
                         &Scenario::parallel,
                         &Scenario::mainGrads,
                         &Scenario::masterWeights};
};
} // namespace
