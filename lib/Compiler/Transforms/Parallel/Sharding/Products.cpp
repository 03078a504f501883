//===- Products.cpp - Sharded matmuls with weights ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShardBlock.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::sharding;

static bool isPresent(Operation *op, unsigned index) {
  return index < op->getNumOperands() && getStaticType(op->getOperand(index));
}

bool gpucost::sharding::isTransposed(Operation *op) {
  return intOf(op, "transB", 0) != 0;
}

bool gpucost::sharding::isWeightProduct(Operation *op) {
  if (!isa<onnx::MatMulOp, onnx::GemmOp, onnx::MatMulNBitsOp>(op) ||
      op->getNumOperands() < 2 || isWeight(op->getOperand(0)) ||
      !isWeight(op->getOperand(1)))
    return false;
  if (isa<onnx::MatMulNBitsOp>(op))
    return true;
  RankedTensorType weight = getStaticType(op->getOperand(1));
  return weight && weight.getRank() == 2 && !intOf(op, "transA", 0);
}

Value gpucost::sharding::sharedInput(Operation *op) {
  Value input = op->getOperand(0);
  auto cast = input.getDefiningOp<onnx::CastOp>();
  return cast ? cast->getOperand(0) : input;
}

/// The weight table that `op` looks up with indices computed from its input.
static RankedTensorType tableOf(Operation *op) {
  if (!isa<onnx::GatherOp>(op) || op->getNumOperands() < 2 ||
      intOf(op, "axis", 0) != 0 || !isWeight(op->getOperand(0)) ||
      isWeight(op->getOperand(1)))
    return {};
  RankedTensorType table = getStaticType(op->getOperand(0));
  return table && table.getRank() == 2 && isa<FloatType>(table.getElementType())
             ? table
             : RankedTensorType();
}

/// (X7) The vocabulary table is the one with the most rows; position and token
/// type tables are not sharded, as in Megatron.
void ShardBlock::findVocabulary() {
  for (Operation &op : block)
    if (RankedTensorType table = tableOf(&op))
      vocabulary = std::max(vocabulary, table.getDimSize(0));
}

bool ShardBlock::isEmbedding(Operation *op) const {
  RankedTensorType table = tableOf(op);
  return table && table.getDimSize(0) == vocabulary &&
         op->getUses().begin() != op->getUses().end();
}

/// (X7) Each GPU looks up the tokens in its part; an all-reduce adds them.
bool ShardBlock::startEmbedding(Operation *op) {
  Lane lane = seeds.back().lane;
  lanes.setPadded(lane);
  lanes.seal(lane);
  return divideWeight(op->getOpOperand(0), 0, lane);
}

/// (X4) Splits the columns of a matmul and its bias.
bool ShardBlock::startColumns(Operation *op, Role role) {
  Lane lane = seeds.back().lane;
  RankedTensorType out = getStaticType(op->getResult(0));
  if (!out || out.getRank() == 0)
    return false;
  if (role != Role::Columns && role != Role::Factor)
    lanes.setPadded(lane);
  if (role == Role::Vocabulary || role == Role::Factor) {
    // The complete result is restored before it is read.
    lanes.seal(lane);
    lanes.limit(lane, out.getShape().back());
  } else if (!divide(op->getResult(0), out.getRank() - 1, lane)) {
    return false;
  }
  if (isa<onnx::MatMulNBitsOp>(op))
    return dividePackedWeights(op, /*byColumns=*/true, lane);
  if (!divideWeight(op->getOpOperand(1), isTransposed(op) ? 0 : 1, lane))
    return false;
  if (!isa<onnx::GemmOp>(op) || !isPresent(op, 2))
    return true;
  return isWeight(op->getOperand(2)) &&
         getStaticType(op->getOperand(2)).getRank() == 1 &&
         divideWeight(op->getOpOperand(2), 0, lane);
}

/// Weights [N, blocks, bytes]; scales and zero points in 1 or 2 dimensions.
bool ShardBlock::dividePackedWeights(Operation *op, bool byColumns, Lane lane) {
  int64_t n = intOf(op, "N", 0), k = intOf(op, "K", 0);
  int64_t block = intOf(op, "block_size", 32);
  RankedTensorType weight = getStaticType(op->getOperand(1));
  if (!weight || weight.getRank() != 3 || n <= 0 || k <= 0 || block <= 0 ||
      isPresent(op, 4) || weight.getDimSize(0) != n ||
      !divideWeight(op->getOpOperand(1), byColumns ? 0 : 1, lane))
    return false;
  attributes.push_back({op, byColumns ? "N" : "K", lane});
  for (unsigned i : {2u, 3u}) {
    if (!isPresent(op, i))
      continue;
    RankedTensorType factors = getStaticType(op->getOperand(i));
    int64_t dim = factors.getRank() == 2 && !byColumns ? 1 : 0;
    // Rows [n][blocks] in one dimension: part of each row, or complete rows.
    if (!isWeight(op->getOperand(i)) ||
        !divideWeight(op->getOpOperand(i), dim, lane))
      return false;
  }
  if (byColumns && isPresent(op, 5))
    return isWeight(op->getOperand(5)) &&
           divideWeight(op->getOpOperand(5), 0, lane);
  return true;
}

