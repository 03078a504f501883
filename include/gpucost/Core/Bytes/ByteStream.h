//===- ByteStream.h - Compact binary values ---------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sink and the source of RecordIo.h for the binary form of prepared models
// and targets. Integers are stored with seven bits per byte, real numbers in
// eight bytes; a string is stored at its first use, later uses store its index.
// An envelope consists of magic letters, a version, a length and a checksum.
// Input is untrusted: the source does not read beyond its end and rejects lists
// longer than the remaining bytes.
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
  /// At most the number of remaining bytes.
  size_t count(std::string_view keyword);

  /// No fault so far.
  bool good() const { return fault.empty(); }
  /// All bytes were read without a fault.
  bool complete() const { return good() && rest.empty(); }
  /// Records the value of `keyword` as faulty.
  void fail(std::string_view keyword);
  /// The keyword of the first faulty value.
  const std::string &faultyKeyword() const { return fault; }

private:
  uint64_t unsignedInteger(std::string_view keyword);

  std::string_view rest;
  std::vector<std::string_view> texts;
  std::string fault;
};

/// Header of a file.
struct Envelope {
  std::string_view magic; ///< four letters
  std::string_view what;  ///< "prepared model", for messages
  uint32_t version = 0;
};

/// Magic, version, length and checksum, followed by `payload`.
std::string seal(const Envelope &envelope, std::string_view payload);
/// The payload of `bytes`. Fails for another magic or version, a wrong length
/// or a wrong checksum.
Expected<std::string_view> unseal(const Envelope &envelope,
                                  std::string_view bytes);

} // namespace gpucost

#endif // GPUCOST_CORE_BYTES_BYTESTREAM_H
