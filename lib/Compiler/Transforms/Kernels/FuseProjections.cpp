//===- FuseProjections.cpp - gpucost-fuse-projections ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// (L19) Serving stacks store the weights of matmuls that read the same
// activation as one matrix (Q, K and V; gate and up), rotate queries and keys
// in one kernel before the attention, and add the partial sums of two branches
// before one all-reduce. Scenario/FrameworkRules lists the frameworks that do
// so.

#include "Raising/Matchers.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/Analysis/Kernels/LinearLayer.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include "gpucost/Core/Scenario/FrameworkRules.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace gpucost {
#define GEN_PASS_DEF_FUSEPROJECTIONSPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;
using raising::getStaticType;

namespace {
/// x W with an optional bias; `root` computes the result.
struct Projection {
  Operation *product = nullptr, *root = nullptr;
  onnx::ParameterOp weight, bias;
};
} // namespace

/// `value` as a parameter of rank `rank` with a single use; null otherwise.
static onnx::ParameterOp ownParameter(Value value, int64_t rank) {
  auto parameter = value.getDefiningOp<onnx::ParameterOp>();
  RankedTensorType type = getStaticType(value);
  return parameter && type && type.getRank() == rank && value.hasOneUse() &&
                 !parameter->hasAttr(roleAttrName)
             ? parameter
             : onnx::ParameterOp();
}

static std::optional<Projection> matchProjection(Operation *op) {
  if (!isa<onnx::MatMulOp>(op) || op->getNumOperands() != 2 ||
      op->hasAttr(tripCountAttrName) || !getStaticType(op->getOperand(0)) ||
      !getStaticType(op->getResult(0)))
    return std::nullopt;
  Projection found{op, op, ownParameter(op->getOperand(1), 2), {}};
  if (!found.weight)
    return std::nullopt;
  Operation *user =
      op->getResult(0).hasOneUse() ? *op->getResult(0).user_begin() : nullptr;
  if (!user || findProductOfBias(user) != op)
    return found;
  unsigned side = user->getOperand(0) == op->getResult(0) ? 1 : 0;
  found.bias = ownParameter(user->getOperand(side), 1);
  found.root = user;
  return found.bias ? std::optional(found) : std::nullopt;
}

/// One parameter for `parts`, concatenated along their last dimension.
static Value join(OpBuilder &builder, ArrayRef<onnx::ParameterOp> parts) {
  RankedTensorType first = getStaticType(parts.front()->getResult(0));
  SmallVector<int64_t> shape(first.getShape());
  shape.back() = 0;
  std::string name;
  for (onnx::ParameterOp part : parts) {
    shape.back() += getStaticType(part->getResult(0)).getShape().back();
    if (auto text = part->getAttrOfType<StringAttr>("name"))
      name += (name.empty() ? "" : "+") + text.getValue().str();
  }
  OperationState state(parts.front()->getLoc(),
                       onnx::ParameterOp::getOperationName());
  state.addTypes(first.clone(shape));
  state.addAttribute("name", builder.getStringAttr(name));
  return builder.create(state)->getResult(0);
}

/// Replaces matmuls with one matmul; their results are views of its columns.
static void pack(ArrayRef<Projection> parts) {
  const Projection &first = parts.front();
  OpBuilder builder(first.product);
  SmallVector<onnx::ParameterOp> weights, biases;
  int64_t columns = 0;
  for (const Projection &part : parts) {
    weights.push_back(part.weight);
    if (part.bias)
      biases.push_back(part.bias);
    columns += getStaticType(part.root->getResult(0)).getShape().back();
  }
  RankedTensorType result = getStaticType(first.root->getResult(0));
  SmallVector<int64_t> shape(result.getShape());
  shape.back() = columns;
  Location loc = first.root->getLoc();
  Type packed = result.clone(shape);
  Value weight = join(builder, weights);
  Value bias = biases.empty() ? Value() : join(builder, biases);
  Value all = onnx::MatMulOp::create(builder, loc, TypeRange(packed),
                                     {first.product->getOperand(0), weight})
                  ->getResult(0);
  if (bias)
    all = onnx::AddOp::create(builder, loc, TypeRange(packed), {all, bias})
              ->getResult(0);
  for (const Projection &part : parts) {
    Value own = part.root->getResult(0);
    own.replaceAllUsesWith(
        onnx::SliceOp::create(builder, loc, TypeRange(own.getType()), all)
            ->getResult(0));
  }
  for (const Projection &part : parts) {
    part.root->erase();
    if (part.root != part.product)
      part.product->erase();
    part.weight->erase();
    if (part.bias)
      part.bias->erase();
  }
}

