//===- ByteStream.h - Values as few bytes -----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sink and the source of RecordIo.h behind prepared models and targets in
// bytes. Integers take seven bits a byte, real numbers eight bytes, a text is
// stored where it comes first and named by its number after that. An envelope
// holds magic letters, a version, length and checksum. Bytes may be hostile:
// the source reads none beyond its end and no list longer than what is left.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_BYTES_BYTESTREAM_H
#define GPUCOST_CORE_BYTES_BYTESTREAM_H

#include "gpucost/Core/Support/Expected.h"
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpucost {

/// Hash of bytes (FNV-1a), the same on every machine.
uint64_t stableHash(std::string_view bytes, uint64_t hash = 0xcbf29ce484222325);

class ByteWriter {
public:
  void integer(std::string_view keyword, int64_t value);
  void number(std::string_view keyword, double value);
  void text(std::string_view keyword, std::string_view value);
  void count(std::string_view keyword, size_t value);
  const std::string &bytes() const { return out; }

private:
  void unsignedInteger(uint64_t value);

  std::string out;
  std::map<std::string, size_t, std::less<>> texts;
};

class ByteReader {
public:
  explicit ByteReader(std::string_view bytes) : rest(bytes) {}

  int64_t integer(std::string_view keyword);
  double number(std::string_view keyword);
  std::string_view text(std::string_view keyword);
  /// At most the number of bytes that are left.
  size_t count(std::string_view keyword);

  /// Nothing was wrong so far.
  bool good() const { return fault.empty(); }
  /// Everything was read and nothing was wrong.
  bool complete() const { return good() && rest.empty(); }
  /// What is wrong is the value of `keyword`.
  void fail(std::string_view keyword);
  /// The keyword of the first wrong value.
  const std::string &faultyKeyword() const { return fault; }

private:
  uint64_t unsignedInteger(std::string_view keyword);

  std::string_view rest;
  std::vector<std::string_view> texts;
  std::string fault;
};

/// What begins a file.
struct Envelope {
  std::string_view magic; ///< four letters
  std::string_view what;  ///< "prepared model", for messages
  uint32_t version = 0;
};

/// `payload` behind magic, version, length and checksum.
std::string seal(const Envelope &envelope, std::string_view payload);
/// The payload of `bytes`; an error for another magic or version, a wrong
/// length or checksum.
Expected<std::string_view> unseal(const Envelope &envelope,
                                  std::string_view bytes);

} // namespace gpucost

#endif // GPUCOST_CORE_BYTES_BYTESTREAM_H
