//===- ShardContext.cpp - gpucost-shard-context ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Rules (X20), (X22) and (X27) of docs/CostModel.md. `gpucost-fix-shapes` has
// bound the sequence to the tokens of one GPU.

#include "ModuleNotes.h"
#include "Parallel/Sharding/ShardBlock.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Dialect/Onnx/Work/Windows.h"
#include "gpucost/Compiler/Transforms/ContextCode.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include "gpucost/Core/Scenario/PipelineLayout.h"
#include "gpucost/Core/Scenario/TrainingStack.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <cmath>

namespace gpucost {
#define GEN_PASS_DEF_SHARDCONTEXTPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;
using raising::getStaticType;

static constexpr StringLiteral codeAttrName = "context.code";

void gpucost::setContextCode(ModuleOp module, ContextCode code) {
  Builder builder(module.getContext());
  module->setAttr(codeAttrName,
                  builder.getI64IntegerAttr(static_cast<int64_t>(code)));
}

ContextCode gpucost::contextCodeOf(ModuleOp module) {
  auto code = module->getAttrOfType<IntegerAttr>(codeAttrName);
  return code ? static_cast<ContextCode>(code.getInt()) : ContextCode::Plain;
}

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

/// Fails for other attention than one op on queries, keys and values. A window
/// needs all tokens on a GPU.
static LogicalResult checkAttention(Operation *op, bool hasRing) {
  if (!isa<onnx::AttentionOp, onnx::FusedAttentionOp>(op) ||
      op->getNumOperands() < 3 ||
      llvm::any_of(op->getOperands().drop_front(3),
                   [](Value v) { return isa<RankedTensorType>(v.getType()); }))
    return op->emitError("context parallelism needs attention as one op "
                         "without a mask or past keys; use --attention=flash");
  if (hasRing && sharding::intOf(op, "left_window_size", -1) >= 0)
    return op->emitError("context parallelism does not support attention with "
                         "a sliding window, except with --context=ulysses");
  for (Value operand : op->getOperands().take_front(3)) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (!type || !type.hasStaticShape() || type.getRank() < 3)
      return op->emitError("context parallelism needs keys and values of known "
                           "shape");
  }
  return success();
}

namespace {

/// (X20), (X22) The heads of attention are divided among neighbours, and keys
/// and values pass round a ring of such groups.
class ContextAttention {
public:
  ContextAttention(const Settings &settings, ContextCode code)
      : plan(settings.contextPlan()), code(code),
        own(settings.seq.value_or(0) / settings.plan().context),
        trains(settings.trains()),
        headSpan(spanOf(settings, plan.heads, settings.plan().tensor)),
        ringSpan(
            spanOf(settings, plan.ring, settings.plan().tensor * plan.heads)) {}

  LogicalResult divide(Operation *op) const;

private:
  /// Tokens of one operand: on one GPU before the exchange, for a group of
  /// heads after it, and for the whole ring.
  struct Tokens {
    int64_t own, group, all;
  };
  bool isCross(Operation *op) const;
  LogicalResult checkHeads(Operation *op) const;
  void divideHeads(Operation *op, ArrayRef<Tokens> tokens) const;
  void passRound(Operation *op, const Tokens &keys) const;
  void attendParts(Operation *op, const Tokens &keys) const;
  Value merge(OpBuilder &builder, Location loc, Value sum, Value result) const;
  Value passOn(OpBuilder &builder, Operation *op, Value value,
               int64_t part) const;
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
  /// Copies around all-to-alls are also launched for groups of one GPU.
  bool copies() const {
    return code == ContextCode::LongContext ||
           (code == ContextCode::Usp && plan.heads > 1);
  }
  static Value copyTo(OpBuilder &builder, Location loc, Value value,
                      RankedTensorType type, bool strided,
                      CopyReason reason = CopyReason::Contiguous);
  static Value copy(OpBuilder &builder, Location loc, Value value,
                    bool strided) {
    return copyTo(builder, loc, value, typeOf(value), strided);
  }
  static Value convert(OpBuilder &builder, Location loc, Value value,
                       Type element) {
    return copyTo(builder, loc, value, typeOf(value).clone(element),
                  /*strided=*/false, CopyReason::Cast);
  }
  Value exchange(OpBuilder &builder, Location loc, Value value,
                 RankedTensorType sent, RankedTensorType type) const;

  ContextPlan plan;
  ContextCode code;
  int64_t own;
  bool trains;
  GroupSpan headSpan, ringSpan;
};

} // namespace

Value ContextAttention::copyTo(OpBuilder &builder, Location loc, Value value,
                               RankedTensorType type, bool strided,
                               CopyReason reason) {
  auto made = CopyOp::create(builder, loc, type, value, reason, strided);
  made->setAttr(originAttrName, builder.getStringAttr(contextParallelOrigin));
  return made;
}

