//===- WireWalker.h - Removes weights from model files ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites the wire format of an ONNX ModelProto without tensor payloads,
// documentation strings and foreign metadata. Payload bytes are skipped, never
// read: a mapped file of many GiB costs only as much as its structure. All
// limits that protect the parser are enforced here.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_IMPORT_ONNX_WIREWALKER_H
#define GPUCOST_LIB_COMPILER_IMPORT_ONNX_WIREWALKER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace gpucost::importer {

/// Limits on a file. All byte counts refer to the wire format.
struct WireLimits {
  /// Tensor payloads up to this size are kept.
  uint64_t payloadBytes = 128;
  /// The limit for int32, int64 and bool tensors, which may decide shapes.
  uint64_t integerPayloadBytes = 512 << 10;
  /// Longer string attributes (embedded engines) are dropped.
  uint64_t stringBytes = 64 << 10;
  /// Maximum nesting of subgraphs; fits protobuf's recursion limit of 100.
  unsigned graphDepth = 32;
  /// Total number of nodes in all graphs, subgraphs and functions.
  uint64_t nodes = 5'000'000;
  /// Number of records of any kind; limits the memory of the parsed model.
  uint64_t records = 20'000'000;
  /// Bytes of the stripped model.
  uint64_t outputBytes = 512ull << 20;
};

/// A model that is ready to be parsed. A tensor whose payload was dropped has
/// `segment` = {offset of its first payload byte in the file, that offset + the
/// payload length}, and an empty `raw_data` if the payload was raw. A `segment`
/// in the file is removed, because no known exporter writes one.
struct StrippedModel {
  std::string bytes;
  uint64_t droppedBytes = 0;
  uint64_t nodes = 0;
};

/// Strips `file`. The error for a malformed file starts with `byte N: `.
llvm::Expected<StrippedModel> stripPayloads(llvm::StringRef file,
                                            const WireLimits &limits = {});

} // namespace gpucost::importer

#endif // GPUCOST_LIB_COMPILER_IMPORT_ONNX_WIREWALKER_H
