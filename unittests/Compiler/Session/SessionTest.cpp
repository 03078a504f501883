//===- SessionTest.cpp - One model, many scenarios ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Session/Session.h"
#include "gpucost/Applications/Report/Report.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace gpucost;

namespace {

class SessionTest : public testing::Test {
protected:
  SessionTest()
      : context(registry(), mlir::MLIRContext::Threading::DISABLED),
        imported(loadModel(context, GPUCOST_MODELS "/bert-base.onnx")),
        session(*imported), prepared(session.prepare(scenario("a100-bf16"))) {
    context.getDiagEngine().registerHandler(
        [this](mlir::Diagnostic &d) { messages += d.str() + "\n"; });
  }

  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }

  static Scenario scenario(const char *target) {
    Scenario scenario;
    scenario.target = target;
    scenario.mode = IterationMode::Training;
    scenario.batch = 4;
    scenario.seq = 64;
    return scenario;
  }

  /// The JSON report, which holds every number.
  static std::string text(const IterationReport &report) {
    std::string json;
    llvm::raw_string_ostream os(json);
    EXPECT_FALSE(static_cast<bool>(writeReport("json", report, {}, os)));
    return json;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> imported;
  Session session;
  /// A training step on an A100.
  mlir::FailureOr<Session::Prepared> prepared;
  std::string messages;
};

TEST_F(SessionTest, PlacedOnAnotherGpuIsAsIfPreparedThere) {
  ASSERT_TRUE(mlir::succeeded(prepared));
  Scenario changes;
  changes.target = "h100-bf16";
  changes.powerLimit = Watts(400);
  mlir::FailureOr<PlacedModel> placed = session.place(*prepared, changes);
  ASSERT_TRUE(mlir::succeeded(placed)) << messages;

  Scenario there = scenario("h100-bf16");
  there.powerLimit = Watts(400);
  mlir::FailureOr<IterationReport> direct = session.analyze(there);
  ASSERT_TRUE(mlir::succeeded(direct)) << messages;
  EXPECT_EQ(text(placed->evaluate()), text(*direct));
  // The prepared model itself is as it was.
  mlir::FailureOr<PlacedModel> first = session.place(*prepared);
  ASSERT_TRUE(mlir::succeeded(first));
  EXPECT_EQ(text(first->evaluate()),
            text(*session.analyze(scenario("a100-bf16"))));
}

TEST_F(SessionTest, OtherKernelsNeedAnotherPreparation) {
  ASSERT_TRUE(mlir::succeeded(prepared));
  Scenario changes;
  changes.batch = 8;
  EXPECT_TRUE(mlir::failed(session.place(*prepared, changes)));
  EXPECT_EQ(messages, "the model is prepared for other settings (batch)\n");
  messages.clear();
  changes = {};
  changes.target = "a100-fp16";
  EXPECT_TRUE(mlir::failed(session.place(*prepared, changes)));
  EXPECT_EQ(messages,
            "the model is prepared for other settings (number format)\n");
  messages.clear();
  changes = {};
  changes.clock = Hertz(5e9);
  EXPECT_TRUE(mlir::failed(session.place(*prepared, changes)));
  EXPECT_NE(messages.find("clock"), std::string::npos) << messages;
}

} // namespace