static void packProjections(Block &block) {
  // Groups by activation and by the presence of a bias.
  llvm::MapVector<std::pair<Value, unsigned>, SmallVector<Projection>> groups;
  for (Operation &op : block)
    if (std::optional<Projection> found = matchProjection(&op))
      groups[{op.getOperand(0), found->bias ? 1u : 0u}].push_back(*found);
  for (auto &[key, parts] : groups)
    if (parts.size() > 1)
      pack(parts);
}

/// Moves the rotary embedding out of the attention op to a kernel before it.
static void splitRotation(onnx::GroupQueryAttentionOp op) {
  if (onnx::getInt(op, "do_rotary") == 0 || op->getNumOperands() < 3 ||
      !getStaticType(op->getOperand(0)) || !getStaticType(op->getOperand(1)) ||
      op->getNumOperands() > onnx::endOfRotaryTables)
    return;
  OpBuilder builder(op);
  Value q = op->getOperand(0), k = op->getOperand(1);
  SmallVector<Value> rotated = {q, k};
  llvm::append_range(rotated, onnx::getRotaryTables(op));
  Operation *rotation = onnx::RotaryEmbeddingOp::create(
      builder, op->getLoc(), TypeRange{q.getType(), k.getType()}, rotated);
  op->setOperands(SmallVector<Value>(op->getOperands().take_front(
      std::min(op->getNumOperands(), onnx::firstRotaryTable))));
  op->setOperand(0, rotation->getResult(0));
  op->setOperand(1, rotation->getResult(1));
  op->setAttr("do_rotary", builder.getI64IntegerAttr(0));
}

/// Erases `op` and the ops that only it used.
static void eraseDead(Operation *op) {
  SmallVector<Operation *> worklist = {op};
  while (!worklist.empty()) {
    Operation *next = worklist.pop_back_val();
    if (!isOpTriviallyDead(next))
      continue;
    SmallVector<Operation *> operands;
    for (Value operand : next->getOperands())
      if (Operation *def = operand.getDefiningOp();
          def && !llvm::is_contained(operands, def))
        operands.push_back(def);
    next->erase();
    // Duplicates in the list would be erased twice.
    for (Operation *def : operands)
      if (def->use_empty() && !llvm::is_contained(worklist, def))
        worklist.push_back(def);
  }
}

/// The value whose halves `concat` swaps, with the first one negated.
static Value findRotated(onnx::ConcatOp concat) {
  if (!concat || concat->getNumOperands() != 2)
    return {};
  auto negated = concat->getOperand(0).getDefiningOp<onnx::NegOp>();
  auto second = negated ? negated->getOperand(0).getDefiningOp<onnx::SliceOp>()
                        : onnx::SliceOp();
  auto first = concat->getOperand(1).getDefiningOp<onnx::SliceOp>();
  bool same = first && second &&
              first->getOperand(0) == second->getOperand(0) &&
              first->getOperand(0).getType() == concat->getResult(0).getType();
  return same ? first->getOperand(0) : Value();
}

