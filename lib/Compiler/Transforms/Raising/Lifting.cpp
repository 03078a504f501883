//===- Lifting.cpp - Structured ops as operators --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lifting.h"
#include "AttentionMatch.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

//===----------------------------------------------------------------------===//
// Builder
//===----------------------------------------------------------------------===//

/// Whether `value` depends only on weights and constants.
static bool isKnown(Value value) {
  Operation *def = value.getDefiningOp();
  return def && (def->hasTrait<OpTrait::ConstantLike>() || isWeight(value));
}

Operation *LiftBuilder::add(Operation *op) {
  // The loops that it runs in.
  for (NamedAttribute attribute : original->getDiscardableAttrs())
    if (attribute.getName().strref().starts_with("gpucost."))
      op->setAttr(attribute.getName(), attribute.getValue());
  op->setAttr(liftedAttrName, builder.getDenseI32ArrayAttr(
                                  {number, static_cast<int32_t>(ops.size())}));
  // Quantised weights are dequantised at every call.
  if (op->getNumOperands() && !isDequantisation(op) &&
      llvm::all_of(op->getOperands(), isKnown))
    op->setAttr(onnx::OnnxDialect::constantAttrName, builder.getUnitAttr());
  ops.push_back(op);
  return op;
}

void LiftBuilder::abandon() {
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  ops.clear();
}

RankedTensorType LiftBuilder::broadcastType(Type element, ValueRange operands) {
  SmallVector<int64_t> shape;
  for (Value operand : operands) {
    ArrayRef<int64_t> sizes =
        cast<RankedTensorType>(operand.getType()).getShape();
    if (sizes.size() > shape.size())
      shape.insert(shape.begin(), sizes.size() - shape.size(), 1);
    for (auto [out, size] :
         llvm::zip(llvm::reverse(shape), llvm::reverse(sizes)))
      out = size == 1 ? out : size;
  }
  return RankedTensorType::get(shape, element);
}

Value LiftBuilder::createScalar(TypedAttr number) {
  Type type = number.getType();
  if (isa<IndexType>(type)) {
    type = builder.getI64Type();
    number = builder.getI64IntegerAttr(cast<IntegerAttr>(number).getInt());
  }
  auto tensor = RankedTensorType::get({}, type);
  return create<onnx::ConstantOp>(
      tensor, ValueRange(),
      builder.getNamedAttr("value", DenseElementsAttr::get(
                                        tensor, ArrayRef<Attribute>(number))));
}

Value LiftBuilder::createIntegers(ArrayRef<int64_t> numbers) {
  auto type = RankedTensorType::get(static_cast<int64_t>(numbers.size()),
                                    builder.getI64Type());
  return create<onnx::ConstantOp>(
      type, ValueRange(),
      builder.getNamedAttr("value", DenseElementsAttr::get(type, numbers)));
}

Value LiftBuilder::createCast(Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getElementType() == element
             ? value
             : create<onnx::CastOp>(type.clone(element), value);
}

Value LiftBuilder::createReshape(Value value, ArrayRef<int64_t> shape) {
  return createWithShape<onnx::ReshapeOp>(value, shape);
}

Value LiftBuilder::createKnown(Value value) {
  Value known = create<onnx::IdentityOp>(value.getType(), value);
  known.getDefiningOp()->setAttr(onnx::OnnxDialect::constantAttrName,
                                 builder.getUnitAttr());
  return known;
}

Value LiftBuilder::createExpand(Value value, ArrayRef<int64_t> shape) {
  return createWithShape<onnx::ExpandOp>(value, shape);
}

Value LiftBuilder::createTranspose(Value value, ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (int64_t source : permutation)
    shape.push_back(type.getDimSize(source));
  return create<onnx::TransposeOp>(type.clone(shape), value,
                                   integers("perm", permutation));
}

