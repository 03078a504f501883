//===- PositionTables.cpp - Sequences longer than their positions ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Transforms/PositionTables.h"
#include "Raising/Matchers.h"
#include "gpucost/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Support/CheckedMath.h"
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

/// What counts the positions that `value` has, perhaps from a number on; null
/// for other values.
static Operation *findCount(Value value, unsigned depth = longestChain) {
  Operation *def = value.getDefiningOp();
  // A range, or the ones of a mask summed up.
  if (!def || isa<onnx::RangeOp, onnx::CumSumOp>(def))
    return def;
  if (depth == 0)
    return nullptr;
  if (isa<onnx::AddOp, onnx::SubOp, onnx::MulOp>(def) &&
      def->getNumOperands() == 2) {
    Operation *first = findCount(def->getOperand(0), depth - 1);
    return first ? first : findCount(def->getOperand(1), depth - 1);
  }
  bool passesOn = isa<onnx::UnsqueezeOp, onnx::ReshapeOp, onnx::ExpandOp,
                      onnx::TileOp, onnx::CastOp, onnx::IdentityOp>(def) &&
                  def->getNumOperands() > 0;
  return passesOn ? findCount(def->getOperand(0), depth - 1) : nullptr;
}

/// The table of which `op` looks rows up; null for other ops.
static onnx::ParameterOp findLookup(Operation *op) {
  if (!isa<onnx::GatherOp, onnx::GatherNDOp>(op) || op->getNumOperands() != 2)
    return {};
  auto table = op->getOperand(0).getDefiningOp<onnx::ParameterOp>();
  RankedTensorType type = staticType(op->getOperand(0));
  // Gather has an axis, GatherND may have batches.
  auto isZero = [&](StringRef name) {
    auto number = op->getAttrOfType<IntegerAttr>(name);
    return !number || number.getInt() == 0;
  };
  bool isTable = table && type && type.getRank() == 2 &&
                 isa<FloatType>(type.getElementType()) && isZero("axis") &&
                 isZero("batch_dims");
  return isTable ? table : onnx::ParameterOp();
}

/// The table of which `op` takes the rows from the first to as many as an input
/// has tokens; null for other ops.
static onnx::ParameterOp findPrefix(Operation *op) {
  // data, starts, ends, axes, steps
  if (!isa<onnx::SliceOp>(op) || op->getNumOperands() < 4 ||
      raising::getConstant(op->getOperand(2)) ||
      raising::getScalar(op->getOperand(1)) != 0.0 ||
      raising::getScalar(op->getOperand(3)) != 0.0)
    return {};
  auto table = op->getOperand(0).getDefiningOp<onnx::ParameterOp>();
  RankedTensorType type = staticType(op->getOperand(0));
  bool isTable = table && type && type.getRank() == 2 &&
                 isa<FloatType>(type.getElementType());
  return isTable ? table : onnx::ParameterOp();
}

std::optional<int64_t> gpucost::countPositionRows(Operation *op) {
  if (onnx::ParameterOp table = findPrefix(op))
    return staticType(table->getResult(0)).getDimSize(0);
  onnx::ParameterOp table = findLookup(op);
  if (!table || !findCount(op->getOperand(1)))
    return std::nullopt;
  return staticType(table->getResult(0)).getDimSize(0);
}

std::string gpucost::findMissingPositions(Operation *op) {
  return isa<onnx::AddOp>(op) && op->getNumOperands() == 2 ? checkSum(op) : "";
}

std::string gpucost::describeLongLookup(Operation *op, int64_t past) {
  std::optional<int64_t> rows = countPositionRows(op);
  Operation *count = rows ? findCount(op->getOperand(1)) : nullptr;
  if (!count)
    return "";
  RankedTensorType counted = staticType(count->getResult(0));
  int64_t length = counted && counted.getRank() > 0
                       ? saturatingSum(counted.getShape().back(), past)
                       : 0;
  return length > *rows ? message(length, *rows, findLookup(op)) +
                              "costed as if it had a row for each"
                        : "";
}
