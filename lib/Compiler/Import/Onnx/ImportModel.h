//===- ImportModel.h - Parsed models into the onnx dialect ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_IMPORT_ONNX_IMPORTMODEL_H
#define GPUCOST_LIB_COMPILER_IMPORT_ONNX_IMPORTMODEL_H

#include "gpucost/Compiler/Import/OnnxImport.h"
#include <gpucost_onnx/onnx.pb.h>

namespace gpucost::importer {

/// Imports a parsed model, which is not changed; large tensors need no values.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
importModel(mlir::MLIRContext &context, const ::gpucost_onnx::ModelProto &model,
            llvm::StringRef name, const ImportOptions &options);

} // namespace gpucost::importer

#endif // GPUCOST_LIB_COMPILER_IMPORT_ONNX_IMPORTMODEL_H
