//===- LiftGather.cpp - Reads at positions that a tensor holds ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A body that reads a table at a position from another tensor is a Gather or a
// GatherElements.

#include "AttentionMatch.h"
#include "LiftRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

std::optional<int64_t> raising::findLoop(Value index,
                                         ArrayRef<int64_t> ranges) {
  for (int depth = 0; depth < 8; ++depth) {
    if (getNumber(index) == 0.0)
      return -1;
    Operation *def = index.getDefiningOp();
    if (auto position = dyn_cast_or_null<linalg::IndexOp>(def))
      return ranges[position.getDim()] == 1
                 ? -1
                 : static_cast<int64_t>(position.getDim());
    if (isa_and_nonnull<arith::IndexCastOp>(def)) {
      index = def->getOperand(0);
      continue;
    }
    // torch-mlir asks whether a dimension is 1, which bindings decide.
    auto select = dyn_cast_or_null<arith::SelectOp>(def);
    std::optional<double> condition =
        select ? getNumber(select.getCondition()) : std::nullopt;
    if (!condition)
      return std::nullopt;
    index = *condition != 0 ? select.getTrueValue() : select.getFalseValue();
  }
  return std::nullopt;
}

/// `x` of select(x < 0, x + size, x); null for other values.
static Value unwrapIndex(arith::SelectOp select, int64_t size) {
  Value x = select.getFalseValue();
  auto test = select.getCondition().getDefiningOp<arith::CmpIOp>();
  auto sum = select.getTrueValue().getDefiningOp<arith::AddIOp>();
  bool wraps =
      test && sum && test.getPredicate() == arith::CmpIPredicate::slt &&
      test.getLhs() == x && getNumber(test.getRhs()) == 0.0 &&
      sum.getLhs() == x && getNumber(sum.getRhs()) == static_cast<double>(size);
  return wraps ? x : Value();
}

/// The position in a dimension of `size` before it is converted, counted from
/// the start and kept within the dimension.
static Value peelBounds(Value index, int64_t size) {
  for (int depth = 0; depth < 16; ++depth) {
    Operation *def = index.getDefiningOp();
    Value inner;
    if (isa_and_nonnull<arith::IndexCastOp, arith::IndexCastUIOp,
                        arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(def))
      inner = def->getOperand(0);
    else if (isa_and_nonnull<arith::MaxSIOp>(def) &&
             getNumber(def->getOperand(1)) == 0.0)
      inner = def->getOperand(0);
    else if (isa_and_nonnull<arith::MinSIOp>(def) &&
             getNumber(def->getOperand(1)) == static_cast<double>(size - 1))
      inner = def->getOperand(0);
    else if (auto select = dyn_cast_or_null<arith::SelectOp>(def))
      inner = unwrapIndex(select, size);
    if (!inner)
      break;
    index = inner;
  }
  return index;
}

