//===- KernelListAnalysis.cpp - Converts kernels in IR to plain data ------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DescribeIteration.h"
#include "TensorRoots.h"
#include "gpucost/Compiler/Analysis/Iteration/IterationAnalysis.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Analysis/Iteration/PersistentTensors.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/Utils/NodeName.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;

/// Position in the file of the ONNX node in a location; for a node in a
/// function, the position of the call in the main graph. Ignores source lines.
static NodePosition positionOf(Location loc) {
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return positionOf(call.getCaller());
  if (auto name = dyn_cast<NameLoc>(loc)) {
    auto file = dyn_cast<FileLineColLoc>(name.getChildLoc());
    return file ? NodePosition{file.getColumn(), file.getLine()}
                : NodePosition();
  }
  auto fused = dyn_cast<FusedLoc>(loc);
  if (!fused || fused.getLocations().empty())
    return {};
  for (Location inner : fused.getLocations())
    if (!getNodeName(inner).empty())
      return positionOf(inner);
  return positionOf(fused.getLocations().front());
}

ScheduleAttr gpucost::getSchedule(KernelOp kernel) {
  if (kernel.getCoverage() != Coverage::Modelled)
    return nullptr;
  return kernel->getAttrOfType<ScheduleAttr>(scheduleAttrName);
}

namespace {

/// A use of a tensor from outside of the kernel.
struct Read {
  Value tensor; ///< that the operand is a view of
  int64_t bytes = 0;
  int64_t perLaunch = 0; ///< at most `bytes`
};

/// Collects the launches of a module.
class KernelCollector {
public:
  KernelCollector(PreparedModel &model, std::vector<KernelOp> &ops,
                  const CoverageAnalysis &coverage,
                  const MemoryAnalysis &memory)
      : model(model), ops(ops), coverage(coverage), memory(memory) {}

  LogicalResult add(KernelOp op);
  /// Records the launches that each launch waits for: communication needs them.
  void addReads();

private:
  uint32_t workOf(KernelOp op);
  uint32_t kindOf(KernelOp op, uint32_t work);
  SmallVector<Read> readsOf(KernelOp op);
  void addPersistentReads(KernelOp op, ArrayRef<Read> reads);
  void addTouches(KernelOp op, ArrayRef<Read> reads);
  StringRef weightOf(KernelOp op);
  uint32_t nodeOf(KernelOp op);

  PreparedModel &model;
  std::vector<KernelOp> &ops;
  const CoverageAnalysis &coverage;
  const MemoryAnalysis &memory;
  /// Problems, by work, tiling and schedule in the IR.
  std::map<std::tuple<const void *, const void *, const void *, const void *>,
           uint32_t>
      works;
  std::map<std::tuple<const void *, const void *, const void *, const void *,
                      Phase, Coverage>,
           uint32_t>
      kinds;
  /// Indices of tensors that outlive the iteration.
  llvm::DenseMap<Value, uint32_t> tensors;
  /// Indices of all tensors.
  llvm::DenseMap<Value, uint32_t> touched;
  TensorRoots roots;
  /// Nodes by name, graph and index. The names belong to the IR.
  std::map<std::tuple<StringRef, uint32_t, uint32_t>, uint32_t> nodes;
};

} // namespace

/// The sliding window of an attention op. Kernels of layers with and without
/// one are equal only for short contexts.
static const void *windowOf(KernelOp op) {
  if (!op.getWorkAttr()->isTiled())
    return nullptr;
  Operation &first = op.getBody().front().front();
  Attribute window = first.getAttr("local_window_size");
  return (window ? window : first.getAttr("left_window_size"))
      .getAsOpaquePointer();
}

uint32_t KernelCollector::workOf(KernelOp op) {
  ScheduleAttr schedule = getSchedule(op);
  auto [it, isNew] =
      works.try_emplace({op.getWorkAttr().getAsOpaquePointer(),
                         op.getTilingAttr().getAsOpaquePointer(),
                         schedule.getAsOpaquePointer(), windowOf(op)},
                        model.works.size());
  if (!isNew)
    return it->second;
  if (schedule)
    model.schedules[it->second] = schedule.getValue();
  model.works.push_back(op.getWorkAttr().getValue());
  uint32_t number = it->second;
  op.getBody().walk([&](Operation *inner) {
    if (std::optional<ExpertLayer> layer = onnx::readExpertLayer(inner))
      model.experts.push_back({number, *layer});
  });
  return number;
}

