//===- SweepTest.cpp - Points against single reports ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Sweep/Optimize.h"
#include "gpucost/Applications/Sweep/PointText.h"
#include "gpucost/Applications/Sweep/ResultFile.h"
#include "gpucost/Compiler/Session/Session.h"
#include "gpucost/Compiler/Support/OutputFile.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>

using namespace gpucost;
using namespace gpucost::sweep;

static const std::string model = GPUCOST_MODELS "/resnet50.onnx";

static Space spaceOf(std::vector<AxisText> settings) {
  return llvm::cantFail(Space::create({model}, settings));
}

/// The results of all points.
static std::vector<PointResult> resultsOf(const Evaluator &evaluator,
                                          SweepOptions options = {}) {
  std::vector<PointResult> results;
  runSweep(
      evaluator, options, [](int64_t) { return false; }, [](PointBatch &) {},
      [&](PointBatch &batch) {
        for (PointResult &result : batch.results)
          results.push_back(std::move(result));
        return true;
      });
  return results;
}

static mlir::DialectRegistry registry() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

/// Why the model of `session` that was prepared for `scenario` cannot be placed
/// on `target`; empty if it can.
static std::string faultElsewhere(mlir::MLIRContext &context, Session &session,
                                  const Scenario &scenario,
                                  const char *target) {
  auto prepared = session.prepare(scenario);
  if (mlir::failed(prepared))
    return "not prepared";
  Scenario other;
  other.target = target;
  std::string message;
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          message = diagnostic.str();
                                          return mlir::success();
                                        });
  bool placed = mlir::succeeded(session.place(*prepared, other));
  return placed ? "" : message.empty() ? "no diagnostic" : message;
}

TEST(SweepTest, PointsAreTheNumbersOfReports) {
  Space space = spaceOf({{"target", {"a100,v100-fp32"}},
                         {"batch", {"1,8"}},
                         {"mode", {"inference,training"}},
                         {"clock", {"default,900"}},
                         {"power-limit", {"default,150"}}});
  auto evaluator = llvm::cantFail(Evaluator::create(space, 1));
  std::vector<PointResult> results = resultsOf(*evaluator);
  ASSERT_EQ(results.size(), 32u);
  mlir::MLIRContext context(registry(), mlir::MLIRContext::Threading::DISABLED);
  auto imported = loadModel(context, model);
  Session session(*imported);
  for (const PointResult &result : results) {
    auto report = session.analyze(space.scenarioOf(result.point));
    ASSERT_TRUE(mlir::succeeded(report));
    EXPECT_EQ(result.status, PointStatus::Ok) << result.reason;
    EXPECT_EQ(result.gpu, report->target);
    EXPECT_EQ(result.time, report->time);
    EXPECT_EQ(result.energy, report->energy);
    EXPECT_EQ(result.clock, report->clock);
    EXPECT_EQ(result.throttled, report->throttled);
    EXPECT_EQ(result.mfu, report->mfu);
    EXPECT_EQ(result.deviceBytes, report->deviceBytes);
    EXPECT_EQ(result.samples, report->samples);
    ASSERT_TRUE(result.errorBars && report->errorBars);
    EXPECT_EQ(result.errorBars->time, report->errorBars->time);
    EXPECT_EQ(result.errorBars->energy, report->errorBars->energy);
  }
}

// Gaps between iterations from 0 to 1 ms share one placed model and are added
// to its time.
TEST(SweepTest, StepGapsPrepareTheModelOnce) {
  Space space = spaceOf({{"target", {"a100"}},
                         {"batch", {"1"}},
                         {"step-gap-us", {"0..1000:10"}}});
  auto evaluator = llvm::cantFail(Evaluator::create(space, 1));
  std::vector<PointResult> results = resultsOf(*evaluator);
  ASSERT_EQ(results.size(), 101u);
  EXPECT_EQ(results.back().status, PointStatus::Ok) << results.back().reason;
  EXPECT_EQ(evaluator->preparations(), 1);
  EXPECT_NEAR((results.back().time - results.front().time).value(), 1e-3, 1e-9);
  // Other batches are other kernels.
  auto batches = llvm::cantFail(Evaluator::create(
      spaceOf({{"target", {"a100"}}, {"batch", {"1,2,4"}}}), 1));
  resultsOf(*batches);
  EXPECT_EQ(batches->preparations(), 3);
}

