//===- MemoryAnalysis.cpp - Peak memory from liveness ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Parameters, optimizer states, kept gradients, and inputs, which belong to the
// caller, are live throughout. Every other tensor is live from the op that
// creates it to the last op that uses it or a view of it.

#include "gpucost/Compiler/Analysis/Iteration/IterationAnalysis.h"
#include "gpucost/Compiler/Analysis/Iteration/PersistentTensors.h"
#include "gpucost/Compiler/Analysis/Iteration/WeightCount.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace mlir;
using namespace gpucost;

bool gpucost::isConstantWeight(Operation *op) {
  if (op->getNumResults() != 1 ||
      (!op->hasTrait<OpTrait::ConstantLike>() &&
       op->getName().getStringRef() != "ml_program.global_load_const" &&
       op->getName().getStringRef() != "memref.get_global") ||
      isa<ParameterOpInterface>(op))
    return false;
  auto type = dyn_cast<ShapedType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() || type.getRank() == 0 ||
      type.getNumElements() < 2)
    return false;
  Type element = type.getElementType();
  bool isData = isa<FloatType>(element) ||
                (element.isInteger() && element.getIntOrFloatBitWidth() > 1 &&
                 element.getIntOrFloatBitWidth() <= 8);
  return isData && !op->use_empty() &&
         !llvm::all_of(op->getUses(), [](OpOperand &use) {
           auto user = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
           return user && user.isDpsInit(&use);
         });
}

bool gpucost::isPersistent(Operation *op) {
  // Kernels are the most frequent ops; this avoids the name comparisons.
  if (isa<KernelOp>(op))
    return false;
  auto parameter = dyn_cast<ParameterOpInterface>(op);
  return isConstantWeight(op) || (parameter && parameter.isPersistent());
}

bool gpucost::isUnallocated(Operation *op) {
  if (isa<KernelOp>(op))
    return false;
  if (op->hasAttr("onnx.constant") || op->hasTrait<OpTrait::ConstantLike>() ||
      op->getName().getStringRef() == "tensor.empty")
    return true;
  auto work = dyn_cast<WorkOpInterface>(op);
  return work && (work.getCostClass() == CostClass::View ||
                  work.getCostClass() == CostClass::Metadata);
}

Value gpucost::writtenInPlace(KernelOp kernel, unsigned result) {
  Value inner = kernel.getBody().front().getTerminator()->getOperand(result);
  Operation *def = inner.getDefiningOp();
  if (!def || def->getParentOp() != kernel)
    return {};
  auto inPlace = dyn_cast<InPlaceOpInterface>(def);
  return inPlace ? inPlace.getInPlaceOperand(
                       cast<OpResult>(inner).getResultNumber())
                 : Value();
}

/// Whether `op` is a collective of the data-parallel step; collectives of
/// tensor parallelism exchange activations.
static bool sendsGradients(Operation *op) {
  if (!isa<CollectiveOp>(op))
    return false;
  auto phase = op->getAttrOfType<PhaseAttr>(phaseAttrName);
  return phase && phase.getValue() == Phase::Communication;
}

/// Bytes of an optimizer's lists in addition to those that it updates.
static int64_t scratchOf(Operation &op) {
  auto kernel = dyn_cast<KernelOp>(op);
  if (!kernel)
    return 0;
  Operation &inner = kernel.getBody().front().front();
  if (!isa<OptimizerStepOp>(inner))
    return 0;
  auto bytes = inner.getAttrOfType<IntegerAttr>(scratchAttrName);
  return bytes ? bytes.getInt() : 0;
}

namespace {

/// A tensor with a limited lifetime.
struct TensorRecord {
  /// The value and the op that writes it; null for an input of the block, and
  /// for scratch memory of an op.
  Value value;
  Operation *maker;
  /// The next tensor that is freed by the same op.
  int32_t nextFreed = -1;
};

/// Liveness of one block.
class BlockMemory {
public:
  using Positions = llvm::DenseMap<Operation *, uint32_t>;