Value raising::liftGather(tensor::ExtractOp extract, ArrayRef<int64_t> ranges,
                          LiftBuilder &builder,
                          llvm::function_ref<Value(Value)> find) {
  // Dimensions of the table without those of size 1, and their loops.
  SmallVector<int64_t> shape, loopOf;
  int64_t axis = -1;
  Value computed;
  for (auto [index, size] : llvm::zip_equal(
           extract.getIndices(), extract.getTensor().getType().getShape())) {
    std::optional<int64_t> loop = findLoop(index, ranges);
    if (loop && (*loop < 0 ? size != 1 : ranges[*loop] != size))
      return {};
    if (loop && *loop < 0)
      continue;
    if (!loop) {
      if (computed)
        return {};
      computed = peelBounds(index, size);
      axis = static_cast<int64_t>(shape.size());
    }
    shape.push_back(size);
    loopOf.push_back(loop.value_or(-1));
  }
  // Positions that are computed from loops belong to resampling.
  if (!computed || !(isa<BlockArgument>(computed) ||
                     computed.getDefiningOp<tensor::ExtractOp>()))
    return {};
  Value positions = find(computed);
  if (!positions || !typeOf(positions).getElementType().isInteger())
    return {};
  SmallVector<int64_t> wide, read, sizes, readSizes;
  int64_t skipped =
      static_cast<int64_t>(ranges.size()) - typeOf(positions).getRank();
  for (auto [i, range] : llvm::enumerate(ranges)) {
    if (range == 1)
      continue;
    auto loop = static_cast<int64_t>(i);
    wide.push_back(loop);
    sizes.push_back(range);
    if (loop >= skipped &&
        typeOf(positions).getDimSize(loop - skipped) == range) {
      read.push_back(loop);
      readSizes.push_back(range);
    }
  }
  SmallVector<int64_t> order(ArrayRef(loopOf).take_front(axis));
  llvm::append_range(order, read);
  llvm::append_range(order, ArrayRef(loopOf).drop_front(axis + 1));
  bool isGather = order == wide;
  if (!isGather) {
    // One position per result, in the row of the result: along a loop, or one
    // for each row.
    if (read != wide)
      return {};
    SmallVector<int64_t> rows(loopOf);
    rows.erase(rows.begin() + axis);
    if (rows == wide) {
      sizes.insert(sizes.begin() + axis, 1);
    } else {
      if (loopOf.size() != wide.size())
        return {};
      loopOf[axis] = wide[axis];
      if (loopOf != wide)
        return {};
    }
    readSizes = sizes;
  }
  Value table = builder.createReshape(extract.getTensor(), shape);
  positions = builder.createReshape(positions, readSizes);
  RankedTensorType type = typeOf(table).clone(sizes);
  NamedAttribute attribute = builder.integer("axis", axis);
  Value result =
      isGather
          ? builder.create<onnx::GatherOp>(type, {table, positions}, attribute)
          : builder.create<onnx::GatherElementsOp>(type, {table, positions},
                                                   attribute);
  return builder.createReshape(result, ranges);
}

int64_t raising::findAxis(Operation *gather) {
  int64_t axis = onnx::getInt(gather, "axis");
  return axis < 0 ? axis + typeOf(gather->getOperand(0)).getRank() : axis;
}

