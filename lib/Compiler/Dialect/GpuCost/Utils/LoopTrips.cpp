//===- LoopTrips.cpp - Iterations of loops --------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Dialect/GpuCost/Utils/LoopTrips.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace gpucost;

using Counters = llvm::DenseMap<Value, int64_t>;

bool gpucost::isLoop(Operation *op) {
  return isa<scf::ForOp, scf::ForallOp, scf::ParallelOp, scf::WhileOp,
             affine::AffineForOp, affine::AffineParallelOp>(op);
}

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
           if (isa<gpu::GPUBlockMappingAttr>(attr))
             return true;
           auto dim = dyn_cast<gpu::ParallelLoopDimMappingAttr>(attr);
           return dim && dim.getProcessor() <= gpu::Processor::BlockZ;
         });
}

bool gpucost::isBranch(Operation *op) {
  return isa<scf::IfOp, affine::AffineIfOp, scf::IndexSwitchOp,
             scf::ExecuteRegionOp, memref::AllocaScopeOp>(op);
}

Value gpucost::getLoadedBuffer(Operation *op) {
  if (isa<memref::LoadOp, affine::AffineLoadOp, affine::AffineVectorLoadOp,
          tensor::ExtractOp>(op))
    return op->getOperand(0);
  return isa<memref::AtomicRMWOp>(op) ? op->getOperand(1) : Value();
}

Value gpucost::getStoredBuffer(Operation *op) {
  return isa<memref::StoreOp, affine::AffineStoreOp,
             affine::AffineVectorStoreOp, tensor::InsertOp,
             memref::AtomicRMWOp>(op)
             ? op->getOperand(1)
             : Value();
}

bool gpucost::isInMemory(Type type) {
  return isa<ShapedType>(type) && !isa<VectorType>(type);
}

bool gpucost::isFreeInNest(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         isa<ViewLikeOpInterface, memref::DimOp, tensor::DimOp, memref::AllocOp,
             memref::AllocaOp, memref::DeallocOp, memref::AssumeAlignmentOp,
             memref::ExtractStridedMetadataOp, memref::PrefetchOp,
             affine::AffinePrefetchOp, gpu::BarrierOp, gpu::BlockDimOp,
             gpu::BlockIdOp, gpu::GridDimOp, gpu::LaneIdOp, gpu::ThreadIdOp>(
             op);
}

static std::optional<int64_t> evaluate(AffineMap map, ValueRange operands,
                                       bool lower, const Counters &counters);

static std::optional<int64_t> evaluate(OpFoldResult bound,
                                       const Counters &counters) {
  if (auto value = dyn_cast<Value>(bound)) {
    if (auto it = counters.find(value); it != counters.end())
      return it->second;
    // What upstream computes sizes of launches with.
    if (auto apply = value.getDefiningOp<affine::AffineApplyOp>())
      return evaluate(apply.getAffineMap(), apply.getMapOperands(),
                      /*lower=*/true, counters);
  }
  return getConstantIntValue(bound);
}

/// The largest (lower bounds) or smallest (upper bounds) result of a map.
static std::optional<int64_t> evaluate(AffineMap map, ValueRange operands,
                                       bool lower, const Counters &counters) {
  SmallVector<Attribute> inputs;
  Builder builder(map.getContext());
  for (Value operand : operands) {
    std::optional<int64_t> value = evaluate(OpFoldResult(operand), counters);
    inputs.push_back(value ? builder.getIndexAttr(*value) : Attribute());
  }
  SmallVector<Attribute> results;
  if (failed(map.constantFold(inputs, results)) || results.empty())
    return std::nullopt;
  std::optional<int64_t> best;
  for (Attribute result : results) {
    auto number = dyn_cast_or_null<IntegerAttr>(result);
    if (!number)
      return std::nullopt;
    int64_t value = number.getInt();
    best = !best ? value
                 : (lower ? std::max(*best, value) : std::min(*best, value));
  }
  return best;
}

