//===- ShardContext.cpp - gpucost-shard-context ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Rules (X20) and (X22) of docs/CostModel.md. `gpucost-fix-shapes` has bound
// the sequence to the tokens of one GPU.

#include "ModuleNotes.h"
#include "Parallel/Sharding/ShardBlock.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Transforms/HeadGroups.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include "gpucost/Core/Scenario/PipelineLayout.h"
#include "gpucost/Core/Scenario/TrainingStack.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gpucost {
#define GEN_PASS_DEF_SHARDCONTEXTPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;
using raising::getStaticType;

static bool isRecurrence(Operation *op) {
  return isa<onnx::LinearAttentionOp, onnx::GatedDeltaNetOp,
             onnx::CausalConvWithStateOp>(op);
}

static bool mixesTokens(Operation *op) {
  auto work = dyn_cast<WorkOpInterface>(op);
  return isa<onnx::SoftmaxOp>(op) || isRecurrence(op) ||
         (work && work.getCostClass() == CostClass::Attention);
}

/// A state goes from token to token, and a cache holds whole sequences.
static LogicalResult checkTokens(Operation *op) {
  if (isRecurrence(op))
    return op->emitError("context parallelism does not support layers with a "
                         "state");
  for (Value operand : op->getOperands().drop_front())
    for (unsigned depth = 0; depth < 4; ++depth) {
      Operation *def = operand.getDefiningOp();
      if (!def)
        break;
      if (isa<onnx::InsertOp>(def))
        return op->emitError("context parallelism does not support a cache of "
                             "earlier tokens");
      if (def->getNumOperands() == 0)
        break;
      operand = def->getOperand(0);
    }
  return success();
}

/// [batch, heads, tokens, size] or [batch, tokens, heads x size].
static int64_t tokenDim(RankedTensorType type) { return type.getRank() - 2; }

/// Fails for other attention than one op on queries, keys and values.
static LogicalResult checkAttention(Operation *op) {
  if (!isa<onnx::AttentionOp, onnx::FusedAttentionOp>(op) ||
      op->getNumOperands() < 3 ||
      llvm::any_of(op->getOperands().drop_front(3),
                   [](Value v) { return isa<RankedTensorType>(v.getType()); }))
    return op->emitError("context parallelism needs attention as one op "
                         "without a mask or past keys; use --attention=flash");
  if (sharding::intOf(op, "left_window_size", -1) >= 0)
    return op->emitError("context parallelism does not support attention with "
                         "a sliding window");
  for (Value operand : op->getOperands().take_front(3)) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type || !type.hasStaticShape() || type.getRank() < 3)
      return op->emitError("context parallelism needs keys and values of known "
                           "shape");
  }
  return success();
}

namespace {

/// (X20), (X22) The heads of attention are divided among `heads` neighbours,
/// and keys and values pass round a ring of such groups.
class ContextAttention {
public:
  ContextAttention(const Settings &settings, int64_t heads)
      : heads(heads), ring(settings.plan().context / heads),
        own(settings.seq.value_or(0) / settings.plan().context),
        trains(settings.trains()),
        headSpan(spanOf(settings, heads, settings.plan().tensor)),
        ringSpan(spanOf(settings, ring, settings.plan().tensor * heads)) {}

  LogicalResult divide(Operation *op) const;

private:
  bool isCross(Operation *op) const;
  void divideHeads(Operation *op, int64_t joined) const;
  void passRound(Operation *op, int64_t joined) const;
  static RankedTensorType typeOf(Value value) {
    return cast<RankedTensorType>(value.getType());
  }
  /// `type` with other tokens and 1/`shards` of the heads.
  RankedTensorType part(Operation *op, RankedTensorType type, int64_t length,
                        int64_t shards) const {
    SmallVector<int64_t> shape(type.getShape());
    shape[lengthDim(op, type)] = length;
    shape[headDim(op, type)] /= shards;
    return type.clone(shape);
  }
  static bool tokensFirst(Operation *op) {
    auto layout = op->getAttrOfType<StringAttr>("layout");
    return layout && layout.getValue() == "BSHD";
  }
  static int64_t lengthDim(Operation *op, RankedTensorType type) {
    return type.getRank() == 4 && tokensFirst(op) ? 1 : tokenDim(type);
  }
  /// Heads, or heads x size.
  static int64_t headDim(Operation *op, RankedTensorType type) {
    if (type.getRank() == 3)
      return 2;
    return tokensFirst(op) ? 2 : 1;
  }
  Value exchange(OpBuilder &builder, Location loc, Value value,
                 RankedTensorType type, int64_t bytes) const;

  int64_t heads, ring, own;
  bool trains;
  GroupSpan headSpan, ringSpan;
};

} // namespace

Value ContextAttention::exchange(OpBuilder &builder, Location loc, Value value,
                                 RankedTensorType type, int64_t bytes) const {
  return CollectiveOp::create(builder, loc, TypeRange(Type(type)), value,
                              CollectiveKind::AllToAll, bytes, headSpan.gpus,
                              headSpan.nodes, headSpan.groups)
      .getOutputs()[0];
}

