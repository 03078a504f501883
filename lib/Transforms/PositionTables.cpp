//===- PositionTables.cpp - Sequences longer than their positions ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PositionTables.h"
#include "gpucost/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace gpucost;

/// Ops between a table, or a range of positions, and where it is used.
static constexpr unsigned longestChain = 12;

static RankedTensorType staticType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type : RankedTensorType();
}

/// The table that `value` is rows of, whatever the input; null when it depends
/// on an input.
static onnx::ParameterOp findTable(Value value, unsigned depth = longestChain) {
  Operation *def = value.getDefiningOp();
  if (auto table = dyn_cast_or_null<onnx::ParameterOp>(def)) {
    auto type = dyn_cast<ShapedType>(table->getResult(0).getType());
    return type && isa<FloatType>(type.getElementType()) ? table
                                                         : onnx::ParameterOp();
  }
  if (!def || depth == 0 || def->getNumOperands() == 0)
    return {};
  bool passesOn =
      isa<onnx::GatherOp, onnx::SliceOp, onnx::ReshapeOp, onnx::UnsqueezeOp,
          onnx::SqueezeOp, onnx::ExpandOp, onnx::CastOp, onnx::IdentityOp>(def);
  return passesOn ? findTable(def->getOperand(0), depth - 1)
                  : onnx::ParameterOp();
}

static std::string message(int64_t length, int64_t positions,
                           onnx::ParameterOp table) {
  auto name = table->getAttrOfType<StringAttr>("name");
  return "sequence " + std::to_string(length) + " > " +
         std::to_string(positions) + " positions" +
         (name ? ", the rows of the table '" + name.str() + "'"
               : std::string()) +
         "; ";
}

/// activations + table: the sequence is a dimension before the last.
static std::string checkSum(Operation *op) {
  for (unsigned i = 0; i < 2; ++i) {
    RankedTensorType whole = staticType(op->getOperand(i)),
                     rows = staticType(op->getOperand(1 - i));
    if (!whole || !rows || rows.getRank() < 2 ||
        whole.getRank() < rows.getRank() ||
        whole.getShape().back() != rows.getShape().back())
      continue;
    int64_t length = whole.getShape().drop_back().back(),
            positions = rows.getShape().drop_back().back();
    onnx::ParameterOp table = findTable(op->getOperand(1 - i));
    if (table && positions > 1 && length > positions &&
        !findTable(op->getOperand(i)))
      return message(length, positions, table) + "use a shorter one";
  }
  return "";
}

/// Positions counted from a number on, as `value` has them; 0 for other values.
static int64_t countPositions(Value value) {
  for (unsigned depth = 0; depth < longestChain; ++depth) {
    Operation *def = value.getDefiningOp();
    if (!def)
      return 0;
    if (isa<onnx::RangeOp>(def)) {
      RankedTensorType type = staticType(value);
      return type && type.getRank() == 1 ? type.getDimSize(0) : 0;
    }
    // Counting from another number on.
    if (isa<onnx::AddOp>(def) && def->getNumOperands() == 2) {
      RankedTensorType second = staticType(def->getOperand(1));
      bool isOffset = second && second.getNumElements() == 1;
      value = def->getOperand(isOffset ? 0 : 1);
      continue;
    }
    if (!isa<onnx::UnsqueezeOp, onnx::ReshapeOp, onnx::ExpandOp, onnx::CastOp,
             onnx::IdentityOp>(def) ||
        def->getNumOperands() == 0)
      return 0;
    value = def->getOperand(0);
  }
  return 0;
}

/// Rows of a table by position: as many different ones as there are positions.
static std::string checkLookup(Operation *op) {
  auto table = op->getOperand(0).getDefiningOp<onnx::ParameterOp>();
  RankedTensorType type = staticType(op->getOperand(0));
  auto axis = op->getAttrOfType<IntegerAttr>("axis");
  if (!table || !type || type.getRank() != 2 ||
      !isa<FloatType>(type.getElementType()) || (axis && axis.getInt() != 0))
    return "";
  int64_t length = countPositions(op->getOperand(1));
  return length > type.getDimSize(0)
             ? message(length, type.getDimSize(0), table) +
                   "costed as if it had a row for each"
             : "";
}

std::string gpucost::findMissingPositions(Operation *op) {
  return isa<onnx::AddOp>(op) && op->getNumOperands() == 2 ? checkSum(op) : "";
}

std::string gpucost::describeLongLookup(Operation *op) {
  return isa<onnx::GatherOp>(op) && op->getNumOperands() == 2 ? checkLookup(op)
                                                              : "";
}
