//===- LoopNestWork.cpp - Work of loops over scalars ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A loop nest with loads, arithmetic and stores is one kernel: ops are
// multiplied by their loops' trip counts, and buffers are accessed at most
// once.

#include "LinalgBody.h"
#include "LinalgWork.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Compiler/Dialect/GpuCost/Utils/LoopTrips.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace gpucost;

namespace {

/// Sums over one loop nest.
class NestCounter {
public:
  /// Longer loops are counted in at most `groupsLeft` groups of iterations.
  explicit NestCounter(int64_t groupsLeft = mostGroups)
      : groupsLeft(groupsLeft) {}
  bool count(Operation *loop, int64_t runs);
  FailureOr<WorkAttr> makeWork(MLIRContext *context) const;
  bool accessesMemory() const { return !loaded.empty() || !stored.empty(); }

private:
  static constexpr int64_t mostGroups = 4096;
  /// Ops that are visited for one loop, apart from a first iteration.
  static constexpr int64_t mostVisited = 1 << 16;
  bool countBlock(Block &block, int64_t runs);
  bool countGroups(Block &body, const LoopRange &range, int64_t runs);
  static bool addProduct(int64_t &total, int64_t runs, int64_t each) {
    int64_t product;
    return !__builtin_mul_overflow(runs, each, &product) &&
           !__builtin_add_overflow(total, product, &total);
  }
  static std::optional<int64_t>
  bytesOf(const llvm::MapVector<Value, int64_t> &accesses);

  /// Number of accesses to each buffer.
  llvm::MapVector<Value, int64_t> loaded, stored;
  llvm::DenseMap<Value, int64_t> counters;
  int64_t groupsLeft;
  int64_t fp32Flops = 0, specialOps = 0, storedElements = 0;
  ScalarCost heaviest{InstructionClass::Copy, -1, -1};
};

template <typename LoopOp>
struct LoopModel
    : public WorkOpInterface::ExternalModel<LoopModel<LoopOp>, LoopOp> {
  FailureOr<WorkAttr> getWork(Operation *op) const {
    NestCounter counter;
    if (!counter.count(op, 1))
      return failure();
    return counter.makeWork(op->getContext());
  }
  CostClass getCostClass(Operation *op) const {
    NestCounter counter(/*groupsLeft=*/1); // the same ops in each iteration
    if (!counter.count(op, 1))
      return CostClass::Opaque;
    return counter.accessesMemory() ? CostClass::Elementwise
                                    : CostClass::Metadata;
  }
};

} // namespace

/// The buffer that `buffer` is a view of.
static Value wholeOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    buffer = view.getViewSource();
  return buffer;
}

/// Number of elements in one vector; 1 for a scalar.
static int64_t lanesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

bool NestCounter::countBlock(Block &block, int64_t runs) {
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>() || isFreeInNest(&op))
      continue;
    if (isLoop(&op)) {
      if (!count(&op, runs))
        return false;
    } else if (isBranch(&op)) {
      for (Region &region : op.getRegions())
        if (!region.empty() && !countBlock(region.front(), runs))
          return false;
    } else if (Value loads = getLoadedBuffer(&op),
               stores = getStoredBuffer(&op);
               loads || stores) {
      int64_t lanes = lanesOf(loads ? op.getResult(0).getType()
                                    : op.getOperand(0).getType());
      if ((loads && !addProduct(loaded[wholeOf(loads)], runs, lanes)) ||
          (stores && (!addProduct(stored[wholeOf(stores)], runs, lanes) ||
                      !addProduct(storedElements, runs, lanes))) ||
          (isa<memref::AtomicRMWOp>(op) && !addProduct(fp32Flops, runs, 1)))
        return false;
    } else {
      std::optional<ScalarCost> scalar = costOfScalarOp(&op);
      int64_t lanes = 1;
      for (Type type : op.getResultTypes())
        lanes = std::max(lanes, lanesOf(type));
      if (!scalar || op.getNumRegions() ||
          llvm::any_of(op.getResultTypes(), isInMemory) ||
          !addProduct(fp32Flops, runs, lanes * scalar->fp32Flops) ||
          !addProduct(specialOps, runs, lanes * scalar->specialOps))
        return false;
      if (scalar->instructions != InstructionClass::None &&
          scalar->isHeavierThan(heaviest))
        heaviest = *scalar;
    }
  }
  return true;
}

