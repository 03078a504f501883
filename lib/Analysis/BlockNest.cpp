//===- BlockNest.cpp - Tiled loops that are one kernel --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The ops of one tile are read in order. Each value in the nest is a part of a
// tensor whose extents over all iterations follow from the offsets and sizes of
// its slices; an op of the nest becomes the same op on the whole tensors.

#include "gpucost/Analysis/BlockNest.h"
#include "IndexRange.h"
#include "gpucost/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Support/CheckedMath.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace gpucost;
using linalg::LinalgOp;

bool gpucost::isBlockNest(Operation *op) {
  if (isa<gpu::LaunchOp, gpu::LaunchFuncOp>(op))
    return true;
  if (auto forall = dyn_cast<scf::ForallOp>(op)) {
    std::optional<ArrayAttr> mapping = forall.getMapping();
    return mapping && !mapping->empty() &&
           llvm::all_of(*mapping, llvm::IsaPred<gpu::GPUBlockMappingAttr>);
  }
  if (!isa<scf::ParallelOp>(op))
    return false;
  auto mapping = op->getAttrOfType<ArrayAttr>("mapping");
  return mapping && !mapping.empty() &&
         llvm::all_of(mapping, [](Attribute attr) {
           auto dim = dyn_cast<gpu::ParallelLoopDimMappingAttr>(attr);
           return dim && dim.getProcessor() <= gpu::Processor::BlockZ;
         });
}

namespace {

using Shape = SmallVector<int64_t, 4>;

/// What a tensor or buffer in the nest is a part of.
struct Part {
  enum Kind {
    Data,
    Empty, ///< memory without contents: takes the shape of what is written
    Filled ///< with a scalar, before something accumulates in it
  } kind = Data;
  Value tensor; ///< of `extents[TileLevel::Whole]`; null when empty
  PerLevel<Shape> extents;
  uint64_t counters = 0; ///< that move it along its dimensions
  linalg::FillOp fill;   ///< what filled it
};

class NestReader {
public:
  NestReader(Operation *nest, OpBuilder &builder,
             llvm::function_ref<Value(Value)> import)
      : nest(nest), builder(builder), import(import) {}
  BlockKernel read();

private:
  bool fail(Operation *op);
  bool visitBlock(Block &block);
  bool visit(Operation *op);
  bool visitLoop(LoopLikeOpInterface loop);
  bool visitForall(scf::ForallOp forall);
  bool visitStructured(LinalgOp op);
  bool visitFill(linalg::FillOp fill);
  bool visitSlice(Operation *op, OffsetSizeAndStrideOpInterface slice,
                  const llvm::SmallBitVector &dropped);
  bool visitInsert(Value result, Value source, Value destination);
  bool visitCopy(Operation *op, Value source, Value target);

  std::optional<Part> find(Value value);
  std::optional<Value> importScalar(Value value);
  Value baseOf(Value value) const;
  bool isInside(Value value) const {
    return nest->isProperAncestor(value.getParentBlock()->getParentOp()) ||
           value.getParentBlock()->getParentOp() == nest;
  }
  /// The first elements of `tensor`, as many as `shape` says.
  Value view(Value tensor, ArrayRef<int64_t> shape);
  Value emptyTensor(ArrayRef<int64_t> shape, Type element) {
    Operation *op =
        tensor::EmptyOp::create(builder, nest->getLoc(), shape, element);
    created.push_back(op);
    return op->getResult(0);
  }
  void addMember(Operation *op) {
    members.push_back(op);
    created.push_back(op);
  }
  bool findRanges(LinalgOp op, ArrayRef<std::optional<Part>> operands,
                  PerLevel<Shape> &ranges);
  std::optional<Value> materialize(const Part &part);
  void write(Value target, const Part &part);
  Operation *cloneOnto(Operation *op, TypeRange types, ValueRange operands,
                       IRMapping &scalars);
  void noteTile(LinalgOp op, const PerLevel<Shape> &ranges);
  KernelOp makeKernel(ArrayRef<Value> outputs);

