//===- WireReader.h - Bounded protobuf record reader ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads one message of the protobuf wire format record by record. It reads only
// tags and lengths; every step is checked against the end of the message.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_IMPORT_ONNX_WIREREADER_H
#define GPUCOST_LIB_COMPILER_IMPORT_ONNX_WIREREADER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace gpucost::importer {

enum class WireType : uint8_t {
  Varint = 0,
  Fixed64 = 1,
  Length = 2,
  Fixed32 = 5
};

/// One field of a message; offsets are from the start of the file.
struct WireRecord {
  uint32_t field = 0;
  WireType type = WireType::Varint;
  /// Offset of the record (its tag).
  uint64_t begin = 0;
  /// Offsets of the value's start (after any length) and end.
  uint64_t valueBegin = 0;
  uint64_t end = 0;
  /// Value of a varint.
  uint64_t varint = 0;

  uint64_t valueSize() const { return end - valueBegin; }
};

/// Iterates over the records of `file[begin, end)`.
class WireReader {
public:
  WireReader(llvm::StringRef file, uint64_t begin, uint64_t end)
      : file(file), position(begin), end(end) {}

  bool atEnd() const { return position == end; }
  /// Reads the record at the current position and advances past it.
  llvm::Error next(WireRecord &record);

private:
  llvm::Error readVarint(uint64_t &value);

  llvm::StringRef file;
  uint64_t position;
  uint64_t end;
};

/// The error message `byte N: what`.
llvm::Error wireError(uint64_t at, const llvm::Twine &what);

} // namespace gpucost::importer

#endif // GPUCOST_LIB_COMPILER_IMPORT_ONNX_WIREREADER_H
