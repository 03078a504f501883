//===- StateSpaceWork.cpp - Work of linear attention ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeltaNet.h"
#include "Inference/ShapeArithmetic.h"
#include "OpShapes.h"
#include "WorkRules.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

//===----------------------------------------------------------------------===//
// Rules of the recurrence
//===----------------------------------------------------------------------===//

/// FLOPs per cell of a state, without the query: the update (2), the decay (1),
/// and the correction of the delta rules (2).
static int64_t updateFlops(Operation *op) {
  StringRef rule = onnx::getString(op, "update_rule");
  return 2 + (rule.starts_with("gated") ? 1 : 0) +
         (rule.ends_with("delta") ? 2 : 0);
}

/// Kernels of plain decays were not measured separately from those without.
/// Wide decays have one value for each channel of the keys.
static LinearRule linearRule(Operation *op, bool hasWideDecay) {
  if (!onnx::getString(op, "update_rule").ends_with("delta"))
    return LinearRule::Sum;
  return hasWideDecay ? LinearRule::ChannelDelta : LinearRule::GatedDelta;
}

/// A window of states [window, ...]: the last one is read, one is written after
/// each of the last tokens.
static bool countStateWindow(OpShapes &s, unsigned past, unsigned present,
                             int64_t length) {
  int64_t window = s.getInt("state_window");
  if (window <= 0)
    return true;
  if (hasOperand(s.op, past)) {
    std::optional<int64_t> bytes = byteCount(s.input(past));
    if (!bytes)
      return false;
    s.bytesRead -= *bytes - *bytes / window;
  }
  if (s.output(present) && !s.op->getResult(present).use_empty()) {
    std::optional<int64_t> bytes = byteCount(s.output(present));
    if (!bytes)
      return false;
    s.bytesWritten -= *bytes - *bytes / window * std::min(window, length);
  }
  return true;
}

FailureOr<WorkAttr> gpucost::onnx::linearAttentionWork(Operation *op,
                                                       CostClass shape,
                                                       ElementCost element) {
  OpShapes s(op);
  RankedTensorType q = s.input(0), k = s.input(1), v = s.input(2);
  int64_t heads = s.getInt("q_num_heads");
  int64_t kvHeads = s.findInt("kv_num_heads").value_or(heads);
  if (!q || !k || !v || !q.hasStaticShape() || !k.hasStaticShape() ||
      !v.hasStaticShape() || q.getRank() != 3 || k.getRank() != 3 ||
      v.getRank() != 3 || heads <= 0 || kvHeads <= 0 || !s.countBytes(shape) ||
      !countStateWindow(s, 3, 1, q.getDimSize(1)))
    return failure();
  // A state has one update, and as many queries as its group has heads; heads
  // of queries may also share their queries with several states.
  int64_t keySize = q.getDimSize(2) / heads;
  int64_t valueSize = v.getDimSize(2) / kvHeads;
  std::optional<int64_t> cells =
      checkedProduct({q.getDimSize(0), q.getDimSize(1), keySize, valueSize});
  if (!cells)
    return failure();
  std::optional<int64_t> flops = checkedProduct(
      {*cells, saturatingSum(saturatingProduct(kvHeads, updateFlops(op)),
                             saturatingProduct(std::max(heads, kvHeads), 2))});
  RankedTensorType decay = s.input(4);
  bool wide = decay && decay.getRank() == 3 && kvHeads < decay.getDimSize(2);
  LinearAttentionProblem problem;
  problem.rule = linearRule(op, wide);
  problem.batch = q.getDimSize(0);
  problem.length = q.getDimSize(1);
  problem.heads = heads;
  problem.valueHeads = kvHeads;
  problem.keySize = keySize;
  problem.valueSize = valueSize;
  problem.snapshots = std::max<int64_t>(s.getInt("state_window"), 1);
  return makeWork(s, KernelFamily::LinearAttention, element, problem, 0, flops,
                  0);
}

//===----------------------------------------------------------------------===//
// GatedDeltaNet
//===----------------------------------------------------------------------===//