void ContextAttention::divideHeads(Operation *op, int64_t joined) const {
  OpBuilder builder(op);
  for (unsigned i : {0u, 1u, 2u}) {
    RankedTensorType type = typeOf(op->getOperand(i));
    op->setOperand(i, exchange(builder, op->getLoc(), op->getOperand(i),
                               part(op, type, own * heads + joined, heads),
                               byteCount(part(op, type, own, 1)).value_or(0)));
  }
  for (const char *name : {"q_num_heads", "kv_num_heads"})
    if (int64_t count = sharding::intOf(op, name, 0))
      op->setAttr(name, builder.getI64IntegerAttr(count / heads));
  Value result = op->getResult(0);
  RankedTensorType whole = typeOf(result);
  result.setType(part(op, whole, own * heads + joined, heads));
  builder.setInsertionPointAfter(op);
  Value back = exchange(builder, op->getLoc(), result, whole,
                        byteCount(part(op, whole, own, 1)).value_or(0));
  result.replaceAllUsesExcept(back, back.getDefiningOp());
}

/// With a causal mask, a query reads on average half of the keys; the parts are
/// chosen so that all GPUs have the same work.
void ContextAttention::passRound(Operation *op, int64_t joined) const {
  bool isCausal = sharding::intOf(op, "is_causal", 0) != 0;
  OpBuilder builder(op);
  for (unsigned i : {1u, 2u}) {
    Value own = op->getOperand(i);
    RankedTensorType type = typeOf(own);
    int64_t each = type.getDimSize(lengthDim(op, type)) - joined;
    int64_t length =
        isCausal ? std::max<int64_t>(each * ring / 2, 1) : each * ring;
    int64_t bytes =
        saturatingProduct(byteCount(part(op, type, each, 1)).value_or(0), ring);
    auto passed = CollectiveOp::create(
        builder, op->getLoc(),
        TypeRange(Type(part(op, type, length + joined, 1))), own,
        CollectiveKind::AllGather, bytes, ringSpan.gpus, ringSpan.nodes,
        ringSpan.groups);
    passed->setAttr(originAttrName,
                    builder.getStringAttr(contextParallelOrigin));
    passed->setAttr(reduceGradientAttrName, builder.getI64IntegerAttr(ring));
    op->setOperand(i, passed.getOutputs()[0]);
  }
  if (isCausal)
    op->setAttr("is_causal", builder.getI64IntegerAttr(0));
}

/// Whether every GPU has all keys: attention to text, for instance.
bool ContextAttention::isCross(Operation *op) const {
  if (trains || op->getNumOperands() < 3)
    return false;
  RankedTensorType query = getStaticType(op->getOperand(0)),
                   key = getStaticType(op->getOperand(1));
  return query && key && query.getRank() > 2 && key.getRank() > 2 &&
         query.getDimSize(lengthDim(op, query)) !=
             key.getDimSize(lengthDim(op, key));
}

LogicalResult ContextAttention::divide(Operation *op) const {
  if (isCross(op))
    return success();
  if (failed(checkAttention(op)))
    return failure();
  // Every GPU also has the tokens of a text that joins those of the sequence.
  RankedTensorType query = typeOf(op->getOperand(0));
  int64_t joined = trains ? 0 : query.getDimSize(lengthDim(op, query)) - own;
  if (joined < 0)
    return success();
  for (unsigned i : {0u, 1u}) {
    RankedTensorType type = typeOf(op->getOperand(i));
    int64_t count =
        type.getRank() == 3
            ? sharding::intOf(op, i ? "kv_num_heads" : "q_num_heads", 0)
            : type.getDimSize(headDim(op, type));
    if (count % heads)
      return op->emitError()
             << "attention has " << count
             << " heads, which cannot be divided among " << heads << " GPUs";
  }
  if (heads > 1)
    divideHeads(op, joined);
  if (ring > 1)
    passRound(op, joined);
  return success();
}

namespace {
struct ShardContextPass
    : public gpucost::impl::ShardContextPassBase<ShardContextPass> {
  using ShardContextPassBase::ShardContextPassBase;
  ShardContextPass() = default;
  ShardContextPass(const ShardContextPass &other)
      : ShardContextPassBase(other) {}

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (asStated && getSettings(module).plan().context == 1)
      return;
    FailureOr<Settings> settings = stateSettings(module, options.stated());
    if (failed(settings))
      return signalPassFailure();
    Parallelism plan = settings->plan();
    if (plan.context == 1)
      return;
    auto heads = module->getAttrOfType<IntegerAttr>(headGroupAttrName);
    ContextAttention attention(*settings, heads ? heads.getInt() : 1);
    SmallVector<Operation *> found;
    module.walk([&](Operation *op) {
      if (mixesTokens(op))
        found.push_back(op);
    });
    for (Operation *op : found)
      if (failed(checkTokens(op)) || failed(attention.divide(op)))
        return signalPassFailure();
    note(module, *settings);
  }

private:
  static void note(ModuleOp module, const Settings &settings) {
    int64_t gpus = settings.plan().context, all = settings.seq.value_or(0);
    addNote(module,
            "context parallelism: each GPU has " + std::to_string(all / gpus) +
                " of the " + std::to_string(all) + " tokens of a sequence",
            parallelNotesAttrName);
  }

  SettingOptions options{*this, &Scenario::gpus, &Scenario::nodes,
                         &Scenario::parallel, &Scenario::seq};
};
} // namespace
