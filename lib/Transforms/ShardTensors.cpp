//===- ShardTensors.cpp - gpucost-shard-tensors ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Tensor parallelism after Megatron-LM: weight products that read the same
// activation are split by columns; their results stay divided through views,
// pointwise ops and attention until a product sums over the divided dimension.
// A group that cannot be followed to such products stays whole.
// docs/CostModel.md, rule (X4).

#include "Signature.h"
#include "gpucost/Analysis/ModuleSettings.h"
#include "gpucost/Analysis/TrainingAnnotations.h"
#include "gpucost/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Transforms/Passes.h"
#include "gpucost/Transforms/SettingOptions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include <set>

namespace gpucost {
#define GEN_PASS_DEF_SHARDTENSORSPASS
#include "gpucost/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

static RankedTensorType tensorOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type : RankedTensorType();
}

/// Made of parameters and constants alone.
static bool isWeight(Value value) {
  Operation *def = value.getDefiningOp();
  if (def && isa<onnx::CastOp>(def))
    def = def->getOperand(0).getDefiningOp();
  return def && (isa<onnx::ParameterOp>(def) || def->hasAttr("onnx.constant"));
}

/// A product of an activation with a weight matrix, not transposed.
static bool isWeightProduct(Operation *op) {
  if (!isa<onnx::MatMulOp, onnx::GemmOp>(op) || op->getNumOperands() < 2 ||
      isWeight(op->getOperand(0)) || !isWeight(op->getOperand(1)))
    return false;
  RankedTensorType weight = tensorOf(op->getOperand(1));
  auto transposed = [&](StringRef name) {
    auto attr = op->getAttrOfType<IntegerAttr>(name);
    return attr && attr.getInt();
  };
  return weight && weight.getRank() == 2 && !transposed("transA");
}

/// The activation that a product reads, before it is cast.
static Value sharedInput(Operation *op) {
  Value input = op->getOperand(0);
  auto cast = input.getDefiningOp<onnx::CastOp>();
  return cast ? cast->getOperand(0) : input;
}

static bool isTransposed(Operation *op) {
  auto attr = op->getAttrOfType<IntegerAttr>("transB");
  return attr && attr.getInt();
}

namespace {

/// One group of column-split products and what follows from splitting them.
class Plan {
public:
  using Positions = llvm::DenseMap<Operation *, unsigned>;
  Plan(const Positions &position, int64_t tensorParallelSize)
      : position(position), tensorParallelSize(tensorParallelSize) {}

  /// Follows the group; false when some op cannot work on a part.
  bool follow(ArrayRef<Operation *> columns);
  /// Changes types and inserts the collectives.
  void apply(ArrayRef<Operation *> columns);

private:
  bool split(Value value, int64_t dim);
  bool splitWeight(Value weight, int64_t dim);
  bool visit(Operation *op);
  bool visitPointwise(Operation *op);
  bool visitProduct(Operation *op);
  std::optional<int64_t> dimOf(Value value) const {
    auto it = dims.find(value);
    return it == dims.end() ? std::nullopt : std::optional(it->second);
  }

  const Positions &position;
  int64_t tensorParallelSize;
  std::set<std::pair<unsigned, Operation *>> pending;
  llvm::MapVector<Value, int64_t> dims; ///< divided dimension of each value
  SmallVector<Operation *> rows;        ///< products that sum over it
};

} // namespace

bool Plan::split(Value value, int64_t dim) {
  RankedTensorType type = tensorOf(value);
  if (!type || dim < 0 || dim >= type.getRank() ||
      type.getDimSize(dim) % tensorParallelSize != 0)
    return false;
  auto [it, isNew] = dims.insert({value, dim});
  if (isNew && !isWeight(value))
    for (Operation *user : value.getUsers())
      pending.insert({position.lookup(user), user});
  return isNew || it->second == dim;
}

/// A weight with the views that lead to it.
bool Plan::splitWeight(Value weight, int64_t dim) {
  Operation *def = weight.getDefiningOp();
  if (!def)
    return false;
  if (isa<onnx::ParameterOp>(def)) {
    // Another reader would still need the whole.
    return weight.hasOneUse() && split(weight, dim);
  }
  if (isa<onnx::CastOp>(def))
    return weight.hasOneUse() && split(weight, dim) &&
           splitWeight(def->getOperand(0), dim);
  if (isa<onnx::TransposeOp>(def)) {
    auto perm = def->getAttrOfType<DenseI64ArrayAttr>("perm");
    RankedTensorType type = tensorOf(weight);
    if (!type)
      return false;
    int64_t source =
        perm && dim < perm.size() ? perm[dim] : type.getRank() - 1 - dim;
    return weight.hasOneUse() && split(weight, dim) &&
           splitWeight(def->getOperand(0), source);
  }
  return false;
}

