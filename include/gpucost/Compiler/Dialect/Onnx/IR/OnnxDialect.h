//===- OnnxDialect.h - The onnx dialect -------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dialect, types, and the table of ops: one row for each op, generated from its
// TableGen definition. All ops have the same form (variadic operands and
// results), one implementation, and the interfaces of their row. The op classes
// are in OnnxOps.h, which only .cpp files include.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_ONNX_IR_ONNXDIALECT_H
#define GPUCOST_COMPILER_DIALECT_ONNX_IR_ONNXDIALECT_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Compiler/Dialect/Onnx/Inference/InferenceContext.h"
#include "gpucost/Core/Model/ExpertLayer.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxTypes.h.inc"

namespace mlir {
class OpBuilder;
} // namespace mlir

namespace gpucost::onnx {

/// MLIR type of an ONNX `TensorProto.DataType` number; null for those without
/// one (0 and unassigned numbers).
mlir::Type getElementType(mlir::MLIRContext *context, int64_t onnxType);

/// The most specific common type: dimensions that differ are dynamic; the type
/// is unranked if ranks differ and unknown if element types differ.
mlir::Type mergeTypes(mlir::Type a, mlir::Type b);

/// Shapes and counts that a definition states; private to the dialect.
struct OpRule;

/// Per-element costs that TableGen defines for an op.
struct ElementCost {
  InstructionClass instructions;
  int64_t fp32Flops;
  int64_t specialOps;
};

/// The part of a training graph that an op belongs to.
enum class OpStage { Forward, Backward, Optimizer };

/// The definition of an op: a row of the table. The fields are those of
/// `Onnx_Op` in OnnxBase.td, which documents them.
struct alignas(8) OpInfo {
  llvm::StringLiteral name; ///< "onnx.MatMul"
  int minOperands;
  int maxOperands; ///< -1 for any number
  int maxResults;  ///< -1 for any number
  int weight;
  unsigned scales; ///< bit i: operand i holds scales or zero points
  std::optional<int64_t> (*packed)(
      mlir::Operation *, unsigned operand); ///< null if nothing is packed
  int inPlaceOperand;                       ///< -1 for none
  int cacheOperand; ///< past keys, before past values; -1 for none
  llvm::ArrayRef<AttrInfo> attributes; ///< all forms of one name in a row
  bool allowsOtherAttributes;
  bool hasBodies;
  bool isExpanded;
  bool isInternal;
  OpStage stage;
  CostClass shape;
  ElementCost element;
  AutocastPolicy autocast;
  const OpInfo *gradientOp;
  llvm::LogicalResult (*infer)(InferenceContext &);
  void (*fold)(InferenceContext &); ///< null if nothing is folded
  llvm::LogicalResult (*grad)(mlir::Operation *, GradientContext &);
  mlir::FailureOr<WorkAttr> (*work)(mlir::Operation *, CostClass, ElementCost);
  const OpRule *rule; ///< null if there is none

  /// "MatMul"
  llvm::StringRef getBareName() const { return name.drop_front(5); }
  /// Identity of the op in MLIR: the address of its row.
  mlir::TypeID getTypeID() const {
    return mlir::TypeID::getFromOpaquePointer(this);
  }
};

/// All ops but `onnx.Yield`, sorted by name.
extern const OpInfo opTable[];
llvm::ArrayRef<OpInfo> getOpTable();
/// The row of an op; null for ops of other dialects and for `onnx.Yield`.
const OpInfo *getOpInfo(mlir::OperationName name);
inline const OpInfo *getOpInfo(mlir::Operation *op) {
  return getOpInfo(op->getName());
}
/// The row of the op with a name such as "MatMul"; null when there is none.
const OpInfo *findOpInfo(llvm::StringRef bareName);

/// Any op of the table.
class OnnxOp : public mlir::OpState {
public:
  explicit OnnxOp(mlir::Operation *op = nullptr) : OpState(op) {}
  static bool classof(mlir::Operation *op) { return getOpInfo(op) != nullptr; }
  static OnnxOp getFromOpaquePointer(const void *pointer) {
    return OnnxOp(static_cast<mlir::Operation *>(const_cast<void *>(pointer)));
  }

  const OpInfo &getInfo() { return *onnx::getOpInfo(getOperation()); }
  /// Sets the result types and known values on `context`. Failure after a
  /// diagnostic when operands contradict each other; success with unknown
  /// results when they cannot be inferred.
  llvm::LogicalResult inferTypes(InferenceContext &context);

  // Syntax of all ops.
  static mlir::ParseResult parse(mlir::OpAsmParser &parser,
                                 mlir::OperationState &state);
  static void print(mlir::Operation *op, mlir::OpAsmPrinter &printer,
                    llvm::StringRef defaultDialect);
};

/// Whether operand `i` exists and is not `onnx.None`.
bool hasOperand(mlir::Operation *op, unsigned i);

/// (E1) The expert layer that an op implements, with the values of
/// `gpucost.active_experts`, `gpucost.worst_balance` and
/// `gpucost.expert_shards`; nullopt for other ops and unknown shapes.
std::optional<ExpertLayer> readExpertLayer(mlir::Operation *op);
/// Number of tokens that choose experts, on one GPU.
std::optional<int64_t> countExpertTokens(mlir::Operation *op);

/// Bytes that the kernel of an op, with `work`, reads from an operand: excludes
/// experts that no token chose (E1) and keys older than every window (K3).
int64_t countReadBytes(mlir::OpOperand &use, const KernelWork &work);

/// Operands of GroupQueryAttention: cosines, sines and optional positions.
constexpr unsigned firstRotaryTable = 7, endOfRotaryTables = 10;
/// The rotary tables that `attention` has.
mlir::OperandRange getRotaryTables(mlir::Operation *attention);

/// Whether an attention op writes present keys and values into the memory of
/// the past ones: both have the same type, or a pass has marked the op.
bool updatesCacheInPlace(mlir::Operation *op);

/// Why an op is not a valid use of its operator: missing or excess operands, no
/// result. "" for a well-formed op. Ops created by passes may omit operands:
/// `onnx.Mul` with one operand multiplies by a kernel argument.
std::string describeMalformed(const OpInfo &info,
                              llvm::ArrayRef<bool> givenOperands,
                              size_t results);
std::string describeMalformed(mlir::Operation *op);

mlir::Operation *create(mlir::OpBuilder &builder, mlir::Location loc,
                        const OpInfo &info, mlir::TypeRange types,
                        mlir::ValueRange operands,
                        llvm::ArrayRef<mlir::NamedAttribute> attributes = {});

} // namespace gpucost::onnx

#endif // GPUCOST_COMPILER_DIALECT_ONNX_IR_ONNXDIALECT_H
