//===- BlockNest.cpp - Tiled loop nests that are one kernel ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestReader.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/OpWork/OpWork.h"
#include "gpucost/Core/Model/Schedule.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace gpucost;

bool NestReader::fail(Operation *op) {
  if (!reason.empty())
    return false;
  reason = ("'" + op->getName().getStringRef() +
            "' in a loop nest of workgroups (CTAs)")
               .str();
  // It states its work, but not which part of its operands a tile reads.
  if (op->hasTrait<WorkOpInterface::Trait>() &&
      !isa<opwork::OpWorkInterface>(op) &&
      op->getName().getDialectNamespace() != "onnx")
    reason += "; nests read opwork::OpWorkInterface, in destination style";
  return false;
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

/// A tensor or buffer from outside is a complete part.
std::optional<Part> NestReader::find(Value value) {
  if (auto it = parts.find(value); it != parts.end()) {
    // For a buffer, return the last part written to it if extents match.
    if (isa<MemRefType>(value.getType()))
      if (auto last = written.find(baseOf(value));
          last != written.end() && last->second.extents[TileLevel::Whole] ==
                                       it->second.extents[TileLevel::Whole])
        return last->second;
    return it->second;
  }
  ShapedType type = shapedType(value);
  if (isInside(value) || !isInMemory(value.getType()) || !type.hasStaticShape())
    return std::nullopt;
  Part part;
  part.tensor = import(value);
  for (TileLevel level : tileLevels)
    part.extents[level].assign(type.getShape().begin(), type.getShape().end());
  part.moving.assign(type.getRank(), 0);
  parts[value] = part;
  return part;
}

/// A tensor, a buffer or a vector that a loop carries.
std::optional<Part> NestReader::findCarried(Value value) {
  return isInMemory(value.getType()) ? find(value) : findVector(value);
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

/// A tensor with the contents of `part`; nullopt if it has none.
std::optional<Value> NestReader::materialize(const Part &part) {
  if (part.kind == Part::Data)
    return part.tensor;
  if (part.kind == Part::Empty || part.extents[TileLevel::Whole].empty())
    return std::nullopt;
  std::optional<Value> scalar = importScalar(part.scalar);
  if (!scalar)
    return std::nullopt;
  Operation *whole = linalg::FillOp::create(
      builder, nest->getLoc(), ValueRange{*scalar},
      ValueRange{emptyTensor(part.extents[TileLevel::Whole], part.element)});
  addMember(whole);
  return whole->getResult(0);
}

/// A copy of `part` with the dimensions of the vector that it is.
std::optional<Part> NestReader::copy(const Part &part, Operation *op) {
  Type element = getElementTypeOrSelf(part.tensor.getType());
  AffineMap loops =
      AffineMap::getMultiDimIdentityMap(part.moving.size(), op->getContext());
  TileOp tile(op);
  tile.label = part.map ? "transpose" : "copy";
  tile.add(part, element, part.map ? part.map : loops);
  tile.add(Part::empty(), element, loops);
  tile.firstInit = 1;
  SmallVector<Part, 1> copies =
      computeGeneric(tile, [](OpBuilder &, ValueRange arguments) {
        return arguments.front();
      });
  if (copies.empty())
    return std::nullopt;
  return copies.front();
}

/// The part that `value` is, transposed if it was written as a vector with
/// another order of dimensions.
std::optional<Part> NestReader::findInOrder(Value value, Operation *user) {
  std::optional<Part> part = find(value);
  if (!part || !part->map)
    return part;
  if (part->kind != Part::Data || !part->map.isPermutation())
    return std::nullopt;
  part = copy(*part, user);
  if (part)
    parts[value] = *part;
  return part;
}

/// What the nest leaves in `target`. Data that no op of the nest computed is
/// copied, unless `target` already contains it.
std::optional<Value> NestReader::materializeIn(const Part &part, Value target) {
  Value root = part.tensor;
  while (root && llvm::is_contained(members, root.getDefiningOp()) &&
         isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp>(root.getDefiningOp()))
    root = root.getDefiningOp()->getOperand(0);
  auto own = parts.find(target);
  if (part.kind != Part::Data ||
      (own != parts.end() && own->second.tensor == root) ||
      llvm::is_contained(members, root.getDefiningOp()))
    return materialize(part);
  std::optional<Part> copied = copy(part, nest);
  return copied ? materialize(*copied) : std::nullopt;
}

/// Records that the buffer of `target` now contains `part`.
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
    part->extents = {}, part->moving.clear();
  part->kind = Part::Filled;
  part->scalar = fill.getInputs()[0];
  part->element = shapedType(target).getElementType();
  if (fill->getNumResults()) {
    parts[fill->getResult(0)] = *part;
    return true;
  }
  write(target, *part);
  return true;
}

/// Handles a slice that is inserted into `destination`: the result is the slice
/// if it covers the whole tensor.
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
  // Upstream bufferization can leave copies of a slice to itself.
  if (baseOf(source) == baseOf(target))
    return true;
  write(target, *from);
  return true;
}

