//===- OpRule.h - Shapes and counts stated by op definitions ----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib/Compiler/Dialect/Onnx: the fields `shapes` to `weights` of an
// op definition (OnnxBase.td, which documents them), as utils/onnx_rules.py
// writes them, and their values for one op.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_DIALECT_ONNX_RULES_OPRULE_H
#define GPUCOST_LIB_COMPILER_DIALECT_ONNX_RULES_OPRULE_H

#include "Inference/ShapeArithmetic.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"

namespace gpucost::onnx {

/// Entries are separated by ';', their key (the number of an operand or result,
/// or a name) from the text by '='. A text "?a?b!c" is `b` if `a` is not 0,
/// else `c`.
struct OpRule {
  llvm::StringLiteral required; ///< numbers of operands that must be given
  llvm::StringLiteral shapes;   ///< "0=..., D;1=C": sizes of operands
  llvm::StringLiteral results;  ///< "0=f32[..., D]": types of results
  llvm::StringLiteral names;    ///< "H=D/num_branches": more names
  llvm::StringLiteral contradictions; ///< "text=expression": wrong if not 0
  llvm::StringLiteral problem;        ///< "rows:rows*D/C|C"
  llvm::StringLiteral tensor, fp32, special; ///< FLOPs, special results
  llvm::StringLiteral reads, writes;         ///< elements, where not all
  llvm::StringLiteral weights;               ///< weights packed into an operand
};

/// The rule of an op; null if it has none.
const OpRule *findRule(mlir::Operation *op);

/// The text with the given key; nullopt if there is none.
std::optional<llvm::StringRef> findEntry(llvm::StringRef entries,
                                         llvm::StringRef key);

/// The values of the names in a rule, for the operands of one op.
class RuleScope {
public:
  RuleScope(mlir::Operation *op, const OpRule &rule) : op(op), rule(rule) {}

  /// Reads the sizes of all operands. Returns what contradicts the rule: "" if
  /// nothing does.
  std::string bind();

  /// The value of an expression; `unknownDim` or `badDim` if it has none.
  int64_t evaluate(llvm::StringRef expression) const;
  /// The value, nullopt unless it is known and not negative.
  std::optional<int64_t> count(llvm::StringRef expression) const;
  /// The sizes of a list such as "..., D"; "?" is an unknown one.
  Dims sizes(llvm::StringRef list) const;
  /// The alternative of `text` that applies; nullopt if it is unknown which.
  std::optional<llvm::StringRef> choose(llvm::StringRef text) const;

private:
  int64_t valueOf(llvm::StringRef name) const;
  std::optional<int64_t> valueOfOperand(llvm::StringRef name) const;
  bool bindOperand(unsigned index, llvm::StringRef list);
  bool bindSize(llvm::StringRef expression, int64_t size);
  std::string describe(llvm::StringRef list) const;
  mlir::RankedTensorType type(unsigned operand) const;

  mlir::Operation *op;
  const OpRule &rule;
  llvm::StringMap<int64_t> symbols;
  std::optional<Dims> lead; ///< the sizes of "..."
};

} // namespace gpucost::onnx

#endif // GPUCOST_LIB_COMPILER_DIALECT_ONNX_RULES_OPRULE_H