static std::optional<LoopRange> makeRange(Value counter,
                                          std::optional<int64_t> first,
                                          std::optional<int64_t> last,
                                          std::optional<int64_t> step) {
  int64_t extent;
  if (!first || !last || !step || *step <= 0 ||
      __builtin_sub_overflow(*last, *first, &extent))
    return std::nullopt;
  return LoopRange{counter, *first, *step,
                   extent > 0 ? (extent - 1) / *step + 1 : 0};
}

/// Ranges from the loop bounds.
static std::optional<SmallVector<LoopRange, 4>>
readRanges(Operation *op, const Counters &counters) {
  SmallVector<LoopRange, 4> ranges;
  auto add = [&](std::optional<LoopRange> range) {
    if (range)
      ranges.push_back(*range);
    return range.has_value();
  };
  if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
    if (!add(makeRange(loop.getInductionVar(),
                       evaluate(loop.getLowerBoundMap(),
                                loop.getLowerBoundOperands(), true, counters),
                       evaluate(loop.getUpperBoundMap(),
                                loop.getUpperBoundOperands(), false, counters),
                       loop.getStepAsInt())))
      return std::nullopt;
    return ranges;
  }
  if (auto loop = dyn_cast<affine::AffineParallelOp>(op)) {
    SmallVector<int64_t> steps = loop.getSteps();
    for (auto [i, counter] : llvm::enumerate(loop.getIVs()))
      if (!add(makeRange(
              counter,
              evaluate(loop.getLowerBoundMap(i), loop.getLowerBoundsOperands(),
                       true, counters),
              evaluate(loop.getUpperBoundMap(i), loop.getUpperBoundsOperands(),
                       false, counters),
              steps[i])))
        return std::nullopt;
    return ranges;
  }
  if (auto launch = dyn_cast<gpu::LaunchOp>(op)) {
    gpu::KernelDim3 blocks = launch.getBlockIds(),
                    threads = launch.getThreadIds(),
                    grid = launch.getGridSizeOperandValues(),
                    block = launch.getBlockSizeOperandValues();
    for (auto [counter, size] :
         {std::pair(blocks.x, grid.x), std::pair(blocks.y, grid.y),
          std::pair(blocks.z, grid.z), std::pair(threads.x, block.x),
          std::pair(threads.y, block.y), std::pair(threads.z, block.z)})
      if (!add(
              makeRange(counter, 0, evaluate(OpFoldResult(size), counters), 1)))
        return std::nullopt;
    return ranges;
  }
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop)
    return std::nullopt;
  auto variables = loop.getLoopInductionVars();
  auto lower = loop.getLoopLowerBounds(), upper = loop.getLoopUpperBounds(),
       steps = loop.getLoopSteps();
  if (!variables || !lower || !upper || !steps)
    return std::nullopt;
  for (auto [counter, from, to, by] :
       llvm::zip_equal(*variables, *lower, *upper, *steps))
    if (!add(makeRange(counter, evaluate(from, counters),
                       evaluate(to, counters), evaluate(by, counters))))
      return std::nullopt;
  return ranges;
}

std::optional<SmallVector<LoopRange, 4>>
gpucost::getLoopRanges(Operation *op, const Counters &counters) {
  if (auto ranges = readRanges(op, counters))
    return ranges;
  auto stated = op->getAttrOfType<IntegerAttr>(statedTripsAttrName);
  if (!stated)
    return std::nullopt;
  // The first counter represents all iterations.
  SmallVector<LoopRange, 4> ranges;
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    if (auto variables = loop.getLoopInductionVars())
      for (Value counter : *variables)
        ranges.push_back({counter, 0, 1, 1});
  if (ranges.empty())
    ranges.emplace_back();
  ranges.front().trips = stated.getInt();
  return ranges;
}

std::vector<IterationGroup> gpucost::divide(const LoopRange &range,
                                            int64_t count) {
  std::vector<IterationGroup> groups;
  int64_t begin = 0;
  for (int64_t i = 0; i < count; ++i) {
    int64_t size = range.trips / count + (i < range.trips % count);
    groups.push_back({range.at(begin + (size - 1) / 2), size});
    begin += size;
  }
  return groups;
}

std::optional<int64_t> gpucost::countTrips(ArrayRef<LoopRange> ranges) {
  return checkedProductOf(llvm::map_range(
      ranges, [](const LoopRange &range) { return range.trips; }));
}