  Operation *nest;
  OpBuilder &builder;
  llvm::function_ref<Value(Value)> import;
  NestCounters counters;
  llvm::DenseMap<Value, Part> parts;
  /// Buffers from outside that the nest writes, and with what.
  llvm::MapVector<Value, Part> written;
  /// Ops of the kernel, in order, and what stands before it.
  SmallVector<Operation *> members, created;
  std::string label, reason;
  int64_t mostIterations = 0;
  Shape tile; ///< rows, columns and K step of a CTA in the largest product
};

} // namespace

bool NestReader::fail(Operation *op) {
  if (reason.empty())
    reason = ("'" + op->getName().getStringRef() + "' in a nest of CTAs").str();
  return false;
}

static ShapedType shapedType(Value value) {
  return dyn_cast<ShapedType>(value.getType());
}

/// Looks through views of buffers.
Value NestReader::baseOf(Value value) const {
  while (isInside(value)) {
    auto view = value.getDefiningOp<ViewLikeOpInterface>();
    if (!view)
      break;
    value = view.getViewSource();
  }
  return value;
}

/// A tensor or buffer from outside is a part of itself.
std::optional<Part> NestReader::find(Value value) {
  if (auto it = parts.find(value); it != parts.end()) {
    // Of a buffer, what was written to it last, where that covers the same.
    if (isa<MemRefType>(value.getType()))
      if (auto last = written.find(baseOf(value));
          last != written.end() && last->second.extents[TileLevel::Whole] ==
                                       it->second.extents[TileLevel::Whole])
        return last->second;
    return it->second;
  }
  ShapedType type = shapedType(value);
  if (isInside(value) || !type || !type.hasStaticShape())
    return std::nullopt;
  Part part;
  part.tensor = import(value);
  for (TileLevel level : tileLevels)
    part.extents[level].assign(type.getShape().begin(), type.getShape().end());
  parts[value] = part;
  return part;
}

/// A scalar from outside, or a constant.
std::optional<Value> NestReader::importScalar(Value value) {
  if (!isInside(value))
    return import(value);
  Operation *def = value.getDefiningOp();
  if (!def || !def->hasTrait<OpTrait::ConstantLike>())
    return std::nullopt;
  created.push_back(builder.clone(*def));
  return created.back()->getResult(0);
}

Value NestReader::view(Value tensor, ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getShape() == shape)
    return tensor;
  SmallVector<OpFoldResult> offsets(shape.size(), builder.getIndexAttr(0)),
      strides(shape.size(), builder.getIndexAttr(1)), sizes;
  for (int64_t size : shape)
    sizes.push_back(builder.getIndexAttr(size));
  Operation *slice = tensor::ExtractSliceOp::create(
      builder, nest->getLoc(), tensor, offsets, sizes, strides);
  addMember(slice);
  return slice->getResult(0);
}

/// (J1) Extents of a slice over all iterations, and over those of one CTA.
bool NestReader::visitSlice(Operation *op, OffsetSizeAndStrideOpInterface slice,
                            const llvm::SmallBitVector &dropped) {
  std::optional<Part> source = find(op->getOperand(0));
  Value result = op->getResult(0);
  if (!source)
    return fail(op);
  if (source->kind != Part::Data) {
    parts[result] = *source;
    return true;
  }
  Part part = *source;
  part.extents = {};
  SmallVector<OpFoldResult> offsets = slice.getMixedOffsets(),
                            sizes = slice.getMixedSizes();
  if (offsets.size() != source->extents[TileLevel::Whole].size())
    return fail(op);
  Shape all; // with the dimensions that the result does not have
  for (size_t dim = 0; dim < offsets.size(); ++dim) {
    PerLevel<int64_t> around;
    for (TileLevel level : tileLevels)
      around[level] = source->extents[level][dim];
    // A dimension that the result does not have is another instance of it.
    uint64_t instances = 0;
    auto covered = coveredBy(counters, offsets[dim], sizes[dim], around,
                             dropped.test(dim) ? instances : part.counters);
    if (!covered)
      return fail(op);
    all.push_back(dropped.test(dim) ? 1 : (*covered)[TileLevel::Whole]);
    if (!dropped.test(dim))
      for (TileLevel level : tileLevels)
        part.extents[level].push_back((*covered)[level]);
  }
  part.tensor = view(source->tensor, all);
  if (dropped.any()) {
    Shape kept = part.extents[TileLevel::Whole];
    auto type = RankedTensorType::get(
        kept, cast<ShapedType>(part.tensor.getType()).getElementType());
    SmallVector<OpFoldResult> zeros(all.size(), builder.getIndexAttr(0)),
        ones(all.size(), builder.getIndexAttr(1)), whole;
    for (int64_t size : all)
      whole.push_back(builder.getIndexAttr(size));
    Operation *reduced = tensor::ExtractSliceOp::create(
        builder, op->getLoc(), type, part.tensor, zeros, whole, ones);
    addMember(reduced);
    part.tensor = reduced->getResult(0);
  }
  parts[result] = part;
  return true;
}

