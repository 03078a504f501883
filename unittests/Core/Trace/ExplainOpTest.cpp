//===- ExplainOpTest.cpp - One op from shape to seconds to joules ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Explain/ExplainOp.h"
#include "SampleModel.h"
#include "gtest/gtest.h"

using namespace gpucost;
using namespace gpucost::sample;

static Expected<std::string> explain(const std::string &op) {
  PlacedModel placed = place(trainingStep());
  return explainOp(placed, placed.solve({}), op);
}

static std::string errorOf(const std::string &op) {
  auto text = explain(op);
  return text ? "" : text.error().message;
}

TEST(ExplainOp, NodesHaveAllTheirKernels) {
  std::string text = cantFail(explain("a/MatMul"));
  EXPECT_NE(text.find("node 'a/MatMul' on "), std::string::npos);
  EXPECT_NE(text.find("phase forward"), std::string::npos);
  EXPECT_NE(text.find("phase backward"), std::string::npos);
  EXPECT_NE(text.find("shape m=4096 n=4096 k=4096, bf16"), std::string::npos);
  // (W2) 2*4096^3.
  EXPECT_NE(text.find("matrix 137438953472"), std::string::npos);
  EXPECT_NE(text.find("nk = ceil(4096/1/64) = 64; T = tiles*1 ="),
            std::string::npos);
  EXPECT_NE(text.find("<- chosen"), std::string::npos);
}

TEST(ExplainOp, NumbersAndOperators) {
  EXPECT_NE(cantFail(explain("1")).find("kernel 1 of 9"), std::string::npos);
  EXPECT_NE(cantFail(explain("op0")).find("operator op0"), std::string::npos);
  EXPECT_EQ(errorOf("0"), "no kernel 0; the report has kernels 1 to 9");
  EXPECT_EQ(errorOf("10"), "no kernel 10; the report has kernels 1 to 9");
}

TEST(ExplainOp, UnknownNamesListNearOnes) {
  EXPECT_EQ(errorOf("matmul"), "no node, kernel or operator 'matmul'; similar "
                               "names: 'a/MatMul', 'b/MatMul'");
  EXPECT_EQ(errorOf("a/Rleu"),
            "no node, kernel or operator 'a/Rleu'; similar names: 'a/Relu'");
  EXPECT_NE(errorOf("something else").find("in the report, starting with 1"),
            std::string::npos);
}
