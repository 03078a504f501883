//===- WireReader.cpp - Bounded protobuf record reader --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WireReader.h"
#include "llvm/ADT/Twine.h"

using namespace gpucost::importer;

llvm::Error gpucost::importer::wireError(uint64_t at, const llvm::Twine &what) {
  return llvm::createStringError("byte " + llvm::Twine(at) + ": " + what);
}

llvm::Error WireReader::readVarint(uint64_t &value) {
  value = 0;
  uint64_t start = position;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (position == end)
      return wireError(start, "number is cut off by the end of its message");
    auto byte = static_cast<uint8_t>(file[position++]);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80)
      return llvm::Error::success();
  }
  return wireError(start, "number is longer than 10 bytes");
}

llvm::Error WireReader::next(WireRecord &record) {
  record.begin = position;
  uint64_t tag;
  if (llvm::Error error = readVarint(tag))
    return error;
  if (tag > UINT32_MAX || (tag >> 3) == 0)
    return wireError(record.begin,
                     "expected a field, but got tag " + llvm::Twine(tag));
  record.field = static_cast<uint32_t>(tag >> 3);
  record.varint = 0;

  uint64_t size = 0;
  switch (tag & 7) {
  case 0:
    record.type = WireType::Varint;
    record.valueBegin = position;
    if (llvm::Error error = readVarint(record.varint))
      return error;
    record.end = position;
    return llvm::Error::success();
  case 1:
    record.type = WireType::Fixed64;
    size = 8;
    break;
  case 2:
    record.type = WireType::Length;
    if (llvm::Error error = readVarint(size))
      return error;
    break;
  case 5:
    record.type = WireType::Fixed32;
    size = 4;
    break;
  default:
    return wireError(record.begin, "field " + llvm::Twine(record.field) +
                                       " has unsupported wire type " +
                                       llvm::Twine(tag & 7));
  }
  if (size > end - position)
    return wireError(record.begin,
                     "field " + llvm::Twine(record.field) + " of " +
                         llvm::Twine(size) +
                         " bytes runs past the end of its message, where " +
                         llvm::Twine(end - position) + " bytes are left");
  record.valueBegin = position;
  position += size;
  record.end = position;
  return llvm::Error::success();
}
