//===- LibraryOps.cpp - Operators with several kernels --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibraryOps.h"
#include "OpExpander.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

namespace {

class LibraryOp : public OpExpander {
public:
  LibraryOp(Operation *op, const LibraryOptions &options)
      : OpExpander(op), options(options) {}

  bool run() {
    return llvm::TypeSwitch<Operation *, bool>(op)
        .Case<onnx::SoftmaxCrossEntropyLossOp,
              onnx::SoftmaxCrossEntropyLossInternalOp>(
            [&](auto) { return expandLoss(/*normalize=*/true); })
        .Case<onnx::NegativeLogLikelihoodLossOp,
              onnx::NegativeLogLikelihoodLossInternalOp,
              onnx::NegativeLogLikelihoodLossInternal2Op>(
            [&](auto) { return expandLoss(/*normalize=*/false); })
        .Case<onnx::DynamicQuantizeLinearOp>(
            [&](auto) { return expandDynamicQuantize(); })
        .Case<onnx::ContribAttentionOp>([&](auto) { return expandAttention(); })
        .Case<onnx::AttentionOp>(
            [&](auto) { return hasCache() && expandCached(); })
        .Case<onnx::MultiHeadAttentionOp>([&](auto) {
          return (options.training || hasCache()) && expandCached();
        })
        .Case<onnx::GroupQueryAttentionOp>([&](auto) {
          return (options.training || !options.hasFusedKernels ||
                  copiesCache()) &&
                 expandCached();
        })
        .Case<onnx::FlexAttentionOp>(
            [&](auto) { return !options.hasFusedKernels && expandCached(); })
        .Default([](Operation *) { return false; });
  }

private:
  RankedTensorType withShape(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, in(0).getElementType());
  }

  bool expandLoss(bool normalize);
  bool expandDynamicQuantize();
  bool expandAttention();
  bool hasCache() const;
  bool copiesCache() const;
  bool hasQuantisedCache() const;
  bool expandCached();
  Value append(Value part, unsigned cacheOperand, unsigned result);
  Value attend(ArrayRef<Value> operands, ArrayRef<NamedAttribute> attributes);
  SmallVector<Value> withTables(Value part) const;
  Value heads(Value rows, int64_t count, int64_t size);

  const LibraryOptions &options;
};

} // namespace

/// Scores [N, C, ...] and labels [N, ...]: log-softmax, then one of its
/// elements for each label.
bool LibraryOp::expandLoss(bool normalize) {
  if (!in(0) || !in(1) || !out(0) || in(0).getRank() < 2)
    return false;
  Value scores = op->getOperand(0);
  if (normalize)
    scores = create<onnx::LogSoftmaxOp>(in(0), scores, integer("axis", 1));
  if (isUsed(1))
    give(1, scores);
  if (isUsed(0))
    give(0, create<onnx::NllLossOp>(out(0), {scores, op->getOperand(1)}));
  return true;
}

/// The range of all elements, its scale and zero point, and the quantisation.
bool LibraryOp::expandDynamicQuantize() {
  if (!in(0) || op->getNumResults() != 3 || !out(0) || !out(1) || !out(2))
    return false;
  Value scale = create<onnx::ReduceMaxOp>(out(1), op->getOperand(0),
                                          integer("keepdims", 0));
  Value zero = create<onnx::CastOp>(out(2), scale);
  give(0, create<onnx::QuantizeLinearOp>(out(0),
                                         {op->getOperand(0), scale, zero}));
  give(1, scale);
  give(2, zero);
  return true;
}

/// Rows [batch, length, count * size] as [batch, count, length, size]: views.
Value LibraryOp::heads(Value rows, int64_t count, int64_t size) {
  auto type = cast<RankedTensorType>(rows.getType());
  int64_t batch = type.getDimSize(0), length = type.getDimSize(1);
  Value split =
      create<onnx::ReshapeOp>(withShape({batch, length, count, size}), rows);
  return create<onnx::TransposeOp>(
      withShape({batch, count, length, size}), split,
      builder.getNamedAttr("perm", builder.getDenseI64ArrayAttr({0, 2, 1, 3})));
}

