//===- OnnxAnnotate.h - Metadata for ONNX files -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes an ONNX file again with entries in the `metadata_props` of the model
// and of its nodes. The file is edited in the wire format: every other field
// stays byte for byte, whoever defined it; weights are copied, never parsed.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_IMPORT_ONNXANNOTATE_H
#define GPUCOST_COMPILER_IMPORT_ONNXANNOTATE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gpucost {

/// Where a node is in a file.
struct OnnxPosition {
  /// 0 is the main graph; subgraphs follow in the order of their nodes and
  /// attributes, each before those inside of it.
  uint32_t graph = 0;
  /// Of the node in its graph.
  uint32_t index = 0;
};

/// Keys and values, all UTF-8.
using OnnxProperties = std::vector<std::pair<std::string, std::string>>;

struct OnnxAnnotations {
  /// What the keys of all entries begin with; older entries with such keys go.
  std::string prefix;
  OnnxProperties model;
  /// Of each node, which may have none.
  llvm::function_ref<OnnxProperties(OnnxPosition)> ofNode;
};

/// Writes `file` with `annotations` to `os`. Nothing is written on an error.
llvm::Error annotateOnnx(llvm::StringRef file,
                         const OnnxAnnotations &annotations,
                         llvm::raw_ostream &os);

/// Calls `visit` with the names of the outputs of each node, subgraphs
/// included.
llvm::Error visitOnnxNodes(
    llvm::StringRef file,
    llvm::function_ref<void(OnnxPosition, llvm::ArrayRef<llvm::StringRef>)>
        visit);

} // namespace gpucost

#endif // GPUCOST_COMPILER_IMPORT_ONNXANNOTATE_H