  BlockMemory(Block &block, const CacheWindows &caches)
      : block(block), caches(caches) {}
  /// If this block needs more memory than `use`, replaces `use` with this
  /// block, and sets `events` to the number of events before each op.
  void analyze(MemoryUse &use, Positions &events);

private:
  Value root(Value value) const {
    auto it = rootOf.find(value);
    return it == rootOf.end() ? value : it->second;
  }
  void findUses();
  void allocate(Value value);
  void grow(Value value);
  void add(Value holder, int64_t bytes);
  void addScratch(Operation &op, int64_t bytes);
  int32_t record(Value value, Operation *maker, int64_t bytes);
  void addPlaceholders();
  void addFreed(unsigned index);
  static void addPersistent(Operation &op, MemoryUse &use);
  std::vector<TensorUse> describePeak(size_t events) const;
  void finishTrace();

  Block &block;
  const CacheWindows &caches;
  llvm::DenseMap<Value, Value> rootOf;
  llvm::DenseMap<Value, unsigned> lastUse;
  /// Sizes of buffers that are overwritten in place.
  llvm::DenseMap<Value, int64_t> sizeOf;
  /// Parameter gradients, which the optimizer and the collectives read.
  llvm::DenseSet<Value> gradients;
  struct Amount {
    int64_t activations = 0, gradients = 0;
    int64_t total() const { return saturatingSum(activations, gradients); }
  };
  std::vector<Amount> freedAt;
  Amount live;
  /// The block as a list of allocations; `records` belong to `trace.sizes`.
  AllocationTrace trace;
  std::vector<TensorRecord> records;
  /// For each op the first tensor that it frees; -1 for none.
  std::vector<int32_t> firstFreed;
};

} // namespace

void BlockMemory::findUses() {
  unsigned index = 0;
  lastUse.reserve(2 * block.getOperations().size());
  for (Operation &op : block) {
    // Uses inside a kernel's region count as uses of the kernel.
    op.walk([&](Operation *inner) {
      bool readsGradients =
          isa<OptimizerStepOp>(inner) || sendsGradients(inner);
      DenseI64ArrayAttr returned;
      if (inner->hasTrait<OpTrait::IsTerminator>())
        returned = inner->getAttrOfType<DenseI64ArrayAttr>(gradientsAttrName);
      for (auto [i, operand] : llvm::enumerate(inner->getOperands())) {
        lastUse[root(operand)] = index;
        if (readsGradients ||
            (returned && i < static_cast<size_t>(returned.size())))
          gradients.insert(root(operand));
      }
    });
    if (auto kernel = dyn_cast<KernelOp>(op)) {
      for (auto [i, result] : llvm::enumerate(kernel.getResults()))
        if (Value target = writtenInPlace(kernel, i))
          rootOf[result] = root(target);
    } else if (isUnallocated(&op) && op.getNumOperands()) {
      for (Value result : op.getResults())
        rootOf[result] = root(op.getOperand(0));
    }
    ++index;
  }
  freedAt.assign(index + 1, {});
  firstFreed.assign(index + 1, -1);
  trace.events.reserve(2 * index);
  trace.sizes.reserve(index);
  records.reserve(index);
}

int32_t BlockMemory::record(Value value, Operation *maker, int64_t bytes) {
  auto tensor = static_cast<int32_t>(records.size());
  records.push_back({value, maker});
  trace.sizes.push_back(bytes);
  trace.events.push_back(tensor + 1);
  return tensor;
}

void BlockMemory::addFreed(unsigned index) {
  for (int32_t tensor = firstFreed[index]; tensor >= 0;
       tensor = records[tensor].nextFreed)
    trace.events.push_back(-(tensor + 1));
}

/// The name of the node of `kernel` without numbers: equal in all blocks.
static std::string nameInBlock(KernelOp kernel) {
  std::string name;
  kernel.getLoc()->walk([&](Location inner) {
    if (auto named = dyn_cast<NameLoc>(inner); named && name.empty())
      llvm::copy_if(named.getName().getValue(), std::back_inserter(name),
                    [](char c) { return !llvm::isDigit(c); });
    return WalkResult::advance();
  });
  return name;
}

