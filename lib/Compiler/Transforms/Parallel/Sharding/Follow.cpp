//===- Follow.cpp - Selection of sharded dimensions -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShardBlock.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/GpuCost/Utils/NodeName.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "gpucost-shard-tensors"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::sharding;

bool gpucost::sharding::isFirstFactor(Operation *op) {
  constexpr int64_t leastRatio = 4;
  Value result = op->getResult(0);
  auto isWider = [&](Value value) {
    RankedTensorType narrow = getStaticType(result),
                     wide = getStaticType(value);
    return narrow && wide && narrow.getRank() && wide.getRank() &&
           wide.getShape().back() >= leastRatio * narrow.getShape().back();
  };
  return !result.use_empty() && isWider(op->getOperand(0)) &&
         llvm::all_of(result.getUsers(), [&](Operation *user) {
           return isWeightProduct(user) && user->getOperand(0) == result &&
                  isWider(user->getResult(0));
         });
}

/// The second one: the matrix B of an adapter.
static bool isSecondFactor(Operation *op) {
  Operation *def = op->getOperand(0).getDefiningOp();
  return def && isWeightProduct(def) && isFirstFactor(def);
}

/// Starts a sharded region at `op`, if possible; `visit` continues it.
void ShardBlock::start(Operation *op) {
  auto tryRole = [&](Role role, auto &&startRole) {
    if (isBanned(op, role))
      return false;
    Lane lane = lanes.add(0);
    seeds.push_back({op, role, lane});
    if (!startRole())
      lanes.fail(seeds.back().lane, "tensor parallelism does not support it");
    return true;
  };
  if (isEmbedding(op)) {
    tryRole(Role::Embedding, [&] { return startEmbedding(op); });
  } else if (isa<onnx::MoEOp, onnx::QMoEOp>(op)) {
    tryRole(Role::Experts, [&] { return startExperts(op); });
  } else if (isWeightProduct(op)) {
    RankedTensorType out = getStaticType(op->getResult(0));
    bool isHead = vocabulary && out && out.getRank() &&
                  out.getShape().back() == vocabulary;
    auto columns = [&](Role role) {
      return tryRole(role, [&] { return startColumns(op, role); });
    };
    if (isFirstFactor(op)) {
      if (options.trains)
        columns(Role::Factor);
    } else if (!isHead) {
      if (!columns(Role::Columns) && options.trains && isSecondFactor(op))
        columns(Role::Factor);
    } else if (!(options.trains && columns(Role::Logits))) {
      columns(Role::Vocabulary);
    }
  }
}

/// A graph without matmuls: attention with sharded inputs.
void ShardBlock::startInputs() {
  for (BlockArgument argument : block.getArguments()) {
    RankedTensorType type = getStaticType(argument);
    if (!type || type.getRank() != 3 || !isa<FloatType>(type.getElementType()))
      continue;
    Operation *op = block.empty() ? nullptr : &block.front();
    for (Operation *user : argument.getUsers())
      op = user;
    if (!op || isBanned(op, Role::Input))
      continue;
    Lane lane = lanes.add(type.getDimSize(2));
    seeds.push_back({op, Role::Input, lane});
    divide(argument, 2, lane);
    for (OpOperand &use : argument.getUses())
      weightUses.insert(&use);
  }
}

void ShardBlock::followOnce() {
  lanes = Lanes();
  parts.clear();
  seeds.clear();
  rows.clear();
  losses.clear();
  weightUses.clear();
  sliced.clear();
  attributes.clear();
  if (llvm::none_of(block, [](Operation &op) {
        return isWeightProduct(&op) || isa<onnx::MoEOp, onnx::QMoEOp>(op);
      }))
    startInputs();
  for (Operation &op : block.without_terminator()) {
    bool reads = llvm::any_of(op.getOperands(), [&](Value operand) {
      return partOf(operand) && !isWeight(operand);
    });
    bool known = llvm::any_of(op.getResults(),
                              [&](Value result) { return partOf(result); });
    if (!reads)
      start(&op);
    else if (!visit(&op) && !known)
      fail(&op, describeOp(&op) + " needs the complete tensor");
  }
  // An output may be sharded: each GPU stores its part of a cache.
  for (Value operand : block.getTerminator()->getOperands())
    if (const Part *part = partOf(operand))
      for (const Seed &seed : seeds)
        if ((seed.role == Role::Logits || seed.role == Role::Input) &&
            lanes.componentOf(seed.lane) == lanes.componentOf(part->lane))
          lanes.seal(part->lane);
  checkWeights();
  lanes.settle(options.gpus, options.padHeads);
}

/// All readers of a sharded weight or input must be sharded with it.
void ShardBlock::checkWeights() {
  for (auto &[value, part] : parts) {
    if (value.getDefiningOp() && !isWeight(value))
      continue;
    for (OpOperand &use : value.getUses())
      if (!weightUses.contains(&use))
        lanes.contradict(part.lane, describeOp(use.getOwner()) +
                                        " reads the complete tensor");
  }
}

