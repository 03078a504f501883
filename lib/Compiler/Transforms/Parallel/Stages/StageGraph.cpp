//===- StageGraph.cpp - Layers and stages of a graph ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageGraph.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Transforms/StageLayers.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "llvm/ADT/Hashing.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::stages;

static bool hasCostClass(Operation *op, ArrayRef<CostClass> classes) {
  auto work = dyn_cast<WorkOpInterface>(op);
  return work && llvm::is_contained(classes, work.getCostClass());
}

static bool isView(Operation *op) {
  return hasCostClass(op, {CostClass::View, CostClass::Metadata});
}

/// The name of the op, its operands and the ranks of its results.
static size_t signatureOf(Operation *op, const llvm::DenseSet<Value> &weights) {
  llvm::hash_code hash = llvm::hash_combine(
      op->getName().getStringRef(), op->getNumOperands(), op->getNumResults());
  for (Value operand : op->getOperands())
    hash = llvm::hash_combine(hash, weights.contains(operand));
  for (Type type : op->getResultTypes()) {
    auto shaped = dyn_cast<ShapedType>(type);
    hash = llvm::hash_combine(
        hash, shaped && shaped.hasRank() ? shaped.getRank() : int64_t(-1));
  }
  return hash;
}

StageGraph::StageGraph(Block &block) {
  // `weights`: computed from parameters and constants. `computed`: from
  // parameters and inputs.
  llvm::DenseSet<Value> weights, computed;
  for (Operation &op : block.without_terminator()) {
    bool isParameter = isTrainableParameter(&op);
    bool readsWeights = isParameter, readsOther = false, reads = false;
    for (Value operand : op.getOperands()) {
      readsWeights |= weights.contains(operand);
      reads |= computed.contains(operand);
      Operation *def = operand.getDefiningOp();
      bool isData =
          def ? def->getNumOperands() > 0 && !def->hasAttr("onnx.constant")
              : true;
      readsOther |= isData && !weights.contains(operand);
    }
    if (reads || (readsWeights && readsOther)) {
      computed.insert(op.result_begin(), op.result_end());
      positions[&op] = main.size();
      main.push_back(&op);
      signatures.push_back(signatureOf(&op, weights));
      isProduct.push_back(
          hasCostClass(&op, {CostClass::Contraction, CostClass::Convolution}));
      continue;
    }
    if (readsWeights)
      weights.insert(op.result_begin(), op.result_end());
  }
  llvm::MapVector<Value, size_t> lastUse;
  for (auto [i, op] : llvm::enumerate(main))
    op->walk([&, i = i](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Value value = viewed(operand); positionOf(value))
          lastUse[value] = i;
    });
  lastReaders.assign(lastUse.begin(), lastUse.end());
  crossings.assign(main.size() + 1, 0);
  for (auto [value, last] : lastReaders) {
    size_t made = *positionOf(value);
    ++crossings[made + 1];
    if (last + 1 < crossings.size())
      --crossings[last + 1];
  }
  for (size_t i = 1; i < crossings.size(); ++i)
    crossings[i] += crossings[i - 1];
}

std::optional<size_t> StageGraph::positionOf(Value value) const {
  Operation *def = value.getDefiningOp();
  auto it = def ? positions.find(def) : positions.end();
  return it == positions.end() ? std::nullopt : std::optional(it->second);
}

