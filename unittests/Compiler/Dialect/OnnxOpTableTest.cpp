//===- OnnxOpTableTest.cpp - The table of onnx ops ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace gpucost;

namespace {

class OnnxOpTable : public testing::Test {
protected:
  OnnxOpTable() { context.loadDialect<onnx::OnnxDialect, GpuCostDialect>(); }

  MLIRContext context;
};

TEST_F(OnnxOpTable, EveryRowIsARegisteredOp) {
  ASSERT_FALSE(onnx::getOpTable().empty());
  StringRef last;
  for (const onnx::OpInfo &info : onnx::getOpTable()) {
    OperationName name(info.name, &context);
    EXPECT_TRUE(name.isRegistered()) << info.name.str();
    EXPECT_EQ(onnx::getOpInfo(name), &info);
    EXPECT_EQ(onnx::findOpInfo(info.getBareName()), &info);
    EXPECT_LT(last.str(), info.name.str());
    last = info.name;
  }
}

TEST_F(OnnxOpTable, NoOtherOpHasARow) {
  for (StringRef name : {"onnx.Yield", "onnx.NoSuchOp", "builtin.module"})
    EXPECT_EQ(onnx::getOpInfo(OperationName(name, &context)), nullptr);
  EXPECT_EQ(onnx::findOpInfo("NoSuchOp"), nullptr);
}

TEST_F(OnnxOpTable, EveryRowIsWhole) {
  for (const onnx::OpInfo &info : onnx::getOpTable()) {
    SCOPED_TRACE(info.name.str());
    EXPECT_GE(info.minOperands, 0);
    EXPECT_TRUE(info.maxOperands < 0 || info.maxOperands >= info.minOperands);
    EXPECT_TRUE(info.maxResults == -1 || info.maxResults > 0);
    EXPECT_TRUE(info.maxOperands < 0 || info.inPlaceOperand < info.maxOperands);
    EXPECT_TRUE(info.infer && info.grad && info.work && info.gradientOp);
  }
}

TEST_F(OnnxOpTable, EveryOpHasTheInterfaces) {
  OpBuilder builder(&context);
  auto module = ModuleOp::create(builder, builder.getUnknownLoc());
  builder.setInsertionPointToEnd(module.getBody());
  for (const onnx::OpInfo &info : onnx::getOpTable()) {
    SCOPED_TRACE(info.name.str());
    Operation *op = onnx::create(builder, module.getLoc(), info,
                                 builder.getF32Type(), ValueRange());
    auto work = dyn_cast<WorkOpInterface>(op);
    ASSERT_TRUE(work);
    EXPECT_EQ(work.getCostClass(), info.shape);
    EXPECT_TRUE(isa<BackwardOpInterface>(op));
    EXPECT_TRUE(isMemoryEffectFree(op) && isSpeculatable(op));
    EXPECT_TRUE(isa<onnx::OnnxOp>(op));
  }
  module->erase();
}

TEST_F(OnnxOpTable, OperandsHaveNames) {
  OpBuilder builder(&context);
  auto module = ModuleOp::create(builder, builder.getUnknownLoc());
  builder.setInsertionPointToEnd(module.getBody());
  Location loc = module.getLoc();
  Type type = RankedTensorType::get({4}, builder.getF32Type());
  Value x = onnx::ParameterOp::create(builder, loc, type, {})->getResult(0);
  Value none = onnx::NoneOp::create(builder, loc,
                                    Type(onnx::NoneType::get(&context)), {})
                   ->getResult(0);
  auto clip = onnx::ClipOp::create(builder, loc, type, {x, none, x});
  EXPECT_EQ(clip.getX(), x);
  EXPECT_EQ(clip.getMin(), Value());
  EXPECT_EQ(clip.getMax(), x);
  auto bare = onnx::ClipOp::create(builder, loc, type, x);
  EXPECT_EQ(bare.getMax(), Value());
  EXPECT_TRUE(isa<onnx::ClipOp>(clip.getOperation()));
  EXPECT_FALSE(isa<onnx::AddOp>(clip.getOperation()));
  module->erase();
}

TEST_F(OnnxOpTable, MalformedOpsAreDescribed) {
  const onnx::OpInfo &add = onnx::AddOp::getOpInfo();
  EXPECT_EQ(onnx::describeMalformed(add, {true, true}, 1), "");
  EXPECT_EQ(onnx::describeMalformed(add, {true}, 1),
            "has 1 of the 2 operands that the operator requires");
  EXPECT_EQ(onnx::describeMalformed(add, {false, true}, 1),
            "has 0 of the 2 operands that the operator requires");
  EXPECT_EQ(onnx::describeMalformed(add, {true, true, true}, 1),
            "has 3 operands, but the operator takes at most 2");
  EXPECT_EQ(onnx::describeMalformed(add, {true, true}, 0), "has no result");
  EXPECT_EQ(onnx::describeMalformed(add, {true, true}, 2),
            "has 2 results, but the operator gives at most 1");
}

} // namespace
