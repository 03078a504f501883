//===- OffloadActivations.cpp - gpucost-offload-activations ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Rule (B13) of docs/CostModel.md.

#include "ModuleNotes.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Analysis/Iteration/PersistentTensors.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include "gpucost/Core/Scenario/TrainingStack.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "gpucost/Core/Support/QuantityText.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace gpucost {
#define GEN_PASS_DEF_OFFLOADACTIVATIONSPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

/// The last units stay on the GPU: the backward pass begins with them.
static constexpr size_t keptUnits = 2;

/// Attention, which begins a unit (X2).
static bool attends(Operation &op) {
  return isa<KernelOp>(op) && op.walk([](Operation *inner) {
                                  return isa<onnx::SoftmaxOp, onnx::AttentionOp,
                                             onnx::FusedAttentionOp>(inner)
                                             ? WalkResult::interrupt()
                                             : WalkResult::advance();
                                }).wasInterrupted();
}

namespace {

/// The kernels of one training step.
class StepOffloader {
public:
  explicit StepOffloader(Block &block) : block(block) {}

  /// The number of units, each with the kernels up to the next attention.
  size_t countUnits();
  /// Bytes of a micro-batch that are sent to host memory.
  int64_t run();

private:
  /// A tensor that the backward pass reads.
  struct Saved {
    Value tensor;
    SmallVector<Value> names; ///< the tensor and its views
  };
  struct Unit {
    size_t begin = 0;         ///< index of its first op
    size_t firstBackward = 0; ///< index of the first op that reads its tensors
    std::vector<Saved> saved;
  };

  Value root(Value value) const {
    auto it = rootOf.find(value);
    return it == rootOf.end() ? value : it->second;
  }
  Operation *topLevel(Operation *op) const {
    return block.findAncestorOpInBlock(*op);
  }
  size_t indexOf(Operation *op) const { return index.lookup(topLevel(op)); }
  size_t unitOf(size_t position) const {
    size_t unit = 0;
    while (unit + 1 < units.size() && units[unit + 1].begin <= position)
      ++unit;
    return unit;
  }
  bool holdsWeights(Value tensor) const;
  void findRoots();
  void findSaved();
  KernelOp copy(Operation *before, CollectiveKind kind, ValueRange sent,
                TypeRange received, int64_t bytes, Operation *like);

  Block &block;
  std::vector<Operation *> ops;
  llvm::DenseMap<Operation *, size_t> index;
  llvm::DenseMap<Value, Value> rootOf;
  std::vector<Unit> units;
  size_t backward = 0; ///< index of the first op of the backward pass
};

} // namespace

size_t StepOffloader::countUnits() {
  units.emplace_back();
  for (Operation &op : block) {
    index[&op] = ops.size();
    ops.push_back(&op);
    auto kernel = dyn_cast<KernelOp>(op);
    if (!kernel || backward)
      continue;
    if (kernel.getPhase() == Phase::Backward)
      backward = ops.size() - 1;
    else if (attends(op))
      units.emplace_back().begin = ops.size() - 1;
  }
  return backward ? units.size() : 0;
}

void StepOffloader::findRoots() {
  for (Operation *op : ops) {
    if (auto kernel = dyn_cast<KernelOp>(op)) {
      for (auto [i, result] : llvm::enumerate(kernel.getResults()))
        if (Value target = writtenInPlace(kernel, i))
          rootOf[result] = root(target);
    } else if (isUnallocated(op) && op->getNumOperands()) {
      for (Value result : op->getResults())
        rootOf[result] = root(op->getOperand(0));
    }
  }
}

/// Weights, and weights that a kernel has cast or gathered.
bool StepOffloader::holdsWeights(Value tensor) const {
  auto kernel = tensor.getDefiningOp<KernelOp>();
  if (!kernel)
    return true;
  bool found = false;
  bool isOther = kernel
                     .walk([&](Operation *inner) {
                       for (Value operand : inner->getOperands()) {
                         Value value = root(operand);
                         Operation *def = value.getDefiningOp();
                         if (def && kernel->isProperAncestor(def))
                           continue;
                         if (!def || !isPersistent(def))
                           return WalkResult::interrupt();
                         found = true;
                       }
                       return WalkResult::advance();
                     })
                     .wasInterrupted();
  return found && !isOther;
}