static RankedTensorType typeOf(Operation *op, unsigned i) {
  return OpShapes(op).input(i);
}

/// One operand [..., 2 * heads * key size + value heads * value size]; the
/// state [batch, value heads, value size, key size] has the sizes.
static std::optional<DeltaNetSizes> readPacked(Operation *op,
                                               std::string &problem) {
  RankedTensorType q = typeOf(op, 0), state = typeOf(op, 6);
  if (!hasOperand(op, 6)) {
    problem = "requires operand 6 if operand 0 contains keys and values";
    return std::nullopt;
  }
  if (!state || !state.hasStaticShape())
    return std::nullopt;
  DeltaNetSizes z;
  if (state.getRank() == 4 && q.getRank() >= 2 && q.getRank() <= 3) {
    z.valueHeads = state.getDimSize(1);
    z.valueSize = state.getDimSize(2);
    z.keySize = state.getDimSize(3);
    int64_t keys =
        subDims(q.getShape().back(), mulDims(z.valueHeads, z.valueSize));
    int64_t pair = mulDims(2, z.keySize);
    z.tokens.assign(q.getShape().begin(), q.getShape().end() - 1);
    if (keys > 0 && pair > 0 && keys % pair == 0) {
      z.heads = keys / pair;
      return z;
    }
  }
  problem = "operand shapes " + formatShape(q.getShape()) + " and " +
            formatShape(state.getShape()) +
            " do not fit as packed queries, keys and values with a state";
  return std::nullopt;
}

std::optional<DeltaNetSizes> gpucost::onnx::readDeltaNet(Operation *op,
                                                         std::string &problem) {
  RankedTensorType q = typeOf(op, 0), k = typeOf(op, 1), v = typeOf(op, 2);
  if (!q || !q.hasStaticShape())
    return std::nullopt;
  bool separate = hasOperand(op, 1) || hasOperand(op, 2);
  std::optional<DeltaNetSizes> read;
  if (!separate) {
    read = readPacked(op, problem);
    if (!read)
      return std::nullopt;
  } else {
    if ((hasOperand(op, 1) && !k) || (hasOperand(op, 2) && !v))
      return std::nullopt;
    if (!k || !v) {
      problem = "requires operands 1 and 2 together";
      return std::nullopt;
    }
    if (!k.hasStaticShape() || !v.hasStaticShape())
      return std::nullopt;
    int64_t rank = q.getRank();
    if ((rank != 3 && rank != 4) || k.getShape() != q.getShape() ||
        v.getRank() != rank ||
        v.getShape().drop_back(2) != q.getShape().drop_back(2)) {
      problem = "operand shapes " + formatShape(q.getShape()) + ", " +
                formatShape(k.getShape()) + " and " +
                formatShape(v.getShape()) +
                " do not fit as queries, keys and values";
      return std::nullopt;
    }
    read.emplace();
    read->tokens.assign(q.getShape().begin(), q.getShape().end() - 2);
    read->heads = q.getDimSize(rank - 2),
    read->keySize = q.getDimSize(rank - 1);
    read->valueHeads = v.getDimSize(rank - 2);
    read->valueSize = v.getDimSize(rank - 1);
  }
  DeltaNetSizes &z = *read;
  if (z.heads <= 0 || z.valueHeads % z.heads) {
    problem = std::to_string(z.valueHeads) +
              " value heads are not a multiple of " + std::to_string(z.heads) +
              " query heads";
    return std::nullopt;
  }
  RankedTensorType lengths = typeOf(op, 3), state = typeOf(op, 6);
  if (state && state.getRank() > 0)
    z.batch = state.getDimSize(0);
  else if (lengths && lengths.getRank() == 1)
    z.batch = lengths.getDimSize(0) - 1;
  else if (z.tokens.size() == 2)
    z.batch = z.tokens[0];
  if (z.batch < 0)
    return std::nullopt;
  if (z.batch == 0 && z.tokens.size() == 1) {
    problem = "requires operand 3 or 6 for the number of sequences";
    return std::nullopt;
  }
  RankedTensorType decay = typeOf(op, 4);
  bool wide =
      decay && decay.getRank() == static_cast<int64_t>(z.tokens.size()) + 2;
  z.gates = mulDims(z.valueHeads, wide ? z.keySize : 1);
  return read;
}