// Attention of fp32 tensors is one kernel where the GPU has TF32, else several:
// one model is prepared for each.
TEST(SweepTest, KernelsAreThoseOfEachGpu) {
  const std::string fused = GPUCOST_MODELS "/gpt2-sdpa23.onnx";
  Space space = llvm::cantFail(Space::create(
      {fused}, {{"target", {"p100-fp32,l40s-fp32,t4-fp32,a100-fp32"}},
                {"batch", {"4"}},
                {"seq", {"512"}}}));
  auto evaluator = llvm::cantFail(Evaluator::create(space, 1));
  mlir::MLIRContext context(registry(), mlir::MLIRContext::Threading::DISABLED);
  auto imported = loadModel(context, fused);
  Session session(*imported);
  for (const PointResult &result : resultsOf(*evaluator)) {
    auto report = session.analyze(space.scenarioOf(result.point));
    ASSERT_TRUE(mlir::succeeded(report));
    EXPECT_EQ(result.time, report->time);
  }
  // A prepared model reports this instead of returning another GPU's kernels.
  EXPECT_NE(faultElsewhere(context, session, space.scenarioOf(0), "l40s-fp32")
                .find("prepare it for this GPU"),
            std::string::npos);
}

// Matmuls of quantised tensors run in 8 bits where the GPU can.
TEST(SweepTest, QuantisedProductsAreThoseOfEachGpu) {
  mlir::MLIRContext context(registry(), mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(R"mlir(
    func.func @main(%x: tensor<64x512xf32>) -> tensor<64x1024xf32> {
      %s = onnx.Parameter : () -> tensor<f32>
      %z = onnx.Parameter : () -> tensor<i8>
      %w = onnx.Parameter : () -> tensor<512x1024xi8>
      %q = onnx.QuantizeLinear %x, %s, %z : (tensor<64x512xf32>, tensor<f32>, tensor<i8>) -> tensor<64x512xi8>
      %d = onnx.DequantizeLinear %q, %s, %z : (tensor<64x512xi8>, tensor<f32>, tensor<i8>) -> tensor<64x512xf32>
      %e = onnx.DequantizeLinear %w, %s, %z : (tensor<512x1024xi8>, tensor<f32>, tensor<i8>) -> tensor<512x1024xf32>
      %p = onnx.MatMul %d, %e : (tensor<64x512xf32>, tensor<512x1024xf32>) -> tensor<64x1024xf32>
      return %p : tensor<64x1024xf32>
    })mlir",
                                              &context);
  ASSERT_TRUE(module);
  Session session(*module);
  for (auto [from, to] : {std::pair("a100-fp16", "v100-pcie-32gb-fp16"),
                          std::pair("v100-pcie-32gb-fp16", "a100-fp16")}) {
    Scenario scenario;
    scenario.target = from;
    EXPECT_NE(faultElsewhere(context, session, scenario, to)
                  .find("prepare it for this GPU"),
              std::string::npos);
    EXPECT_EQ(faultElsewhere(context, session, scenario, from), "");
  }
}

// GPUs with the same number formats share the preparation of a batch.
TEST(SweepTest, PreparationsHaveNames) {
  Space space =
      spaceOf({{"target", {"h100,l40s,v100-fp16"}}, {"batch", {"1,2"}}});
  auto evaluator = llvm::cantFail(Evaluator::create(space, 1));
  std::set<std::string> names;
  for (int64_t block = 0; block < 6; ++block)
    names.insert(evaluator->preparationOf(block));
  // bf16 and fp16, each of two batches.
  EXPECT_EQ(names.size(), 4u);
}

// While one thread opens a block, the other one opens the next: it does not
// wait for the second batch of the first.
TEST(SweepTest, ThreadsOpenBlocksOfTheirOwn) {
  Space space = spaceOf(
      {{"target", {"a100"}}, {"batch", {"1,2"}}, {"clock", {"600..1400:5"}}});
  ASSERT_EQ(space.blockSize(), 161);
  auto evaluator = llvm::cantFail(Evaluator::create(space, 2));
  SweepOptions options;
  options.jobs = 2;
  std::mutex mutex;
  std::condition_variable finished;
  std::vector<int64_t> blocks;
  runSweep(
      *evaluator, options, [](int64_t) { return false; },
      [&](PointBatch &batch) {
        std::unique_lock<std::mutex> lock(mutex);
        blocks.push_back(batch.results.front().point / space.blockSize());
        finished.notify_all();
        // The first one is not handed in before the second one is there.
        finished.wait_for(lock, std::chrono::minutes(1),
                          [&] { return blocks.size() > 1; });
      },
      [](PointBatch &) { return true; });
  ASSERT_EQ(blocks.size(), 6u);
  EXPECT_NE(blocks[0], blocks[1]);
}