/// `op` with other operands and result types; its regions use `scalars`.
Operation *NestReader::cloneOnto(Operation *op, TypeRange types,
                                 ValueRange operands, IRMapping &scalars) {
  OperationState state(op->getLoc(), op->getName());
  state.addTypes(types);
  state.addOperands(operands);
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  for (Region &region : op->getRegions())
    region.cloneInto(state.addRegion(), scalars);
  return builder.create(state);
}

/// `expr` at the last point of `ranges`.
static std::optional<int64_t> lastOf(AffineExpr expr,
                                     ArrayRef<int64_t> ranges) {
  SmallVector<Attribute> points, results;
  Builder builder(expr.getContext());
  for (int64_t range : ranges)
    points.push_back(builder.getIndexAttr(range - 1));
  AffineMap map = AffineMap::get(ranges.size(), 0, expr);
  if (failed(map.constantFold(points, results)))
    return std::nullopt;
  return cast<IntegerAttr>(results.front()).getInt();
}

/// (J2) The ranges of the loops of `op` on whole tensors: those of the operands
/// that they index.
bool NestReader::findRanges(LinalgOp op, ArrayRef<std::optional<Part>> operands,
                            PerLevel<Shape> &ranges) {
  for (TileLevel level : tileLevels) {
    Shape &range = ranges[level];
    range.assign(op.getNumLoops(), 0);
    for (OpOperand &operand : op->getOpOperands()) {
      const std::optional<Part> &part = operands[operand.getOperandNumber()];
      if (!part || part->kind == Part::Empty ||
          (part->kind == Part::Filled && part->extents[level].empty()))
        continue;
      AffineMap map = op.getMatchingIndexingMap(&operand);
      for (auto [i, expr] : llvm::enumerate(map.getResults()))
        if (auto dim = dyn_cast<AffineDimExpr>(expr))
          range[dim.getPosition()] =
              std::max(range[dim.getPosition()], part->extents[level][i]);
    }
    // Windows of a convolution: the image says how many there are.
    for (OpOperand &operand : op->getOpOperands()) {
      const std::optional<Part> &part = operands[operand.getOperandNumber()];
      if (!part || part->kind != Part::Data)
        continue;
      AffineMap map = op.getMatchingIndexingMap(&operand);
      for (auto [i, expr] : llvm::enumerate(map.getResults())) {
        if (isa<AffineDimExpr, AffineConstantExpr>(expr))
          continue;
        std::optional<unsigned> open;
        unsigned count = 0;
        for (unsigned dim = 0; dim < range.size(); ++dim)
          if (expr.isFunctionOfDim(dim) && range[dim] == 0)
            open = dim, ++count;
        if (count != 1)
          continue;
        Shape one = range;
        one[*open] = 1;
        Shape two = one;
        two[*open] = 2;
        std::optional<int64_t> base = lastOf(expr, one),
                               next = lastOf(expr, two);
        if (!base || !next || *next <= *base)
          return false;
        range[*open] =
            (part->extents[level][i] - 1 - *base) / (*next - *base) + 1;
      }
    }
    if (llvm::any_of(range, [](int64_t size) { return size < 1; }))
      return false;
  }
  return true;
}

/// A tensor with the contents of `part`; nullopt when it has none.
std::optional<Value> NestReader::materialize(const Part &part) {
  if (part.kind == Part::Data)
    return part.tensor;
  if (part.kind == Part::Empty || part.extents[TileLevel::Whole].empty())
    return std::nullopt;
  linalg::FillOp fill = part.fill;
  std::optional<Value> scalar = importScalar(fill.getInputs()[0]);
  if (!scalar)
    return std::nullopt;
  Type element =
      cast<ShapedType>(fill.getOutputs()[0].getType()).getElementType();
  Operation *whole = linalg::FillOp::create(
      builder, fill.getLoc(), ValueRange{*scalar},
      ValueRange{emptyTensor(part.extents[TileLevel::Whole], element)});
  addMember(whole);
  return whole->getResult(0);
}