FailureOr<WorkAttr> gpucost::onnx::gatedDeltaNetWork(Operation *op,
                                                     CostClass shape,
                                                     ElementCost element) {
  std::string fault;
  std::optional<DeltaNetSizes> z = readDeltaNet(op, fault);
  OpShapes s(op);
  if (!z || !s.output() || !s.countBytes(shape))
    return failure();
  int64_t tokens = productDims(z->tokens);
  std::optional<int64_t> cells =
      checkedProduct({tokens, z->valueHeads, z->keySize, z->valueSize});
  std::optional<int64_t> gates = checkedProduct({tokens, z->gates});
  std::optional<int64_t> rates = checkedProduct({tokens, z->valueHeads});
  std::optional<int64_t> vectors = checkedProduct({2, tokens, z->heads});
  std::optional<int64_t> elements =
      vectors ? checkedProduct({*vectors, z->keySize}) : std::nullopt;
  std::optional<int64_t> flops =
      cells ? checkedProduct({*cells, updateFlops(op) + 2}) : std::nullopt;
  if (!gates || !rates || !elements || !flops)
    return failure();
  int64_t special = 0;
  auto add = [&](int64_t count, int64_t each, int64_t results) {
    addSaturating(*flops, count, each);
    addSaturating(special, count, results);
  };
  StringRef rule = onnx::getString(op, "update_rule");
  if (rule.starts_with("gated")) {
    bool computed = onnx::getString(op, "gate_activation") != "none";
    add(*gates, computed ? 5 : 0, computed ? 3 : 1);
  }
  if (rule.ends_with("delta") &&
      onnx::getString(op, "beta_activation") == "sigmoid")
    add(*rates, 2, 2);
  if (s.getInt("qk_l2_norm")) {
    add(*elements, 3, 0);
    add(*vectors, 0, 1);
  }
  LinearAttentionProblem problem;
  problem.rule = linearRule(op, z->gates > z->valueHeads);
  problem.batch = z->batch;
  problem.length = z->batch > 0 ? ceilDivDims(tokens, z->batch) : 0;
  problem.heads = z->heads;
  problem.valueHeads = z->valueHeads;
  problem.keySize = z->keySize;
  problem.valueSize = z->valueSize;
  return makeWork(s, KernelFamily::LinearAttention, element, problem, 0, flops,
                  special);
}

//===----------------------------------------------------------------------===//
// Ops of packed sequences
//===----------------------------------------------------------------------===//

/// The counts of the definition with the problem of the library's kernel.
static FailureOr<WorkAttr> withProblem(Operation *op, CostClass shape,
                                       ElementCost element, KernelFamily family,
                                       const Problem &problem) {
  FailureOr<WorkAttr> counted = countedWork(op, shape, element);
  if (failed(counted))
    return failure();
  KernelWork work = counted->getValue();
  work.family = family;
  work.problem = problem;
  return WorkAttr::get(op->getContext(), work);
}

FailureOr<WorkAttr> gpucost::onnx::varlenConvWork(Operation *op,
                                                  CostClass shape,
                                                  ElementCost element) {
  OpShapes s(op);
  RankedTensorType x = s.input(0), weight = s.input(1), lengths = s.input(2);
  if (!x || !weight || !lengths || x.getRank() != 2 || weight.getRank() != 3 ||
      lengths.getRank() != 1 || !x.hasStaticShape() ||
      !weight.hasStaticShape() || !lengths.hasStaticShape())
    return countedWork(op, shape, element);
  CausalConvolutionProblem problem;
  problem.batch = std::max<int64_t>(lengths.getDimSize(0) - 1, 1);
  problem.length = ceilDivDims(x.getDimSize(0), problem.batch);
  problem.channels = x.getDimSize(1);
  problem.taps = weight.getDimSize(2);
  return withProblem(op, shape, element, KernelFamily::CausalConvolution,
                     problem);
}