/// Fuses x cos + rotate(x) sin, the form in Hugging Face models, to one kernel.
static bool fuseRotation(onnx::AddOp sum) {
  if (sum->getNumOperands() != 2)
    return false;
  for (unsigned side : {0u, 1u}) {
    auto turned = sum->getOperand(side).getDefiningOp<onnx::MulOp>();
    auto plain = sum->getOperand(1 - side).getDefiningOp<onnx::MulOp>();
    if (!turned || !plain)
      return false;
    for (Value operand : turned->getOperands()) {
      Value x = findRotated(operand.getDefiningOp<onnx::ConcatOp>());
      if (!x || !llvm::is_contained(plain->getOperands(), x) ||
          x.getType() != sum->getResult(0).getType())
        continue;
      OpBuilder builder(sum);
      sum->getResult(0).replaceAllUsesWith(
          onnx::RotaryEmbeddingOp::create(builder, sum->getLoc(),
                                          TypeRange(x.getType()), x)
              ->getResult(0));
      return true;
    }
  }
  return false;
}

/// The rotary embedding that `value` is computed from: through views, parts of
/// a vector, and insertions into a cache; null without one.
static onnx::RotaryEmbeddingOp findRotation(Value value) {
  constexpr int longestChain = 16;
  SmallVector<Value> open = {value};
  for (int i = 0; i < longestChain && !open.empty(); ++i) {
    Operation *def = open.pop_back_val().getDefiningOp();
    if (!def)
      continue;
    if (auto rotation = dyn_cast<onnx::RotaryEmbeddingOp>(def))
      return rotation;
    if (isa<onnx::ConcatOp>(def))
      llvm::append_range(open, def->getOperands());
    else if (isa<onnx::InsertOp>(def) || getCostClass(def) == CostClass::View)
      open.push_back(def->getOperand(0));
  }
  return {};
}

/// The vectors of which `keys`, once rotated, are a part, such as the rows of a
/// latent cache; null if `keys` are used alone or another part is computed
/// after `at`. Views are moved before it.
static onnx::ConcatOp findRows(onnx::RotaryEmbeddingOp keys, Operation *at) {
  Value rotated = keys->getResult(0);
  auto rows = rotated.hasOneUse()
                  ? dyn_cast<onnx::ConcatOp>(*rotated.user_begin())
                  : onnx::ConcatOp();
  if (!rows)
    return {};
  auto exists = [&](Value value) {
    Operation *def = value.getDefiningOp();
    return value == rotated || !def || def->getBlock() != at->getBlock() ||
           def->isBeforeInBlock(at);
  };
  for (Value part : rows->getOperands()) {
    if (exists(part))
      continue;
    Operation *view = part.getDefiningOp();
    if (getCostClass(view) != CostClass::View ||
        !llvm::all_of(view->getOperands(), exists))
      return {};
    view->moveBefore(at);
  }
  return rows;
}

/// Rotates the queries and keys of `attention` in one kernel, which also writes
/// the other parts of the rows of a latent cache.
static void joinRotations(Operation *attention) {
  auto queries = findRotation(attention->getOperand(0));
  auto keys = findRotation(attention->getOperand(1));
  if (!queries || !keys || queries == keys || queries->getNumResults() != 1 ||
      keys->getNumResults() != 1 || queries->getBlock() != keys->getBlock() ||
      onnx::getInt(queries, "rotary_embedding_dim") > 0)
    return;
  Operation *earlier = queries, *later = keys;
  if (later->isBeforeInBlock(earlier))
    std::swap(earlier, later);
  if (llvm::any_of(earlier->getUsers(), [&](Operation *user) {
        return user->getBlock() != later->getBlock() ||
               user->isBeforeInBlock(later);
      }))
    return;
  onnx::ConcatOp rows = findRows(keys, later);
  Value written = rows ? rows->getResult(0) : keys->getResult(0);
  SmallVector<Value> read = {queries->getOperand(0), keys->getOperand(0)};
  llvm::append_range(read, queries->getOperands().drop_front());
  if (rows)
    for (Value part : rows->getOperands())
      if (part != keys->getResult(0))
        read.push_back(part);
  OpBuilder builder(later);
  Operation *both = onnx::RotaryEmbeddingOp::create(
      builder, queries->getLoc(),
      TypeRange{queries->getResult(0).getType(), written.getType()}, read);
  both->setDiscardableAttrs(queries->getDiscardableAttrDictionary());
  queries->getResult(0).replaceAllUsesWith(both->getResult(0));
  written.replaceAllUsesWith(both->getResult(1));
  if (rows)
    rows->erase();
  queries->erase();
  keys->erase();
}

