//===- PlainTextTest.cpp - Text without LLVM against LLVM's ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Support/JsonStream.h"
#include "gpucost/Core/Support/Text.h"
#include "llvm/Support/JSON.h"
#include <gtest/gtest.h>
#include <random>

using namespace gpucost;

/// Random bytes, most of them those that UTF-8 is made of.
static std::string anyText(std::mt19937 &random) {
  static constexpr unsigned char edges[] = {
      'a',  '"',  '\\', '\n', '\t', 0x01, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0,
      0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff};
  std::string text;
  for (size_t n = random() % 8; n > 0; --n)
    text +=
        static_cast<char>(random() % 4 ? edges[random() % sizeof(edges)]
                                       : static_cast<unsigned char>(random()));
  return text;
}

TEST(PlainText, Utf8AsLLVM) {
  std::mt19937 random(1);
  for (int i = 0; i < 200000; ++i) {
    std::string text = anyText(random);
    std::string fixed =
        llvm::json::isUTF8(text) ? text : llvm::json::fixUTF8(text);
    ASSERT_EQ(toUtf8(text), fixed);
  }
}

TEST(PlainText, JsonAsLLVM) {
  std::mt19937 random(2);
  for (int i = 0; i < 2000; ++i) {
    std::string ours, theirs, key = anyText(random), value = anyText(random);
    auto write = [&](auto &j) {
      j.object([&] {
        j.attribute("empty", nullptr);
        j.attributeObject("object", [] {});
        j.attributeArray("array", [] {});
        j.attributeArray(llvm::json::fixUTF8(key), [&] {
          j.value(llvm::json::fixUTF8(value));
          j.value(true);
          j.value(int64_t(-5));
          j.object([&] { j.attribute("x", int64_t(1) << 62); });
          j.array([&] { j.value("y"); });
        });
      });
    };
    JsonStream plain(ours);
    write(plain);
    llvm::raw_string_ostream os(theirs);
    llvm::json::OStream stream(os, /*IndentSize=*/2);
    write(stream);
    ASSERT_EQ(ours, theirs);
  }
}

TEST(PlainText, NumbersAsLLVM) {
  for (const char *text :
       {"1", "-1", "0", "9223372036854775807", "9223372036854775808", "", "-",
        "+1", "1x", " 1", "1.0", "--1", "007"}) {
    int64_t ours = 0, theirs = 0;
    bool isNumber = !llvm::StringRef(text).getAsInteger(10, theirs);
    EXPECT_EQ(parseInteger(text, ours), isNumber) << text;
    if (isNumber)
      EXPECT_EQ(ours, theirs);
  }
  for (const char *text : {"1", "-1.5", "+2.5", "1e3", "1E-3", ".5", "5.",
                           "0.1", "123456789.123456789", "", "x", "1x"}) {
    double ours = 0, theirs = 0;
    bool isNumber = !llvm::StringRef(text).getAsDouble(theirs);
    EXPECT_EQ(parseNumber(text, ours), isNumber) << text;
    if (isNumber)
      EXPECT_EQ(ours, theirs);
  }
  // LLVM takes an exponent without digits.
  double none = 0;
  EXPECT_FALSE(parseNumber("1e", none));
}

TEST(PlainText, EditsAsLLVM) {
  for (const char *a : {"", "bf16", "bf17", "h100-sxm", "a100", "kitten"})
    for (const char *b : {"", "fp16", "bf16", "h100-pcie", "sitting"})
      EXPECT_EQ(editDistance(a, b), llvm::StringRef(a).edit_distance(b));
}