/// One matmul computes Q, K and V; past keys and values (operand 4: [2, batch,
/// heads, past, size]) precede the new ones.
bool LibraryOp::expandAttention() {
  RankedTensorType input = in(0), weights = in(1);
  int64_t n = onnx::getInt(op, "num_heads");
  if (!input || !weights || !out(0) || input.getRank() != 3 ||
      weights.getRank() != 2 || n <= 0)
    return false;
  int64_t batch = input.getDimSize(0), length = input.getDimSize(1);
  int64_t all = weights.getDimSize(1);
  SmallVector<int64_t> sizes = {all / 3, all / 3, all / 3};
  if (auto given = onnx::findInts(op, "qkv_hidden_sizes");
      given && given->size() == 3)
    sizes.assign(given->begin(), given->end());
  bool shared = onnx::getInt(op, "past_present_share_buffer") != 0;
  RankedTensorType past = in(4);
  if (sizes[0] + sizes[1] + sizes[2] != all || sizes[0] != sizes[1] ||
      llvm::any_of(sizes,
                   [&](int64_t size) { return size <= 0 || size % n; }) ||
      shared || (past && past.getRank() != 5) ||
      (isUsed(1) && (!out(1) || sizes[1] != sizes[2])))
    return false;
  Value qkv = create<onnx::MatMulOp>(withShape({batch, length, all}),
                                     {op->getOperand(0), op->getOperand(1)});
  if (in(2))
    qkv = create<onnx::AddOp>(qkv.getType(), {qkv, op->getOperand(2)});
  SmallVector<Value> parts;
  for (int64_t size : sizes)
    parts.push_back(
        heads(create<onnx::SliceOp>(withShape({batch, length, size}), qkv), n,
              size / n));
  int64_t keys = length + (past ? past.getDimSize(3) : 0);
  if (past && out(1) && isUsed(1) && sizes[1] == sizes[2] &&
      options.cache != KvCacheMode::Concat && !options.training) {
    // (K1) Both parts are written to one buffer.
    Value cache = op->getOperand(4);
    for (unsigned i : {1, 2})
      cache = createCacheUpdate(builder, op->getLoc(), out(1), parts[i], cache,
                                options);
    for (unsigned i : {1, 2})
      parts[i] = create<onnx::SliceOp>(
          withShape({batch, n, keys, sizes[i] / n}), cache);
    give(1, cache);
  } else if (past) {
    for (unsigned i : {1, 2}) {
      int64_t size = sizes[i] / n;
      Value before = create<onnx::SliceOp>(
          withShape({batch, n, past.getDimSize(3), size}), op->getOperand(4));
      parts[i] = create<onnx::ConcatOp>(withShape({batch, n, keys, size}),
                                        {before, parts[i]}, integer("axis", 2));
    }
  }
  if (isUsed(1) && out(1) && sizes[1] == sizes[2]) {
    auto type = withShape({1, batch, n, keys, sizes[1] / n});
    give(1, create<onnx::ConcatOp>(out(1),
                                   {create<onnx::ReshapeOp>(type, parts[1]),
                                    create<onnx::ReshapeOp>(type, parts[2])},
                                   integer("axis", 0)));
  }
  SmallVector<NamedAttribute> attributes;
  if (auto causal = op->getAttrOfType<IntegerAttr>("unidirectional"))
    attributes.push_back(integer("is_causal", causal.getInt()));
  if (auto scale = op->getAttrOfType<FloatAttr>("scale"))
    attributes.push_back(builder.getNamedAttr("scale", scale));
  give(0, attend(parts, attributes));
  return true;
}

/// Attention of [batch, heads, length, size] operands in the layout of result
/// 0. If the scores are used, they are the second result.
Value LibraryOp::attend(ArrayRef<Value> operands,
                        ArrayRef<NamedAttribute> attributes) {
  ArrayRef<int64_t> q =
      cast<RankedTensorType>(operands[0].getType()).getShape();
  int64_t size =
      cast<RankedTensorType>(operands[2].getType()).getShape().back();
  int64_t batch = q[0], n = q[1], length = q[2];
  SmallVector<Type> types = {withShape({batch, n, length, size})};
  if (isUsed(3))
    types.push_back(withShape(
        {batch, n, length,
         cast<RankedTensorType>(operands[1].getType()).getDimSize(2)}));
  Operation *attention =
      createOp<onnx::FusedAttentionOp>(types, operands, attributes);
  Value joined = attention->getResult(0);
  if (isUsed(3))
    give(3, create<onnx::ReshapeOp>(out(3), attention->getResult(1)));
  if (out(0).getRank() == 4)
    return joined;
  Value rows = create<onnx::TransposeOp>(
      withShape({batch, length, n, size}), joined,
      builder.getNamedAttr("perm", builder.getDenseI64ArrayAttr({0, 2, 1, 3})));
  return create<onnx::ReshapeOp>(out(0), rows);
}

/// Whether operands contain past keys and values (or lengths), or the op has
/// additional results.
bool LibraryOp::hasCache() const {
  unsigned mask = isa<onnx::MultiHeadAttentionOp>(op) ? 5 : 3;
  for (unsigned i = 3; i < op->getNumOperands(); ++i)
    if (i != mask && !isa<onnx::NoneType>(op->getOperand(i).getType()))
      return true;
  return llvm::any_of(llvm::drop_begin(op->getResults()),
                      [](Value result) { return !result.use_empty(); });
}

/// The kernel quantises new keys and values and dequantises past ones.
bool LibraryOp::hasQuantisedCache() const {
  return isa<onnx::GroupQueryAttentionOp>(op) && in(0) && in(3) &&
         in(3).getElementType() != in(0).getElementType();
}

/// (K1) The kernel appends to the cache if it has room; otherwise another
/// kernel has copied the past before.
bool LibraryOp::copiesCache() const {
  if (!in(3) || in(3).getRank() != 4 || hasQuantisedCache() ||
      !(isUsed(1) || isUsed(2)))
    return false;
  return options.cache == KvCacheMode::Concat && !onnx::updatesCacheInPlace(op);
}

