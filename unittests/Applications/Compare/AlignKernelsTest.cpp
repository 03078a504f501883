//===- AlignKernelsTest.cpp - Which kernel is which -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Compare/AlignKernels.h"
#include "gtest/gtest.h"

using namespace gpucost;
using namespace gpucost::compare;

static ComparedKernel kernel(const char *name, const char *op,
                             const char *shape, int64_t count = 1,
                             const char *format = "bf16") {
  ComparedKernel result;
  result.name = name;
  result.op = op;
  result.shape = shape;
  result.format = format;
  result.count = count;
  return result;
}

/// For each kernel of `before` the index in `after`, then the kernels that are
/// only in `after`.
static std::vector<std::pair<int64_t, int64_t>>
align(const std::vector<ComparedKernel> &before,
      const std::vector<ComparedKernel> &after) {
  std::vector<std::pair<int64_t, int64_t>> result;
  for (KernelPair pair : alignKernels(before, after))
    result.emplace_back(pair.before, pair.after);
  return result;
}

using Pairs = std::vector<std::pair<int64_t, int64_t>>;

TEST(AlignKernels, EqualKernelsPairWhateverTheirOrder) {
  EXPECT_EQ(align({kernel("a", "Add", "n=8"), kernel("b", "MatMul", "m=4")},
                  {kernel("b", "MatMul", "m=4"), kernel("a", "Add", "n=8")}),
            (Pairs{{0, 1}, {1, 0}}));
}

TEST(AlignKernels, ANodeKeepsItsKernelInAnotherShape) {
  // With twice the batch b has the shape that a had.
  EXPECT_EQ(align({kernel("a", "Add", "n=16"), kernel("b", "Add", "n=8")},
                  {kernel("a", "Add", "n=32"), kernel("b", "Add", "n=16")}),
            (Pairs{{0, 0}, {1, 1}}));
}

TEST(AlignKernels, OtherNamesPairByShape) {
  // Another export: all names differ, the shapes identify the kernels.
  EXPECT_EQ(align({kernel("a", "Add", "n=16"), kernel("b", "Add", "n=8")},
                  {kernel("x", "Add", "n=8"), kernel("y", "Add", "n=16")}),
            (Pairs{{0, 1}, {1, 0}}));
}

TEST(AlignKernels, ShapesBeforeNamesThatStandForOtherNodes) {
  // One of three nodes keeps its name, but not its shape: another graph.
  EXPECT_EQ(align({kernel("n1", "Add", "n=8"), kernel("b", "Add", "n=9"),
                   kernel("c", "Add", "n=10")},
                  {kernel("n1", "Add", "n=9"), kernel("y", "Add", "n=8"),
                   kernel("z", "Add", "n=10")}),
            (Pairs{{0, 1}, {1, 0}, {2, 2}}));
}

TEST(AlignKernels, FormatIsTheFirstToDiffer) {
  EXPECT_EQ(align({kernel("a", "Add", "n=8", 1, "fp32")},
                  {kernel("b", "Add", "n=8", 1, "fp32"),
                   kernel("a", "Add", "n=8", 1, "bf16")}),
            (Pairs{{0, 1}, {-1, 0}}));
}

TEST(AlignKernels, AnotherVersionWordsLabelsOtherwise) {
  ComparedKernel old = kernel("a", "Add", "n=8"), now = old, other = old;
  old.label = "addition";
  now.label = "Add";
  other.name = "b";
  other.label = "Add";
  EXPECT_EQ(align({old}, {other, now}), (Pairs{{0, 1}, {-1, 0}}));
}

TEST(AlignKernels, CountIsTheLastHope) {
  EXPECT_EQ(
      align(
          {kernel("a", "MatMul", "m=1", 24), kernel("b", "MatMul", "m=2", 1)},
          {kernel("x", "MatMul", "m=3", 1), kernel("y", "MatMul", "m=4", 24)}),
      (Pairs{{0, 1}, {1, 0}}));
}

TEST(AlignKernels, OpsNeverMix) {
  EXPECT_EQ(align({kernel("a", "Add", "n=8")}, {kernel("a", "Mul", "n=8")}),
            (Pairs{{0, -1}, {-1, 0}}));
}
