//===- PackedElements.cpp - Number of weights packed into bytes -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedElements.h"
#include "OpShapes.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

/// [n, k] from attributes: the last block of a row may be padded.
std::optional<int64_t> gpucost::onnx::packedMatrix(Operation *op,
                                                   unsigned operand) {
  OpShapes s(op);
  int64_t n = s.getInt("N"), k = s.getInt("K");
  return operand == 1 && n > 0 && k > 0 ? checkedProduct({n, k}) : std::nullopt;
}

/// Number of `bits`-wide elements in the bytes; narrow elements are packed.
static std::optional<int64_t> inBytes(RankedTensorType type, int64_t bits) {
  std::optional<int64_t> count = elementCount(type);
  if (!count || bits <= 0 || bits >= 8 || !type.getElementType().isInteger(8))
    return count;
  return checkedProduct({*count, 8 / bits});
}

std::optional<int64_t> gpucost::onnx::packedTable(Operation *op,
                                                  unsigned operand) {
  OpShapes s(op);
  return operand == 0 && s.input(0) ? inBytes(s.input(0), s.getInt("bits"))
                                    : std::nullopt;
}

int64_t gpucost::onnx::getExpertBits(Operation *op, unsigned operand) {
  StringRef names[] = {"fc1_expert_weight_bits", "fc2_expert_weight_bits",
                       "fc3_expert_weight_bits"};
  unsigned matrix = (operand - 2) / 3;
  std::optional<int64_t> own =
      matrix < 3 ? onnx::findInt(op, names[matrix]) : std::nullopt;
  return own && *own > 0 ? *own : onnx::getInt(op, "expert_weight_bits");
}

/// Expert weights have three dimensions; biases are not packed.
std::optional<int64_t> gpucost::onnx::packedExperts(Operation *op,
                                                    unsigned operand) {
  OpShapes s(op);
  RankedTensorType type = s.input(operand);
  if (isa<MoEPackedOp>(op)) {
    // Rows of as many weights as the layer has inputs, or units.
    RankedTensorType row = s.input(operand == 4 ? 2 : 0);
    if (operand < 2 || operand > 4 || !type || type.getRank() != 3 || !row ||
        row.getRank() < 2)
      return std::nullopt;
    int64_t size = operand == 4 ? row.getDimSize(1) : row.getShape().back();
    return checkedProduct({type.getDimSize(0), type.getDimSize(1), size});
  }
  return operand >= 2 && type && type.getRank() == 3
             ? inBytes(type, getExpertBits(op, operand))
             : std::nullopt;
}