FailureOr<WorkAttr> gpucost::onnx::mambaVerifyWork(Operation *op,
                                                   CostClass shape,
                                                   ElementCost element) {
  OpShapes s(op);
  RankedTensorType rows = s.input(0);
  if (!rows || rows.getRank() != 2 || !rows.hasStaticShape())
    return countedWork(op, shape, element);
  LinearAttentionProblem problem;
  problem.rule = LinearRule::Sum;
  problem.length = problem.snapshots = rows.getDimSize(0);
  problem.heads = s.getInt("n_groups");
  problem.valueHeads = s.getInt("heads");
  problem.keySize = s.getInt("d_state");
  problem.valueSize = s.getInt("head_dim");
  return withProblem(op, shape, element, KernelFamily::LinearAttention,
                     problem);
}

//===----------------------------------------------------------------------===//
// Replays
//===----------------------------------------------------------------------===//

std::optional<SmallVector<int64_t>>
gpucost::onnx::getConstantInts(Operation *op, unsigned i) {
  Operation *def =
      i < op->getNumOperands() ? op->getOperand(i).getDefiningOp() : nullptr;
  if (!def || !isa<ConstantOp>(def))
    return std::nullopt;
  if (auto ints = def->getAttrOfType<DenseI64ArrayAttr>("value_ints"))
    return SmallVector<int64_t>(ints.asArrayRef());
  std::optional<SmallTensor> tensor = getSmallTensor(def->getAttr("value"));
  if (!tensor || tensor->isFloat || !tensor->allKnown())
    return std::nullopt;
  return SmallVector<int64_t>(tensor->ints.begin(), tensor->ints.end());
}

/// Transitions of one state row, or the inputs of a convolution, from parts of
/// large buffers. Constant metadata give the sizes; otherwise the part of the
/// buffers that is used is unknown.
FailureOr<WorkAttr> gpucost::onnx::replayWork(Operation *op, CostClass,
                                              ElementCost element) {
  OpShapes s(op);
  auto meta = getConstantInts(op, 3);
  bool states = isa<GatedDeltaNetStateReplayOp>(op);
  if (!s.input(0) || !s.output() || !meta ||
      meta->size() != (states ? 11 : 8) ||
      llvm::any_of(*meta, [](int64_t value) { return value < 0; }))
    return failure();
  ArrayRef<int64_t> m = *meta;
  // States: offsets of source, destination, decays, keys, deltas; Hv, Dv, Dk,
  // Hk, capacity, kept. Inputs: offsets of source, destination, capture; batch,
  // channels, history, capacity, kept.
  std::optional<int64_t> cells = states ? checkedProduct({m[5], m[6], m[7]})
                                        : checkedProduct({m[3], m[4], m[5]});
  std::optional<int64_t> read = cells, flops = 0;
  if (states && cells) {
    std::optional<int64_t> wide = checkedProduct({m[9], m[5], m[7]});
    std::optional<int64_t> keys = checkedProduct({m[8], m[7]});
    std::optional<int64_t> deltas = checkedProduct({m[5], m[6]});
    if (!wide || !keys || !deltas)
      return failure();
    int64_t decays = m[3] >= m[2] && m[3] - m[2] == *wide ? m[5] * m[7] : m[5];
    std::optional<int64_t> replayed = checkedProduct(
        {m[10], saturatingSum(decays, saturatingSum(*keys, *deltas))});
    flops = checkedProduct({*cells, m[10], element.fp32Flops});
    read = replayed ? std::optional(saturatingSum(*cells, *replayed))
                    : std::nullopt;
  }
  int64_t bits = bitsOf(s.input(0));
  std::optional<int64_t> in =
      read ? checkedProduct({*read, bits}) : std::nullopt;
  std::optional<int64_t> out =
      cells ? checkedProduct({*cells, bits}) : std::nullopt;
  if (!in || !out)
    return failure();
  s.bytesRead = *in / 8;
  s.bytesWritten = *out / 8;
  return makeWork(s, KernelFamily::Elementwise, element,
                  ElementsProblem{*cells, /*strided=*/true}, 0, flops, 0);
}