/// The buffer behind `target` holds `part` from now on.
void NestReader::write(Value target, const Part &part) {
  Value base = baseOf(target);
  if (!isInside(base)) {
    written[base] = part;
    return;
  }
  parts[base] = part;
  if (base != target)
    parts[target] = part;
}

bool NestReader::visitFill(linalg::FillOp fill) {
  Value target = fill.getOutputs()[0];
  std::optional<Part> part = find(target);
  if (!part)
    return fail(fill);
  if (part->kind == Part::Empty)
    part->extents = {};
  part->kind = Part::Filled;
  part->fill = fill;
  if (fill->getNumResults()) {
    parts[fill->getResult(0)] = *part;
    return true;
  }
  write(target, *part);
  return true;
}

/// Rows, columns and K step of what one CTA computes of the largest product.
void NestReader::noteTile(LinalgOp op, const PerLevel<Shape> &ranges) {
  int64_t iterations = 1;
  for (int64_t range : ranges[TileLevel::Whole])
    iterations = saturatingProduct(iterations, range);
  auto dims = linalg::inferContractionDims(op);
  if (failed(dims) || iterations <= mostIterations)
    return;
  mostIterations = iterations;
  auto size = [&](ArrayRef<unsigned> which, TileLevel level) {
    int64_t product = 1;
    for (unsigned dim : which)
      product = saturatingProduct(product, ranges[level][dim]);
    return product;
  };
  tile = {size(dims->m, TileLevel::Cta), size(dims->n, TileLevel::Cta),
          size(dims->k, TileLevel::Innermost)};
}

bool NestReader::visitStructured(LinalgOp op) {
  SmallVector<std::optional<Part>> operands;
  uint64_t moving = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<Part> part;
    if (shapedType(operand.get())) {
      part = find(operand.get());
      // What is read must have been written.
      if (!part || (part->kind != Part::Data && !op.isDpsInit(&operand)))
        return fail(op);
      moving |= part->counters;
    }
    operands.push_back(part);
  }
  PerLevel<Shape> ranges;
  if (!findRanges(op, operands, ranges))
    return fail(op);
  auto shapeOf = [&](OpOperand &operand,
                     TileLevel level) -> std::optional<Shape> {
    Shape shape;
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
      std::optional<int64_t> last = lastOf(expr, ranges[level]);
      if (!last)
        return std::nullopt;
      shape.push_back(*last + 1);
    }
    return shape;
  };
  SmallVector<Value> inputs;
  SmallVector<Type> types;
  for (OpOperand &operand : op->getOpOperands()) {
    const std::optional<Part> &part = operands[operand.getOperandNumber()];
    if (!part) {
      std::optional<Value> scalar = importScalar(operand.get());
      if (!scalar)
        return fail(op);
      inputs.push_back(*scalar);
      continue;
    }
    std::optional<Shape> shape = shapeOf(operand, TileLevel::Whole);
    if (!shape)
      return fail(op);
    if (part->kind == Part::Data) {
      auto held = cast<RankedTensorType>(part->tensor.getType());
      for (auto [has, needs] : llvm::zip_equal(held.getShape(), *shape))
        if (has < needs)
          return fail(op);
      inputs.push_back(view(part->tensor, *shape));
    } else {
      inputs.push_back(
          emptyTensor(*shape, shapedType(operand.get()).getElementType()));
    }
    if (op.isDpsInit(&operand))
      types.push_back(inputs.back().getType());
  }
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  IRMapping scalars;
  for (Value value : captured) {
    std::optional<Value> scalar = importScalar(value);
    if (!scalar)
      return fail(op);
    scalars.map(value, *scalar);
  }
  Operation *whole = cloneOnto(op, types, inputs, scalars);
  addMember(whole);
  // (J3) Iterations that move no operand repeat the op.
  uint64_t repeats = counters.all() & ~moving;
  if (int64_t times = counters.countTrips(repeats); times != 1)
    whole->setAttr(batchedIterationsAttrName, builder.getI64IntegerAttr(times));
  noteTile(op, ranges);
  if (!label.empty())
    label += "+";
  label += op->getName().stripDialect();
  for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable())) {
    Part part;
    part.tensor = whole->getResult(i);
    part.counters = moving;
    for (TileLevel level : tileLevels)
      part.extents[level] = *shapeOf(init, level);
    if (op.hasPureTensorSemantics())
      parts[op->getResult(i)] = part;
    else
      write(init.get(), part);
  }
  return true;
}