void NestReader::leaveLoops(size_t outer) {
  uint64_t before = counters.all();
  counters.truncate(outer);
  uint64_t ended = before & ~counters.all();
  uint64_t inCta = counters.all() & ~counters.select(CounterLevel::Block);
  auto leave = [&](Part &part) {
    for (auto [dim, moving] : llvm::enumerate(part.moving)) {
      if (!(moving & ended))
        continue;
      moving &= ~ended;
      if (!(moving & inCta))
        part.extents[TileLevel::Innermost][dim] =
            part.extents[TileLevel::Cta][dim];
    }
  };
  for (auto &[value, part] : parts)
    leave(part);
  for (auto &[buffer, part] : written)
    leave(part);
}

bool NestReader::visitLoop(LoopLikeOpInterface loop) {
  size_t outer = counters.size();
  CounterLevel level = isa<scf::ParallelOp>(loop) ? CounterLevel::Thread
                                                  : CounterLevel::Sequential;
  if (!loop->hasAttr("mapping") && isOverScalars(loop))
    level = CounterLevel::Inside;
  if (loop->getNumRegions() != 1 || !counters.add(loop, level))
    return fail(loop);
  for (auto [argument, init] :
       llvm::zip(loop.getRegionIterArgs(), loop.getInits()))
    if (std::optional<Part> part = findCarried(init))
      parts[argument] = *part;
  Block &block = loop->getRegion(0).front();
  if (!visitBlock(block))
    return false;
  if (!isa<scf::ParallelOp>(loop))
    for (auto [result, value] :
         llvm::zip(loop->getResults(), block.getTerminator()->getOperands()))
      if (std::optional<Part> part = findCarried(value))
        parts[result] = *part;
  leaveLoops(outer);
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
        // A filled part takes the size of the destination slice.
        if (part->kind == Part::Filled &&
            part->extents[TileLevel::Whole].empty())
          if (std::optional<Part> into = find(argument)) {
            part->extents = into->extents;
            part->moving = into->moving;
          }
        parts[result] = *part;
      }
  }
  leaveLoops(outer);
  return true;
}

bool NestReader::visitBlock(Block &block) {
  return llvm::all_of(block.without_terminator(),
                      [&](Operation &op) { return visit(&op); });
}

/// Whether `op` neither accesses memory nor has tensor operands or results.
static bool isIndexArithmetic(Operation *op) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::none_of(op->getOperandTypes(), isInMemory) &&
         llvm::none_of(op->getResultTypes(), isInMemory) &&
         llvm::none_of(op->getResultTypes(),
                       llvm::IsaPred<VectorType, gpu::MMAMatrixType>);
}

