//===- Recompute.cpp - Recomputation in the backward pass -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Checkpointing stores only the inputs of blocks. A block starts where a single
// value that leads to parameters connects the ops before and after, and
// contains one attention (in a transformer) or one residual sum (in a
// convolutional model).

#include "TrainingGraph.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::training;

static bool isAttentionCore(Operation *op) {
  return isa<onnx::SoftmaxOp, onnx::AttentionOp, onnx::FusedAttentionOp,
             onnx::MultiHeadAttentionOp>(op);
}

static bool isView(Operation *op) {
  auto work = dyn_cast<WorkOpInterface>(op);
  return work && (work.getCostClass() == CostClass::View ||
                  work.getCostClass() == CostClass::Metadata);
}

/// Ops of the forward pass that compute with activations, in order.
static SmallVector<Operation *> activationOps(TrainingGraph &graph) {
  SmallVector<Operation *> ops;
  for (Operation &op : graph.block().without_terminator())
    if (op.getNumOperands() && !op.hasAttr("onnx.constant"))
      ops.push_back(&op);
  return ops;
}

/// Positions i where only one activation connects earlier to later ops.
static SmallVector<size_t> findCuts(TrainingGraph &graph,
                                    ArrayRef<Operation *> ops) {
  llvm::DenseMap<Operation *, size_t> position;
  for (auto [i, op] : llvm::enumerate(ops))
    position[op] = i;
  auto root = [&](Value value) {
    Operation *def = value.getDefiningOp();
    while (def && position.contains(def) && isView(def)) {
      value = def->getOperand(0);
      def = value.getDefiningOp();
    }
    return value;
  };
  // Last reader of each activation; views are resolved to the viewed value.
  llvm::DenseMap<Value, size_t> lastUse;
  for (auto [i, op] : llvm::enumerate(ops))
    for (Value operand : op->getOperands())
      if (Value value = root(operand);
          value.getDefiningOp() && position.contains(value.getDefiningOp()) &&
          graph.needsGradient(value))
        lastUse[value] = i;
  SmallVector<size_t> cuts;
  llvm::SmallVector<int64_t> change(ops.size() + 1, 0);
  for (auto [value, last] : lastUse) {
    change[position[value.getDefiningOp()] + 1] += 1;
    change[last + 1] -= 1;
  }
  int64_t live = 0;
  for (size_t i = 0; i < ops.size(); ++i) {
    live += change[i];
    if (i > 0 && live == 1 && !isView(ops[i - 1]))
      cuts.push_back(i);
  }
  return cuts;
}

/// Blocks of a transformer: from the last cut before one attention to the last
/// cut before the next.
static SmallVector<Segment> findBlocks(TrainingGraph &graph) {
  SmallVector<Operation *> ops = activationOps(graph);
  SmallVector<size_t> cuts = findCuts(graph, ops);
  SmallVector<size_t> starts; // indices into cuts
  bool attention = llvm::any_of(ops, isAttentionCore);
  size_t next = 0;
  for (auto [i, op] : llvm::enumerate(ops)) {
    while (next < cuts.size() && cuts[next] <= i)
      ++next;
    bool anchor = attention ? isAttentionCore(op)
                            : isa<onnx::AddOp, onnx::SumOp>(op) &&
                                  llvm::all_of(op->getOperands(), [&](Value v) {
                                    return graph.needsGradient(v);
                                  });
    if (anchor && next > 0 && (starts.empty() || starts.back() < next - 1))
      starts.push_back(next - 1);
  }
  SmallVector<Segment> segments;
  for (auto [i, start] : llvm::enumerate(starts)) {
    // The last block contains the same number of cuts as the previous one.
    size_t length = i + 1 < starts.size() ? starts[i + 1] - start
                    : i > 0               ? start - starts[i - 1]
                                          : cuts.size();
    size_t last =
        start + length < cuts.size() ? cuts[start + length] : cuts.back();
    Segment segment;
    for (size_t position = cuts[start]; position < last; ++position)
      segment.ops.push_back(ops[position]);
    if (!segment.ops.empty())
      segments.push_back(std::move(segment));
  }
  return segments;
}

