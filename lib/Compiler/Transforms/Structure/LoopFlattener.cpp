//===- LoopFlattener.cpp - Replaces loops with their bodies ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopNests.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Analysis/Nests/BlockNest.h"
#include "gpucost/Compiler/Dialect/GpuCost/Utils/LoopTrips.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace gpucost;

void gpucost::fixCounters(Operation *op) {
  auto ranges = getLoopRanges(op);
  if (!ranges)
    return;
  OpBuilder builder(op);
  for (const LoopRange &range : *ranges) {
    Value counter = range.counter;
    if (counter && !counter.use_empty())
      counter.replaceAllUsesWith(arith::ConstantOp::create(
          builder, op->getLoc(),
          builder.getIntegerAttr(counter.getType(), range.middle())));
  }
}

static void warnOfUnknownTrips(Operation *op, StringRef consequence) {
  auto name = op->getAttrOfType<StringAttr>(loopNameAttrName);
  InFlightDiagnostic warning = emitWarning(op->getLoc());
  warning << "number of iterations of '" << op->getName() << "' is unknown; "
          << consequence;
  if (name)
    warning << "; state it with --trip=" << name.getValue() << ":<n>";
}

static bool isView(Operation *op) {
  return isa<ViewLikeOpInterface, tensor::ExtractSliceOp, tensor::CastOp>(op);
}

bool gpucost::isScalarNest(Operation *op) {
  return !op->walk([&](Operation *inner) {
              if (inner == op || isLoop(inner) || isBranch(inner) ||
                  inner->hasTrait<OpTrait::IsTerminator>())
                return WalkResult::advance();
              bool accesses = getLoadedBuffer(inner) || getStoredBuffer(inner);
              bool scalar =
                  llvm::none_of(inner->getOperandTypes(), isInMemory) &&
                  llvm::none_of(inner->getResultTypes(), isInMemory) &&
                  inner->getNumRegions() == 0;
              return accesses || scalar || isFreeInNest(inner)
                         ? WalkResult::advance()
                         : WalkResult::interrupt();
            }).wasInterrupted() &&
         !isa<scf::WhileOp>(op);
}

void gpucost::foldInteger(Operation *op) {
  if (op->getNumResults() == 0 || op->hasTrait<OpTrait::ConstantLike>() ||
      !llvm::all_of(op->getResultTypes(),
                    [](Type type) { return type.isIntOrIndex(); }))
    return;
  OpBuilder builder(op);
  SmallVector<Value> folded;
  if (failed(builder.tryFold(op, folded)) || folded.empty())
    return;
  op->replaceAllUsesWith(folded);
  op->erase();
}

namespace {
class LoopFlattener {
public:
  explicit LoopFlattener(func::FuncOp function) : function(function) {}
  void run();

private:
  /// Sequential and concurrent executions of an op; the former may be a guess.
  struct Runs {
    int64_t count = 1, batchedIterations = 1;
    bool unknownTripCount = false;
  };
  /// Handles one op and returns the op to continue with.
  Operation *visit(Operation *op);
  Operation *flattenLoop(Operation *op);
  Operation *flattenBranch(Operation *op);
  /// Moves the ops of `block` before `op` with the number of executions `runs`.
  void splice(Block &block, Operation *op, Runs runs);
  Runs runsOf(Operation *op) const { return runs.lookup(op); }

  func::FuncOp function;
  llvm::DenseMap<Operation *, Runs> runs;
};
} // namespace

void LoopFlattener::splice(Block &block, Operation *op, Runs runsOfBody) {
  for (Operation &inner : block.without_terminator())
    runs[&inner] = runsOfBody;
  Operation *end = block.getTerminator();
  op->getBlock()->getOperations().splice(op->getIterator(),
                                         block.getOperations(), block.begin(),
                                         end->getIterator());
}

