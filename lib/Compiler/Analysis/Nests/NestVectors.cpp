//===- NestVectors.cpp - Vectors and matrix fragments of one tile ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// (J10) A vector is the part that it was read from, with the map from its
// dimensions to those of the tensor; transposes and broadcasts change the map.
// Arithmetic on vectors and on fragments of `gpu.subgroup_mma` is the
// structured op with the same loops.
//
//===----------------------------------------------------------------------===//

#include "NestReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace gpucost;

static AffineMap identity(unsigned rank, MLIRContext *context) {
  return AffineMap::getMultiDimIdentityMap(rank, context);
}

/// From the loops to the tensor, if `map` goes from the loops to the vector.
static AffineMap through(const Part &part, AffineMap map) {
  return part.map ? part.map.compose(map) : map;
}

static bool isVector(Type type) {
  return isa<VectorType, gpu::MMAMatrixType>(type);
}

static Type elementOf(Type type) {
  if (auto matrix = dyn_cast<gpu::MMAMatrixType>(type))
    return matrix.getElementType();
  return getElementTypeOrSelf(type);
}

/// `value` in the wider type that the arithmetic has: a widened vector is the
/// part that it was read from.
static Value widen(OpBuilder &builder, Location location, Value value,
                   Type type) {
  if (value.getType() == type)
    return value;
  if (isa<FloatType>(type) && isa<FloatType>(value.getType()))
    return arith::ExtFOp::create(builder, location, type, value);
  if (isa<IntegerType>(type) && isa<IntegerType>(value.getType()))
    return arith::ExtSIOp::create(builder, location, type, value);
  return {};
}

static bool canWiden(Type from, Type to) {
  return from == to ||
         (((isa<FloatType>(from) && isa<FloatType>(to)) ||
           (isa<IntegerType>(from) && isa<IntegerType>(to))) &&
          from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth());
}

void NestReader::setMap(Part &part, AffineMap map) {
  part.map = {};
  if (part.kind != Part::Data)
    return;
  Shape whole;
  llvm::SmallBitVector dropped(map.getNumResults());
  SmallVector<AffineExpr> kept;
  SmallVector<uint64_t> moving;
  PerLevel<Shape> extents;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    dropped[dim] = isa<AffineConstantExpr>(expr);
    whole.push_back(dropped[dim] ? 1 : part.extents[TileLevel::Whole][dim]);
    if (dropped[dim])
      continue;
    kept.push_back(expr);
    moving.push_back(part.moving[dim]);
    for (TileLevel level : tileLevels)
      extents[level].push_back(part.extents[level][dim]);
  }
  if (dropped.any()) {
    part.tensor = view(part.tensor, whole, dropped);
    part.moving.assign(moving.begin(), moving.end());
    part.extents = extents;
  }
  map = AffineMap::get(map.getNumDims(), 0, kept, map.getContext());
  if (!map.isIdentity())
    part.map = map;
}

/// A vector of the nest, or a constant with equal elements.
std::optional<Part> NestReader::findVector(Value value) {
  if (auto it = parts.find(value); it != parts.end())
    return it->second;
  DenseElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) || !constant.isSplat())
    return std::nullopt;
  auto element = cast<TypedAttr>(constant.getSplatValue<Attribute>());
  created.push_back(
      arith::ConstantOp::create(builder, value.getLoc(), element));
  return parts[value] = Part::filled(created.back()->getResult(0));
}

