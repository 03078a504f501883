//===- ShardSequence.cpp - gpucost-shard-sequence -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Rules (X17) and (X32) of docs/CostModel.md.

#include "Raising/Matchers.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include "gpucost/Core/Scenario/TrainingStack.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace gpucost {
#define GEN_PASS_DEF_SHARDSEQUENCEPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;
using raising::getStaticType;

/// The tokens of [batch, sequence, hidden] or [tokens, hidden].
static int64_t tokenDim(RankedTensorType type) { return type.getRank() - 2; }

static bool isOfAdapter(Operation *op) {
  auto origin = op->getAttrOfType<StringAttr>(originAttrName);
  return origin && origin.getValue() == StringRef(adapterOrigin);
}

/// An all-reduce of tensor parallelism that adds up rows of activations.
static bool isSumOfTokens(Operation &op) {
  auto sum = dyn_cast<CollectiveOp>(op);
  if (!sum || sum.getKind() != CollectiveKind::AllReduce ||
      sum.getInputs().size() != 1 || isOfAdapter(sum))
    return false;
  RankedTensorType type = getStaticType(sum.getInputs()[0]);
  Operation *def = sum.getInputs()[0].getDefiningOp();
  auto work = dyn_cast_or_null<WorkOpInterface>(def);
  return type && type.getRank() >= 2 && work &&
         work.getCostClass() != CostClass::Reduction;
}

/// Whether each token of the result depends on the same token of the operands.
static bool isPerToken(Operation *op) {
  auto work = dyn_cast<WorkOpInterface>(op);
  if (!work || isa<CollectiveOp>(op) || op->hasAttr(reduceGradientAttrName))
    return false;
  switch (work.getCostClass()) {
  case CostClass::Elementwise:
  case CostClass::RowNormalization:
    return true;
  default:
    return isa<onnx::DropoutOp, onnx::CastOp, onnx::IdentityOp>(op);
  }
}

/// Whether the matrix A of an adapter reads all of `shared`.
static bool feedsAdapter(Value shared) {
  return llvm::any_of(shared.getUsers(), [](Operation *user) {
    Value result = user->getResult(0);
    return isa<onnx::CastOp>(user)
               ? feedsAdapter(result)
               : llvm::any_of(result.getUsers(), [](Operation *reader) {
                   return isa<CollectiveOp>(reader) && isOfAdapter(reader);
                 });
  });
}

namespace {

/// The values of one block between an all-reduce and the next sharded matmul.
class SequenceRegion {
public:
  SequenceRegion(Block &block, int64_t gpus) : block(block), gpus(gpus) {}

  /// False if there is no sum to replace.
  bool find();
  /// The first value whose tokens `gpus` does not divide.
  Value findIndivisible() const;
  void apply();

private:
  /// Adds values that each token of a known value determines.
  void follow();
  /// (X32) Whether values of the region are computed from each token of
  /// `value`.
  bool leadsToRegion(Value value) const;
  void scatter(CollectiveOp sum);
  void scatterDelta(CollectiveOp whole);
  void gather(Value value, ArrayRef<OpOperand *> uses);
  void slice(OpOperand &use);
  CollectiveOp createCollective(OpBuilder &builder, Location loc,
                                CollectiveKind kind, Value input, Type type,
                                Type message);
  RankedTensorType partOf(RankedTensorType type) const {
    SmallVector<int64_t> shape(type.getShape());
    shape[tokenDim(type)] /= gpus;
    return type.clone(shape);
  }

  Block &block;
  int64_t gpus;
  SmallVector<CollectiveOp> sums, deltas;
  llvm::SetVector<Value> values;
  size_t followed = 0;
};

} // namespace

/// Whether `user` computes results from each token of an operand of `type`.
static bool keepsTokens(Operation *user, RankedTensorType type) {
  return isPerToken(user) &&
         llvm::all_of(user->getResults(), [&](Value result) {
           RankedTensorType own = getStaticType(result);
           return own && own.getRank() == type.getRank() &&
                  own.getDimSize(tokenDim(own)) ==
                      type.getDimSize(tokenDim(type));
         });
}