/// (X18) A matmul that adds the gradient of a weight to a sum returns a
/// placeholder to autograd, with the shape and the format of the weight. Blocks
/// and experts share placeholders, which exist until the end.
void BlockMemory::addPlaceholders() {
  std::set<std::pair<std::string, int64_t>> known;
  block.walk([&](onnx::InPlaceAccumulatorOp sum) {
    Operation *product = sum->getOperand(1).getDefiningOp();
    auto kernel = dyn_cast<KernelOp>(sum->getParentOp());
    if (!kernel || !product || product->getParentOp() != kernel ||
        !isProduct(getCostClass(product)))
      return;
    auto weight = cast<RankedTensorType>(product->getResult(0).getType());
    Type format = cast<RankedTensorType>(product->getOperand(0).getType())
                      .getElementType();
    ArrayRef<int64_t> shape = weight.getShape().take_back(2);
    int64_t bytes = byteCount(RankedTensorType::get(shape, format)).value_or(0);
    if (!known.insert({nameInBlock(kernel), bytes}).second)
      return;
    record({}, kernel, bytes);
    live.gradients = saturatingSum(live.gradients, bytes);
  });
}

/// Memory that `op` uses only while it runs.
void BlockMemory::addScratch(Operation &op, int64_t bytes) {
  int32_t tensor = record({}, &op, bytes);
  trace.events.push_back(-(tensor + 1));
}

/// Memory that `holder` uses until it is freed.
void BlockMemory::add(Value holder, int64_t bytes) {
  bool gradient = gradients.contains(holder);
  int64_t &now = gradient ? live.gradients : live.activations;
  now = saturatingSum(now, bytes);
  int32_t tensor = record(holder, holder.getDefiningOp(), bytes);
  auto it = lastUse.find(holder);
  if (it == lastUse.end() || isa<BlockArgument>(holder))
    return;
  records[tensor].nextFreed = firstFreed[it->second];
  firstFreed[it->second] = tensor;
  Amount &freed = freedAt[it->second];
  int64_t &then = gradient ? freed.gradients : freed.activations;
  then = saturatingSum(then, bytes);
}

void BlockMemory::allocate(Value value) {
  std::optional<int64_t> bytes = caches.heldBytes(value);
  if (!bytes)
    return;
  if (root(value) == value)
    add(value, *bytes);
  else
    grow(value);
}

/// (K1, K3) A cache has room for the appended tokens: its size is the size of
/// the largest result that is written to it.
void BlockMemory::grow(Value value) {
  Value holder = root(value);
  int64_t bytes = *caches.heldBytes(holder, value.getType());
  auto [it, isNew] =
      sizeOf.try_emplace(holder, caches.heldBytes(holder).value_or(bytes));
  // A cache that keeps a window grows by nothing once it is full: the events of
  // all contexts are the same.
  if (bytes < it->second || (bytes == it->second && !caches.isLimited(holder)))
    return;
  add(holder, bytes - it->second);
  it->second = bytes;
}

void BlockMemory::addPersistent(Operation &op, MemoryUse &use) {
  Type type = op.getResult(0).getType();
  int64_t bytes = byteCount(type).value_or(0);
  if (auto shards = op.getAttrOfType<IntegerAttr>(shardsAttrName))
    bytes = (bytes + shards.getInt() - 1) / shards.getInt();
  auto role = op.getAttrOfType<TensorRoleAttr>(roleAttrName);
  switch (role ? role.getValue() : TensorRole::Parameter) {
  case TensorRole::Gradient:
    use.gradientBytes = saturatingSum(use.gradientBytes, bytes);
    use.trace.gradients.push_back(bytes);
    return;
  case TensorRole::OptimizerState:
    use.optimizerBytes = saturatingSum(use.optimizerBytes, bytes);
    use.trace.states.push_back(bytes);
    return;
  case TensorRole::Parameter:
    break;
  }
  use.parameterCount = saturatingSum(
      use.parameterCount, isConstantWeight(&op) ? elementCount(type).value_or(0)
                                                : countWeights(&op));
  use.parameterBytes = saturatingSum(use.parameterBytes, bytes);
  use.trace.parameters.push_back(bytes);
}