std::optional<int64_t> raising::findLength(Operation *op) {
  if (!isa_and_nonnull<onnx::GatherOp, onnx::GatherElementsOp>(op) ||
      !hasStaticTensors(op))
    return std::nullopt;
  RankedTensorType table = typeOf(op->getOperand(0));
  int64_t axis = findAxis(op);
  return axis >= 0 && axis < table.getRank()
             ? std::optional(table.getDimSize(axis))
             : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Positions in a flattened tensor
//===----------------------------------------------------------------------===//

/// Whether `value` holds 0, 1, ..., size - 1.
static bool countsUp(Value value, int64_t size) {
  constexpr int64_t longest = 4096;
  value = skipReshapes(value);
  if (Value inner = unwrapTensor(value, size))
    value = inner;
  while (isa_and_nonnull<onnx::ReshapeOp, onnx::CastOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  DenseElementsAttr dense = getConstant(value);
  if (!dense || dense.getNumElements() != size || size > longest)
    return false;
  for (int64_t i = 0; i < size; ++i)
    if (getElement(dense, i) != static_cast<double>(i))
      return false;
  return true;
}

/// Whether `value` holds the strides of a tensor of `shape`.
static bool areStrides(Value value, ArrayRef<int64_t> shape) {
  DenseElementsAttr dense = getConstant(skipReshapes(value));
  if (!dense || dense.getNumElements() != static_cast<int64_t>(shape.size()))
    return false;
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0; stride *= shape[i])
    if (getElement(dense, static_cast<int64_t>(i)) !=
        static_cast<double>(stride))
      return false;
  return true;
}

/// The vector that `value`, of `shape` or with another dimension of size 1 at
/// the end, repeats along all dimensions but `dim`; null for other values.
static Value findRepeated(Value value, int64_t dim, ArrayRef<int64_t> shape) {
  auto expand = skipReshapes(value).getDefiningOp<onnx::ExpandOp>();
  if (!expand)
    return {};
  ArrayRef<int64_t> wide = typeOf(expand->getResult(0)).getShape();
  if (wide.size() == shape.size() + 1 && wide.back() == 1)
    wide = wide.drop_back();
  Value vector = expand->getOperand(0);
  RankedTensorType type = typeOf(vector);
  int64_t skipped = typeOf(expand->getResult(0)).getRank() - type.getRank();
  if (wide != shape || type.getNumElements() != shape[dim] || skipped > dim)
    return {};
  return type.getDimSize(dim - skipped) == shape[dim] ? vector : Value();
}

bool raising::splitPositions(Operation *op) {
  auto gather = dyn_cast<onnx::GatherOp>(op);
  auto flat = gather ? op->getOperand(0).getDefiningOp<onnx::ReshapeOp>()
                     : onnx::ReshapeOp();
  if (!flat || typeOf(op->getOperand(0)).getRank() != 1)
    return false;
  Value image = flat->getOperand(0);
  RankedTensorType type = typeOf(image);
  int64_t rank = type.getRank();
  auto sum = skipReshapes(op->getOperand(1)).getDefiningOp<onnx::ReduceSumOp>();
  if (!sum || rank < 2 ||
      typeOf(sum->getOperand(0)).getShape().back() != rank ||
      typeOf(sum->getResult(0)).getNumElements() * rank !=
          typeOf(sum->getOperand(0)).getNumElements())
    return false;
  auto product = skipReshapes(sum->getOperand(0)).getDefiningOp<onnx::MulOp>();
  auto parts =
      product
          ? skipReshapes(product->getOperand(0)).getDefiningOp<onnx::ConcatOp>()
          : onnx::ConcatOp();
  if (!parts || !areStrides(product->getOperand(1), type.getShape()))
    return false;
  ArrayRef<int64_t> all = typeOf(parts->getResult(0)).getShape();
  if (static_cast<int64_t>(all.size()) != rank + 1 || all.back() != rank ||
      static_cast<int64_t>(parts->getNumOperands()) != rank)
    return false;
  ArrayRef<int64_t> shape = all.drop_back();
  SmallVector<Value> vectors;
  SmallVector<int64_t> free; // dimensions with a position for each result
  for (int64_t dim = 0; dim < rank; ++dim) {
    vectors.push_back(findRepeated(parts->getOperand(dim), dim, shape));
    bool isRow =
        countsUp(vectors.back() ? vectors.back() : parts->getOperand(dim),
                 shape[dim]) &&
        type.getDimSize(dim) == shape[dim];
    if (!vectors.back() && !isRow)
      free.push_back(dim);
    if (isRow)
      vectors.back() = Value();
  }
  OpBuilder builder(op);
  Location loc = op->getLoc();
  if (!free.empty()) {
    int64_t rows = llvm::count(vectors, Value());
    if (free.size() != 1 || rows != rank)
      return false;
    Value positions =
        createReshape(builder, loc, parts->getOperand(free[0]), shape);
    Value result =
        onnx::GatherElementsOp::create(
            builder, loc, Type(type.clone(shape)), {image, positions},
            builder.getNamedAttr("axis", builder.getI64IntegerAttr(free[0])))
            ->getResult(0);
    op->getResult(0).replaceAllUsesWith(createReshape(
        builder, loc, result, typeOf(op->getResult(0)).getShape()));
    return true;
  }
  for (auto [i, vector] : llvm::enumerate(vectors)) {
    auto dim = static_cast<int64_t>(i);
    if (!vector)
      continue;
    SmallVector<int64_t> sizes(typeOf(image).getShape());
    sizes[dim] = shape[dim];
    Value positions = createReshape(builder, loc, vector, shape[dim]);
    if (isWeight(vector))
      positions.getDefiningOp()->setAttr(onnx::OnnxDialect::constantAttrName,
                                         builder.getUnitAttr());
    image =
        onnx::GatherOp::create(
            builder, loc, Type(typeOf(image).clone(sizes)), {image, positions},
            builder.getNamedAttr("axis", builder.getI64IntegerAttr(dim)))
            ->getResult(0);
  }
  op->getResult(0).replaceAllUsesWith(
      createReshape(builder, loc, image, typeOf(op->getResult(0)).getShape()));
  return true;
}
