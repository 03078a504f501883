//===- OnnxAnnotate.h - Metadata for ONNX files -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites an ONNX file with new entries in the `metadata_props` of the model
// and of its nodes. The file is edited in the wire format: all other fields,
// even unknown ones, are preserved byte for byte; weights are never parsed.
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

/// Position of a node in a file.
struct OnnxPosition {
  /// 0 is the main graph; subgraphs follow in the order of their nodes and
  /// attributes, each before the subgraphs nested in it.
  uint32_t graph = 0;
  /// Index of the node in its graph.
  uint32_t index = 0;
};

/// Keys and values, all UTF-8.
using OnnxProperties = std::vector<std::pair<std::string, std::string>>;

struct OnnxAnnotations {
  /// Prefix of all entry keys; existing entries with this prefix are removed.
  std::string prefix;
  OnnxProperties model;
  /// Entries of each node; may be empty.
  llvm::function_ref<OnnxProperties(OnnxPosition)> ofNode;
};

/// Writes `file` with `annotations` to `os`. Nothing is written on an error.
llvm::Error annotateOnnx(llvm::StringRef file,
                         const OnnxAnnotations &annotations,
                         llvm::raw_ostream &os);

/// Calls `visit` with the output names of each node, also in subgraphs.
llvm::Error visitOnnxNodes(
    llvm::StringRef file,
    llvm::function_ref<void(OnnxPosition, llvm::ArrayRef<llvm::StringRef>)>
        visit);

} // namespace gpucost

#endif // GPUCOST_COMPILER_IMPORT_ONNXANNOTATE_H
