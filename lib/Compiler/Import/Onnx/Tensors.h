//===- Tensors.h - ONNX types and small tensors in MLIR ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Element types, value types and the contents of small tensors. Shapes are
// checked here: rank, sign, and that sizes in bytes fit 64 bits.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_IMPORT_ONNX_TENSORS_H
#define GPUCOST_LIB_COMPILER_IMPORT_ONNX_TENSORS_H

#include "ModelFile.h"
#include "gpucost/Compiler/Import/OnnxImport.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace gpucost::importer {

/// Creates types and attributes of ONNX tensors.
class TensorBuilder {
public:
  TensorBuilder(mlir::MLIRContext *context, const ImportOptions &options);

  mlir::Type unknownType, noneType, stringType;

  /// Static type of a tensor.
  llvm::Expected<mlir::RankedTensorType>
  getType(const pb::TensorProto &tensor) const;
  /// Static type for the dense shape of a sparse tensor.
  llvm::Expected<mlir::RankedTensorType>
  getType(const pb::SparseTensorProto &tensor) const;
  /// Type of a value. Symbolic, negative or zero dimensions are dynamic;
  /// without a shape the tensor is unranked, without element type unknown.
  llvm::Expected<mlir::Type> getType(const pb::TypeProto &type) const;

  /// Contents of `tensor` if they are in the file and it has at most `maxInts`
  /// integers or bools, `options.maxConstantFloats` floats, or one element of
  /// any other type; else null. A payload of the wrong length is an error.
  llvm::Expected<mlir::DenseElementsAttr>
  getContents(const pb::TensorProto &tensor, mlir::RankedTensorType type,
              int64_t maxInts) const;

private:
  llvm::Expected<mlir::RankedTensorType>
  getStaticType(llvm::ArrayRef<int64_t> shape, int32_t dataType) const;

  mlir::MLIRContext *context;
  const ImportOptions &options;
};

} // namespace gpucost::importer

#endif // GPUCOST_LIB_COMPILER_IMPORT_ONNX_TENSORS_H