TEST(SweepTest, ThreadsAndShardsChangeNothing) {
  Space space = spaceOf({{"target", {"a100,h100"}},
                         {"batch", {"1..3"}},
                         {"clock", {"600..1380:10"}}});
  auto evaluator = llvm::cantFail(Evaluator::create(space, 3));
  std::vector<PointResult> one = resultsOf(*evaluator);
  ASSERT_EQ(one.size(), 2u * 3 * 79);
  SweepOptions options;
  options.jobs = 3;
  std::vector<PointResult> three = resultsOf(*evaluator, options);
  ASSERT_EQ(three.size(), one.size());
  for (size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(three[i].point, static_cast<int64_t>(i));
    EXPECT_EQ(three[i].time, one[i].time);
    EXPECT_EQ(three[i].energy, one[i].energy);
  }
  options.ordered = false;
  std::set<int64_t> found;
  for (int64_t shard = 1; shard <= 5; ++shard) {
    options.shard = shard;
    options.shards = 5;
    for (const PointResult &result : resultsOf(*evaluator, options)) {
      EXPECT_TRUE(found.insert(result.point).second);
      EXPECT_EQ(result.time, one[static_cast<size_t>(result.point)].time);
    }
  }
  EXPECT_EQ(found.size(), one.size());
}

TEST(SweepTest, WhatCannotBeIsAResult) {
  Space space = spaceOf({{"target", {"l4,a100"}},
                         {"batch", {"8,4096"}},
                         {"mode", {"training"}},
                         {"weights", {"as-is,int4"}},
                         {"power-limit", {"72,400"}}});
  auto evaluator = llvm::cantFail(Evaluator::create(space, 1));
  size_t unfit = 0, unset = 0, refused = 0, ok = 0;
  for (const PointResult &result : resultsOf(*evaluator)) {
    Scenario scenario = space.scenarioOf(result.point);
    if (scenario.weights == StorageFormat::INT4) {
      EXPECT_EQ(result.status, PointStatus::Refused);
      EXPECT_NE(result.reason.find("--recipe, but got --weights=int4"),
                std::string::npos);
      ++refused;
    } else if ((scenario.target == "l4") ==
               (scenario.powerLimit == Watts(400))) {
      // 400 W is above the 72 W of L4, 72 W below what A100 takes.
      EXPECT_EQ(result.status, PointStatus::Refused);
      EXPECT_NE(result.reason.find("drivers accept"), std::string::npos);
      ++unset;
    } else if (result.status == PointStatus::DoesNotFit) {
      EXPECT_EQ(scenario.batch, 4096);
      EXPECT_NE(result.reason.find("GiB of "), std::string::npos);
      EXPECT_GT(result.time, Seconds(0));
      ++unfit;
    } else {
      EXPECT_EQ(result.status, PointStatus::Ok) << result.reason;
      ++ok;
    }
  }
  EXPECT_EQ(refused, 8u);
  EXPECT_EQ(unset, 4u);
  EXPECT_EQ(unfit, 2u);
  EXPECT_EQ(ok, 2u);
}

TEST(SweepTest, MistakesOfTheWholeSweepAreErrors) {
  auto error = [](std::vector<AxisText> settings, const char *file) {
    Space space = llvm::cantFail(Space::create({file}, settings));
    auto evaluator = Evaluator::create(space, 1);
    return evaluator ? std::string() : llvm::toString(evaluator.takeError());
  };
  EXPECT_NE(error({{"target", {"a100,h1000"}}}, model.c_str()).find("h1000"),
            std::string::npos);
  EXPECT_NE(error({{"batch", {"1"}}}, model.c_str()).find("no GPU"),
            std::string::npos);
  EXPECT_NE(error({{"target", {"a100"}}}, "no-such-file.onnx")
                .find("no-such-file.onnx"),
            std::string::npos);
}

TEST(SweepTest, LinesCanBeReadBack) {
  Space space = spaceOf({{"target", {"a100"}}, {"batch", {"1,2"}}});
  PointResult result;
  result.point = 1;
  result.status = PointStatus::Error;
  result.reason = "\"quoted\", and a comma";
  for (PointFormat format : {PointFormat::JsonLines, PointFormat::Csv}) {
    PointText text(space, format, "0123456789abcdef", "1.0+ff");
    std::string line;
    text.append(line, result);
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    auto start = PointText::readStart(line, format);
    ASSERT_TRUE(start);
    EXPECT_EQ(start->point, 1);
    EXPECT_EQ(start->sweep, "0123456789abcdef");
    EXPECT_EQ(start->version, "1.0+ff");
    EXPECT_FALSE(PointText::readStart("hello", format));
    EXPECT_FALSE(PointText::readStart("", format));
  }
}

