//===- LiftForeign.cpp - Sums and selections of other dialects ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// torch-mlir and IREE write cumulative sums, sorts and selections as ops of
// dialects that MLIR does not register, with a body that combines or compares
// two elements:
//   tm_tensor.scan, iree_linalg_ext.scan (x, sums, total) {dimension}
//   tm_tensor.sort (keys, positions) {dimension}
//   iree_linalg_ext.topk (x, keys, positions) {dimension}

#include "Lifting.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

/// The only op of the body before its terminator, which yields its result.
static Operation *findStep(Operation *op) {
  if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock())
    return nullptr;
  Block &body = op->getRegion(0).front();
  if (body.empty() || body.back().getNumOperands() != 1)
    return nullptr;
  Operation *step = body.back().getOperand(0).getDefiningOp();
  bool isOnly = step && step->getBlock() == &body && step == &body.front() &&
                step->getNextNode() == &body.back();
  return isOnly && step->getNumOperands() == 2 && body.getNumArguments() >= 2 &&
                 step->getOperand(0) == body.getArgument(0) &&
                 step->getOperand(1) == body.getArgument(1)
             ? step
             : nullptr;
}

/// The dimension that the op works along; nullopt if its tensors are dynamic.
static std::optional<int64_t> findDimension(Operation *op) {
  auto dimension = op->getAttrOfType<IntegerAttr>("dimension");
  auto isStatic = [](Value value) { return bool(getStaticType(value)); };
  if (!dimension || op->getNumOperands() == 0 ||
      !llvm::all_of(op->getOperands(), isStatic) ||
      !llvm::all_of(op->getResults(), isStatic))
    return std::nullopt;
  int64_t dim = dimension.getInt();
  return dim >= 0 && dim < getStaticType(op->getOperand(0)).getRank()
             ? std::optional(dim)
             : std::nullopt;
}

/// Whether all elements are zero: a fill or a broadcast of a constant.
static bool isZero(Value value) {
  if (auto generic = value.getDefiningOp<linalg::GenericOp>())
    if (generic.getNumDpsInputs() == 1 &&
        generic.getBlock()->getTerminator()->getOperand(0) ==
            generic.getBlock()->getArgument(0))
      value = generic.getDpsInputOperand(0)->get();
  return getFill(value) == 0.0;
}

/// Whether each element is its position along `dim`.
static bool holdsPositions(Value value, int64_t dim) {
  auto generic = value.getDefiningOp<linalg::GenericOp>();
  if (!generic || generic.getNumDpsInputs() != 0 ||
      generic->getNumResults() != 1 ||
      !generic.getIndexingMapsArray().front().isIdentity())
    return false;
  Value yielded = generic.getBlock()->getTerminator()->getOperand(0);
  while (auto cast = yielded.getDefiningOp<arith::IndexCastOp>())
    yielded = cast.getIn();
  auto index = yielded.getDefiningOp<linalg::IndexOp>();
  return index && static_cast<int64_t>(index.getDim()) == dim;
}

/// Whether the body puts larger (1) or smaller (0) elements first.
static std::optional<int64_t> findOrder(Operation *op) {
  auto compare = dyn_cast_or_null<arith::CmpFOp>(findStep(op));
  if (!compare)
    return std::nullopt;
  StringRef predicate = stringifyEnum(compare.getPredicate()).drop_front();
  if (predicate == "gt" || predicate == "ge")
    return 1;
  if (predicate == "lt" || predicate == "le")
    return 0;
  return std::nullopt;
}

static bool liftScan(Operation *op, LiftBuilder &builder) {
  std::optional<int64_t> dim = findDimension(op);
  auto inclusive = op->getAttrOfType<BoolAttr>("inclusive");
  if (!dim || !inclusive || op->getNumOperands() != 3 ||
      op->getNumResults() != 2 || !op->getResult(1).use_empty() ||
      op->getOperand(0).getType() != op->getResult(0).getType() ||
      !isa_and_nonnull<arith::AddFOp, arith::AddIOp>(findStep(op)) ||
      !isZero(op->getOperand(2)))
    return false;
  Value axis =
      builder.createScalar(IntegerAttr::get(builder.getI64Type(), *dim));
  Value sums = builder.create<onnx::CumSumOp>(
      op->getResult(0).getType(), {op->getOperand(0), axis},
      builder.integer("exclusive", inclusive.getValue() ? 0 : 1));
  op->getResult(0).replaceAllUsesWith(sums);
  return true;
}