void SequenceRegion::follow() {
  for (; followed < values.size(); ++followed) {
    Value value = values[followed];
    for (Operation *user : value.getUsers())
      if (keepsTokens(user, getStaticType(value)))
        values.insert(user->result_begin(), user->result_end());
  }
}

bool SequenceRegion::leadsToRegion(Value value) const {
  llvm::SetVector<Value> reached;
  reached.insert(value);
  for (size_t i = 0; i < reached.size(); ++i) {
    RankedTensorType type = getStaticType(reached[i]);
    if (!type || type.getRank() < 2)
      continue;
    for (Operation *user : reached[i].getUsers()) {
      if (!keepsTokens(user, type))
        continue;
      if (values.contains(user->getResult(0)))
        return true;
      reached.insert(user->getResult(0));
    }
  }
  return false;
}

bool SequenceRegion::find() {
  for (Operation &op : block)
    if (isSumOfTokens(op)) {
      sums.push_back(cast<CollectiveOp>(op));
      values.insert(op.getResult(0));
    }
  follow();
  for (auto whole : block.getOps<CollectiveOp>())
    if (isOfAdapter(whole) && whole.getKind() == CollectiveKind::AllGather &&
        leadsToRegion(whole.getOutputs()[0])) {
      deltas.push_back(whole);
      values.insert(whole.getOutputs()[0]);
    }
  follow();
  return !sums.empty();
}

Value SequenceRegion::findIndivisible() const {
  for (Value value : values) {
    RankedTensorType type = getStaticType(value);
    if (type.getDimSize(tokenDim(type)) % gpus)
      return value;
  }
  return {};
}

CollectiveOp SequenceRegion::createCollective(OpBuilder &builder, Location loc,
                                              CollectiveKind kind, Value input,
                                              Type type, Type message) {
  auto op = CollectiveOp::create(builder, loc, TypeRange(type), input, kind,
                                 byteCount(message).value_or(0), gpus);
  op->setAttr(originAttrName, builder.getStringAttr(sequenceParallelOrigin));
  return op;
}

/// All tokens of `value` for readers outside of the region. The gradient of a
/// sharded matmul's operand is a sum over the GPUs.
void SequenceRegion::gather(Value value, ArrayRef<OpOperand *> uses) {
  RankedTensorType whole = getStaticType(value);
  OpBuilder builder(block.getParentOp()->getContext());
  CollectiveOp plain, shared;
  for (OpOperand *use : uses) {
    Operation *user = use->getOwner();
    bool sums = user->hasAttr(reduceGradientAttrName);
    CollectiveOp &op = sums ? shared : plain;
    if (!op) {
      builder.setInsertionPointAfterValue(value);
      op = createCollective(builder, user->getLoc(), CollectiveKind::AllGather,
                            value, whole, whole);
      if (sums)
        op->setAttr(reduceGradientAttrName, builder.getI64IntegerAttr(gpus));
      if (sums && feedsAdapter(user->getResult(0)))
        op->setAttr(originAttrName, builder.getStringAttr(adapterOrigin));
    }
    if (!sums) {
      use->set(op.getOutputs()[0]);
      continue;
    }
    user->getResult(0).replaceAllUsesWith(op.getOutputs()[0]);
    user->erase();
  }
}

/// The tokens of this GPU of a tensor that every GPU has.
void SequenceRegion::slice(OpOperand &use) {
  RankedTensorType type = getStaticType(use.get());
  OpBuilder builder(use.getOwner());
  OperationState state(use.getOwner()->getLoc(),
                       onnx::SliceOp::getOperationName());
  state.addTypes(partOf(type));
  state.addOperands(use.get());
  use.set(builder.create(state)->getResult(0));
}