bool Plan::follow(ArrayRef<Operation *> columns) {
  for (Operation *op : columns) {
    Value result = op->getResult(0);
    RankedTensorType type = tensorOf(result);
    if (!type || !split(result, type.getRank() - 1) ||
        !splitWeight(op->getOperand(1), isTransposed(op) ? 0 : 1))
      return false;
    if (isa<onnx::GemmOp>(op) && op->getNumOperands() > 2) {
      RankedTensorType bias = tensorOf(op->getOperand(2));
      if (!bias || bias.getRank() != 1 || !splitWeight(op->getOperand(2), 0))
        return false;
    }
  }
  // Readers of divided values, in program order.
  while (!pending.empty()) {
    Operation *op = pending.begin()->second;
    pending.erase(pending.begin());
    // An output stays divided: each GPU keeps its part of a cache.
    if (llvm::is_contained(columns, op) ||
        op->hasTrait<OpTrait::IsTerminator>())
      continue;
    if (!visit(op))
      return false;
  }
  return !rows.empty();
}

/// The divided dimension, counted from the last one, is the same everywhere;
/// other operands are broadcast along it or are weights that can be divided.
bool Plan::visitPointwise(Operation *op) {
  std::optional<int64_t> fromEnd;
  for (Value operand : op->getOperands())
    if (auto dim = dimOf(operand)) {
      int64_t index = tensorOf(operand).getRank() - *dim;
      if (fromEnd && *fromEnd != index)
        return false;
      fromEnd = index;
    }
  for (Value operand : op->getOperands()) {
    RankedTensorType type = tensorOf(operand);
    if (dimOf(operand) || !type || type.getRank() < *fromEnd)
      continue;
    int64_t dim = type.getRank() - *fromEnd;
    if (type.getDimSize(dim) == 1)
      continue;
    if (!isWeight(operand) || !splitWeight(operand, dim))
      return false;
  }
  for (Value result : op->getResults()) {
    RankedTensorType type = tensorOf(result);
    if (!type || !split(result, type.getRank() - *fromEnd))
      return false;
  }
  return true;
}

bool Plan::visitProduct(Operation *op) {
  auto left = dimOf(op->getOperand(0));
  RankedTensorType a = tensorOf(op->getOperand(0));
  RankedTensorType out = tensorOf(op->getResult(0));
  if (!a || !out)
    return false;
  if (isWeightProduct(op)) {
    // Row-split: each GPU sums its part of k.
    if (!left || *left != a.getRank() - 1 ||
        !splitWeight(op->getOperand(1), isTransposed(op) ? 1 : 0))
      return false;
    rows.push_back(op);
    return true;
  }
  // A product of two activations, divided by batch or heads.
  if (!isa<onnx::MatMulOp>(op) || op->getNumOperands() < 2)
    return false;
  RankedTensorType b = tensorOf(op->getOperand(1));
  auto right = dimOf(op->getOperand(1));
  if (!b || !left || !right)
    return false;
  int64_t fromEnd = a.getRank() - *left;
  return fromEnd > 2 && b.getRank() - *right == fromEnd &&
         split(op->getResult(0), out.getRank() - fromEnd);
}

/// Where the elements of dimension `dim` of `from` are in `to`; -1 when they
/// are not the leading part of one dimension.
static int64_t reshapedDim(RankedTensorType from, RankedTensorType to,
                           int64_t dim, int64_t tensorParallelSize) {
  int64_t before = 1;
  for (int64_t i = 0; i < dim; ++i)
    before *= from.getDimSize(i);
  int64_t prefix = 1;
  for (int64_t j = 0; j < to.getRank(); ++j) {
    int64_t size = to.getDimSize(j), part = from.getDimSize(dim);
    if (prefix == before && size > 1 && size % tensorParallelSize == 0 &&
        (part % size == 0 || size % part == 0))
      return j;
    prefix *= size;
  }
  return -1;
}

bool Plan::visit(Operation *op) {
  auto work = dyn_cast<WorkOpInterface>(op);
  if (!work || op->getNumOperands() == 0)
    return false;
  CostClass shape = work.getCostClass();
  if (shape == CostClass::Elementwise || isa<onnx::DropoutOp>(op))
    return visitPointwise(op);
  if (shape == CostClass::Contraction)
    return visitProduct(op);
  auto dim = dimOf(op->getOperand(0));
  RankedTensorType in = tensorOf(op->getOperand(0));
  RankedTensorType out = tensorOf(op->getResult(0));
  if (!dim || !in || !out)
    return false;
  if (shape == CostClass::RowNormalization) // along the last dimension
    return *dim != in.getRank() - 1 && split(op->getResult(0), *dim);
  if (isa<onnx::TransposeOp>(op)) {
    auto perm = op->getAttrOfType<DenseI64ArrayAttr>("perm");
    for (int64_t i = 0; i < out.getRank(); ++i)
      if ((perm ? perm[i] : out.getRank() - 1 - i) == *dim)
        return split(op->getResult(0), i);
    return false;
  }
  if (isa<onnx::ReshapeOp, onnx::FlattenOp, onnx::SqueezeOp, onnx::UnsqueezeOp>(
          op))
    return split(op->getResult(0),
                 reshapedDim(in, out, *dim, tensorParallelSize));
  if (isa<onnx::IdentityOp, onnx::SliceOp, onnx::ExpandOp, onnx::SplitOp,
          onnx::ConcatOp>(op)) {
    if (in.getRank() != out.getRank())
      return false;
    for (Value operand : op->getOperands())
      if (isa<onnx::ConcatOp>(op) && dimOf(operand) != dim)
        return false;
    bool along = in.getDimSize(*dim) != out.getDimSize(*dim);
    // Fused query, key and value: every part is divided.
    if (along && !isa<onnx::SplitOp>(op))
      return false;
    return llvm::all_of(op->getResults(),
                        [&](Value result) { return split(result, *dim); });
  }
  if (isa<onnx::AttentionOp, onnx::FusedAttentionOp>(op)) {
    bool heads = in.getRank() == 4 && op->getNumOperands() >= 3;
    for (unsigned i = 0; heads && i < 3; ++i)
      heads = dimOf(op->getOperand(i)) == 1;
    return heads && split(op->getResult(0), 1);
  }
  return false;
}

