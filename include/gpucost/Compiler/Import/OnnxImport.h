//===- OnnxImport.h - ONNX files into the onnx dialect ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Imports an ONNX model into one module with `func.func @main` in the onnx
// dialect. Only the structure is imported: weights are never read, files that
// the model refers to are never opened, and no operator gets special treatment
// by name here (Domains.h has the only table of exceptions). Shapes remain as
// in the file; `gpucost-fix-shapes` infers the rest.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_IMPORT_ONNXIMPORT_H
#define GPUCOST_COMPILER_IMPORT_ONNXIMPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace gpucost {

/// Limits on a model, and which of its contents are kept.
struct ImportOptions {
  /// Nodes in the file, those of subgraphs and functions included.
  int64_t maxNodes = 5'000'000;
  /// Nodes after inlining of local functions; large nodes count as several.
  int64_t maxInlinedNodes = 1'000'000;
  /// Levels of local functions that call each other.
  int64_t maxFunctionDepth = 64;
  /// Levels of subgraphs within subgraphs; more than 32 cannot be parsed.
  int64_t maxSubgraphDepth = 32;
  /// Inputs, and likewise outputs and attributes, of one node.
  int64_t maxArity = 65'536;
  int64_t maxRank = 64;

  /// An integer or bool tensor up to this size becomes an `onnx.Constant` with
  /// its contents, a larger one an `onnx.Parameter`.
  int64_t maxInitializerInts = 1024;
  int64_t maxConstantNodeInts = 65'536;
  /// The limit for floating-point tensors (scales of Resize, epsilons). Tensors
  /// of 8-bit and narrower integers must be scalars.
  int64_t maxConstantFloats = 8;

  /// Keep the types that the file declares for results as `onnx.declared`.
  bool keepDeclaredTypes = true;
  /// Keep the names of all values as `onnx.values`, and the node's index in its
  /// location. Without them, the import of a large graph takes a quarter less
  /// time. The names of graph outputs are always kept, and so are all names of
  /// a graph with control flow, because trip counts are set by name.
  bool keepOrigins = true;
};

/// Imports the model at `path`. The error names the file and, if known, the
/// node: `model.onnx: node 12 'relu' (Relu): input 0 'x' is not defined`.
///
/// The module carries
/// - `onnx.opsets`: domain -> version; the default domain is `ai.onnx`;
/// - `onnx.unused_parameters`: number of initializers that nothing uses;
/// - `onnx.notes`: assumptions made to interpret the file, if any.
///
/// Each op has the location `NameLoc(node name, path:node index:graph)`, with
/// the graph numbers of OnnxAnnotate.h; for nodes from local functions that
/// location is the callee of a call location. An op from a function with a
/// different opset has `onnx.opset`.
///
/// A node with subgraphs is an `onnx.Custom` with `onnx.subgraph_ops`, the
/// number of nodes in them; its last `onnx.captured` operands are values from
/// outside that the subgraphs use.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
importOnnx(mlir::MLIRContext &context, llvm::StringRef path,
           const ImportOptions &options = {});

/// Imports a file that is in memory; `name` is used in locations and errors.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
importOnnxBuffer(mlir::MLIRContext &context, llvm::StringRef contents,
                 llvm::StringRef name, const ImportOptions &options = {});

} // namespace gpucost

#endif // GPUCOST_COMPILER_IMPORT_ONNXIMPORT_H