/// Whether a loop inside `loop` has a bound that is `counter`.
static bool boundsInnerLoop(Value counter, Operation *loop) {
  return counter && llvm::any_of(counter.getUsers(), [&](Operation *user) {
           return isLoop(user) && loop->isProperAncestor(user);
         });
}

bool NestCounter::count(Operation *loop, int64_t runs) {
  auto ranges = getLoopRanges(loop, counters);
  std::optional<int64_t> trips = ranges ? countTrips(*ranges) : std::nullopt;
  std::optional<int64_t> total =
      trips ? checkedProduct({runs, *trips}) : std::nullopt;
  if (!total)
    return false;
  Block &body = loop->getRegion(0).front();
  if (ranges->size() == 1 && *trips > 1 &&
      boundsInnerLoop(ranges->front().counter, loop))
    return countGroups(body, ranges->front(), runs);
  for (const LoopRange &range : *ranges)
    if (range.counter)
      counters[range.counter] = range.middle();
  return countBlock(body, *total);
}

/// Counts a body whose inner trip counts depend on the counter, iteration by
/// iteration if there are at most `mostGroups`.
bool NestCounter::countGroups(Block &body, const LoopRange &range,
                              int64_t runs) {
  int64_t outer = groupsLeft;
  int64_t ops = 0;
  body.walk([&](Operation *) { ++ops; });
  int64_t count = std::min(
      {range.trips, groupsLeft, std::max<int64_t>(mostVisited / ops, 1)});
  groupsLeft = std::max<int64_t>(groupsLeft / count, 1);
  bool ok = llvm::all_of(divide(range, count), [&](IterationGroup group) {
    counters[range.counter] = group.counter;
    std::optional<int64_t> all = checkedProduct({runs, group.iterations});
    return all && countBlock(body, *all);
  });
  groupsLeft = outer;
  return ok;
}

std::optional<int64_t>
NestCounter::bytesOf(const llvm::MapVector<Value, int64_t> &accesses) {
  int64_t total = 0;
  for (auto [buffer, count] : accesses) {
    std::optional<int64_t> bits =
        storedBits(getElementTypeOrSelf(buffer.getType()));
    std::optional<int64_t> touched =
        bits ? checkedProduct({count, *bits}) : std::nullopt;
    if (!touched)
      return std::nullopt;
    int64_t bytes = (*touched + 7) / 8;
    if (std::optional<int64_t> whole = byteCount(buffer.getType()))
      bytes = std::min(bytes, *whole);
    if (!addBytes(total, bytes))
      return std::nullopt;
  }
  return total;
}

FailureOr<WorkAttr> NestCounter::makeWork(MLIRContext *context) const {
  std::optional<int64_t> read = bytesOf(loaded), written = bytesOf(stored);
  if (!read || !written)
    return failure();
  Value buffer = loaded.empty() ? stored.front().first : loaded.front().first;
  Type in = getElementTypeOrSelf(buffer.getType());
  Type out = stored.empty()
                 ? in
                 : getElementTypeOrSelf(stored.front().first.getType());
  return WorkAttr::get(
      context,
      {KernelFamily::Elementwise,
       heaviest.instructions,
       formatOf(in),
       storedBits(in).value_or(32),
       storedBits(out).value_or(32),
       ElementsProblem{std::max<int64_t>(storedElements, 1), /*strided=*/true},
       {/*tensorFlops=*/0, fp32Flops, specialOps, *read, *written}});
}

void gpucost::registerLoopWorkExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    context->loadDialect<GpuCostDialect>();
    scf::ForOp::attachInterface<LoopModel<scf::ForOp>>(*context);
    scf::ParallelOp::attachInterface<LoopModel<scf::ParallelOp>>(*context);
    scf::ForallOp::attachInterface<LoopModel<scf::ForallOp>>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, gpu::GPUDialect *) {
    context->loadDialect<GpuCostDialect>();
    gpu::LaunchOp::attachInterface<LoopModel<gpu::LaunchOp>>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, affine::AffineDialect *) {
    context->loadDialect<GpuCostDialect>();
    affine::AffineForOp::attachInterface<LoopModel<affine::AffineForOp>>(
        *context);
    affine::AffineParallelOp::attachInterface<
        LoopModel<affine::AffineParallelOp>>(*context);
  });
}