/// Replaces `keys` and `positions`, of one shape, with the results of a TopK.
static void select(Value x, int64_t dim, int64_t largest, TypeRange types,
                   ArrayRef<SmallVector<Value>> replaced,
                   LiftBuilder &builder) {
  int64_t count = cast<RankedTensorType>(types.front()).getDimSize(dim);
  Operation *selection = builder.createWithResults<onnx::TopKOp>(
      types, {x, builder.createIntegers(count)},
      {builder.integer("axis", dim), builder.integer("largest", largest)});
  for (auto [values, result] :
       llvm::zip_equal(replaced, selection->getResults()))
    for (Value value : values)
      value.replaceAllUsesWith(result);
}

static bool liftTopK(Operation *op, LiftBuilder &builder) {
  std::optional<int64_t> dim = findDimension(op), largest = findOrder(op);
  if (!dim || !largest || op->getNumOperands() != 3 || op->getNumResults() != 2)
    return false;
  // The results start with numbers that any element displaces.
  std::optional<double> start = getFill(op->getOperand(1));
  if (!start || !isMaskValue(*largest ? *start : -*start))
    return false;
  select(op->getOperand(0), *dim, *largest, op->getResultTypes(),
         {{op->getResult(0)}, {op->getResult(1)}}, builder);
  return true;
}

/// A sort of which only the first elements are read is a selection.
static bool liftSort(Operation *op, LiftBuilder &builder) {
  std::optional<int64_t> dim = findDimension(op), largest = findOrder(op);
  if (!dim || !largest || op->getNumOperands() != 2 ||
      op->getNumResults() != 2 || !holdsPositions(op->getOperand(1), *dim))
    return false;
  RankedTensorType whole = getStaticType(op->getResult(0));
  std::optional<int64_t> count;
  SmallVector<SmallVector<Value>> replaced(2);
  for (OpResult result : op->getResults())
    for (Operation *user : result.getUsers()) {
      auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
      SmallVector<int64_t> sizes(whole.getShape());
      if (slice)
        sizes[*dim] = slice.getStaticSizes()[*dim];
      bool isStart = slice && slice.hasUnitStride() &&
                     llvm::all_of(slice.getStaticOffsets(),
                                  [](int64_t offset) { return offset == 0; }) &&
                     slice.getType().getShape() == ArrayRef(sizes) &&
                     !ShapedType::isDynamic(sizes[*dim]);
      if (!isStart || (count && *count != sizes[*dim])) {
        count = std::nullopt;
        replaced = {{op->getResult(0)}, {op->getResult(1)}};
        select(op->getOperand(0), *dim, *largest, op->getResultTypes(),
               replaced, builder);
        return true;
      }
      count = sizes[*dim];
      replaced[result.getResultNumber()].push_back(slice.getResult());
    }
  if (!count)
    return false;
  SmallVector<int64_t> shape(whole.getShape());
  shape[*dim] = *count;
  SmallVector<Type> types;
  for (OpResult result : op->getResults())
    types.push_back(getStaticType(result).clone(shape));
  select(op->getOperand(0), *dim, *largest, types, replaced, builder);
  for (ArrayRef<Value> slices : replaced)
    for (Value slice : slices)
      slice.getDefiningOp()->erase();
  return true;
}

void Lifting::liftForeignOps() {
  SmallVector<Operation *> ops;
  for (Operation &op : block)
    if (!op.getDialect() || !op.isRegistered())
      ops.push_back(&op);
  for (Operation *op : ops) {
    StringRef name = op->getName().getStringRef();
    bool isScan = name == "tm_tensor.scan" || name == "iree_linalg_ext.scan";
    auto *lift = isScan                           ? liftScan
                 : name == "tm_tensor.sort"       ? liftSort
                 : name == "iree_linalg_ext.topk" ? liftTopK
                                                  : nullptr;
    if (!lift)
      continue;
    LiftBuilder builder(op, numberOfLifted + 1);
    if (!lift(op, builder))
      continue;
    ++numberOfLifted;
    op->erase();
  }
}
