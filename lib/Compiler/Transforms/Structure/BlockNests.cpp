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
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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

/// (J1) Replaces a CTA-mapped loop nest with the kernel that it implements.
static void raiseBlockNest(Operation *nest) {
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
    return wrapUnknownNest(nest, read.reason);
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

void gpucost::raiseBlockNests(func::FuncOp function) {
  SmallVector<Operation *> nests;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<KernelOp>(op))
      return WalkResult::skip();
    bool scalar = op->getNumRegions() && isScalarNest(op);
    if (!isBlockNest(op) || scalar)
      return WalkResult::advance();
    nests.push_back(op);
    return WalkResult::skip();
  });
  for (Operation *nest : nests) {
    auto ranges = getLoopRanges(nest);
    std::optional<int64_t> trips = ranges ? countTrips(*ranges) : std::nullopt;
    if (trips != 0)
      raiseBlockNest(nest);
  }
}
