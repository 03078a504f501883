//===- Sha256Test.cpp - Checksums of texts --------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Support/Sha256.h"
#include "gpucost/Core/Support/QuantityText.h"
#include "gtest/gtest.h"

using namespace gpucost;

namespace {

// The examples of FIPS 180-4 for one block, no block and two blocks.
TEST(Sha256, Standard) {
  EXPECT_EQ(sha256("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(""),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(RoundedText, FourDigitsInTheUnitOfTheRoundedValue) {
  EXPECT_EQ(roundedText(Seconds(33.36740713561117e-6)), "33.37 us");
  EXPECT_EQ(roundedText(Seconds(33.4e-6)), "33.40 us");
  EXPECT_EQ(roundedText(Seconds(999.96e-6)), "1.000 ms");
  EXPECT_EQ(roundedText(Seconds(999.94e-6)), "999.9 us");
  EXPECT_EQ(roundedText(Seconds(1234.5)), "1234 s");
  EXPECT_EQ(roundedText(Seconds(98766.0)), "98770 s");
  EXPECT_EQ(roundedText(Seconds(1.5e-9)), "1.500 ns");
  EXPECT_EQ(roundedText(Seconds(-2e-6)), "-2.000 us");
  EXPECT_EQ(roundedText(Seconds(0)), "0 s");
}

} // namespace