/// The all-reduce whose result only `use` reads, through views; null without
/// one.
static CollectiveOp findSum(Value use) {
  while (Operation *def = use.hasOneUse() ? use.getDefiningOp() : nullptr) {
    if (auto sum = dyn_cast<CollectiveOp>(def))
      return sum.getKind() == CollectiveKind::AllReduce &&
                     sum.getInputs().size() == 1
                 ? sum
                 : CollectiveOp();
    if (getCostClass(def) != CostClass::View)
      break;
    use = def->getOperand(0);
  }
  return {};
}

/// Adds two partial sums before one all-reduce instead of two.
static void joinSums(onnx::AddOp add) {
  if (add->getNumOperands() != 2 ||
      add->getOperand(0).getType() != add->getOperand(1).getType())
    return;
  CollectiveOp first = findSum(add->getOperand(0));
  CollectiveOp second = findSum(add->getOperand(1));
  if (!first || !second || first == second ||
      first.getWorldSize() != second.getWorldSize())
    return;
  Value result = add->getResult(0);
  OpBuilder builder(add->getContext());
  builder.setInsertionPointAfter(add);
  auto sum = cast<CollectiveOp>(builder.clone(*second));
  sum->setOperand(0, result);
  sum.getOutputs()[0].setType(result.getType());
  result.replaceAllUsesExcept(sum.getOutputs()[0], sum);
  for (CollectiveOp each : {first, second}) {
    each.getOutputs()[0].replaceAllUsesWith(each.getInputs()[0]);
    each->erase();
  }
}

/// (K13) One kernel chooses the keys of each row.
static void chooseInOneKernel(onnx::TopKOp op) {
  if (!onnx::getInt(op, "selects_keys"))
    return;
  auto scores = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto chosen = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  int64_t axis = onnx::getInt(op, "axis");
  bool isLast = scores && (axis == -1 || axis == scores.getRank() - 1);
  // All keys: (T1).
  if (!isLast || !chosen ||
      scores.getShape().back() == chosen.getShape().back())
    return;
  OpBuilder builder(op);
  OperationState state(op->getLoc(), onnx::ChooseKeysOp::getOperationName());
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  Operation *created = builder.create(state);
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (attribute.getName().strref().starts_with("gpucost."))
      created->setAttr(attribute.getName(), attribute.getValue());
  op->replaceAllUsesWith(created);
  op->erase();
}

namespace {
struct FuseProjectionsPass
    : public gpucost::impl::FuseProjectionsPassBase<FuseProjectionsPass> {
  using FuseProjectionsPassBase::FuseProjectionsPassBase;
  FuseProjectionsPass() = default;
  FuseProjectionsPass(const FuseProjectionsPass &other)
      : FuseProjectionsPassBase(other) {}

  void runOnOperation() override {
    FailureOr<Settings> settings =
        stateSettings(getOperation(), options.stated());
    if (failed(settings))
      return signalPassFailure();
    if (!settings->fusesDecoderLayers())
      return;
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (Block &block : function.getBody()) {
        packProjections(block);
        for (auto op : llvm::make_early_inc_range(
                 block.getOps<onnx::GroupQueryAttentionOp>()))
          splitRotation(op);
        SmallVector<Operation *> rotations;
        for (auto op : block.getOps<onnx::AddOp>())
          if (fuseRotation(op))
            rotations.push_back(op);
        for (Operation *op : rotations)
          eraseDead(op);
        for (Operation &op : block)
          if (const onnx::OpInfo *info = onnx::getOpInfo(&op);
              info && info->shape == CostClass::Attention &&
              op.getNumOperands() > 1)
            joinRotations(&op);
        for (auto op : llvm::make_early_inc_range(block.getOps<onnx::AddOp>()))
          joinSums(op);
        for (auto op : llvm::make_early_inc_range(block.getOps<onnx::TopKOp>()))
          chooseInOneKernel(op);
      }
  }

private:
  SettingOptions options{*this, &Scenario::software, &Scenario::mode};
};
} // namespace