/// (K1) Appends new keys and values to the past ones: copies both, or writes to
/// the buffer in place.
Value LibraryOp::append(Value part, unsigned cacheOperand, unsigned result) {
  auto type = cast<RankedTensorType>(part.getType());
  RankedTensorType cache = in(cacheOperand), present = out(result);
  if (!cache || cache.getRank() != 4)
    return part;
  Value past = op->getOperand(cacheOperand);
  if (present == cache && type != cache && isa<onnx::GroupQueryAttentionOp>(op))
    return create<onnx::InsertOp>(cache, {part, past});
  SmallVector<int64_t> shape(type.getShape());
  shape[2] += cache.getDimSize(2);
  if (options.cache != KvCacheMode::Concat && !options.training)
    return createCacheUpdate(builder, op->getLoc(), withShape(shape), part,
                             past, options);
  return create<onnx::ConcatOp>(withShape(shape), {past, part},
                                integer("axis", 2));
}

/// (K3) `part` of GroupQueryAttention, and the tables that its rotation reads.
SmallVector<Value> LibraryOp::withTables(Value part) const {
  SmallVector<Value> operands = {part};
  for (Value table : onnx::getRotaryTables(op))
    if (isa<RankedTensorType>(table.getType()))
      operands.push_back(table);
  return operands;
}

/// Moves the cache update to separate kernels; only the attention remains.
bool LibraryOp::expandCached() {
  bool multi = isa<onnx::MultiHeadAttentionOp>(op);
  bool group = isa<onnx::GroupQueryAttentionOp>(op);
  int64_t n = onnx::getInt(op, multi || group ? "num_heads" : "q_num_heads");
  int64_t kv = onnx::findInt(op, "kv_num_heads").value_or(n);
  unsigned past = multi ? 6 : group ? 3 : 4, mask = multi ? 5 : 3;
  if (!in(0) || !in(1) || !in(2) || !out(0) || op->getNumResults() > 4 ||
      hasQuantisedCache() || (isUsed(3) && !out(3)))
    return false;
  for (unsigned i = 0; i < 3; ++i) {
    int64_t own = i ? kv : n;
    if (in(i).getRank() != 4 &&
        (in(i).getRank() != 3 || own <= 0 || in(i).getDimSize(2) % own))
      return false;
  }
  SmallVector<Value> parts;
  for (unsigned i = 0; i < 3; ++i) {
    int64_t own = i ? kv : n;
    Value value = op->getOperand(i);
    if (options.training && multi && in(3) && in(i).getRank() == 3)
      value = create<onnx::AddOp>(
          in(i), {value, create<onnx::SliceOp>(
                             RankedTensorType::get({in(i).getDimSize(2)},
                                                   in(3).getElementType()),
                             op->getOperand(3))});
    parts.push_back(in(i).getRank() == 4
                        ? value
                        : heads(value, own, in(i).getDimSize(2) / own));
    if (group && i < 2 && onnx::getInt(op, "do_rotary"))
      parts[i] = create<onnx::RotaryEmbeddingOp>(parts[i].getType(),
                                                 withTables(parts[i]));
    if (i)
      parts[i] = append(parts[i], past + i - 1, i);
    if (i && isUsed(i))
      give(i, parts[i]);
  }
  if (!group && in(mask))
    parts.push_back(op->getOperand(mask));
  SmallVector<NamedAttribute> attributes;
  if (group || onnx::getInt(op, "is_causal") ||
      onnx::getInt(op, "unidirectional"))
    attributes.push_back(integer("is_causal", 1));
  for (StringRef name :
       {"scale", "softcap", "local_window_size", "left_window_size",
        "right_window_size", "selects_keys"})
    if (Attribute value = op->getAttr(name))
      attributes.push_back(builder.getNamedAttr(name, value));
  give(0, attend(parts, attributes));
  return true;
}

/// Attention with a cache in blocks reads the block table.
static void markPaged(Operation *op, int64_t block) {
  op->setAttr(cacheBlockAttrName,
              Builder(op->getContext()).getI64IntegerAttr(block));
}

Value gpucost::raising::createCacheUpdate(OpBuilder &builder, Location loc,
                                          RankedTensorType type, Value part,
                                          Value past,
                                          const LibraryOptions &options) {
  auto update =
      onnx::InsertOp::create(builder, loc, TypeRange(Type(type)), {part, past});
  if (options.cache == KvCacheMode::Paged)
    markPaged(update, options.cacheBlock);
  return update->getResult(0);
}

/// Erases `op` and tables that are no longer used.
static void eraseWithTables(Operation &op) {
  SmallVector<Operation *> tables;
  for (Value operand : op.getOperands())
    if (auto table = operand.getDefiningOp<onnx::ParameterOp>())
      tables.push_back(table);
  op.erase();
  llvm::sort(tables);
  tables.erase(llvm::unique(tables), tables.end());
  for (Operation *table : tables)
    if (isOpTriviallyDead(table))
      table->erase();
}

void gpucost::raising::expandLibraryOps(Block &block,
                                        const LibraryOptions &options) {
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
    if (LibraryOp(&op, options).run() ||
        (options.training && splitFusedOp(&op)))
      eraseWithTables(op);
}