/// A read of `shape` elements at `indices`, or a write of `stored`;
/// `permutation` goes from the dimensions of `base` to those of the vector.
bool NestReader::visitTransfer(Operation *op, Value base, ValueRange indices,
                               AffineMap permutation, ArrayRef<int64_t> shape,
                               Value stored) {
  std::optional<Part> memory = find(base);
  bool isOfScalars = elementOf(base.getType()).isIntOrIndexOrFloat();
  bool isOtherRank =
      memory && memory->map && memory->map.getNumDims() != shape.size();
  if (!memory || !isOfScalars || isOtherRank)
    return fail(op);
  MLIRContext *context = op->getContext();
  Builder attributes(context);
  SmallVector<OpFoldResult> sizes(indices.size(), attributes.getIndexAttr(1));
  llvm::SmallBitVector dropped(indices.size(), true);
  SmallVector<AffineExpr> dims(indices.size());
  for (auto [i, expr] : llvm::enumerate(permutation.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      sizes[dim.getPosition()] = attributes.getIndexAttr(shape[i]);
      dropped.reset(dim.getPosition());
      dims[dim.getPosition()] = getAffineDimExpr(i, context);
    }
  llvm::erase(dims, AffineExpr());
  AffineMap map = AffineMap::get(shape.size(), 0, dims, context);
  if (!stored) {
    // A part in another order than the memory's is read as it is.
    std::optional<Part> part =
        memory->map ? (permutation.isMinorIdentity() ? memory : std::nullopt)
                    : slice(*memory, SmallVector<OpFoldResult>(indices), sizes,
                            dropped);
    if (!part)
      return fail(op);
    if (!memory->map)
      setMap(*part, map);
    parts[op->getResult(0)] = *part;
    return true;
  }
  std::optional<Part> part = findVector(stored);
  if (!part || part->kind == Part::Empty)
    return fail(op);
  if (part->kind == Part::Filled) {
    std::optional<Part> covered =
        memory->map ? memory
                    : slice(*memory, SmallVector<OpFoldResult>(indices), sizes,
                            dropped);
    if (covered && covered->kind != Part::Empty) {
      part->extents = covered->extents;
      part->moving = covered->moving;
    }
  } else {
    // From the dimensions of the memory that the vector has to the tensor.
    AffineMap order = through(*part, inversePermutation(map));
    if (!order || !order.isPermutation())
      return fail(op);
    part->map = order.isIdentity() ? AffineMap() : order;
  }
  if (op->getNumResults())
    parts[op->getResult(0)] = *part;
  else
    write(base, *part);
  return true;
}

/// The op on scalars that `op` applies to each element.
static StringRef scalarNameOf(Operation *op) {
  if (isa<vector::FMAOp>(op))
    return math::FmaOp::getOperationName();
  auto matrix = dyn_cast<gpu::SubgroupMmaElementwiseOp>(op);
  if (!matrix)
    return op->getName().getStringRef();
  return matrix.getOpType() == gpu::MMAElementwiseOp::MULF
             ? arith::MulFOp::getOperationName()
             : arith::AddFOp::getOperationName();
}

/// Arithmetic on each element; `matrix` is the type of a fragment.
bool NestReader::visitElementwise(Operation *op, gpu::MMAMatrixType matrix) {
  Type type = op->getResult(0).getType();
  Type element = elementOf(type);
  ArrayRef<int64_t> shape =
      matrix ? matrix.getShape() : cast<VectorType>(type).getShape();
  AffineMap loops = identity(shape.size(), op->getContext());
  TileOp tile(op);
  tile.sizes.assign(shape.begin(), shape.end());
  SmallVector<Value> scalars;
  for (Value operand : op->getOperands()) {
    scalars.emplace_back();
    std::optional<Part> part;
    if (isVector(operand.getType())) {
      part = findVector(operand);
      if (!part || part->kind == Part::Empty)
        return fail(op);
    }
    if (part && part->kind == Part::Data) {
      tile.add(*part, elementOf(operand.getType()), through(*part, loops));
      continue;
    }
    std::optional<Value> scalar = importScalar(part ? part->scalar : operand);
    if (!scalar)
      return fail(op);
    scalars.back() = *scalar;
  }
  if (tile.operands.empty())
    return fail(op);
  tile.firstInit = tile.operands.size();
  tile.add(Part::empty(), element, loops);
  tile.perSubgroup = matrix != nullptr;
  SmallVector<Part, 1> results =
      computeGeneric(tile, [&](OpBuilder &inner, ValueRange arguments) {
        SmallVector<Value> operands;
        size_t next = 0;
        for (auto [scalar, operand] :
             llvm::zip_equal(scalars, op->getOperands())) {
          Value value = scalar ? scalar : arguments[next++];
          operands.push_back(
              widen(inner, op->getLoc(), value, elementOf(operand.getType())));
        }
        OperationState state(op->getLoc(), scalarNameOf(op));
        state.addTypes(element);
        state.addOperands(operands);
        if (state.name == op->getName()) {
          state.addAttributes(op->getDiscardableAttrDictionary().getValue());
          state.propertiesAttr = op->getPropertiesAsAttribute();
        }
        return Value(inner.create(state)->getResult(0));
      });
  if (results.empty())
    return false;
  parts[op->getResult(0)] = results.front();
  return true;
}

/// A sum of products of two vectors; the third operand is the accumulator.
/// `maps` go from the loops to the vectors.
bool NestReader::visitContract(Operation *op, ArrayRef<Value> operands,
                               ArrayRef<AffineMap> maps) {
  TileOp tile(op);
  Type element = elementOf(op->getResult(0).getType());
  for (auto [i, operand] : llvm::enumerate(operands)) {
    std::optional<Part> part = findVector(operand);
    if (!part || (part->kind != Part::Data && i < 2) ||
        !canWiden(elementOf(operand.getType()), element))
      return fail(op);
    tile.add(*part, elementOf(operand.getType()), through(*part, maps[i]));
  }
  tile.firstInit = 2;
  tile.perSubgroup = isa<gpu::SubgroupMmaComputeOp>(op);
  SmallVector<Part, 1> results =
      computeGeneric(tile, [&](OpBuilder &inner, ValueRange arguments) {
        Location location = op->getLoc();
        Value a = widen(inner, location, arguments[0], element);
        Value b = widen(inner, location, arguments[1], element);
        if (isa<FloatType>(element))
          return arith::AddFOp::create(
                     inner, location, arguments[2],
                     arith::MulFOp::create(inner, location, a, b))
              .getResult();
        return arith::AddIOp::create(
                   inner, location, arguments[2],
                   arith::MulIOp::create(inner, location, a, b))
            .getResult();
      });
  if (results.empty())
    return false;
  results.front().map = tile.operands.back()->kind == Part::Data
                            ? tile.operands.back()->map
                            : AffineMap();
  parts[op->getResult(0)] = results.front();
  return true;
}

/// A product that only a sum reads: both are one contraction.
static Operation *productOf(vector::MultiDimReductionOp sum) {
  Operation *product = sum.getSource().getDefiningOp();
  return sum.getKind() == vector::CombiningKind::ADD && product &&
                 isa<arith::MulFOp, arith::MulIOp>(product) &&
                 product->hasOneUse()
             ? product
             : nullptr;
}

static bool isPartOfSum(Operation *op) {
  if (!op->hasOneUse())
    return false;
  auto sum = dyn_cast<vector::MultiDimReductionOp>(*op->user_begin());
  return sum && productOf(sum) == op;
}

bool NestReader::visitReduction(vector::MultiDimReductionOp op) {
  auto type = dyn_cast<VectorType>(op.getResult().getType());
  if (!type)
    return fail(op);
  MLIRContext *context = op->getContext();
  SmallVector<AffineExpr> kept;
  for (auto [dim, reduced] : llvm::enumerate(op.getReductionMask()))
    if (!reduced)
      kept.push_back(getAffineDimExpr(dim, context));
  unsigned rank = op.getSourceVectorType().getRank();
  AffineMap loops = identity(rank, context);
  AffineMap result = AffineMap::get(rank, 0, kept, context);
  if (Operation *product = productOf(op)) {
    auto isData = [&](Value operand) {
      std::optional<Part> part = findVector(operand);
      return part && part->kind == Part::Data;
    };
    if (llvm::all_of(product->getOperands(), isData))
      return visitContract(
          op, {product->getOperand(0), product->getOperand(1), op.getAcc()},
          {loops, loops, result});
    if (!visitElementwise(product))
      return false;
  }
  std::optional<Part> source = findVector(op.getSource()),
                      initial = findVector(op.getAcc());
  Type element = type.getElementType();
  if (!source || source->kind != Part::Data || !initial)
    return fail(op);
  TileOp tile(op);
  tile.add(*source, element, through(*source, loops));
  tile.add(*initial, element, through(*initial, result));
  tile.firstInit = 1;
  tile.sizes.assign(op.getSourceVectorType().getShape().begin(),
                    op.getSourceVectorType().getShape().end());
  SmallVector<Part, 1> results =
      computeGeneric(tile, [&](OpBuilder &inner, ValueRange arguments) {
        return vector::makeArithReduction(
            inner, op.getLoc(), op.getKind(),
            widen(inner, op.getLoc(), arguments[0], element), arguments[1]);
      });
  if (results.empty())
    return false;
  results.front().map =
      initial->kind == Part::Data ? initial->map : AffineMap();
  parts[op->getResult(0)] = results.front();
  return true;
}

/// A vector whose dimensions are split or joined, as its tensor's are.
bool NestReader::visitSplit(vector::ShapeCastOp op) {
  VectorType from = op.getSourceVectorType(), to = op.getResultVectorType();
  bool expands = from.getRank() < to.getRank();
  auto groups = getReassociationIndicesForReshape(
      RankedTensorType::get(from.getShape(), from.getElementType()),
      RankedTensorType::get(to.getShape(), to.getElementType()));
  std::optional<Part> source = findInOrder(op.getSource(), op);
  if (!groups || from.getRank() == to.getRank() || !source)
    return fail(op);
  std::optional<Part> part = reshape(*source, *groups, to.getShape(), expands);
  if (!part)
    return fail(op);
  parts[op.getResult()] = *part;
  return true;
}

/// Transposes, broadcasts, casts between unit dimensions.
bool NestReader::visitRearrangement(Operation *op) {
  Value operand = op->getOperand(0);
  auto type = dyn_cast<VectorType>(op->getResult(0).getType());
  if (!type)
    return fail(op);
  if (!isa<VectorType>(operand.getType())) { // broadcast of a scalar
    parts[op->getResult(0)] = Part::filled(operand);
    return true;
  }
  std::optional<Part> part = findVector(operand);
  auto from = cast<VectorType>(operand.getType());
  if (!part)
    return fail(op);
  MLIRContext *context = op->getContext();
  SmallVector<AffineExpr> dims; // of `from`, by those of the result
  AffineExpr first = getAffineConstantExpr(0, context);
  if (auto transpose = dyn_cast<vector::TransposeOp>(op)) {
    dims.assign(from.getRank(), first);
    for (auto [i, dim] : llvm::enumerate(transpose.getPermutation()))
      dims[dim] = getAffineDimExpr(i, context);
  } else if (isa<vector::BroadcastOp>(op)) {
    int64_t added = type.getRank() - from.getRank();
    for (int64_t i = 0; i < from.getRank(); ++i)
      dims.push_back(from.getDimSize(i) == type.getDimSize(added + i)
                         ? getAffineDimExpr(added + i, context)
                         : first);
  } else {
    int64_t next = 0;
    for (int64_t size : from.getShape()) {
      if (size == 1) {
        dims.push_back(first);
        continue;
      }
      while (next < type.getRank() && type.getDimSize(next) == 1)
        ++next;
      if (next == type.getRank() || type.getDimSize(next) != size)
        return visitSplit(cast<vector::ShapeCastOp>(op));
      dims.push_back(getAffineDimExpr(next++, context));
    }
    while (next < type.getRank())
      if (type.getDimSize(next++) != 1)
        return visitSplit(cast<vector::ShapeCastOp>(op));
  }
  setMap(*part,
         through(*part, AffineMap::get(type.getRank(), 0, dims, context)));
  parts[op->getResult(0)] = *part;
  return true;
}

bool NestReader::visitVector(Operation *op) {
  if (auto read = dyn_cast<vector::TransferReadOp>(op))
    return visitTransfer(op, read.getBase(), read.getIndices(),
                         read.getPermutationMap(),
                         read.getVectorType().getShape(), {});
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    return visitTransfer(op, write.getBase(), write.getIndices(),
                         write.getPermutationMap(),
                         write.getVectorType().getShape(), write.getVector());
  auto minor = [&](Type base, VectorType vector) {
    return AffineMap::getMinorIdentityMap(cast<ShapedType>(base).getRank(),
                                          vector.getRank(), op->getContext());
  };
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return visitTransfer(op, load.getBase(), load.getIndices(),
                         minor(load.getBase().getType(), load.getVectorType()),
                         load.getVectorType().getShape(), {});
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return visitTransfer(
        op, store.getBase(), store.getIndices(),
        minor(store.getBase().getType(), store.getVectorType()),
        store.getVectorType().getShape(), store.getValueToStore());
  if (auto contract = dyn_cast<vector::ContractionOp>(op))
    return contract.getKind() == vector::CombiningKind::ADD
               ? visitContract(
                     op,
                     {contract.getLhs(), contract.getRhs(), contract.getAcc()},
                     contract.getIndexingMapsArray())
               : fail(op);
  if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op))
    return visitReduction(reduction);
  if (isa<vector::TransposeOp, vector::BroadcastOp, vector::ShapeCastOp>(op))
    return visitRearrangement(op);
  if (isa<vector::CreateMaskOp, vector::ConstantMaskOp, vector::YieldOp>(op))
    return true;
  if (auto mask = dyn_cast<vector::MaskOp>(op)) {
    Block &block = mask.getMaskRegion().front();
    if (!visitBlock(block))
      return false;
    for (auto [result, value] :
         llvm::zip(op->getResults(), block.getTerminator()->getOperands()))
      if (auto it = parts.find(value); it != parts.end())
        parts[result] = Part(it->second);
    return true;
  }
  if (op->getNumResults() != 1 || !isa<VectorType>(op->getResult(0).getType()))
    return fail(op);
  if (isa<arith::ExtFOp, arith::ExtSIOp>(op)) {
    std::optional<Part> part = findVector(op->getOperand(0));
    if (!part)
      return fail(op);
    parts[op->getResult(0)] = *part;
    return true;
  }
  if (!op->hasTrait<OpTrait::Elementwise>() && !isa<vector::FMAOp>(op))
    return fail(op);
  return isPartOfSum(op) || visitElementwise(op);
}

