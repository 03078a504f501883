//===- PositionTables.cpp - Reads beyond position tables ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Transforms/Shapes/PositionTables.h"
#include "Raising/Matchers.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxViews.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/IR/BuiltinTypes.h"
#include <cmath>

using namespace mlir;
using namespace gpucost;
using raising::getStaticType;

/// Maximum number of ops between a table, or a range of positions, and its use.
static constexpr unsigned longestChain = 12;

/// The table that `value` reads rows of, independent of the input; null if it
/// depends on an input.
static onnx::ParameterOp findTable(Value value, unsigned depth = longestChain) {
  Operation *def = value.getDefiningOp();
  if (auto table = dyn_cast_or_null<onnx::ParameterOp>(def)) {
    auto type = dyn_cast<ShapedType>(table->getResult(0).getType());
    return type && isa<FloatType>(type.getElementType()) ? table
                                                         : onnx::ParameterOp();
  }
  if (!def || depth == 0 || def->getNumOperands() == 0)
    return {};
  bool passesOn = isa<onnx::GatherOp, onnx::SliceOp>(def) ||
                  onnx::keepsOrder(def) || onnx::isCast(def);
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

/// activations + table: the sequence is a dimension before the last one.
static std::string checkSum(Operation *op) {
  for (unsigned i = 0; i < 2; ++i) {
    RankedTensorType whole = getStaticType(op->getOperand(i)),
                     rows = getStaticType(op->getOperand(1 - i));
    if (!whole || !rows || rows.getRank() < 2 ||
        whole.getRank() < rows.getRank() ||
        whole.getShape().back() != rows.getShape().back())
      continue;
    int64_t length = whole.getShape().drop_back().back(),
            positions = rows.getShape().drop_back().back();
    onnx::ParameterOp table = findTable(op->getOperand(1 - i));
    if (table && positions > 1 && length > positions &&
        !findTable(op->getOperand(i)))
      return message(length, positions, table) + "use a shorter sequence";
  }
  return "";
}

namespace {
/// The op that counts positions, and the number of the first position.
struct PositionCount {
  Operation *op = nullptr;
  int64_t first = 0;
};
} // namespace

/// The integer value of a constant; 0 for other values: other values added to
/// positions are the tokens before them.
static int64_t constantOf(Value value) {
  constexpr double largest = 1 << 30;
  double number = raising::getScalar(value).value_or(0);
  return std::fabs(number) < largest ? static_cast<int64_t>(number) : 0;
}

/// A range begins with its start value; the cumulative sum of a mask begins
/// with 1, or with 0 if it is exclusive.
static PositionCount countOf(Operation *op) {
  if (isa<onnx::RangeOp>(op))
    return {op, op->getNumOperands() > 0 ? constantOf(op->getOperand(0)) : 0};
  auto isSet = [&](StringRef name) {
    auto flag = op->getAttrOfType<IntegerAttr>(name);
    return flag && flag.getInt() != 0;
  };
  return {op, isSet("exclusive") || isSet("reverse") ? 0 : 1};
}

/// The op that counts the positions in `value`, including constant offsets; no
/// op for other values.
static PositionCount findCount(Value value, unsigned depth = longestChain) {
  Operation *def = value.getDefiningOp();
  if (!def)
    return {};
  if (isa<onnx::RangeOp, onnx::CumSumOp>(def))
    return countOf(def);
  if (depth == 0)
    return {};
  if (isa<onnx::AddOp, onnx::SubOp, onnx::MulOp>(def) &&
      def->getNumOperands() == 2) {
    bool isFirst = true;
    PositionCount count = findCount(def->getOperand(0), depth - 1);
    if (!count.op) {
      isFirst = false;
      count = findCount(def->getOperand(1), depth - 1);
    }
    int64_t other = constantOf(def->getOperand(isFirst ? 1 : 0));
    if (isa<onnx::AddOp>(def))
      count.first += other;
    else if (isa<onnx::SubOp>(def))
      count.first = isFirst ? count.first - other : 0;
    else if (other) // a mask does not change the numbers
      count.first *= other;
    return count;
  }
  bool passesOn =
      (isa<onnx::TileOp>(def) || onnx::keepsOrder(def) || onnx::isCast(def)) &&
      def->getNumOperands() > 0;
  return passesOn ? findCount(def->getOperand(0), depth - 1) : PositionCount();
}

/// The table in which `op` looks up rows; null for other ops.
static onnx::ParameterOp findLookup(Operation *op) {
  if (!isa<onnx::GatherOp, onnx::GatherNDOp>(op) || op->getNumOperands() != 2)
    return {};
  auto table = op->getOperand(0).getDefiningOp<onnx::ParameterOp>();
  RankedTensorType type = getStaticType(op->getOperand(0));
  // Gather has an axis, GatherND may have batch dimensions.
  auto isZero = [&](StringRef name) {
    auto number = op->getAttrOfType<IntegerAttr>(name);
    return !number || number.getInt() == 0;
  };
  bool isTable = table && type && type.getRank() == 2 &&
                 isa<FloatType>(type.getElementType()) && isZero("axis") &&
                 isZero("batch_dims");
  return isTable ? table : onnx::ParameterOp();
}

/// The table from which `op` slices the first rows, as many as an input has
/// tokens; null for other ops.
static onnx::ParameterOp findPrefix(Operation *op) {
  // data, starts, ends, axes, steps
  if (!isa<onnx::SliceOp>(op) || op->getNumOperands() < 4 ||
      raising::getConstant(op->getOperand(2)) ||
      raising::getScalar(op->getOperand(1)) != 0.0 ||
      raising::getScalar(op->getOperand(3)) != 0.0)
    return {};
  auto table = op->getOperand(0).getDefiningOp<onnx::ParameterOp>();
  RankedTensorType type = getStaticType(op->getOperand(0));
  bool isTable = table && type && type.getRank() == 2 &&
                 isa<FloatType>(type.getElementType());
  return isTable ? table : onnx::ParameterOp();
}

namespace {
/// The rows of a table from the row of the first position.
struct PositionRead {
  onnx::ParameterOp table;
  int64_t first = 0, rows = 0;
  /// Value with as many elements, or rows, as there are positions.
  Value positions;
};
} // namespace

/// The rows that `op` reads by position; no table for other ops.
static PositionRead findRead(Operation *op) {
  PositionRead read;
  if ((read.table = findPrefix(op))) {
    read.positions = op->getResult(0);
  } else if ((read.table = findLookup(op))) {
    PositionCount count = findCount(op->getOperand(1));
    if (!count.op)
      return {};
    read.first = count.first;
    read.positions = count.op->getResult(0);
  } else {
    return {};
  }
  int64_t all = getStaticType(read.table->getResult(0)).getDimSize(0);
  // The first row must be inside the table.
  if (read.first < 0 || read.first >= all)
    read.first = 0;
  read.rows = all - read.first;
  return read;
}

std::optional<int64_t> gpucost::countPositionRows(Operation *op) {
  PositionRead read = findRead(op);
  return read.table ? std::optional(read.rows) : std::nullopt;
}

/// The shortest rotary table that `op` reads; null for other ops.
static onnx::ParameterOp findRotaryTable(Operation *op) {
  onnx::ParameterOp shortest;
  if (!isa<onnx::GroupQueryAttentionOp, onnx::RotaryEmbeddingOp>(op))
    return shortest;
  auto rowsOf = [](onnx::ParameterOp table) {
    return cast<ShapedType>(table->getResult(0).getType()).getDimSize(0);
  };
  for (Value operand : op->getOperands()) {
    auto table = operand.getDefiningOp<onnx::ParameterOp>();
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (table && type && type.getRank() == 2 &&
        isa<FloatType>(type.getElementType()) &&
        (!shortest || type.getDimSize(0) < rowsOf(shortest)))
      shortest = table;
  }
  return shortest;
}

std::optional<int64_t> gpucost::countRotaryRows(Operation *op) {
  onnx::ParameterOp table = findRotaryTable(op);
  return table ? std::optional(getStaticType(table->getResult(0)).getDimSize(0))
               : std::nullopt;
}

/// Positions up to the last new token of attention with a cache; 0 for other
/// ops.
static int64_t countCachedPositions(Operation *op) {
  constexpr unsigned present = 1;
  RankedTensorType type =
      isa<onnx::GroupQueryAttentionOp>(op) && op->getNumResults() > present
          ? getStaticType(op->getResult(present))
          : RankedTensorType();
  return type && type.getRank() == 4 ? type.getDimSize(2) : 0;
}

std::string gpucost::findMissingPositions(Operation *op) {
  return isa<onnx::AddOp>(op) && op->getNumOperands() == 2 ? checkSum(op) : "";
}

std::string gpucost::describeLongLookup(Operation *op, int64_t past) {
  constexpr StringLiteral end =
      "costed as if it had a row for each position; a file with longer tables "
      "serves such sequences";
  if (onnx::ParameterOp table = findRotaryTable(op)) {
    int64_t length = countCachedPositions(op), rows = *countRotaryRows(op);
    return length > rows ? message(length, rows, table) + end.str() : "";
  }
  PositionRead read = findRead(op);
  RankedTensorType positions =
      read.table ? getStaticType(read.positions) : RankedTensorType();
  if (!positions || positions.getRank() == 0)
    return "";
  // The last dimension of a counter, the first dimension of rows.
  int64_t now = isa<onnx::SliceOp>(op) ? positions.getShape().front()
                                       : positions.getShape().back();
  int64_t length = saturatingSum(now, past);
  return length > read.rows ? message(length, read.rows, read.table) + end.str()
                            : "";
}
