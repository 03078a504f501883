//===- BlockNests.cpp - Converts CTA-mapped loop nests to kernels ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopNests.h"
#include "ModuleNotes.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Analysis/Nests/BlockNest.h"
#include "gpucost/Compiler/Dialect/GpuCost/Utils/LoopTrips.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace gpucost;

/// Replaces an unsupported CTA-mapped loop nest with one kernel that has a
/// lower bound from its minimal accesses.
static void wrapUnknownNest(Operation *nest, const std::string &reason) {
  OpBuilder builder(nest);
  auto kernel =
      KernelOp::create(builder, nest->getLoc(), nest->getResultTypes(),
                       nest->getName().stripDialect());
  NestBytes bytes = boundNestBytes(nest);
  nest->replaceAllUsesWith(kernel.getResults());
  Block *body = &kernel.getBody().emplaceBlock();
  nest->moveBefore(body, body->end());
  builder.setInsertionPointToEnd(body);
  YieldOp::create(builder, nest->getLoc(), nest->getResults());
  bookBound(kernel, bytes.read, bytes.written, reason);
}

/// Moves the ops in front of `nest` that compute `vectors` into it: a kernel
/// reads memory, and upstream's passes hoist reads that do not change.
static void sinkVectors(Operation *nest, SmallVector<Value> vectors) {
  llvm::SetVector<Operation *> copied;
  for (size_t i = 0; i < vectors.size(); ++i) {
    Operation *def = vectors[i].getDefiningOp();
    if (!def || def->getBlock() != nest->getBlock() || def->getNumRegions() ||
        def->hasTrait<OpTrait::ConstantLike>())
      continue;
    auto builder = OpBuilder::atBlockBegin(&nest->getRegion(0).front());
    Operation *copy = builder.clone(*def);
    def->replaceUsesWithIf(copy, [&](OpOperand &use) {
      return nest->isProperAncestor(use.getOwner());
    });
    copied.insert(def);
    for (Value operand : copy->getOperands())
      if (isa<VectorType>(operand.getType()))
        vectors.push_back(operand);
  }
  // A reader is erased before the ops that it reads.
  while (true) {
    auto dead = llvm::find_if(copied, isOpTriviallyDead);
    if (dead == copied.end())
      return;
    Operation *op = *dead;
    copied.remove(op);
    op->erase();
  }
}

/// Rewrites ops of `nest` that the reader has no rule for.
static void simplifyOps(Operation *nest) {
  SmallVector<Value> hoisted;
  nest->walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (isa<VectorType>(operand.getType()) &&
          operand.getParentBlock() == nest->getBlock() &&
          !llvm::is_contained(hoisted, operand))
        hoisted.push_back(operand);
    OpBuilder builder(op);
    auto indices = [&](AffineMap map, ValueRange operands) {
      SmallVector<Value> values;
      for (auto [i, expr] : llvm::enumerate(map.getResults())) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        values.push_back(
            dim ? operands[dim.getPosition()]
                : affine::AffineApplyOp::create(builder, op->getLoc(),
                                                map.getSubMap(i), operands));
      }
      return values;
    };
    if (auto load = dyn_cast<affine::AffineLoadOp>(op)) {
      op->replaceAllUsesWith(memref::LoadOp::create(
          builder, op->getLoc(), load.getMemRef(),
          indices(load.getAffineMap(), load.getMapOperands())));
      op->erase();
    } else if (auto store = dyn_cast<affine::AffineStoreOp>(op)) {
      memref::StoreOp::create(
          builder, op->getLoc(), store.getValueToStore(), store.getMemRef(),
          indices(store.getAffineMap(), store.getMapOperands()));
      op->erase();
    } else if (auto whole = dyn_cast<linalg::SoftmaxOp>(op)) {
      FailureOr<SmallVector<Value>> parts = whole.decomposeOperation(builder);
      if (failed(parts))
        return;
      op->replaceAllUsesWith(*parts);
      op->erase();
    }
  });
  if (nest->getNumRegions())
    sinkVectors(nest, std::move(hoisted));
}