Operation *LoopFlattener::flattenLoop(Operation *op) {
  auto ranges = getLoopRanges(op);
  std::optional<int64_t> trips = ranges ? countTrips(*ranges) : std::nullopt;
  Runs body = runsOf(op);
  if (trips) {
    bool parallel =
        isa<scf::ForallOp, scf::ParallelOp, affine::AffineParallelOp>(op);
    int64_t &factor = parallel ? body.batchedIterations : body.count;
    factor = saturatingProduct(factor, *trips);
  } else {
    warnOfUnknownTrips(op, "its body is counted once");
    body.unknownTripCount = true;
  }
  Operation *next = op->getNextNode();
  bool runsAtAll = !trips || *trips > 0;
  fixCounters(op);
  auto take = [&](Block &block) {
    Operation *first = block.empty() ? nullptr : &block.front();
    bool any = first && first != block.getTerminator();
    splice(block, op, body);
    return any ? first : nullptr;
  };
  // Counters with unknown values need a placeholder value.
  auto dropCounters = [&](ValueRange counters) {
    OpBuilder builder(op);
    for (Value counter : counters)
      if (!counter.use_empty())
        counter.replaceAllUsesWith(arith::ConstantOp::create(
            builder, op->getLoc(),
            builder.getIntegerAttr(counter.getType(), 0)));
  };
  Operation *first = nullptr;
  SmallVector<Value> results;
  if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    for (auto [argument, init] :
         llvm::zip_equal(loop.getBeforeArguments(), loop.getInits()))
      argument.replaceAllUsesWith(init);
    first = take(*loop.getBeforeBody());
    results.assign(loop.getConditionOp().getArgs().begin(),
                   loop.getConditionOp().getArgs().end());
    for (auto [argument, value] :
         llvm::zip_equal(loop.getAfterArguments(), results))
      argument.replaceAllUsesWith(value);
    Operation *after = take(*loop.getAfterBody());
    first = first ? first : after;
  } else if (auto loop = dyn_cast<scf::ForallOp>(op)) {
    dropCounters(loop.getInductionVars());
    results.assign(loop.getOutputs().begin(), loop.getOutputs().end());
    if (runsAtAll) {
      SmallVector<BlockArgument> outs(loop.getRegionOutArgs().begin(),
                                      loop.getRegionOutArgs().end());
      SmallVector<tensor::ParallelInsertSliceOp> inserts;
      for (Operation &inner :
           loop.getTerminator().getRegion().front().getOperations())
        if (auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(inner))
          inserts.push_back(insert);
      first = take(*loop.getBody());
      OpBuilder builder(op);
      for (tensor::ParallelInsertSliceOp insert : inserts)
        for (auto [out, result] : llvm::zip_equal(outs, results))
          if (insert.getDest() == out) {
            auto slice = tensor::InsertSliceOp::create(
                builder, insert.getLoc(), insert.getSource(), result,
                insert.getMixedOffsets(), insert.getMixedSizes(),
                insert.getMixedStrides());
            runs[slice] = body;
            result = slice;
            first = first ? first : slice.getOperation();
          }
      for (auto [out, init] : llvm::zip_equal(outs, loop.getOutputs()))
        out.replaceAllUsesWith(init);
    }
  } else if (auto loop = dyn_cast<scf::ParallelOp>(op)) {
    dropCounters(loop.getInductionVars());
    results.assign(loop.getInitVals().begin(), loop.getInitVals().end());
    if (runsAtAll)
      first = take(*loop.getBody());
  } else {
    auto like = cast<LoopLikeOpInterface>(op);
    Block &block = like.getLoopRegions().front()->front();
    SmallVector<Value> yielded(block.getTerminator()->getOperands());
    SmallVector<Value> inits(like.getInits());
    if (auto variables = like.getLoopInductionVars())
      dropCounters(*variables);
    for (auto [argument, init] :
         llvm::zip_equal(like.getRegionIterArgs(), inits)) {
      // A loop that yields its argument returns the initial value.
      for (Value &value : yielded)
        if (value == argument)
          value = init;
      argument.replaceAllUsesWith(init);
    }
    results = runsAtAll ? yielded : inits;
    if (runsAtAll)
      first = take(block);
  }
  for (auto [result, value] : llvm::zip(op->getResults(), results))
    result.replaceAllUsesWith(value);
  op->erase();
  return first ? first : next;
}