uint32_t KernelCollector::kindOf(KernelOp op, uint32_t work) {
  auto [it, isNew] =
      kinds.try_emplace({op.getLabelAttr().getAsOpaquePointer(),
                         op.getWorkAttr().getAsOpaquePointer(),
                         getSchedule(op).getAsOpaquePointer(), windowOf(op),
                         op.getPhase(), op.getCoverage()},
                        model.kinds.size());
  if (!isNew)
    return it->second;
  KernelKind kind;
  kind.name = getNodeName(op.getLoc()).str();
  kind.label = op.getLabel().str();
  kind.op = describeOp(&op.getBody().front().front());
  if (auto origin = op->getAttrOfType<StringAttr>(originAttrName))
    kind.origin = origin.str();
  kind.phase = op.getPhase();
  kind.coverage = op.getCoverage();
  kind.work = work;
  model.kinds.push_back(std::move(kind));
  return it->second;
}

static bool outlivesIteration(Value tensor) {
  if (Operation *def = tensor.getDefiningOp())
    return isPersistent(def);
  return isa<FunctionOpInterface>(
      cast<BlockArgument>(tensor).getOwner()->getParentOp());
}

SmallVector<Read> KernelCollector::readsOf(KernelOp op) {
  SmallVector<Read> reads;
  op.getBody().walk([&](Operation *inner) {
    if (isa<YieldOp>(inner))
      return;
    for (OpOperand &use : inner->getOpOperands()) {
      Value tensor = roots.viewed(use.get());
      // Values computed in the kernel stay in registers.
      Operation *def = tensor.getDefiningOp();
      if (def && op->isProperAncestor(def))
        continue;
      int64_t bytes = onnx::countReadBytes(use, op.getWorkAttr().getValue());
      reads.push_back({tensor, bytes, bytes});
      // A lookup reads few rows.
      if (isa<onnx::GatherOp>(inner) && use.getOperandNumber() == 0)
        reads.back().perLaunch = std::min(
            bytes, byteCount(inner->getResult(0).getType()).value_or(bytes));
    }
  });
  return reads;
}

/// Calls `visit(tensor, bytes of the read, new bytes)` for the tensors, limited
/// to the bytes counted in the kernel's work.
static void visitBytes(KernelOp op, ArrayRef<Read> reads,
                       function_ref<Value(Value)> rootOf,
                       function_ref<void(Value, int64_t, int64_t)> visit) {
  int64_t left = op.getWorkAttr()->count.bytesRead;
  llvm::SmallDenseMap<Value, int64_t, 8> known;
  for (const Read &read : reads) {
    Value tensor = rootOf(read.tensor);
    int64_t &seen = known[tensor];
    int64_t more = std::min(std::max<int64_t>(read.perLaunch - seen, 0), left);
    if (more <= 0)
      continue;
    seen += more;
    left -= more;
    visit(tensor, read.bytes, more);
  }
}

void KernelCollector::addPersistentReads(KernelOp op, ArrayRef<Read> reads) {
  visitBytes(
      op, reads, [&](Value tensor) { return roots.stored(tensor); },
      [&](Value tensor, int64_t bytes, int64_t more) {
        Operation *def = tensor.getDefiningOp();
        if (isa_and_nonnull<KernelOp>(def) || !outlivesIteration(tensor))
          return;
        uint32_t number =
            tensors.try_emplace(tensor, tensors.size()).first->second;
        model.persistentReads.push_back(
            {number, more,
             memory.cacheWindows().heldBytes(tensor).value_or(bytes)});
      });
}

void KernelCollector::addTouches(KernelOp op, ArrayRef<Read> reads) {
  auto numberOf = [&](Value tensor) {
    return touched.try_emplace(tensor, touched.size()).first->second;
  };
  visitBytes(
      op, reads, [](Value tensor) { return tensor; },
      [&](Value tensor, int64_t, int64_t more) {
        model.touches.push_back({numberOf(tensor), false, more});
      });
  // Only the new tokens of a cache are written, the same amount for keys and
  // for values; other results are written completely.
  int64_t left = op.getWorkAttr()->count.bytesWritten;
  auto write = [&](OpResult result, int64_t most) {
    int64_t bytes = std::min(byteCount(result.getType()).value_or(0), most);
    if (bytes <= 0)
      return;
    left -= bytes;
    model.touches.push_back({numberOf(result), true, bytes});
  };
  SmallVector<OpResult> caches;
  for (OpResult result : op->getResults())
    if (writtenInPlace(op, result.getResultNumber()))
      caches.push_back(result);
    else
      write(result, left);
  for (auto [i, cache] : llvm::enumerate(caches))
    write(cache, left / static_cast<int64_t>(caches.size() - i));
}