/// `gpu.subgroup_mma` on fragments of matrices.
bool NestReader::visitMatrixOp(Operation *op) {
  MLIRContext *context = op->getContext();
  auto access = [&](gpu::MMAMatrixType type, Value base, ValueRange indices,
                    bool transposed, Value stored) {
    unsigned rank = cast<ShapedType>(base.getType()).getRank();
    if (rank < 2)
      return fail(op);
    SmallVector<AffineExpr> dims = {getAffineDimExpr(rank - 2, context),
                                    getAffineDimExpr(rank - 1, context)};
    if (transposed)
      std::swap(dims[0], dims[1]);
    return visitTransfer(op, base, indices,
                         AffineMap::get(rank, 0, dims, context),
                         type.getShape(), stored);
  };
  if (auto load = dyn_cast<gpu::SubgroupMmaLoadMatrixOp>(op))
    return access(cast<gpu::MMAMatrixType>(load.getRes().getType()),
                  load.getSrcMemref(), load.getIndices(),
                  load.getTranspose().value_or(false), {});
  if (auto store = dyn_cast<gpu::SubgroupMmaStoreMatrixOp>(op))
    return access(cast<gpu::MMAMatrixType>(store.getSrc().getType()),
                  store.getDstMemref(), store.getIndices(),
                  store.getTranspose().value_or(false), store.getSrc());
  if (auto constant = dyn_cast<gpu::SubgroupMmaConstantMatrixOp>(op)) {
    parts[op->getResult(0)] = Part::filled(constant.getValue());
    return true;
  }
  if (auto compute = dyn_cast<gpu::SubgroupMmaComputeOp>(op)) {
    AffineExpr m, n, k;
    bindDims(context, m, n, k);
    using Dims = SmallVector<AffineExpr, 4>;
    return visitContract(
        op, {compute.getOpA(), compute.getOpB(), compute.getOpC()},
        AffineMap::inferFromExprList(
            ArrayRef<Dims>{Dims{m, k}, Dims{k, n}, Dims{m, n}}, context));
  }
  if (auto each = dyn_cast<gpu::SubgroupMmaElementwiseOp>(op)) {
    using Kind = gpu::MMAElementwiseOp;
    if (each.getOpType() == Kind::EXTF) {
      std::optional<Part> part = findVector(op->getOperand(0));
      if (part)
        parts[op->getResult(0)] = *part;
      return part ? true : fail(op);
    }
    if (each.getOpType() == Kind::ADDF || each.getOpType() == Kind::MULF)
      return visitElementwise(op, each.getType());
    return fail(op);
  }
  return false;
}