Value LiftBuilder::createPositions(ArrayRef<int64_t> ranges, unsigned loop) {
  Value bounds[3];
  for (auto [bound, number] :
       llvm::zip_equal(bounds, ArrayRef<int64_t>{0, ranges[loop], 1}))
    bound = createScalar(builder.getI64IntegerAttr(number));
  Value positions = create<onnx::RangeOp>(
      RankedTensorType::get({ranges[loop]}, builder.getI64Type()), bounds);
  SmallVector<int64_t> shape(ranges.size() - loop, 1);
  shape[0] = ranges[loop];
  return createReshape(positions, shape);
}

//===----------------------------------------------------------------------===//
// Lifting
//===----------------------------------------------------------------------===//

Lifting::~Lifting() {
  for (auto &[number, entry] : removed)
    entry.op->destroy();
}

/// The only result of `op` that is used, if all types are known; null
/// otherwise.
static OpResult findResult(Operation *op) {
  auto isStatic = [](Type type) {
    auto tensor = dyn_cast<ShapedType>(type);
    auto ranked = dyn_cast<RankedTensorType>(type);
    return !tensor || (ranked && !ranked.getEncoding() &&
                       ranked.hasStaticShape() && ranked.getNumElements() > 0);
  };
  OpResult found;
  for (OpResult result : op->getResults()) {
    if (result.use_empty())
      continue;
    if (found)
      return {};
    found = result;
  }
  return found && isa<RankedTensorType>(found.getType()) &&
                 llvm::all_of(op->getOperandTypes(), isStatic) &&
                 llvm::all_of(op->getResultTypes(), isStatic)
             ? found
             : OpResult();
}

/// Whether `op` writes a part of another tensor, as tiled loops do.
static bool updatesSlice(linalg::LinalgOp op) {
  return llvm::any_of(op.getDpsInits(), [](Value init) {
    return init.getDefiningOp<tensor::ExtractSliceOp>();
  });
}

static Value liftOp(OpResult result, LiftBuilder &builder) {
  Operation *op = result.getOwner();
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return liftTensorOp(op, builder);
  if (updatesSlice(structured))
    return {};
  if (structured.getNumDpsInits() == 1)
    for (auto *lift : {liftProduct, liftConvolution, liftPooling}) {
      if (Value value = lift(structured, builder))
        return value;
      builder.abandon();
    }
  return liftBody(structured, result.getResultNumber(), builder);
}

/// Finds where each operand of `op` is read among the `ops` that replace it.
/// False if an operand may disappear.
bool Lifting::findSources(Operation *op, ArrayRef<Operation *> ops,
                          Removed &entry) {
  for (Value operand : op->getOperands()) {
    Source source{Value(), operand.getType()};
    bool found = false;
    for (size_t i = 0; i < ops.size() && !found; ++i)
      for (unsigned k = 0; k < ops[i]->getNumOperands() && !found; ++k)
        if (ops[i]->getOperand(k) == operand) {
          source.position = i, source.operand = k;
          found = true;
        }
    if (!found) {
      Operation *def = operand.getDefiningOp();
      if (def && !isa<tensor::EmptyOp, linalg::FillOp>(def) &&
          !def->hasTrait<OpTrait::ConstantLike>())
        return false;
      source.fixed = operand;
    }
    entry.operands.push_back(source);
  }
  return true;
}

/// Views, casts of constants and the like are part of the op that reads them.
static bool isWork(Operation *op) {
  return !op->hasAttr(onnx::OnnxDialect::constantAttrName) &&
         !isa<onnx::ConstantOp, onnx::ReshapeOp, onnx::ExpandOp,
              onnx::TransposeOp, onnx::RangeOp>(op);
}

/// Ops whose absence shows that a rule has taken a part of the body. Numbers
/// and casts may be simplified.
static bool isTaken(Operation *op) {
  return isWork(op) && !isa<onnx::CastOp>(op) &&
         !llvm::all_of(op->getOperands(), [](Value operand) {
           return getScalar(operand).has_value();
         });
}