/// A slice that is put back: what is in it, when that is all of the tensor.
bool NestReader::visitInsert(Value result, Value source, Value destination) {
  std::optional<Part> from = find(source), into = find(destination);
  if (!from || !into)
    return false;
  if (from->kind == Part::Data && into->kind == Part::Data &&
      from->extents[TileLevel::Whole] != into->extents[TileLevel::Whole])
    return false;
  Part part = *from;
  if (into->kind == Part::Data && from->kind == Part::Data) {
    part.extents[TileLevel::Cta] = into->extents[TileLevel::Cta];
    part.extents[TileLevel::Innermost] = into->extents[TileLevel::Innermost];
  }
  parts[result] = part;
  return true;
}

bool NestReader::visitCopy(Operation *op, Value source, Value target) {
  std::optional<Part> from = find(source);
  if (!from)
    return fail(op);
  // Upstream's bufferization leaves copies of a slice onto itself.
  if (baseOf(source) == baseOf(target))
    return true;
  write(target, *from);
  return true;
}

bool NestReader::visitLoop(LoopLikeOpInterface loop) {
  size_t outer = counters.size();
  CounterLevel level = isa<scf::ParallelOp>(loop) ? CounterLevel::Thread
                                                  : CounterLevel::Sequential;
  if (loop->getNumRegions() != 1 || !counters.add(loop, level))
    return fail(loop);
  for (auto [argument, init] :
       llvm::zip(loop.getRegionIterArgs(), loop.getInits()))
    if (std::optional<Part> part = find(init))
      parts[argument] = *part;
  Block &block = loop->getRegion(0).front();
  if (!visitBlock(block))
    return false;
  if (!isa<scf::ParallelOp>(loop))
    for (auto [result, value] :
         llvm::zip(loop->getResults(), block.getTerminator()->getOperands()))
      if (std::optional<Part> part = find(value))
        parts[result] = *part;
  counters.truncate(outer);
  return true;
}

bool NestReader::visitForall(scf::ForallOp forall) {
  size_t outer = counters.size();
  CounterLevel level =
      forall == nest ? CounterLevel::Block : CounterLevel::Thread;
  if (!counters.add(forall, level))
    return fail(forall);
  for (auto [argument, init] :
       llvm::zip_equal(forall.getRegionIterArgs(), forall.getOutputs()))
    if (std::optional<Part> part = find(init))
      parts[argument] = *part;
  if (!visitBlock(*forall.getBody()))
    return false;
  for (Operation &op : forall.getTerminator().getRegion().front()) {
    auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(op);
    std::optional<Part> part =
        insert ? find(insert.getSource()) : std::optional<Part>();
    if (!part)
      return fail(&op);
    for (auto [argument, result] :
         llvm::zip_equal(forall.getRegionIterArgs(), forall.getResults()))
      if (argument == insert.getDest()) {
        // What a fill leaves is as large as the slice that it goes to.
        if (part->kind == Part::Filled &&
            part->extents[TileLevel::Whole].empty())
          if (std::optional<Part> into = find(argument))
            for (TileLevel each : tileLevels)
              part->extents[each] = into->extents[each];
        parts[result] = *part;
      }
  }
  counters.truncate(outer);
  return true;
}

bool NestReader::visitBlock(Block &block) {
  return llvm::all_of(block.without_terminator(),
                      [&](Operation &op) { return visit(&op); });
}

/// Neither reads nor writes memory, and has no tensors.
static bool isIndexArithmetic(Operation *op) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::none_of(op->getOperandTypes(), isInMemory) &&
         llvm::none_of(op->getResultTypes(), isInMemory) &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<VectorType>);
}

