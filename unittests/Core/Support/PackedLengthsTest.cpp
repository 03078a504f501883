//===- PackedLengthsTest.cpp - Documents in one sequence ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Support/PackedLengths.h"
#include "gtest/gtest.h"
#include <utility>

using namespace gpucost;

namespace {

using Pairs = std::vector<std::pair<int64_t, int64_t>>;

Pairs pairsOf(const PackedLengths &lengths) {
  Pairs pairs;
  for (const DocumentLength &each : lengths)
    pairs.emplace_back(each.tokens, each.count);
  return pairs;
}

Pairs parse(std::string_view text) {
  std::optional<PackedLengths> lengths = parsePackedLengths(text);
  return lengths ? pairsOf(*lengths) : Pairs();
}

TEST(PackedLengths, Parse) {
  EXPECT_EQ(parse("1024"), (Pairs{{1024, 1}}));
  EXPECT_EQ(parse("2048:1, 512:3"), (Pairs{{512, 3}, {2048, 1}}));
  EXPECT_EQ(parse("512,2048,512"), (Pairs{{512, 2}, {2048, 1}}));
  for (const char *text : {"", "0", "-1", "512:", "512:0", ":3", "512,", "x",
                           "1.5", "4294967296", "512:3:1"}) {
    EXPECT_FALSE(isPackedLengths(text)) << text;
  }
}

TEST(PackedLengths, Cut) {
  // 5000 tokens in sequences of 2048: two whole ones and 904 tokens.
  PackedLengths cut = cutDocuments({{512, 3}, {5000, 2}}, 2048);
  EXPECT_EQ(pairsOf(cut), (Pairs{{512, 3}, {2048, 4}, {904, 2}}));
  EXPECT_EQ(tokensOf(cut), 3 * 512 + 2 * 5000);
}

TEST(PackedLengths, MeanOverTokens) {
  EXPECT_EQ(lengthAtToken({{512, 1}}), 512);
  // A quarter of the 2048 tokens is in documents of 512, the rest in one of
  // 1536.
  EXPECT_EQ(lengthAtToken({{512, 1}, {1536, 1}}), 0.25 * 512 + 0.75 * 1536);
}

} // namespace
