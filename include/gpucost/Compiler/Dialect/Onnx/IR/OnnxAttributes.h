//===- OnnxAttributes.h - Declared attributes of onnx ops -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attributes declared in an op's TableGen definition: checks shared by the
// importer and the verifier, and accessors that apply the declared defaults.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_ONNX_IR_ONNXATTRIBUTES_H
#define GPUCOST_COMPILER_DIALECT_ONNX_IR_ONNXATTRIBUTES_H

#include "mlir/IR/Operation.h"
#include <optional>
#include <string>

namespace gpucost::onnx {
struct OpInfo;

/// Kinds of `AttributeProto`, and a flag that passes set.
enum class AttrKind : unsigned {
  Int,
  Float,
  String,
  Tensor,
  Graph,
  Sparse,
  Type,
  Ints,
  Floats,
  Strings,
  Tensors,
  Graphs,
  Sparses,
  Types,
  Flag
};
constexpr unsigned getBit(AttrKind kind) {
  return 1u << static_cast<unsigned>(kind);
}
/// "int", "floats"
llvm::StringRef stringifyAttrKind(AttrKind kind);

/// One form of a declared attribute; see `attributes` in OnnxBase.td.
struct AttrInfo {
  llvm::StringLiteral name;
  unsigned kinds; ///< bits of AttrKind
  bool isRequired;
  bool hasDefault;
  int firstOpset, lastOpset; ///< 0 for no limit
  double number;             ///< default of an int or a float
  llvm::StringLiteral text;  ///< default of a string
  bool isUncounted;          ///< changes the work, but no cost rule reads it

  bool isIn(int64_t opset) const {
    return opset == 0 ||
           (opset >= firstOpset && (lastOpset == 0 || opset <= lastOpset));
  }
};

/// All forms of an attribute, the oldest first; empty for an unknown one.
llvm::ArrayRef<AttrInfo> getForms(const OpInfo &info, llvm::StringRef name);

/// Explanation for an invalid attribute name, with a suggestion of the intended
/// name; "" for a valid name.
std::string describeUnknown(const OpInfo &info, llvm::StringRef name);
/// Kinds that an attribute may have in `opset`, or in any opset (0); the kinds
/// of all opsets if this one does not have the attribute.
unsigned getKinds(llvm::ArrayRef<AttrInfo> forms, int64_t opset = 0);
/// "int", "int or string"
std::string describeKinds(unsigned kinds);
/// A required attribute in `opset`, or in any opset (0), for which `has`
/// returns false; null if there is none.
const AttrInfo *findMissing(const OpInfo &info, int64_t opset,
                            llvm::function_ref<bool(llvm::StringRef)> has);

/// Checks the attributes of an op against its declared ones. Names with a dot
/// belong to dialects; names that begin with "__" are private, as in ONNX.
llvm::LogicalResult verifyAttributes(mlir::Operation *op, const OpInfo &info);

/// Attributes of `op` that change its work, but that no cost rule reads, with
/// other values than their defaults.
llvm::SmallVector<llvm::StringRef> findUncounted(mlir::Operation *op);

/// The attributes of `op` that can be copied to an op of `target` that replaces
/// it: those that both declare, and those of dialects other than onnx.
llvm::SmallVector<mlir::NamedAttribute> getAttributesFor(const OpInfo &target,
                                                         mlir::Operation *op);

// The value of an attribute, or its declared default in the newest opset; 0 or
// "" if it has neither.
int64_t getInt(mlir::Operation *op, llvm::StringRef name);
double getFloat(mlir::Operation *op, llvm::StringRef name);
llvm::StringRef getString(mlir::Operation *op, llvm::StringRef name);
// Nullopt if the attribute has no value and no default.
std::optional<int64_t> findInt(mlir::Operation *op, llvm::StringRef name);
std::optional<double> findFloat(mlir::Operation *op, llvm::StringRef name);
/// Lists have no declared defaults: their defaults follow from shapes.
std::optional<llvm::ArrayRef<int64_t>> findInts(mlir::Operation *op,
                                                llvm::StringRef name);

} // namespace gpucost::onnx

#endif // GPUCOST_COMPILER_DIALECT_ONNX_IR_ONNXATTRIBUTES_H
