//===- FootprintTest.cpp - Elements that a tile accesses ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// (J11) against an enumeration of all points of the tile.
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/OpWork/OpWork.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace mlir;
using namespace opwork;

namespace {

class FootprintTest : public testing::Test {
protected:
  AffineMap map(StringRef text) {
    return cast<AffineMapAttr>(
               parseAttribute(("affine_map<" + text + ">").str(), &context))
        .getValue();
  }
  /// The smallest and the largest value over all points of a box of two loops.
  Span enumerate(AffineMap map, Span i, Span j) {
    Builder builder(&context);
    Span span{INT64_MAX, INT64_MIN};
    for (int64_t x = i.first; x <= i.last; ++x)
      for (int64_t y = j.first; y <= j.last; ++y) {
        SmallVector<Attribute> results;
        (void)map.constantFold(
            {builder.getIndexAttr(x), builder.getIndexAttr(y)}, results);
        int64_t value = cast<IntegerAttr>(results.front()).getInt();
        span.first = std::min(span.first, value);
        span.last = std::max(span.last, value);
      }
    return span;
  }

  MLIRContext context;
};

TEST_F(FootprintTest, SpansAreThoseOfAllPoints) {
  for (StringRef text :
       {"(i, j) -> (i)", "(i, j) -> (7)", "(i, j) -> (2 * i + 3 * j)",
        "(i, j) -> (i - j)", "(i, j) -> (5 - 2 * i)",
        "(i, j) -> (i floordiv 3)", "(i, j) -> ((i + j) ceildiv 4)",
        "(i, j) -> (i mod 16)", "(i, j) -> (2 * i + j - 1)"})
    for (Span i : {Span{0, 0}, Span{0, 4}, Span{3, 11}})
      for (Span j : {Span{0, 2}, Span{5, 5}}) {
        AffineMap each = map(text);
        std::optional<Span> span = spanOf(each.getResult(0), {i, j});
        Span expected = enumerate(each, i, j);
        ASSERT_TRUE(span) << text.str();
        EXPECT_EQ(span->first, expected.first) << text.str();
        EXPECT_EQ(span->last, expected.last) << text.str();
      }
}

TEST_F(FootprintTest, AModuloThatWrapsHasItsWholePeriod) {
  auto span = spanOf(map("(i) -> (i mod 4)").getResult(0), {Span{3, 5}});
  ASSERT_TRUE(span);
  EXPECT_EQ(span->size(), 4);
}

TEST_F(FootprintTest, UnknownAndTooLargeValuesHaveNoSpan) {
  EXPECT_FALSE(spanOf(map("(i, j) -> (i)").getResult(0), {}));
  EXPECT_FALSE(spanOf(map("(i)[s] -> (i + s)").getResult(0), {Span{0, 1}}));
  EXPECT_FALSE(
      spanOf(map("(i) -> (4 * i)").getResult(0), {Span{0, INT64_MAX / 2}}));
}

// A window of 3 over 8 of 16 positions with stride 2: 2 * 7 + 2 + 1 elements.
TEST_F(FootprintTest, WindowsOverlap) {
  AffineMap window = map("(i, k) -> (2 * i + k)");
  auto tile = footprintOf(window, {34}, {Span{8, 15}, Span{0, 2}}, {16, 3});
  ASSERT_TRUE(tile);
  EXPECT_EQ((*tile)[0], 17);
  // All positions: the whole dimension, with the last element, which no window
  // reads.
  auto all = footprintOf(window, {34}, {Span{0, 15}, Span{0, 2}}, {16, 3});
  ASSERT_TRUE(all);
  EXPECT_EQ((*all)[0], 34);
}

TEST_F(FootprintTest, TilesOutsideTheIterationSpaceAreRejected) {
  Builder builder(&context);
  auto index = [&](int64_t value) -> OpFoldResult {
    return builder.getIndexAttr(value);
  };
  EXPECT_TRUE(readTile({index(8)}, {index(8)}, {16}));
  EXPECT_FALSE(readTile({index(9)}, {index(8)}, {16}));
  EXPECT_FALSE(readTile({index(-1)}, {index(8)}, {16}));
  EXPECT_FALSE(readTile({index(0)}, {index(-8)}, {16}));
  EXPECT_FALSE(
      readTile({index(INT64_MAX)}, {index(8)}, {ShapedType::kDynamic}));
  EXPECT_FALSE(readTile({index(0), index(0)}, {index(8)}, {16}));
}

} // namespace
