//===- ModelFile.h - Opens and parses a model file --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Opens a model file, strips its payloads and parses the rest with libonnx's
// protobuf classes. Internal to lib/Compiler/Import/Onnx.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_IMPORT_ONNX_MODELFILE_H
#define GPUCOST_LIB_COMPILER_IMPORT_ONNX_MODELFILE_H

#include "WireWalker.h"
#include "llvm/Support/MemoryBuffer.h"
#include <google/protobuf/arena.h>
#include <gpucost_onnx/onnx.pb.h>
#include <memory>

namespace gpucost::importer {

namespace pb = ::gpucost_onnx;

/// A parsed model without weights, and the memory that owns it.
struct ModelFile {
  std::unique_ptr<google::protobuf::Arena> arena;
  const pb::ModelProto *model = nullptr;
};

/// Maps the regular file at `path` into memory without reading it.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
mapModelFile(llvm::StringRef path);

/// Strips and parses `contents`. A model without a graph is an error, and so is
/// a mapped file that another process shortens meanwhile.
llvm::Expected<ModelFile> parseModel(llvm::StringRef contents, bool isMapped,
                                     const WireLimits &limits);

/// `text` in single quotes, with escaped characters, limited to one line.
std::string quoted(llvm::StringRef text);

} // namespace gpucost::importer

#endif // GPUCOST_LIB_COMPILER_IMPORT_ONNX_MODELFILE_H