Value StageGraph::viewed(Value value) const {
  while (positionOf(value) && isView(value.getDefiningOp()) &&
         positionOf(value.getDefiningOp()->getOperand(0)))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

double StageGraph::sumWork(OpRange range, bool onlyProducts) const {
  double flops = 0;
  for (size_t i = range.begin; i < range.end; ++i) {
    auto work = dyn_cast<WorkOpInterface>(main[i]);
    if (!work || isView(main[i]) || (onlyProducts && !isProduct[i]))
      continue;
    if (FailureOr<WorkAttr> counted = work.getWork(); succeeded(counted))
      flops += static_cast<double>((*counted)->count.tensorFlops);
  }
  return flops;
}

SmallVector<OpRange> StageGraph::findRepetition(OpRange range) const {
  size_t n = range.size(), bestCovered = 0, bestPeriod = 0, bestBegin = 0,
         bestRun = 0;
  // Whether the middle of the range, which a repetition of more than
  // `bestCovered` ops contains, repeats after `period` ops.
  auto mayCoverMore = [&](size_t period) {
    for (size_t i = n - bestCovered; i + period < bestCovered; ++i)
      if (signatures[range.begin + i] != signatures[range.begin + i + period])
        return false;
    return true;
  };
  for (size_t period = 1; period <= n / 2; ++period) {
    if (!mayCoverMore(period))
      continue;
    size_t run = 0;
    for (size_t i = range.begin; i + period <= range.end; ++i) {
      bool isEqual =
          i + period < range.end && signatures[i] == signatures[i + period];
      if (isEqual) {
        ++run;
        continue;
      }
      size_t covered = (run + period) / period * period;
      size_t begin = i - run;
      bool hasProduct = false;
      for (size_t at = begin; at < begin + period && run >= period; ++at)
        hasProduct |= isProduct[at];
      if (hasProduct && covered > bestCovered) {
        bestCovered = covered;
        bestPeriod = period;
        bestBegin = begin;
        bestRun = run + period;
      }
      run = 0;
    }
  }
  if (bestPeriod == 0)
    return {};
  // The cut with the fewest values, then the one with the most blocks.
  size_t bestOffset = 0, bestCount = 0;
  int64_t fewest = INT64_MAX;
  for (size_t offset = 0; offset + 2 * bestPeriod <= bestRun &&
                          offset < bestPeriod + bestRun % bestPeriod;
       ++offset) {
    size_t count = (bestRun - offset) / bestPeriod;
    int64_t most = 0;
    for (size_t i = 0; i <= count; ++i)
      most = std::max(most, crossings[bestBegin + offset + i * bestPeriod]);
    if (most < fewest || (most == fewest && count > bestCount)) {
      fewest = most;
      bestCount = count;
      bestOffset = offset;
    }
  }
  SmallVector<OpRange> layers;
  for (size_t i = 0; i < bestCount; ++i) {
    size_t begin = bestBegin + bestOffset + i * bestPeriod;
    layers.push_back({begin, begin + bestPeriod});
  }
  return layers;
}

void StageGraph::findLayersIn(OpRange range,
                              SmallVector<OpRange> &layers) const {
  SmallVector<OpRange> found = findRepetition(range);
  if (found.empty())
    return;
  findLayersIn({range.begin, found.front().begin}, layers);
  layers.append(found);
  findLayersIn({found.back().end, range.end}, layers);
}

SmallVector<OpRange> StageGraph::findLayers() const {
  SmallVector<OpRange> layers;
  findLayersIn({0, main.size()}, layers);
  for (size_t i = 1; i < layers.size(); ++i)
    layers[i].begin = layers[i - 1].end;
  return layers;
}

SetVector<Value> StageGraph::crossing(size_t boundary) const {
  SetVector<Value> values;
  for (auto [value, last] : lastReaders)
    if (*positionOf(value) < boundary && last >= boundary)
      values.insert(value);
  return values;
}

void StageGraph::collectNeeds(OpRange range, SetVector<Operation *> &kept,
                              SetVector<Value> &received) const {
  SmallVector<Value> open;
  auto need = [&](Operation *op) {
    op->walk([&](Operation *inner) {
      open.append(inner->operand_begin(), inner->operand_end());
    });
  };
  for (size_t i = range.begin; i < range.end; ++i) {
    kept.insert(main[i]);
    need(main[i]);
  }
  while (!open.empty()) {
    Value value = open.pop_back_val();
    Operation *def = value.getDefiningOp();
    if (!def || kept.contains(def) ||
        def->getBlock() != main.front()->getBlock())
      continue;
    if (positionOf(value) && viewed(value) == value) {
      received.insert(value);
      continue;
    }
    kept.insert(def);
    need(def);
  }
}

LayerWork StageGraph::layerWork(ArrayRef<OpRange> layers) const {
  LayerWork work;
  double products = 0;
  for (OpRange layer : layers) {
    work.layers.push_back(workOf(layer));
    products += productWorkOf(layer);
  }
  if (products > 0)
    work.head = productWorkOf({layers.back().end, main.size()}) *
                static_cast<double>(layers.size()) / products;
  return work;
}

LayerWork gpucost::findLayerWork(func::FuncOp function) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return {};
  StageGraph graph(function.getBody().front());
  return graph.layerWork(graph.findLayers());
}