/// (X28) The first dimension of the weights, scales and biases is the expert.
bool ShardBlock::divideExperts(Operation *op, Lane lane) {
  std::optional<ExpertLayer> layer = onnx::readExpertLayer(op);
  if (!layer)
    return false;
  for (OpOperand &operand : op->getOpOperands().drop_front(2)) {
    RankedTensorType type = getStaticType(operand.get());
    if (type && type.getRank() > 0 &&
        type.getDimSize(0) == layer->experts + layer->redundant &&
        (!isWeight(operand.get()) || !divideWeight(operand, 0, lane)))
      return false;
  }
  return true;
}

/// (X8) Each GPU has a part of every expert's hidden units; the sum over GPUs
/// is the result. The router is not sharded.
bool ShardBlock::startExperts(Operation *op) {
  Lane lane = seeds.back().lane;
  bool packed = isa<onnx::QMoEOp>(op);
  RankedTensorType in = getStaticType(op->getOperand(0));
  if (!in || in.getRank() < 2 || op->getNumOperands() < 4)
    return false;
  lanes.seal(lane);
  if (options.wholeExperts)
    return divideExperts(op, lane);
  int64_t hidden = in.getShape().back();
  // Operands of the first, second and third matmul: weights, scales, bias.
  unsigned each = packed ? 3 : 2;
  for (unsigned i = 2; i < op->getNumOperands() && i < 2 + 3 * each; ++i) {
    if (!isPresent(op, i))
      continue;
    RankedTensorType type = getStaticType(op->getOperand(i));
    bool isSecond = (i - 2) / each == 1, isWeights = (i - 2) % each == 0;
    int64_t dim = 1;
    if (type.getRank() == 3 && isWeights) {
      // With [experts, out, in], the second matmul sums over the last
      // dimension; some files have [experts, in, out].
      bool outFirst = packed || type.getDimSize(isSecond ? 1 : 2) == hidden;
      dim = isSecond == outFirst ? 2 : 1;
    } else if (type.getRank() == 3) {
      dim = isSecond ? 2 : 1;
    } else if (type.getRank() != 2 || isSecond) {
      continue; // scales or bias of results that are summed
    }
    if (!isWeight(op->getOperand(i)) ||
        !divideWeight(op->getOpOperand(i), dim, lane))
      return false;
  }
  return true;
}

bool ShardBlock::visitPackedProduct(Operation *op) {
  const Part *left = partOf(op->getOperand(0));
  RankedTensorType in = getStaticType(op->getOperand(0));
  if (!left || !in || left->dim != in.getRank() - 1)
    return false;
  Lane lane = left->lane;
  if (!dividePackedWeights(op, /*byColumns=*/false, lane))
    return false;
  lanes.seal(lane);
  rows.push_back({op, lane});
  return true;
}

bool ShardBlock::visitProduct(Operation *op) {
  if (op->getNumOperands() < 2)
    return false;
  if (isa<onnx::MatMulNBitsOp>(op))
    return visitPackedProduct(op);
  const Part *left = partOf(op->getOperand(0));
  RankedTensorType a = getStaticType(op->getOperand(0));
  RankedTensorType b = getStaticType(op->getOperand(1));
  RankedTensorType out = getStaticType(op->getResult(0));
  if (!a || !b || !out)
    return false;
  if (isWeightProduct(op)) {
    // Row split: each GPU sums its part of k.
    if (!left || left->dim != a.getRank() - 1)
      return false;
    Lane lane = left->lane;
    if (!divideWeight(op->getOpOperand(1), isTransposed(op) ? 1 : 0, lane))
      return false;
    lanes.seal(lane);
    rows.push_back({op, lane});
    return true;
  }
  // A matmul of two activations, split by heads.
  if (!isa<onnx::MatMulOp>(op))
    return false;
  std::optional<Lane> lane;
  int64_t fromEnd = 0;
  for (unsigned i : {0u, 1u})
    if (const Part *part = partOf(op->getOperand(i))) {
      int64_t own = getStaticType(op->getOperand(i)).getRank() - part->dim;
      // A single key head is copied to every GPU.
      if (RankedTensorType type = getStaticType(op->getOperand(i));
          own <= 2 && type.getRank() > 2 &&
          type.getDimSize(type.getRank() - 3) == 1) {
        lanes.fail(part->lane, "every GPU needs the single key/value head");
        continue;
      }
      if (own <= 2 || (lane && own != fromEnd))
        return false;
      fromEnd = own;
      if (lane)
        lanes.unite(*lane, part->lane);
      lane = part->lane;
    }
  if (!lane)
    return true;
  for (unsigned i : {0u, 1u}) {
    RankedTensorType type = getStaticType(op->getOperand(i));
    if (partOf(op->getOperand(i)) || type.getRank() < fromEnd ||
        type.getDimSize(type.getRank() - fromEnd) == 1)
      continue;
    // Each head has a weight: the projections of latent attention.
    if (!isWeight(op->getOperand(i)) ||
        !divideWeight(op->getOpOperand(i), type.getRank() - fromEnd, *lane))
      return false;
  }
  lanes.setHeads(*lane);
  return divide(op->getResult(0), out.getRank() - fromEnd, *lane);
}