/// Whether the op is kept, to be put back if no rule takes a part of it: bodies
/// with several steps, and products whose result has a wider format.
static bool isKept(Operation *op, ArrayRef<Operation *> ops) {
  if (!isa<linalg::LinalgOp>(op) || llvm::count_if(ops, isWork) < 2)
    return false;
  bool isProduct =
      llvm::any_of(ops, llvm::IsaPred<onnx::MatMulOp, onnx::ConvOp>);
  return !isProduct || llvm::any_of(ops, [](Operation *op) {
    return isa<onnx::CastOp>(op) && isWork(op);
  });
}

/// Whether a body reads values that are computed outside.
static bool captures(Operation *op) {
  llvm::SetVector<Value> values;
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return llvm::any_of(values, [](Value value) {
    Operation *def = value.getDefiningOp();
    return !def || !def->hasTrait<OpTrait::ConstantLike>();
  });
}

/// Whether a structured op rearranges a weight, which happens once.
static bool dependsOnWeights(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  if (!structured)
    return false;
  llvm::SetVector<Value> values;
  getUsedValuesDefinedAbove(op->getRegions(), values);
  values.insert_range(structured.getDpsInputs());
  for (Value init : structured.getDpsInits())
    if (!init.getDefiningOp<tensor::EmptyOp>() &&
        !init.getDefiningOp<linalg::FillOp>())
      values.insert(init);
  return llvm::all_of(values, isKnown) && llvm::any_of(values, [](Value value) {
           RankedTensorType type = getStaticType(value);
           return type && type.getRank() > 0;
         });
}

void Lifting::replace(OpResult old, LiftBuilder &builder, Value result) {
  Operation *op = old.getOwner();
  ArrayRef<Operation *> ops = builder.getOps();
  old.replaceAllUsesWith(result);
  Removed entry{op,
                old.getResultNumber(),
                {},
                static_cast<unsigned>(llvm::count_if(ops, isTaken)),
                0};
  auto *root = llvm::find(ops, result.getDefiningOp());
  if (!isKept(op, ops) || root == ops.end() || !findSources(op, ops, entry)) {
    op->erase();
    return;
  }
  entry.root = root - ops.begin();
  op->remove();
  op->setOperands(ValueRange());
  removed[numberOfLifted] = std::move(entry);
}

void Lifting::lift() {
  liftForeignOps();
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!isa_and_nonnull<linalg::LinalgDialect, tensor::TensorDialect>(
            op.getDialect()) ||
        isa<linalg::FillOp, tensor::EmptyOp>(op))
      continue;
    OpResult old = findResult(&op);
    if (!old)
      continue;
    LiftBuilder builder(&op, ++numberOfLifted);
    Value result = liftOp(old, builder);
    // A kept op must not read values that rules replace.
    if (result && !(isKept(&op, builder.getOps()) && captures(&op))) {
      replace(old, builder, result);
      continue;
    }
    builder.abandon();
    if (dependsOnWeights(&op))
      op.setAttr(onnx::OnnxDialect::constantAttrName,
                 UnitAttr::get(op.getContext()));
  }
  if (numberOfLifted)
    simplify();
}

//===----------------------------------------------------------------------===//
// Bodies that no rule took part of
//===----------------------------------------------------------------------===//

static DenseI32ArrayAttr getLifted(Operation *op) {
  return op->getAttrOfType<DenseI32ArrayAttr>(liftedAttrName);
}

bool Lifting::areOneKernel(ArrayRef<Operation *> ops) {
  std::optional<int32_t> first;
  for (Operation *op : ops) {
    DenseI32ArrayAttr lifted = getLifted(op);
    if (!lifted || (first && *first != lifted[0]))
      return false;
    first = lifted[0];
  }
  return first.has_value();
}

