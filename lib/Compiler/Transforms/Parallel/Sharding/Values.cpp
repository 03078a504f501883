//===- Values.cpp - Sharded values ----------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShardBlock.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "gpucost-shard-tensors"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::sharding;

bool gpucost::sharding::isWeight(Value value) {
  Operation *def = value.getDefiningOp();
  if (def && isa<onnx::CastOp>(def))
    def = def->getOperand(0).getDefiningOp();
  return def && (isa<onnx::ParameterOp, onnx::ConstantOp>(def) ||
                 def->hasAttr(onnx::OnnxDialect::constantAttrName));
}

int64_t gpucost::sharding::intOf(Operation *op, StringRef name,
                                 int64_t fallback) {
  auto attribute = op->getAttrOfType<IntegerAttr>(name);
  return attribute ? attribute.getInt() : fallback;
}

const ShardBlock::Part *ShardBlock::partOf(Value value) const {
  auto it = parts.find(value);
  return it == parts.end() ? nullptr : &it->second;
}

/// Shards `value` along dimension `dim`; false if it conflicts with a shard.
bool ShardBlock::divide(Value value, int64_t dim, Lane lane) {
  RankedTensorType type = getStaticType(value);
  if (!type || dim < 0 || dim >= type.getRank() || type.getDimSize(dim) == 0)
    return false;
  lanes.limit(lane, type.getDimSize(dim));
  auto [it, isNew] = parts.insert({value, Part{dim, lane}});
  if (isNew) {
    LDBG() << "divide dimension " << dim << " of " << type << " at "
           << value.getLoc();
    return true;
  }
  if (it->second.dim != dim && isWeight(value)) {
    lanes.contradict(lane, "its weights are sharded in another way elsewhere");
    return true;
  }
  if (it->second.dim != dim)
    return false;
  lanes.unite(it->second.lane, lane);
  return true;
}

/// Shards a weight and the views that lead to it. A constant is sliced.
bool ShardBlock::divideWeight(OpOperand &use, int64_t dim, Lane lane) {
  Value weight = use.get();
  Operation *def = weight.getDefiningOp();
  if (!def)
    return false;
  if (isa<onnx::ParameterOp>(def)) {
    weightUses.insert(&use);
    return divide(weight, dim, lane);
  }
  if (isa<onnx::CastOp>(def)) {
    weightUses.insert(&use);
    return divide(weight, dim, lane) &&
           divideWeight(def->getOpOperand(0), dim, lane);
  }
  if (isa<onnx::TransposeOp>(def)) {
    auto perm = def->getAttrOfType<DenseI64ArrayAttr>("perm");
    RankedTensorType type = getStaticType(weight);
    if (!type || (perm && dim >= perm.size()))
      return false;
    weightUses.insert(&use);
    return divide(weight, dim, lane) &&
           divideWeight(def->getOpOperand(0),
                        perm ? perm[dim] : type.getRank() - 1 - dim, lane);
  }
  sliceOperand(use, dim, lane);
  return true;
}

bool ShardBlock::divideOperand(Operation *op, unsigned index, int64_t dim,
                               Lane lane) {
  OpOperand &use = op->getOpOperand(index);
  Value value = use.get();
  if (isWeight(value))
    return divideWeight(use, dim, lane);
  bool isKnown = partOf(value);
  Operation *def = value.getDefiningOp();
  if (!def)
    weightUses.insert(&use);
  else if (!isKnown && isa<onnx::CastOp>(def) &&
           !def->getOperand(0).getDefiningOp()) {
    weightUses.insert(&use);
    if (!divideOperand(def, 0, dim, lane))
      return false;
  } else if (!isKnown) {
    return false;
  }
  return divide(value, dim, lane);
}

/// The operand is complete; the op reads a view of it.
void ShardBlock::sliceOperand(OpOperand &use, int64_t dim, Lane lane) {
  lanes.limit(lane, getStaticType(use.get()).getDimSize(dim));
  sliced.push_back({&use, dim, lane});
}

/// The values that lead to `op` are not sharded.
void ShardBlock::fail(Operation *op, const std::string &reason) {
  for (Value operand : op->getOperands())
    if (const Part *part = partOf(operand); part && !isWeight(operand))
      lanes.fail(part->lane, reason);
}
