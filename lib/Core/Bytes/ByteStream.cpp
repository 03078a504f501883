//===- ByteStream.cpp - Compact binary values -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Bytes/ByteStream.h"
#include "gpucost/Core/Support/Text.h"
#include <cstring>

using namespace gpucost;

uint64_t gpucost::stableHash(std::string_view bytes, uint64_t hash) {
  for (char c : bytes)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

/// Little-endian.
static void appendWord(std::string &out, uint64_t word, int bytes) {
  for (int i = 0; i < bytes; ++i)
    out += static_cast<char>(word >> (8 * i));
}

static uint64_t wordAt(std::string_view bytes, int count) {
  uint64_t word = 0;
  for (int i = 0; i < count; ++i)
    word |= uint64_t(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return word;
}

//===----------------------------------------------------------------------===//
// Writer
//===----------------------------------------------------------------------===//

void ByteWriter::unsignedInteger(uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

void ByteWriter::integer(std::string_view, int64_t value) {
  // The sign is stored in the lowest bit.
  auto bits = static_cast<uint64_t>(value);
  unsignedInteger((bits << 1) ^ (value < 0 ? ~uint64_t(0) : 0));
}

void ByteWriter::number(std::string_view, double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  appendWord(out, bits, 8);
}

void ByteWriter::count(std::string_view, size_t value) {
  unsignedInteger(value);
}

/// A new string is written as 0, its length and its bytes.
void ByteWriter::text(std::string_view, std::string_view value) {
  auto known = texts.find(value);
  if (known != texts.end())
    return unsignedInteger(known->second);
  unsignedInteger(0);
  unsignedInteger(value.size());
  out += value;
  texts.emplace(value, texts.size() + 1);
}

//===----------------------------------------------------------------------===//
// Reader
//===----------------------------------------------------------------------===//

void ByteReader::fail(std::string_view keyword) {
  if (fault.empty())
    fault = keyword.empty() ? "value" : keyword;
  rest = {};
}

uint64_t ByteReader::unsignedInteger(std::string_view keyword) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (rest.empty())
      break;
    uint64_t byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    // The tenth byte contains only the last bit.
    if (shift == 63 && byte > 1)
      break;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80)
      return value;
  }
  fail(keyword);
  return 0;
}

int64_t ByteReader::integer(std::string_view keyword) {
  uint64_t bits = unsignedInteger(keyword);
  return static_cast<int64_t>((bits >> 1) ^ (~(bits & 1) + 1));
}

double ByteReader::number(std::string_view keyword) {
  if (rest.size() < 8) {
    fail(keyword);
    return 0;
  }
  uint64_t bits = wordAt(rest, 8);
  rest.remove_prefix(8);
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

size_t ByteReader::count(std::string_view keyword) {
  uint64_t value = unsignedInteger(keyword);
  if (value > rest.size())
    fail(keyword);
  return good() ? value : 0;
}

std::string_view ByteReader::text(std::string_view keyword) {
  uint64_t index = unsignedInteger(keyword);
  if (!good())
    return {};
  if (index > texts.size()) {
    fail(keyword);
    return {};
  }
  if (index > 0)
    return texts[index - 1];
  size_t length = count(keyword);
  texts.push_back(rest.substr(0, length));
  rest.remove_prefix(good() ? length : 0);
  return texts.back();
}

//===----------------------------------------------------------------------===//
// Envelope
//===----------------------------------------------------------------------===//

/// Magic, version, length and checksum.
static constexpr size_t headerBytes = 4 + 4 + 8 + 8;

std::string gpucost::seal(const Envelope &envelope, std::string_view payload) {
  std::string bytes(envelope.magic);
  appendWord(bytes, envelope.version, 4);
  appendWord(bytes, payload.size(), 8);
  appendWord(bytes, stableHash(payload), 8);
  bytes += payload;
  return bytes;
}

Expected<std::string_view> gpucost::unseal(const Envelope &envelope,
                                           std::string_view bytes) {
  if (bytes.substr(0, 4) != envelope.magic)
    return fail(concat("no ", envelope.what));
  if (bytes.size() < headerBytes)
    return fail(concat("a ", envelope.what, " that is cut off"));
  if (wordAt(bytes.substr(4), 4) != envelope.version)
    return fail(concat("a ", envelope.what,
                       " of another version of gpu-cost-opt; make it again"));
  std::string_view payload = bytes.substr(headerBytes);
  if (wordAt(bytes.substr(8), 8) != payload.size())
    return fail(concat("a ", envelope.what,
                       " that is cut off or has "
                       "trailing bytes"));
  if (wordAt(bytes.substr(16), 8) != stableHash(payload))
    return fail(concat("a damaged ", envelope.what));
  return payload;
}
