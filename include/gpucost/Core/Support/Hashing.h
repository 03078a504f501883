//===- Hashing.h - Hashes of several values ---------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hashes are the same in every run and on every 64-bit machine.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SUPPORT_HASHING_H
#define GPUCOST_CORE_SUPPORT_HASHING_H

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpucost {

/// Hash of a sequence with hash `first` after appending `next`.
constexpr size_t combineHashes(size_t first, size_t next) {
  uint64_t rotated = (uint64_t(first) << 23) | (uint64_t(first) >> 41);
  // A product carries low bits up (2^64 / golden ratio, odd), the shift carries
  // high bits down.
  uint64_t product = (rotated ^ next) * 0x9E3779B97F4A7C15;
  return product ^ (product >> 32);
}

/// Hash of a string's bytes.
constexpr size_t hashText(std::string_view text) {
  size_t hash = text.size();
  for (char c : text)
    hash = combineHashes(hash, static_cast<unsigned char>(c));
  return hash;
}

} // namespace gpucost

#endif // GPUCOST_CORE_SUPPORT_HASHING_H