/// (X27) An all-to-all needs the part of each GPU to be contiguous, and leaves
/// parts in the order of the GPUs: a copy before and after.
Value ContextAttention::exchange(OpBuilder &builder, Location loc, Value value,
                                 RankedTensorType sent,
                                 RankedTensorType type) const {
  if (copies())
    value = copy(builder, loc, value, /*strided=*/true);
  if (plan.heads > 1) {
    auto sends = CollectiveOp::create(
        builder, loc, TypeRange(Type(type)), value, CollectiveKind::AllToAll,
        byteCount(sent).value_or(0), headSpan.gpus, headSpan.nodes,
        headSpan.groups);
    sends->setAttr(originAttrName, builder.getStringAttr(headExchangeOrigin));
    value = sends.getOutputs()[0];
  }
  return copies() ? copy(builder, loc, value, /*strided=*/true) : value;
}

void ContextAttention::divideHeads(Operation *op,
                                   ArrayRef<Tokens> tokens) const {
  OpBuilder builder(op);
  for (unsigned i : {0u, 1u, 2u}) {
    RankedTensorType type = typeOf(op->getOperand(i));
    op->setOperand(i, exchange(builder, op->getLoc(), op->getOperand(i),
                               part(op, type, tokens[i].own, 1),
                               part(op, type, tokens[i].group, plan.heads)));
  }
  for (const char *name : {"q_num_heads", "kv_num_heads"})
    if (int64_t count = sharding::intOf(op, name, 0))
      op->setAttr(name, builder.getI64IntegerAttr(count / plan.heads));
  Value result = op->getResult(0);
  RankedTensorType whole = typeOf(result);
  result.setType(part(op, whole, tokens[0].group, plan.heads));
  builder.setInsertionPointAfter(op);
  Value back = exchange(builder, op->getLoc(), result,
                        part(op, whole, tokens[0].own, 1), whole);
  llvm::SmallPtrSet<Operation *, 4> chain;
  for (Value v = back; v != result; v = v.getDefiningOp()->getOperand(0))
    chain.insert(v.getDefiningOp());
  result.replaceAllUsesExcept(back, chain);
}

/// A query reads all keys, of packed documents those in its document (A16), and
/// on average half of them with a causal mask; the parts are chosen so that all
/// GPUs have the same work.
void ContextAttention::passRound(Operation *op, const Tokens &keys) const {
  bool isCausal = sharding::intOf(op, "is_causal", 0) != 0;
  int64_t read = keys.all;
  if (PackedLengths lengths = onnx::getDocuments(op); !lengths.empty())
    read = std::llround(lengthAtToken(cutDocuments(lengths, keys.all)));
  op->removeAttr(documentsAttrName);
  OpBuilder builder(op);
  for (unsigned i : {1u, 2u}) {
    Value own = op->getOperand(i);
    RankedTensorType type = typeOf(own);
    int64_t length = isCausal ? std::max<int64_t>(read / 2, 1) : read;
    int64_t bytes = saturatingProduct(
        byteCount(part(op, type, keys.own * plan.heads, 1)).value_or(0),
        plan.ring);
    auto passed = CollectiveOp::create(
        builder, op->getLoc(), TypeRange(Type(part(op, type, length, 1))), own,
        CollectiveKind::AllGather, bytes, ringSpan.gpus, ringSpan.nodes,
        ringSpan.groups);
    if (!plan.gathers)
      passed->setAttr(originAttrName,
                      builder.getStringAttr(contextParallelOrigin));
    passed->setAttr(reduceGradientAttrName,
                    builder.getI64IntegerAttr(plan.ring));
    op->setOperand(i, passed.getOutputs()[0]);
  }
  if (isCausal)
    op->setAttr("is_causal", builder.getI64IntegerAttr(0));
}

/// Keys or values of the next part of the ring: a message from one neighbour,
/// or with `Usp` one gather before the second part, for which it copies the
/// keys and values of every part.
Value ContextAttention::passOn(OpBuilder &builder, Operation *op, Value value,
                               int64_t part) const {
  RankedTensorType type = typeOf(value);
  bool isGather = code == ContextCode::Usp;
  if (isGather)
    value = copy(builder, op->getLoc(), value, /*strided=*/false);
  if (isGather && part > 1)
    return value;
  auto passed = CollectiveOp::create(
      builder, op->getLoc(), TypeRange(Type(type)), value,
      isGather ? CollectiveKind::AllGather : CollectiveKind::SendRecv,
      saturatingProduct(byteCount(type).value_or(0), isGather ? plan.ring : 1),
      ringSpan.gpus, ringSpan.nodes, ringSpan.groups);
  passed->setAttr(originAttrName, builder.getStringAttr(ringStepOrigin));
  return passed.getOutputs()[0];
}