void SequenceRegion::scatter(CollectiveOp sum) {
  OpBuilder builder(sum);
  RankedTensorType type = getStaticType(sum.getInputs()[0]);
  auto scatter =
      createCollective(builder, sum.getLoc(), CollectiveKind::ReduceScatter,
                       sum.getInputs()[0], partOf(type), type);
  sum.getOutputs()[0].replaceAllUsesWith(scatter.getOutputs()[0]);
  values.remove(sum.getOutputs()[0]);
  sum.erase();
}

/// (X32) Every GPU has the result of an adapter and keeps its tokens.
void SequenceRegion::scatterDelta(CollectiveOp whole) {
  Value all = whole.getOutputs()[0];
  OpBuilder builder(whole->getContext());
  builder.setInsertionPointAfter(whole);
  OperationState state(whole.getLoc(), onnx::SliceOp::getOperationName());
  state.addTypes(partOf(getStaticType(all)));
  state.addOperands(all);
  Operation *own = builder.create(state);
  own->setAttr(reduceGradientAttrName, builder.getI64IntegerAttr(gpus));
  own->setAttr(originAttrName, builder.getStringAttr(adapterOrigin));
  all.replaceAllUsesExcept(own->getResult(0), own);
  values.remove(all);
}

void SequenceRegion::apply() {
  llvm::MapVector<Value, SmallVector<OpOperand *>> gathered;
  SmallVector<OpOperand *> sliced;
  for (Value value : values) {
    RankedTensorType type = getStaticType(value);
    for (OpOperand &use : value.getUses())
      if (!isPerToken(use.getOwner()) ||
          !values.contains(use.getOwner()->getResult(0)))
        gathered[value].push_back(&use);
    Operation *def = value.getDefiningOp();
    for (OpOperand &operand : def->getOpOperands()) {
      RankedTensorType own = getStaticType(operand.get());
      if (!isa<CollectiveOp>(def) && own && !values.contains(operand.get()) &&
          own.getRank() >= 2 && !llvm::is_contained(sliced, &operand) &&
          own.getDimSize(tokenDim(own)) == type.getDimSize(tokenDim(type)) &&
          own.getDimSize(tokenDim(own)) > 1)
        sliced.push_back(&operand);
    }
  }
  for (OpOperand *use : sliced)
    slice(*use);
  for (auto &[value, uses] : gathered)
    gather(value, uses);
  for (CollectiveOp sum : sums)
    scatter(sum);
  for (CollectiveOp whole : deltas)
    scatterDelta(whole);
  for (Value value : values)
    value.setType(partOf(getStaticType(value)));
}

namespace {
struct ShardSequencePass
    : public gpucost::impl::ShardSequencePassBase<ShardSequencePass> {
  using ShardSequencePassBase::ShardSequencePassBase;
  ShardSequencePass() = default;
  ShardSequencePass(const ShardSequencePass &other)
      : ShardSequencePassBase(other) {}

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (asStated && !getSettings(module).sequenceParallel)
      return;
    FailureOr<Settings> settings = stateSettings(module, options.stated());
    if (failed(settings))
      return signalPassFailure();
    int64_t gpus = settings->plan().tensor;
    if (gpus == 1)
      return;
    bool found = false;
    for (auto function : module.getOps<func::FuncOp>())
      for (Block &block : function.getBody()) {
        SequenceRegion region(block, gpus);
        if (!region.find())
          continue;
        found = true;
        if (Value value = region.findIndivisible()) {
          auto type = cast<RankedTensorType>(value.getType());
          module.emitError()
              << "--sequence-parallel: " << type.getDimSize(tokenDim(type))
              << " tokens cannot be divided among " << gpus << " GPUs";
          return signalPassFailure();
        }
        region.apply();
      }
    if (!found) {
      module.emitError("--sequence-parallel: tensor parallelism adds up no "
                       "activations of this model");
      signalPassFailure();
    }
  }

private:
  SettingOptions options{*this, &Scenario::gpus, &Scenario::parallel,
                         &Scenario::sequenceParallel};
};
} // namespace