/// A tensor belongs to the unit that makes it. Tensors that later units read,
/// too, such as tables of positions, stay on the GPU.
void StepOffloader::findSaved() {
  llvm::MapVector<Value, SmallVector<Value>> names;
  for (Operation *op : ArrayRef(ops).take_front(backward))
    for (Value result : op->getResults())
      names[root(result)].push_back(result);
  for (auto &[tensor, values] : names) {
    Operation *maker = tensor.getDefiningOp();
    if (!isa_and_nonnull<KernelOp>(maker) || holdsWeights(tensor))
      continue;
    size_t unit = unitOf(indexOf(maker)), first = ops.size(), last = 0;
    bool isWhole = true;
    for (Value value : values) {
      isWhole &= value.getType() == tensor.getType() ||
                 !isa<KernelOp>(value.getDefiningOp());
      for (Operation *user : value.getUsers()) {
        size_t position = indexOf(user);
        if (position >= backward)
          first = std::min(first, position);
        else if (isa<KernelOp>(ops[position]))
          last = std::max(last, position);
      }
    }
    if (first == ops.size() || unitOf(last) > unit + 1 || !isWhole)
      continue;
    Unit &own = units[unit];
    own.firstBackward =
        own.saved.empty() ? first : std::min(own.firstBackward, first);
    own.saved.push_back({tensor, values});
  }
}

KernelOp StepOffloader::copy(Operation *before, CollectiveKind kind,
                             ValueRange sent, TypeRange received, int64_t bytes,
                             Operation *like) {
  OpBuilder builder(before);
  auto kernel =
      KernelOp::create(builder, like->getLoc(), received, "host copy");
  kernel.setPhase(Phase::Communication);
  kernel->setAttr(originAttrName, builder.getStringAttr(offloadOrigin));
  // One copy for each tensor.
  kernel.setHostLaunches(
      static_cast<int64_t>(std::max(sent.size(), received.size())));
  if (auto passes = like->getAttrOfType<IntegerAttr>(accumulatedAttrName)) {
    kernel->setAttr(accumulatedAttrName, passes);
    kernel.setCount(passes.getInt());
  }
  builder.setInsertionPointToEnd(&kernel.getBody().emplaceBlock());
  auto op = CollectiveOp::create(builder, like->getLoc(), received, sent, kind,
                                 bytes, /*world_size=*/1);
  YieldOp::create(builder, like->getLoc(), op.getOutputs());
  return kernel;
}

int64_t StepOffloader::run() {
  findRoots();
  findSaved();
  int64_t all = 0;
  for (size_t i = 0; i + keptUnits < units.size(); ++i) {
    Unit &unit = units[i];
    Unit &next = units[i + 1];
    if (unit.saved.empty() || next.saved.empty())
      continue;
    SmallVector<Value> tensors;
    SmallVector<Type> types;
    int64_t bytes = 0;
    for (const Saved &saved : unit.saved) {
      tensors.push_back(saved.tensor);
      types.push_back(saved.tensor.getType());
      bytes =
          saturatingSum(bytes, byteCount(saved.tensor.getType()).value_or(0));
    }
    all = saturatingSum(all, bytes);
    Operation *like = tensors.front().getDefiningOp();
    copy(ops[units[i + 2].begin], CollectiveKind::ToHost, tensors, {}, bytes,
         like);
    Operation *reader = ops[next.firstBackward];
    KernelOp fetched =
        copy(reader, CollectiveKind::FromHost, {}, types, bytes, like);
    for (auto [saved, result] :
         llvm::zip_equal(unit.saved, fetched.getResults())) {
      IRMapping again;
      SmallVector<Operation *> views;
      OpBuilder builder(reader);
      for (Value name : saved.names) {
        Operation *def = name.getDefiningOp();
        if (isa<KernelOp>(def))
          again.map(name, result);
        else
          views.push_back(builder.clone(*def, again));
        Value back = again.lookup(name);
        name.replaceUsesWithIf(back, [&](OpOperand &use) {
          auto known = index.find(topLevel(use.getOwner()));
          return known != index.end() && known->second >= backward;
        });
      }
      for (Operation *view : llvm::reverse(views))
        if (view->use_empty())
          view->erase();
    }
  }
  return all;
}

namespace {
struct OffloadActivationsPass
    : public gpucost::impl::OffloadActivationsPassBase<OffloadActivationsPass> {
  using OffloadActivationsPassBase::OffloadActivationsPassBase;
  OffloadActivationsPass() = default;
  OffloadActivationsPass(const OffloadActivationsPass &other)
      : OffloadActivationsPassBase(other) {}

protected:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (asStated && !getSettings(module).offloadActivations)
      return;
    FailureOr<Settings> settings = stateSettings(module, options.stated());
    if (failed(settings))
      return signalPassFailure();
    if (!settings->offloadActivations)
      return;
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal() ||
          !function.getBody().back().getTerminator()->hasAttr(
              gradientsAttrName))
        continue;
      StepOffloader step(function.getBody().front());
      if (size_t units = step.countUnits(); units <= keptUnits) {
        module.emitError() << "--offload-activations needs at least "
                           << keptUnits << " layers with attention, but found "
                           << (units ? units - 1 : 0);
        return signalPassFailure();
      }
      int64_t bytes = step.run();
      addNote(module,
              "activations: " + roundedText(Bytes(static_cast<double>(bytes))) +
                  " of a micro-batch wait in host memory; unseen: no public "
                  "measurement",
              parallelNotesAttrName);
    }
  }

private:
  SettingOptions options{*this, &Scenario::offloadActivations};
};
} // namespace