/// `value` with the given type: views and casts may have been simplified.
static Value adapt(OpBuilder &builder, Location loc, Value value, Type type) {
  auto wanted = dyn_cast<RankedTensorType>(type);
  if (!wanted || value.getType() == type)
    return value;
  auto given = cast<RankedTensorType>(value.getType());
  if (given.getElementType() != wanted.getElementType())
    value = onnx::CastOp::create(
                builder, loc, Type(given.clone(wanted.getElementType())), value)
                ->getResult(0);
  if (given.getShape() == wanted.getShape())
    return value;
  if (given.getNumElements() == wanted.getNumElements())
    return createReshape(builder, loc, value, wanted.getShape());
  // An elementwise op reads before the broadcast.
  auto sizes = builder.getI64TensorAttr(wanted.getShape());
  Operation *shape = onnx::ConstantOp::create(
      builder, loc, Type(sizes.getType()), ValueRange(),
      builder.getNamedAttr("value", sizes));
  return onnx::ExpandOp::create(builder, loc, Type(wanted),
                                {value, shape->getResult(0)})
      ->getResult(0);
}

void Lifting::restore() {
  llvm::DenseMap<int32_t, SmallVector<Operation *>> left;
  for (Operation &op : block)
    if (DenseI32ArrayAttr lifted = getLifted(&op))
      left[lifted[0]].push_back(&op);
  for (auto &[number, ops] : left) {
    auto it = removed.find(number);
    if (it == removed.end() || llvm::count_if(ops, isTaken) != it->second.size)
      continue;
    Removed &entry = it->second;
    llvm::DenseMap<int32_t, Operation *> at;
    for (Operation *op : ops)
      at[getLifted(op)[1]] = op;
    llvm::sort(ops, [](Operation *a, Operation *b) {
      return getLifted(a)[1] < getLifted(b)[1];
    });
    Operation *root = at.lookup(entry.root);
    bool isComplete =
        root && llvm::all_of(entry.operands, [&](const Source &source) {
          return source.fixed || at.contains(source.position);
        });
    OpResult result = entry.op->getResult(entry.result);
    if (!isComplete || root->getResult(0).getType() != result.getType())
      continue;
    OpBuilder builder(root);
    SmallVector<Value> operands;
    for (const Source &source : entry.operands)
      operands.push_back(
          adapt(builder, root->getLoc(),
                source.fixed ? source.fixed
                             : at[source.position]->getOperand(source.operand),
                source.type));
    entry.op->setOperands(operands);
    builder.insert(entry.op);
    root->getResult(0).replaceAllUsesWith(result);
    for (Operation *op : llvm::reverse(ops))
      if (op->use_empty())
        op->erase();
    removed.erase(it);
  }
}

void Lifting::finish() {
  if (!numberOfLifted)
    return;
  narrow();
  restore();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (isOpTriviallyDead(&op))
      op.erase();
    else
      op.removeAttr(liftedAttrName);
  }
}

std::vector<std::string> Lifting::describeKept() const {
  constexpr size_t mostSteps = 4;
  std::vector<std::string> kept;
  for (Operation &op : block) {
    auto structured = dyn_cast<linalg::LinalgOp>(op);
    auto work = dyn_cast<WorkOpInterface>(op);
    if (!structured || !work || isa<linalg::FillOp>(op) ||
        llvm::is_contained(
            {CostClass::View, CostClass::Metadata, CostClass::Gather},
            work.getCostClass()))
      continue;
    llvm::SetVector<StringRef> steps;
    for (Operation &step : structured.getBlock()->without_terminator())
      if (step.getNumOperands() &&
          !isa<arith::IndexCastOp, tensor::ExtractOp>(step))
        steps.insert(step.getName().stripDialect());
    if (steps.empty())
      continue;
    ArrayRef<StringRef> shown =
        steps.getArrayRef().take_front(std::min(steps.size(), mostSteps));
    kept.push_back((op.getName().stripDialect() + " (" +
                    llvm::join(shown, ", ") +
                    (shown.size() < steps.size() ? ", ...)" : ")"))
                       .str());
  }
  return kept;
}
