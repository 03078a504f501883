//===- Attributes.h - ONNX attributes in MLIR -------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// int -> i64, float -> f32, string -> string (any bytes), ints and floats ->
// dense arrays, strings -> array, tensor -> dense elements if small and in the
// file, otherwise {shape, type}. The field that is present determines the kind
// of an attribute, because the declared type is often wrong.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_IMPORT_ONNX_ATTRIBUTES_H
#define GPUCOST_LIB_COMPILER_IMPORT_ONNX_ATTRIBUTES_H

#include "Tensors.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxAttributes.h"

namespace gpucost::importer {

/// A constant: its type and, if small and known, its contents.
struct ConstantValue {
  mlir::RankedTensorType type;
  mlir::DenseElementsAttr contents;
};

class AttributeBuilder {
public:
  AttributeBuilder(mlir::MLIRContext *context, const TensorBuilder &tensors,
                   const ImportOptions &options)
      : context(context), tensors(tensors), options(options) {}

  /// The kind of an attribute, from its contents.
  static onnx::AttrKind getKind(const pb::AttributeProto &attribute);

  /// Null for graphs, which do not become attributes.
  llvm::Expected<mlir::Attribute>
  convert(const pb::AttributeProto &attribute) const;

  /// The value of a Constant node, from any of its six attributes.
  llvm::Expected<ConstantValue>
  convertConstant(const pb::AttributeProto &attribute) const;

private:
  llvm::Expected<mlir::Attribute> convert(const pb::TensorProto &tensor) const;
  llvm::Expected<mlir::Attribute>
  convert(const pb::SparseTensorProto &tensor) const;
  llvm::Expected<mlir::Attribute> convert(const pb::TypeProto &type) const;
  template <typename List>
  llvm::Expected<mlir::Attribute> convertList(const List &list) const;
  mlir::Attribute describe(mlir::RankedTensorType type) const;

  mlir::MLIRContext *context;
  const TensorBuilder &tensors;
  const ImportOptions &options;
};

} // namespace gpucost::importer

#endif // GPUCOST_LIB_COMPILER_IMPORT_ONNX_ATTRIBUTES_H