/// Scores, mask, softmax and dropout of eager attention: from the matmul of
/// queries and keys to the operand of the matmul with the values.
static SmallVector<Segment> findScores(TrainingGraph &graph) {
  SmallVector<Segment> segments;
  for (Operation &op : graph.block().without_terminator()) {
    if (!isa<onnx::SoftmaxOp>(op))
      continue;
    llvm::SmallSetVector<Operation *, 16> inside;
    SmallVector<Operation *> worklist = {&op};
    while (!worklist.empty()) {
      Operation *next = worklist.pop_back_val();
      if (!inside.insert(next) || isa<onnx::MatMulOp>(next))
        continue;
      for (Value operand : next->getOperands())
        if (Operation *def = operand.getDefiningOp())
          if (graph.needsGradient(operand) && !isa<onnx::ParameterOp>(def))
            worklist.push_back(def);
    }
    Operation *last = &op;
    while (last->getResult(0).hasOneUse()) {
      Operation *user = *last->getResult(0).user_begin();
      // A stage may end with the send of a router's experts.
      if (user->getNumResults() == 0 || isa<onnx::MatMulOp>(user))
        break;
      inside.insert(user);
      last = user;
    }
    Segment segment;
    segment.ops.assign(inside.begin(), inside.end());
    llvm::sort(segment.ops, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
    segments.push_back(std::move(segment));
  }
  return segments;
}

/// Whether `value` is a tensor of the file, optionally cast or rearranged.
static bool isWeight(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (isa<onnx::ParameterOp>(def))
      return true;
    if (!isView(def) && !isa<onnx::CastOp, onnx::TransposeOp>(def))
      return false;
    value = def->getOperand(0);
  }
  return false;
}

static bool isCalled(Operation *op, ArrayRef<std::string> names) {
  StringRef name = op->getName().stripDialect();
  return llvm::any_of(names, [&](StringRef each) { return each == name; });
}

/// A matmul of two activations runs a different kernel than one with weights.
static bool isProductOfActivations(Operation *op) {
  auto work = dyn_cast<WorkOpInterface>(op);
  return work && work.getCostClass() == CostClass::Contraction &&
         llvm::none_of(op->getOperands(), isWeight);
}

/// (B9) Keeps attention, and all but each n-th of the ops named `name`.
static void keepMost(Segment &segment, ArrayRef<std::string> name,
                     int64_t every) {
  int64_t count = 0;
  for (Operation *op : segment.ops) {
    bool counts = isCalled(op, name) && !isProductOfActivations(op);
    if (counts ? ++count % every != 0
               : isAttentionCore(op) && !isa<onnx::SoftmaxOp>(op))
      segment.kept.insert(op);
  }
}

/// (B9) Each n-th block.
static SmallVector<Segment> selectBlocks(SmallVector<Segment> blocks,
                                         int64_t every) {
  SmallVector<Segment> selected;
  for (auto [i, block] : llvm::enumerate(blocks))
    if ((static_cast<int64_t>(i) + 1) % every == 0)
      selected.push_back(std::move(block));
  return selected;
}

SmallVector<Segment>
gpucost::training::findSegments(TrainingGraph &graph,
                                const Recomputation &recompute) {
  SmallVector<Segment> blocks;
  switch (recompute.mode) {
  case RecomputeMode::None:
    return {};
  case RecomputeMode::Full:
    return findBlocks(graph);
  case RecomputeMode::Selective:
    return findScores(graph);
  case RecomputeMode::Modules:
    return findModules(graph, recompute.ops);
  case RecomputeMode::Every:
    blocks = findBlocks(graph);
    if (recompute.ops.empty())
      return selectBlocks(std::move(blocks), recompute.every);
    for (Segment &block : blocks)
      keepMost(block, recompute.ops, recompute.every);
    return blocks;
  case RecomputeMode::Operators:
    blocks = findBlocks(graph);
    for (Segment &block : blocks)
      for (Operation *op : block.ops)
        if (!isCalled(op, recompute.ops) && !isView(op))
          block.kept.insert(op);
    llvm::erase_if(blocks, [&](const Segment &block) {
      return llvm::none_of(block.ops, [&](Operation *op) {
        return isCalled(op, recompute.ops);
      });
    });
    return blocks;
  }
  llvm_unreachable("unknown recompute mode");
}