void Plan::apply(ArrayRef<Operation *> columns) {
  for (auto [value, dim] : dims) {
    RankedTensorType type = tensorOf(value);
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] /= tensorParallelSize;
    Value(value).setType(RankedTensorType::get(shape, type.getElementType()));
  }
  // The gradient of what all parts read is a sum over them.
  // Before the first op that reads it; autocast casts it for each reader.
  Value input = sharedInput(columns.front());
  SmallVector<Operation *> readers;
  for (Operation *op : columns) {
    Operation *def = op->getOperand(0).getDefiningOp();
    readers.push_back(op->getOperand(0) == input ? op : def);
  }
  Operation *first = readers.front();
  for (Operation *op : readers)
    if (op->isBeforeInBlock(first))
      first = op;
  OpBuilder builder(first);
  OperationState state(columns.front()->getLoc(),
                       onnx::IdentityOp::getOperationName());
  state.addTypes(input.getType());
  state.addOperands(input);
  state.addAttribute(reduceGradientAttrName,
                     builder.getI64IntegerAttr(tensorParallelSize));
  Value shared = builder.create(state)->getResult(0);
  for (Operation *op : readers)
    op->setOperand(0, shared);
  for (Operation *op : rows) {
    Value part = op->getResult(0);
    builder.setInsertionPointAfter(op);
    auto sum = CollectiveOp::create(
        builder, op->getLoc(), part.getType(), part, CollectiveKind::AllReduce,
        byteCount(part.getType()).value_or(0), tensorParallelSize);
    sum->setAttr(inPlaceAttrName, builder.getUnitAttr());
    sum->setAttr(originAttrName, builder.getStringAttr("tensor parallel"));
    part.replaceAllUsesExcept(sum.getOutputs()[0], sum);
  }
}

/// Products grouped by the activation that they read, in program order.
static SmallVector<SmallVector<Operation *>> findGroups(Block &block) {
  llvm::MapVector<Value, SmallVector<Operation *>> groups;
  for (Operation &op : block)
    if (isWeightProduct(&op))
      groups[sharedInput(&op)].push_back(&op);
  SmallVector<SmallVector<Operation *>> list;
  for (auto &[input, products] : groups)
    list.push_back(products);
  return list;
}

namespace {
struct ShardTensorsPass
    : public gpucost::impl::ShardTensorsPassBase<ShardTensorsPass> {
  using ShardTensorsPassBase::ShardTensorsPassBase;
  ShardTensorsPass() = default;
  ShardTensorsPass(const ShardTensorsPass &other)
      : ShardTensorsPassBase(other) {}

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (asStated && getSettings(module).parallel != Parallelism::TP)
      return;
    Scenario stated = options.stated();
    stated.parallel = Parallelism::TP;
    FailureOr<Settings> settings = stateSettings(module, stated);
    if (failed(settings))
      return signalPassFailure();
    int64_t tensorParallelSize = settings->gpus;
    if (tensorParallelSize == 1)
      return;
    int64_t shared = 0;
    for (auto function : module.getOps<func::FuncOp>())
      for (Block &block : function.getBody()) {
        Plan::Positions position;
        for (Operation &op : block)
          position[&op] = position.size();
        for (const SmallVector<Operation *> &group : findGroups(block)) {
          // Already divided as the second product of a block.
          if (llvm::any_of(group, [&](Operation *op) {
                return llvm::any_of(
                    op->getResult(0).getUsers(),
                    [](Operation *user) { return isa<CollectiveOp>(user); });
              }))
            continue;
          Plan plan(position, tensorParallelSize);
          if (!plan.follow(group))
            continue;
          plan.apply(group);
          ++shared;
        }
        // A part of a result is what this GPU returns.
        updateSignature(function);
      }
    if (!shared) {
      module.emitError() << "no transformer block can be divided by "
                         << tensorParallelSize
                         << "; use another number of GPUs, ddp or fsdp";
      return signalPassFailure();
    }
  }

private:
  SettingOptions options{*this, &Scenario::gpus};
};
} // namespace