/// Returns true if an op failed and must not start a region any more.
bool ShardBlock::banFailures() {
  bool any = false;
  auto ban = [&](const Seed &seed, const std::string &reason) {
    LDBG() << seed.op->getName() << " starts nothing at " << seed.op->getLoc()
           << ": " << reason;
    any |= banned.insert({{seed.op, seed.role}, reason}).second;
  };
  for (const Seed &seed : seeds)
    if (const std::string &reason = lanes.failure(seed.lane); !reason.empty())
      ban(seed, reason);
  // Regions that contradict others must not start any more.
  for (const Seed &seed : seeds)
    if (const std::string &reason = lanes.contradiction(seed.lane);
        !any && !reason.empty())
      ban(seed, reason);
  return any;
}

LogicalResult ShardBlock::checkHeads() {
  llvm::DenseSet<unsigned> seen;
  const Lanes::Attention *refused = nullptr;
  Operation *first = nullptr;
  int64_t blocks = 0;
  for (const Seed &seed : seeds) {
    const auto &attention = lanes.attention(seed.lane);
    if (!attention || attention->local ||
        !seen.insert(lanes.componentOf(seed.lane)).second)
      continue;
    if (!refused)
      refused = &*attention, first = seed.op;
    ++blocks;
  }
  if (!refused)
    return success();
  auto error = first->emitError()
               << "attention of " << blocks
               << (blocks == 1 ? " block" : " blocks") << " has "
               << refused->all.queries << " heads";
  if (refused->all.keys != refused->all.queries)
    error << " and " << refused->all.keys << " key/value heads";
  return error << ", which cannot be split across " << options.gpus
               << " GPUs; use a number of GPUs that divides "
               << refused->all.queries
               << ", or --tp-pad-heads, which pads them to "
               << refused->padded.queries;
}

LogicalResult ShardBlock::follow() {
  findVocabulary();
  // Each round excludes at least one op.
  do
    followOnce();
  while (banFailures());
  return checkHeads();
}

Operation *ShardBlock::firstExperts() const {
  for (const Seed &seed : seeds)
    if (seed.role == Role::Experts)
      return seed.op;
  return nullptr;
}

void ShardBlock::takeNotes(SmallVectorImpl<ShardNote> &notes) const {
  auto add = [&](StringRef subject, const std::string &reason, Operation *op) {
    for (ShardNote &note : notes)
      if (note.subject == subject && note.reason == reason) {
        ++note.count;
        return;
      }
    notes.push_back(
        {subject.str(), reason, getNodeName(op->getLoc()).str(), 1});
  };
  llvm::DenseSet<Operation *> divided;
  for (const Seed &seed : seeds)
    divided.insert(seed.op);
  for (auto [op, lane] : rows)
    divided.insert(op);
  for (const auto &[key, reason] : banned)
    if (divided.insert(key.first).second)
      add(describeOp(key.first), reason, key.first);
  for (Operation &op : block.without_terminator()) {
    auto work = dyn_cast<WorkOpInterface>(op);
    if (!work || divided.contains(&op) ||
        llvm::any_of(op.getResults(), [&](Value result) {
          return partOf(result) || isWeight(result);
        }))
      continue;
    CostClass kind = work.getCostClass();
    bool hasWeights = llvm::any_of(op.getOperands(), [](Value operand) {
      RankedTensorType type = getStaticType(operand);
      return type && type.getRank() > 1 && isWeight(operand) &&
             isa<FloatType>(type.getElementType());
    });
    if (kind == CostClass::Attention)
      add(describeOp(&op), "its queries are not sharded", &op);
    else if (hasWeights && kind == CostClass::Gather)
      add(describeOp(&op), "only the vocabulary table is sharded", &op);
    else if (hasWeights &&
             (kind == CostClass::Contraction ||
              kind == CostClass::Convolution || kind == CostClass::Library ||
              kind == CostClass::Opaque))
      add(describeOp(&op), "tensor parallelism does not support it", &op);
  }
  // Sharded tensors with padding or copies.
  llvm::DenseSet<unsigned> seen;
  for (const Seed &seed : seeds) {
    const auto &attention = lanes.attention(seed.lane);
    if (seed.role == Role::Embedding && vocabulary % options.gpus)
      add("vocabulary",
          "its " + std::to_string(vocabulary) + " rows are padded to " +
              std::to_string((vocabulary / options.gpus + 1) * options.gpus),
          seed.op);
    if (!attention || !attention->local ||
        !seen.insert(lanes.componentOf(seed.lane)).second)
      continue;
    if (attention->padded.queries != attention->all.queries ||
        attention->padded.keys != attention->all.keys)
      add("attention",
          "heads padded from " + std::to_string(attention->all.queries) + "/" +
              std::to_string(attention->all.keys) + " to " +
              std::to_string(attention->padded.queries) + "/" +
              std::to_string(attention->padded.keys) +
              " (queries/keys), --tp-pad-heads",
          seed.op);
    if (attention->padded.keys < options.gpus)
      add("attention",
          std::to_string(attention->padded.keys) + " key/value heads on " +
              std::to_string(options.gpus) +
              " GPUs: each GPU stores a copy of one head",
          seed.op);
  }
}