/// (J1) Replaces a CTA-mapped loop nest with the kernel that it implements.
static void raiseBlockNest(Operation *nest, bool isOverScalars) {
  simplifyOps(nest);
  OpBuilder builder(nest);
  llvm::DenseMap<Value, Value> tensors;
  SmallVector<Operation *> casts;
  auto import = [&](Value value) {
    auto buffer = dyn_cast<MemRefType>(value.getType());
    if (!buffer)
      return value;
    Value &tensor = tensors[value];
    if (!tensor) {
      casts.push_back(bufferization::ToTensorOp::create(
          builder, nest->getLoc(), memref::getTensorTypeFromMemRefType(buffer),
          value));
      tensor = casts.back()->getResult(0);
    }
    return tensor;
  };
  BlockKernel read = readBlockNest(nest, builder, import);
  if (!read.kernel) {
    for (Operation *cast : casts)
      cast->erase();
    // Loops over scalars have a cost as they are.
    if (!isOverScalars)
      wrapUnknownNest(nest, read.reason);
    return;
  }
  if (!read.note.empty())
    addNote(nest->getParentOfType<ModuleOp>(), read.note);
  builder.setInsertionPoint(nest);
  for (auto [result, value] : llvm::zip_equal(nest->getResults(), read.results))
    result.replaceAllUsesWith(
        result.getType() == value.getType()
            ? value
            : UnrealizedConversionCastOp::create(builder, nest->getLoc(),
                                                 result.getType(), value)
                  .getResult(0));
  nest->erase();
}

/// Whether loops in `nest` add products of scalars: a matmul or convolution,
/// which costs as one.
static bool sumsProducts(Operation *nest) {
  return nest
      ->walk([&](Operation *op) {
        bool sums = isa<arith::AddFOp, arith::AddIOp>(op) &&
                    llvm::any_of(op->getOperands(), [](Value operand) {
                      return operand.getDefiningOp<arith::MulFOp>() ||
                             operand.getDefiningOp<arith::MulIOp>();
                    });
        return (sums || isa<math::FmaOp>(op)) &&
                       !op->getResult(0).getType().isIndex() &&
                       isa<scf::ForOp, affine::AffineForOp>(op->getParentOp())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Undoes the outlining of a kernel: a `gpu.launch` with the ops of its
/// function. Kernels of several blocks remain.
static void inlineLaunch(gpu::LaunchFuncOp launch) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      launch, launch.getKernelAttr());
  if (!kernel || kernel.isExternal() || !kernel.getBody().hasOneBlock() ||
      launch->getNumResults() || !launch.getAsyncDependencies().empty() ||
      launch.hasClusterSize())
    return;
  OpBuilder builder(launch);
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues(),
                  block = launch.getBlockSizeOperandValues();
  auto inlined = gpu::LaunchOp::create(builder, launch.getLoc(), grid.x, grid.y,
                                       grid.z, block.x, block.y, block.z,
                                       launch.getDynamicSharedMemorySize());
  IRMapping mapping;
  mapping.map(kernel.getArguments(), launch.getKernelOperands());
  for (auto [from, add] : {std::pair(kernel.getWorkgroupAttributions(),
                                     &gpu::LaunchOp::addWorkgroupAttribution),
                           std::pair(kernel.getPrivateAttributions(),
                                     &gpu::LaunchOp::addPrivateAttribution)})
    for (BlockArgument memory : from)
      mapping.map(memory, (inlined.*add)(memory.getType(), memory.getLoc()));
  builder.setInsertionPointToEnd(&inlined.getBody().front());
  for (Operation &op : kernel.getBody().front().without_terminator())
    builder.clone(op, mapping);
  gpu::TerminatorOp::create(builder, launch.getLoc());
  inlined->setDiscardableAttrs(launch->getDiscardableAttrDictionary());
  launch->erase();
}

void gpucost::raiseBlockNests(func::FuncOp function) {
  SmallVector<gpu::LaunchFuncOp> launches;
  function.walk([&](gpu::LaunchFuncOp op) { launches.push_back(op); });
  llvm::for_each(launches, inlineLaunch);
  SmallVector<Operation *> nests;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<KernelOp>(op))
      return WalkResult::skip();
    if (!isBlockNest(op))
      return WalkResult::advance();
    nests.push_back(op);
    return WalkResult::skip();
  });
  for (Operation *nest : nests) {
    auto ranges = getLoopRanges(nest);
    std::optional<int64_t> trips = ranges ? countTrips(*ranges) : std::nullopt;
    if (trips != 0)
      raiseBlockNest(nest, nest->getNumRegions() && isScalarNest(nest) &&
                               !sumsProducts(nest));
  }
}