/// Memory that is allocated in the nest.
static bool isAllocation(Operation *op) {
  return isa<tensor::EmptyOp, memref::AllocOp, memref::AllocaOp>(op);
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
  // A copy into memory of the nest moves a part closer.
  if (isa<linalg::CopyOp, bufferization::MaterializeInDestinationOp>(op) &&
      op->getNumResults()) {
    std::optional<Part> from = find(op->getOperand(0)),
                        into = find(op->getOperand(1));
    if (from && into && into->kind == Part::Empty) {
      parts[op->getResult(0)] = *from;
      return true;
    }
  }
  if (isa<opwork::OpWorkInterface>(op))
    if (auto tiled = dyn_cast<DestinationStyleOpInterface>(op))
      return visitTiled(tiled);
  if (isa<linalg::PackOp, linalg::UnPackOp>(op))
    return visitPack(op);
  if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op);
      alloc && alloc.getCopy()) {
    std::optional<Part> part = find(alloc.getCopy());
    if (!part)
      return fail(op);
    parts[op->getResult(0)] = *part;
    return true;
  }
  if (auto view = dyn_cast<memref::ViewOp>(op)) {
    std::optional<Part> part = find(view.getSource());
    if (!part || part->kind != Part::Empty)
      return fail(op);
    parts[op->getResult(0)] = *part;
    return true;
  }
  if (Value stored = getStoredBuffer(op); stored && op->getNumResults() == 0)
    return visitStore(op);
  // The store that uses an element reads it.
  if (isa<memref::LoadOp>(op) &&
      op->getResult(0).getType().isIntOrIndexOrFloat())
    return true;
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitIf(branch);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return visitSlice(op, slice, slice.getDroppedDims());
  if (auto slice = dyn_cast<memref::SubViewOp>(op))
    return visitSlice(op, slice, slice.getDroppedDims());
  if (isa<tensor::ExpandShapeOp, memref::ExpandShapeOp, tensor::CollapseShapeOp,
          memref::CollapseShapeOp>(op))
    return visitReshape(op);
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return visitInsert(insert.getResult(), insert.getSource(),
                       insert.getDest()) ||
           fail(op);
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return visitCopy(op, copy.getSource(), copy.getTarget());
  if (isAllocation(op) || isa<bufferization::AllocTensorOp>(op)) {
    parts[op->getResult(0)] = Part::empty();
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
  if (isFreeInNest(op) || isIndexArithmetic(op) || isa<gpu::BarrierOp>(op))
    return true;
  return visitMatrixOp(op) || (reason.empty() && visitVector(op)) || fail(op);
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
  if (Schedule schedule = product.schedule; !(schedule == Schedule()))
    kernel->setAttr(scheduleAttrName,
                    ScheduleAttr::get(kernel.getContext(), schedule));
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
                 nest->getRegion(0).hasOneBlock();
    // Workgroup and private memory of a launch.
    if (auto launch = dyn_cast<gpu::LaunchOp>(nest); understood && launch)
      for (auto list :
           {launch.getWorkgroupAttributions(), launch.getPrivateAttributions()})
        for (Value memory : list)
          parts[memory] = Part::empty();
    understood = understood && visitBlock(nest->getRegion(0).front());
  }
  SmallVector<Value> outputs;
  if (understood) {
    auto add = [&](const Part &part, Value target) {
      std::optional<Value> tensor = materializeIn(part, target);
      understood &= tensor.has_value();
      outputs.push_back(tensor.value_or(Value()));
    };
    // A result without a known insertion is unknown.
    for (OpResult result : nest->getResults()) {
      auto part = parts.find(result);
      understood &= part != parts.end();
      if (part != parts.end())
        add(Part(part->second),
            cast<scf::ForallOp>(nest).getTiedOpOperand(result)->get());
    }
    for (auto &[buffer, part] : written)
      add(part, buffer);
  }
  if (!understood || outputs.empty() || label.empty()) {
    for (Operation *each : llvm::reverse(created))
      each->erase();
    read.reason =
        reason.empty()
            ? "a loop nest of workgroups (CTAs) without a known result"
            : reason;
    return read;
  }
  read.kernel = makeKernel(outputs);
  read.note = product.note;
  // Duplicate outputs become one result.
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