/// Approximate cost of a region: elements computed in all iterations.
static int64_t weigh(Region &region) {
  int64_t weight = 0;
  for (Operation &op : region.getOps()) {
    int64_t own = 1;
    if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
      for (int64_t range : structured.getStaticLoopRanges())
        own = saturatingProduct(own, std::max<int64_t>(range, 1));
    } else {
      for (Type type : op.getResultTypes())
        if (auto shaped = dyn_cast<ShapedType>(type);
            shaped && shaped.hasStaticShape() && !isView(&op))
          own = saturatingSum(own, shaped.getNumElements());
      int64_t inner = 0;
      for (Region &nested : op.getRegions())
        inner = saturatingSum(inner, weigh(nested));
      auto ranges = isLoop(&op) ? getLoopRanges(&op) : std::nullopt;
      std::optional<int64_t> trips = ranges ? countTrips(*ranges) : 1;
      own = saturatingSum(own, saturatingProduct(inner, trips.value_or(1)));
    }
    weight = saturatingSum(weight, own);
  }
  return weight;
}

/// The branch selected by a constant condition.
static std::optional<unsigned> chosenBranch(Operation *op) {
  auto branch = dyn_cast<scf::IfOp>(op);
  APInt condition;
  if (!branch ||
      !matchPattern(branch.getCondition(), m_ConstantInt(&condition)))
    return std::nullopt;
  return condition.isZero() ? 1 : 0;
}

/// Keeps the branch with the most work, because only one of them runs.
Operation *LoopFlattener::flattenBranch(Operation *op) {
  Region *heaviest = nullptr;
  int64_t most = -1, taken = 0;
  Operation *next = op->getNextNode();
  std::optional<unsigned> chosen = chosenBranch(op);
  if (chosen && op->getRegion(*chosen).empty()) {
    op->erase();
    return next;
  }
  for (Region &region : op->getRegions()) {
    if (region.empty() || (chosen && region.getRegionNumber() != *chosen))
      continue;
    int64_t weight = weigh(region);
    taken += weight > 1;
    if (weight > most) {
      most = weight;
      heaviest = &region;
    }
  }
  if (!heaviest || !heaviest->hasOneBlock())
    return next;
  if (taken > 1)
    emitWarning(op->getLoc()) << "only the most expensive branch of '"
                              << op->getName() << "' is counted";
  Block &block = heaviest->front();
  SmallVector<Value> yielded(block.getTerminator()->getOperands());
  Operation *first =
      &block.front() == block.getTerminator() ? nullptr : &block.front();
  splice(block, op, runsOf(op));
  for (auto [result, value] : llvm::zip(op->getResults(), yielded))
    result.replaceAllUsesWith(value);
  op->erase();
  return first ? first : next;
}

Operation *LoopFlattener::visit(Operation *op) {
  if (isLoop(op) && !isScalarNest(op))
    return flattenLoop(op);
  if (isBranch(op) && !isScalarNest(op))
    return flattenBranch(op);
  Operation *next = op->getNextNode();
  foldInteger(op);
  return next;
}

void LoopFlattener::run() {
  for (Block &block : function.getBody())
    for (Operation *op = block.empty() ? nullptr : &block.front(); op;)
      op = visit(op);
  Builder builder(function.getContext());
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    Runs own = runsOf(op);
    if (op->hasTrait<OpTrait::ConstantLike>())
      return;
    if (auto kernel = dyn_cast<KernelOp>(op)) {
      kernel.setCount(saturatingProduct(kernel.getCount(), own.count));
      return;
    }
    if (own.count != 1)
      op->setAttr(tripCountAttrName, builder.getI64IntegerAttr(own.count));
    if (own.batchedIterations != 1)
      op->setAttr(batchedIterationsAttrName,
                  builder.getI64IntegerAttr(own.batchedIterations));
    if (own.unknownTripCount)
      op->setAttr(unknownTripCountAttrName, builder.getUnitAttr());
  });
}

void gpucost::flattenLoops(func::FuncOp function) {
  LoopFlattener(function).run();
}
