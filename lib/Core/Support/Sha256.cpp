//===- Sha256.cpp - Checksums of texts ------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// FIPS 180-4, sections 4 to 6. The constants of the standard are fractions of
// roots of primes and are computed.
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Support/Sha256.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

using namespace gpucost;

namespace {

constexpr size_t blockBytes = 64, rounds = 64, words = 8;

/// The first 32 bits of the fraction of `root`. The roots are below 18, so a
/// double has 48 bits of the fraction.
uint32_t fractionOf(double root) {
  return static_cast<uint32_t>((root - std::floor(root)) * 0x1p32);
}

struct Constants {
  std::array<uint32_t, words> start = {};
  std::array<uint32_t, rounds> ofRound = {};

  Constants() {
    size_t found = 0;
    for (int candidate = 2; found < rounds; ++candidate) {
      bool isPrime = true;
      for (int divisor = 2; divisor * divisor <= candidate; ++divisor)
        isPrime &= candidate % divisor != 0;
      if (!isPrime)
        continue;
      if (found < words)
        start[found] = fractionOf(std::sqrt(candidate));
      ofRound[found++] = fractionOf(std::cbrt(candidate));
    }
  }
};

uint32_t rotate(uint32_t x, unsigned bits) {
  return x >> bits | x << (32 - bits);
}

void addBlock(std::array<uint32_t, words> &state, const unsigned char *block,
              const Constants &constants) {
  std::array<uint32_t, rounds> w = {};
  for (size_t t = 0; t < 16; ++t)
    for (size_t i = 0; i < 4; ++i)
      w[t] = w[t] << 8 | block[4 * t + i];
  for (size_t t = 16; t < rounds; ++t) {
    uint32_t early = w[t - 15], late = w[t - 2];
    w[t] = w[t - 16] + w[t - 7] +
           (rotate(early, 7) ^ rotate(early, 18) ^ early >> 3) +
           (rotate(late, 17) ^ rotate(late, 19) ^ late >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (size_t t = 0; t < rounds; ++t) {
    uint32_t sumOfE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    uint32_t sumOfA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    uint32_t choice = (e & f) ^ (~e & g);
    uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
    uint32_t first = h + sumOfE + choice + constants.ofRound[t] + w[t];
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + sumOfA + majority;
  }
  const std::array<uint32_t, words> added = {a, b, c, d, e, f, g, h};
  for (size_t i = 0; i < words; ++i)
    state[i] += added[i];
}

} // namespace

std::string gpucost::sha256(std::string_view bytes) {
  static const Constants constants;
  // One bit, zeros, and the length in bits in the last 8 bytes of a block.
  std::string padded(bytes);
  padded += '\x80';
  while (padded.size() % blockBytes != blockBytes - 8)
    padded += '\0';
  uint64_t bits = uint64_t(bytes.size()) * 8;
  for (int shift = 56; shift >= 0; shift -= 8)
    padded += static_cast<char>(bits >> shift & 0xff);

  std::array<uint32_t, words> state = constants.start;
  for (size_t at = 0; at < padded.size(); at += blockBytes)
    addBlock(state, reinterpret_cast<const unsigned char *>(&padded[at]),
             constants);
  std::string text;
  for (uint32_t word : state)
    for (int shift = 28; shift >= 0; shift -= 4)
      text += "0123456789abcdef"[word >> shift & 0xf];
  return text;
}
