//===- NestingTest.cpp - Depth of nested text -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Support/Nesting.h"
#include "gtest/gtest.h"
#include <string>

using namespace gpucost;

namespace {

constexpr size_t most = deepestNesting;

std::string times(size_t count, const std::string &text) {
  std::string all;
  for (size_t i = 0; i < count; ++i)
    all += text;
  return all;
}

bool isDeep(const std::string &text, NestedSyntax syntax) {
  return findDeepNesting(text, syntax).has_value();
}

TEST(Nesting, Json) {
  auto deep = [](const std::string &text) {
    return isDeep(text, NestedSyntax::Json);
  };
  EXPECT_FALSE(deep(times(most, "[")));
  EXPECT_TRUE(deep(times(most + 1, "[")));
  EXPECT_TRUE(deep(times(most + 1, "{\"a\": ")));
  EXPECT_FALSE(deep(times(10 * most, "[]")));
  EXPECT_FALSE(deep("\"" + times(10 * most, "[\\\"") + "\""));
  // Other signs have no meaning in JSON.
  EXPECT_FALSE(deep(times(10 * most, "<(-")));
  EXPECT_TRUE(deep("//" + times(most + 1, "[")));
}

TEST(Nesting, Mlir) {
  auto deep = [](const std::string &text) {
    return isDeep(text, NestedSyntax::Mlir);
  };
  for (const char *open : {"module {", "\"a.b\"() ({", "tuple<", "((", "[", "-",
                           "- ", "(-", "-\n-"})
    EXPECT_TRUE(deep(times(most + 1, open))) << open;
  EXPECT_FALSE(deep(times(10 * most, "// {{{[[[\n")));
  EXPECT_FALSE(deep("\"" + times(10 * most, "{") + "\""));
  // A string ends with its line.
  EXPECT_TRUE(deep("\"\n" + times(most + 1, "{")));
  EXPECT_FALSE(deep(times(10 * most, "() -> ")));
  EXPECT_FALSE(deep(times(10 * most, "[d0 - 1, -2],")));
  // Less-than signs open nothing that a later bracket does not close, and
  // greater-than signs close no other bracket.
  EXPECT_FALSE(deep(times(10 * most, "(a < b)")));
  EXPECT_TRUE(deep(times(most + 1, "(a >= b, ")));
}

TEST(Nesting, Place) {
  auto place = findDeepNesting("[\n " + times(most, "["), NestedSyntax::Json);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->line, 2u);
  EXPECT_EQ(place->column, most + 1);
}

} // namespace
