//===- OnnxImport.h - ONNX files into the onnx dialect ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads an ONNX model and gives one module with `func.func @main` in the onnx
// dialect. Structure only: weights are never read, no file that the model names
// is ever opened, and no operator is known by name here (see Domains.h for the
// one table of exceptions). Shapes stay as the file has them; inference is the
// work of `gpucost-fix-shapes`.
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

/// What a model may ask for, and what is kept of it.
struct ImportOptions {
  /// Nodes in the file, those of subgraphs and functions included.
  int64_t maxNodes = 5'000'000;
  /// Nodes after inlining of local functions; a node of more than 256 bytes
  /// counts as several.
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
  /// The same for floating-point tensors (scales of Resize, epsilons). Tensors
  /// of 8-bit and narrower integers must be scalars.
  int64_t maxConstantFloats = 8;

  /// Keep the types that the file declares for results as `onnx.declared`.
  bool keepDeclaredTypes = true;
  /// Keep the names of all values as `onnx.values`, and the node's index in its
  /// location. Without them a large graph is imported a quarter faster; the
  /// names of graph outputs stay, and all names of a graph with control flow,
  /// whose trip counts are stated by name.
  bool keepOrigins = true;
};

/// Imports the model at `path`. The error names the file and, as far as known,
/// the node: `model.onnx: node 12 'relu' (Relu): input 0 'x' is not defined`.
///
/// The module carries
/// - `onnx.opsets`: domain -> version; the default domain is `ai.onnx`;
/// - `onnx.unused_parameters`: number of initializers that nothing uses;
/// - `onnx.notes`: what was assumed to make sense of the file, if anything.
///
/// Each op has the location `NameLoc(node name, path:node index:graph)`, where
/// the graph is numbered as in OnnxAnnotate.h; for nodes
/// from local functions that is the callee of a call location. An op that comes
/// from a function with an opset of its own has `onnx.opset`.
///
/// A node with subgraphs is an `onnx.Custom` with `onnx.subgraph_ops`, the
/// number of nodes in them; its last `onnx.captured` operands are values from
/// outside that the subgraphs use.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
importOnnx(mlir::MLIRContext &context, llvm::StringRef path,
           const ImportOptions &options = {});

/// The same for a file that is in memory; `name` stands in locations and
/// errors.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
importOnnxBuffer(mlir::MLIRContext &context, llvm::StringRef contents,
                 llvm::StringRef name, const ImportOptions &options = {});

} // namespace gpucost

#endif // GPUCOST_COMPILER_IMPORT_ONNXIMPORT_H