TEST(SweepTest, OneProcessWritesAFile) {
  llvm::SmallString<128> path;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("sweep", "jsonl", path));
  Space space = spaceOf({{"target", {"a100"}}, {"batch", {"1,2,3,4"}}});
  PointText text(space, PointFormat::JsonLines, "0f", "1");
  auto lineOf = [&](int64_t point) {
    PointResult result;
    result.point = point;
    std::string line;
    text.append(line, result);
    return line;
  };
  auto open = [&] {
    return ResultFile::open(path.str().str(), text, {"0f", "1", 4},
                            /*restart=*/false);
  };
  {
    auto first = llvm::cantFail(open());
    auto second = open();
    ASSERT_FALSE(static_cast<bool>(second));
    EXPECT_EQ(llvm::toString(second.takeError()),
              "another process writes to '" + path.str().str() + "'");
    llvm::cantFail(first->append(lineOf(2) + "{\"point\":3,"));
  }
  // Its points are done, except for the incomplete last line.
  auto file = llvm::cantFail(open());
  EXPECT_EQ(file->doneBefore(), 1);
  EXPECT_TRUE(file->isDone(2));
  EXPECT_FALSE(file->isDone(3));
  file.reset();
  // Lines that were changed, cut or copied.
  std::string line = lineOf(2), other = line;
  size_t batch = other.find("\"batch\":3");
  ASSERT_NE(batch, std::string::npos);
  other.replace(batch, 9, "\"batch\":7");
  std::string prefix = "'" + path.str().str() + "' ";
  std::string changed = "was changed after it was written (line 1)";
  for (const auto &[content, why] :
       {std::pair(other, changed),
        std::pair(line.substr(0, line.size() / 2) + "\n", changed),
        std::pair(line + line, std::string("has point 2 twice (line 2)"))}) {
    llvm::cantFail(gpucost::writeFile(path, content));
    auto refused = open();
    ASSERT_FALSE(static_cast<bool>(refused));
    EXPECT_EQ(llvm::toString(refused.takeError()),
              prefix + why +
                  "; give another file, or --restart to begin again");
  }
  llvm::sys::fs::remove(path);
}

TEST(SweepTest, OptimizeIsTheLeastOfAllPoints) {
  Space space = spaceOf({{"target", {"a100,v100-fp16"}},
                         {"batch", {"16,32,64"}},
                         {"clock", {"600..1380:30"}},
                         {"power-limit", {"120..240:20"}}});
  ASSERT_EQ(space.size(), 2 * 3 * 27 * 7);
  auto evaluator = llvm::cantFail(Evaluator::create(space, 2));
  Goal goal = llvm::cantFail(parseGoal("energy", "time<=40ms, power<=200"));
  goal.per = Per::Sample;
  SweepOptions options;
  options.jobs = 2;
  Optimum optimum = llvm::cantFail(optimize(*evaluator, options, goal));
  double least = HUGE_VAL;
  int64_t at = -1;
  for (const PointResult &result : resultsOf(*evaluator))
    if (result.isFeasible() && result.time <= Seconds(0.040) &&
        result.power <= Watts(200)) {
      double each = result.energy.value() / static_cast<double>(result.samples);
      if (each < least) {
        least = each;
        at = result.point;
      }
    }
  ASSERT_TRUE(optimum.choice.chosen);
  EXPECT_EQ(static_cast<int64_t>(*optimum.choice.chosen), at);
  // The default of the choice is the same point at the default clock and limit.
  ASSERT_TRUE(optimum.standard && optimum.standardReport);
  EXPECT_EQ(optimum.standard->energy, optimum.standardReport->energy);
  EXPECT_FALSE(optimum.standardReport->given.clock);
  EXPECT_GT(optimum.standard->energy.value(), 0);
}

TEST(SweepTest, WithoutAPriceThereIsNoCost) {
  Space space = spaceOf({{"target", {"a100"}}, {"batch", {"1,2"}}});
  auto evaluator = llvm::cantFail(Evaluator::create(space, 1));
  auto optimum =
      optimize(*evaluator, {}, llvm::cantFail(parseGoal("cost", "")));
  ASSERT_FALSE(static_cast<bool>(optimum));
  EXPECT_EQ(llvm::toString(optimum.takeError()),
            "cost needs a price of these GPUs: --price");
}