/// Name of the ONNX value or node that created `tensor`.
static std::string nameOf(const TensorRecord &tensor) {
  Location loc = tensor.maker ? tensor.maker->getLoc() : tensor.value.getLoc();
  std::string name;
  loc->walk([&](Location inner) {
    if (auto named = dyn_cast<NameLoc>(inner))
      name = named.getName().str();
    return name.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return name;
}

/// The largest tensors that exist after the first `events` events.
std::vector<TensorUse> BlockMemory::describePeak(size_t events) const {
  constexpr size_t most = 16;
  std::vector<bool> alive(records.size());
  for (size_t i = 0; i < events; ++i)
    alive[std::abs(trace.events[i]) - 1] = trace.events[i] > 0;
  std::vector<int32_t> largest;
  for (size_t i = 0; i < alive.size(); ++i)
    if (alive[i] && trace.sizes[i] > 0)
      largest.push_back(static_cast<int32_t>(i));
  auto end =
      largest.begin() + static_cast<ptrdiff_t>(std::min(most, largest.size()));
  std::partial_sort(
      largest.begin(), end, largest.end(), [&](int32_t a, int32_t b) {
        return std::pair(-trace.sizes[a], a) < std::pair(-trace.sizes[b], b);
      });
  std::vector<TensorUse> result;
  for (auto it = largest.begin(); it != end; ++it) {
    TensorUse use{nameOf(records[*it]), "input", Phase::Forward,
                  trace.sizes[*it]};
    if (auto kernel = dyn_cast_or_null<KernelOp>(records[*it].maker)) {
      use.madeBy = kernel.getLabel().str();
      use.phase = kernel.getPhase();
    } else if (Operation *maker = records[*it].maker) {
      use.madeBy = maker->getName().stripDialect().str();
    }
    result.push_back(std::move(use));
  }
  return result;
}

void BlockMemory::analyze(MemoryUse &use, Positions &events) {
  findUses();
  Positions positions;
  Amount peak;
  size_t peakEvents = 0;
  for (Value argument : block.getArguments())
    allocate(argument);
  unsigned index = 0;
  bool isBackward = false;
  for (Operation &op : block) {
    if (auto kernel = dyn_cast<KernelOp>(op);
        kernel && kernel.getPhase() == Phase::Backward &&
        !std::exchange(isBackward, true))
      addPlaceholders();
    if (isPersistent(&op))
      addPersistent(op, use);
    else if (!isUnallocated(&op))
      for (Value result : op.getResults())
        allocate(result);
    int64_t scratch = scratchOf(op);
    if (scratch > 0)
      addScratch(op, scratch);
    Amount now = live;
    now.activations = saturatingSum(now.activations, scratch);
    // Its scratch memory still exists.
    size_t until = trace.events.size() - (scratch > 0 ? 1 : 0);
    if (isa<KernelOp>(op))
      positions[&op] = static_cast<uint32_t>(until);
    if (now.total() > peak.total()) {
      peak = now;
      peakEvents = until;
    }
    live.activations -= freedAt[index].activations;
    live.gradients -= freedAt[index].gradients;
    addFreed(index);
    ++index;
  }
  if (peak.total() <= use.temporaryBytes())
    return;
  use.activationBytes = peak.activations;
  use.passingGradientBytes = peak.gradients;
  use.peakTensors = describePeak(peakEvents);
  finishTrace();
  use.trace.sizes = std::move(trace.sizes);
  use.trace.events = std::move(trace.events);
  events = std::move(positions);
}

/// Frees the remaining tensors at the end of the iteration.
void BlockMemory::finishTrace() {
  std::vector<bool> alive(records.size());
  for (int32_t event : trace.events)
    alive[std::abs(event) - 1] = event > 0;
  for (size_t i = 0; i < alive.size(); ++i)
    if (alive[i])
      trace.events.push_back(-static_cast<int32_t>(i + 1));
}

MemoryAnalysis::MemoryAnalysis(Operation *module) : caches(module) {
  module->walk([&](func::FuncOp function) {
    for (Block &block : function.getBody())
      BlockMemory(block, caches).analyze(memory, events);
  });
}

uint32_t MemoryAnalysis::eventsUntil(Operation *op) const {
  for (; op; op = op->getParentOp())
    if (auto it = events.find(op); it != events.end())
      return it->second;
  return 0;
}