/// (X27) xDiT adds up the results of the parts in fp32: `LongContext` with one
/// fused kernel for each further part, `Usp` with separate kernels.
Value ContextAttention::merge(OpBuilder &builder, Location loc, Value sum,
                              Value result) const {
  if (!sum || code == ContextCode::Usp)
    result = convert(builder, loc, result, builder.getF32Type());
  if (!sum)
    return result;
  if (code == ContextCode::LongContext)
    return copy(builder, loc, sum, /*strided=*/false);
  auto subtract = [&](Value from, Value value) {
    return onnx::SubOp::create(builder, loc, TypeRange(from.getType()),
                               ValueRange({from, value}))
        ->getResult(0);
  };
  // A product with one factor for each row and head has one input as wide as
  // the output, like a copy.
  return subtract(sum,
                  copy(builder, loc, subtract(sum, result), /*strided=*/true));
}

/// Attention to the keys of one GPU after the other. `LongContext` first
/// copies keys and values into one tensor and back, and appends those of a text
/// to the last part.
void ContextAttention::attendParts(Operation *op, const Tokens &keys) const {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  bool isLong = code == ContextCode::LongContext;
  SmallVector<Value> own = {op->getOperand(1), op->getOperand(2)};
  for (Value &value : own) {
    if (isLong)
      value = copy(builder, loc, value, /*strided=*/false);
    if (isLong || plan.ring > 1)
      value = copyTo(builder, loc, value,
                     part(op, typeOf(value), keys.group, 1), /*strided=*/true);
  }
  Value sum, result;
  for (int64_t step = 1; step <= plan.ring; ++step) {
    SmallVector<Value> read = own;
    bool isLast = step == plan.ring;
    if (isLast && keys.all > keys.group)
      for (Value &value : read)
        value = copyTo(builder, loc, value,
                       part(op, typeOf(value), keys.all, 1), /*strided=*/false);
    Operation *attention = builder.clone(*op);
    attention->setOperands(1, 2, read);
    if (!isLast)
      for (Value &value : own)
        value = passOn(builder, op, value, step);
    result = attention->getResult(0);
    if (isLong || plan.ring > 1)
      sum = merge(builder, loc, sum, result);
  }
  if (sum)
    result = convert(builder, loc, sum, typeOf(result).getElementType());
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
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

LogicalResult ContextAttention::checkHeads(Operation *op) const {
  for (unsigned i : {0u, 1u}) {
    RankedTensorType type = typeOf(op->getOperand(i));
    int64_t count =
        type.getRank() == 3
            ? sharding::intOf(op, i ? "kv_num_heads" : "q_num_heads", 0)
            : type.getDimSize(headDim(op, type));
    if (count % plan.heads)
      return op->emitError() << "attention has " << count
                             << " heads, which cannot be divided among "
                             << plan.heads << " GPUs";
  }
  return success();
}

LogicalResult ContextAttention::divide(Operation *op) const {
  bool isText = isCross(op);
  if (isText && code != ContextCode::Usp)
    return success();
  if (failed(checkAttention(op, plan.ring > 1)))
    return failure();
  // A text whose tokens join those of the sequence: all of it on every GPU, or
  // with `Usp` a part.
  RankedTensorType query = typeOf(op->getOperand(0)),
                   key = typeOf(op->getOperand(1));
  int64_t joined = trains ? 0 : query.getDimSize(lengthDim(op, query)) - own;
  if (joined < 0)
    return success();
  if (failed(checkHeads(op)))
    return failure();
  Tokens queries = {own + joined, (own + joined) * plan.heads, 0};
  int64_t each = own;
  if (isText)
    each = std::max<int64_t>(
        key.getDimSize(lengthDim(op, key)) / (plan.heads * plan.ring), 1);
  else if (code == ContextCode::Usp)
    each += joined;
  if (code == ContextCode::Usp)
    joined = 0;
  Tokens keys = {each, each * plan.heads, each * plan.heads + joined};
  if (code == ContextCode::Plain) {
    keys = {each, keys.all, keys.group * plan.ring + joined};
    queries.group -= joined * (plan.heads - 1);
  }
  if (plan.heads > 1 || copies())
    divideHeads(op, {queries, keys, keys});
  if (code != ContextCode::Plain)
    attendParts(op, keys);
  else if (plan.ring > 1)
    passRound(op, keys);
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
    ContextAttention attention(*settings, contextCodeOf(module));
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
    ContextPlan plan = settings.contextPlan();
    std::string unseen;
    if (settings.trains() && (plan.heads > 1 || plan.gathers))
      unseen = "; attention by " + toText(plan) +
               " is unseen: no public measurement";
    addNote(module,
            "context parallelism: each GPU has " + std::to_string(all / gpus) +
                " of the " + std::to_string(all) + " tokens of a sequence" +
                unseen,
            parallelNotesAttrName);
  }

  SettingOptions options{*this,
                         &Scenario::gpus,
                         &Scenario::nodes,
                         &Scenario::parallel,
                         &Scenario::context,
                         &Scenario::seq};
};
} // namespace