bool NestReader::visit(Operation *op) {
  if (auto forall = dyn_cast<scf::ForallOp>(op))
    return visitForall(forall);
  if (isLoop(op) && !isa<scf::WhileOp>(op))
    return visitLoop(cast<LoopLikeOpInterface>(op));
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return visitFill(fill);
  if (auto copy = dyn_cast<linalg::CopyOp>(op);
      copy && copy.hasPureBufferSemantics())
    return visitCopy(op, copy.getInputs()[0], copy.getOutputs()[0]);
  if (auto structured = dyn_cast<LinalgOp>(op))
    return visitStructured(structured);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return visitSlice(op, slice, slice.getDroppedDims());
  if (auto slice = dyn_cast<memref::SubViewOp>(op))
    return visitSlice(op, slice, slice.getDroppedDims());
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return visitInsert(insert.getResult(), insert.getSource(),
                       insert.getDest()) ||
           fail(op);
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return visitCopy(op, copy.getSource(), copy.getTarget());
  if (isa<tensor::EmptyOp, memref::AllocOp, memref::AllocaOp,
          bufferization::AllocTensorOp>(op)) {
    Part part;
    part.kind = Part::Empty;
    parts[op->getResult(0)] = part;
    return true;
  }
  if (isa<tensor::CastOp, memref::CastOp, memref::MemorySpaceCastOp,
          tensor::PadOp>(op)) {
    std::optional<Part> part = find(op->getOperand(0));
    if (!part)
      return fail(op);
    parts[op->getResult(0)] = *part;
    return true;
  }
  return isFreeInNest(op) || isIndexArithmetic(op) || isa<gpu::BarrierOp>(op)
             ? true
             : fail(op);
}

/// Moves the members into a kernel.
KernelOp NestReader::makeKernel(ArrayRef<Value> outputs) {
  llvm::SmallSetVector<Value, 4> results;
  for (Value output : outputs)
    if (output)
      results.insert(output);
  SmallVector<Type> types;
  for (Value result : results)
    types.push_back(result.getType());
  auto kernel = KernelOp::create(builder, nest->getLoc(), types, label);
  Block *body = &kernel.getBody().emplaceBlock();
  for (Operation *member : members)
    member->moveBefore(body, body->end());
  OpBuilder inside = OpBuilder::atBlockEnd(body);
  YieldOp::create(inside, nest->getLoc(), results.getArrayRef());
  if (!tile.empty())
    kernel->setAttr(ctaTileAttrName, inside.getDenseI64ArrayAttr(tile));
  return kernel;
}

BlockKernel NestReader::read() {
  BlockKernel read;
  bool understood = false;
  if (auto forall = dyn_cast<scf::ForallOp>(nest)) {
    understood = visitForall(forall);
  } else if (isa<scf::ParallelOp, gpu::LaunchOp>(nest)) {
    understood = nest->getNumResults() == 0 &&
                 counters.add(nest, CounterLevel::Block) &&
                 nest->getRegion(0).hasOneBlock() &&
                 visitBlock(nest->getRegion(0).front());
  }
  SmallVector<Value> outputs;
  if (understood) {
    auto add = [&](const Part &part) {
      std::optional<Value> tensor = materialize(part);
      understood &= tensor.has_value();
      outputs.push_back(tensor.value_or(Value()));
    };
    // A result into which nothing is put is not known.
    for (Value result : nest->getResults()) {
      auto part = parts.find(result);
      understood &= part != parts.end();
      if (part != parts.end())
        add(Part(part->second));
    }
    for (auto &[buffer, part] : written)
      add(part);
  }
  if (!understood || outputs.empty() || label.empty()) {
    for (Operation *each : llvm::reverse(created))
      each->erase();
    read.reason =
        reason.empty() ? "a nest of CTAs without a known result" : reason;
    return read;
  }
  read.kernel = makeKernel(outputs);
  // Equal outputs are one result.
  for (Value output : ArrayRef(outputs).take_front(nest->getNumResults())) {
    auto yield = cast<YieldOp>(read.kernel.getBody().front().getTerminator());
    for (auto [value, result] :
         llvm::zip_equal(yield.getOperands(), read.kernel.getResults()))
      if (value == output) {
        read.results.push_back(result);
        break;
      }
  }
  return read;
}

BlockKernel gpucost::readBlockNest(Operation *nest, OpBuilder &builder,
                                   llvm::function_ref<Value(Value)> import) {
  return NestReader(nest, builder, import).read();
}