/// Name of the first weight that the kernel reads; "" if there is none.
StringRef KernelCollector::weightOf(KernelOp op) {
  StringRef name;
  op.getBody().walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (!def || isa<KernelOp>(def))
        continue;
      def = roots.viewed(operand).getDefiningOp();
      if (!def || !isPersistent(def))
        continue;
      name = getNodeName(def->getLoc());
      if (!name.empty())
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return name;
}

uint32_t KernelCollector::nodeOf(KernelOp op) {
  StringRef name = getNodeName(op.getLoc());
  NodePosition position = positionOf(op.getLoc());
  auto [it, isNew] = nodes.try_emplace({name, position.graph, position.index},
                                       model.nodes.size());
  if (isNew) {
    model.nodes.push_back(name.str());
    model.positions.push_back(position);
    model.nodeWeights.emplace_back();
  }
  std::string &weight = model.nodeWeights[it->second];
  if (weight.empty())
    weight = weightOf(op).str();
  return it->second;
}

LogicalResult KernelCollector::add(KernelOp op) {
  if (!op.getWorkAttr())
    return op.emitOpError("expected a 'work' attribute; run "
                          "'gpucost-annotate-work' first");
  Launch launch;
  launch.work = workOf(op);
  launch.kind = kindOf(op, launch.work);
  launch.node = nodeOf(op);
  launch.count = static_cast<int64_t>(op.getCount());
  if (auto passes = op->getAttrOfType<IntegerAttr>(accumulatedAttrName))
    launch.passes = passes.getInt();
  launch.hostLaunches = static_cast<int64_t>(op.getHostLaunches());
  launch.library = op.getLibrary();
  launch.recomputes = op->hasAttr(recomputedAttrName);
  launch.synchronizes = op->hasAttr(synchronizesAttrName);
  launch.fallback = coverage.fallbackOf(op);
  SmallVector<Read> reads = readsOf(op);
  addPersistentReads(op, reads);
  launch.persistentReadsEnd =
      static_cast<uint32_t>(model.persistentReads.size());
  addTouches(op, reads);
  launch.touchesEnd = static_cast<uint32_t>(model.touches.size());
  launch.memoryEvents = memory.eventsUntil(op);
  model.launches.push_back(launch);
  ops.push_back(op);
  return success();
}

void KernelCollector::addReads() {
  if (llvm::none_of(ops, [](KernelOp op) {
        return op.getPhase() == Phase::Communication;
      }))
    return;
  llvm::DenseMap<Operation *, uint32_t> positions;
  std::optional<uint32_t> lastUpdate;
  for (auto [i, op] : llvm::enumerate(ops)) {
    // Communication after an update sends the updated weights.
    if (op.getPhase() == Phase::Optimizer)
      lastUpdate = static_cast<uint32_t>(i);
    else if (lastUpdate && op.getPhase() == Phase::Communication)
      model.reads.push_back(*lastUpdate);
    op.getBody().walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        // A view is ready when the viewed tensor is ready.
        Operation *def = roots.viewed(operand).getDefiningOp();
        auto it = def ? positions.find(def) : positions.end();
        if (it != positions.end())
          model.reads.push_back(it->second);
      }
    });
    model.launches[i].readsEnd = static_cast<uint32_t>(model.reads.size());
    positions[op] = static_cast<uint32_t>(i);
  }
}

KernelListAnalysis::KernelListAnalysis(Operation *root,
                                       AnalysisManager &analyses) {
  auto module = cast<ModuleOp>(root);
  FailureOr<NumericFormat> format = getTargetFormat(module);
  if (failed(format))
    return;
  auto model = std::make_shared<PreparedModel>();
  model->format = *format;
  const auto &coverage = analyses.getAnalysis<CoverageAnalysis>();
  const auto &memory = analyses.getAnalysis<MemoryAnalysis>();
  KernelCollector collector(*model, ops, coverage, memory);
  WalkResult result = module.walk([&](KernelOp kernel) {
    if (kernel.getCoverage() != Coverage::Unmodelled &&
        failed(collector.add(kernel)))
      return WalkResult::interrupt();
    return WalkResult::skip();
  });
  if (result.wasInterrupted())
    return;
  collector.addReads();
  model->fallbacks = coverage.fallbacks();
  model->unmodelled = coverage.unmodelled();
  model->assumed = coverage.assumed();
  model->memory = memory.use();
  describeIteration(module, *model);
  prepared = std::move(model);
}
