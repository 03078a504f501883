//===- KernelQueriesTest.cpp - Rows in, predictions out -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QueryTestModel.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Core/Query/KernelQueriesWork.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace gpucost;
using namespace gpucost::querytest;

static const std::string results =
    "time_us,power_w,energy_j,tile,split_k,waves,bound,"
    "time_low_us,time_high_us,in_calibrated_domain\n";

/// The CSV row of `work`, straight from the model.
static std::string expected(std::optional<KernelWork> work,
                            KernelQuery query = {}) {
  Expected<KernelCost> cost = model().estimate(*work, query);
  EXPECT_TRUE(static_cast<bool>(cost));
  std::string text;
  llvm::raw_string_ostream os(text);
  printNumber(os, cost->time.total.value() * 1e6);
  os << ',';
  printNumber(os, cost->power.value());
  os << ',';
  printNumber(os, cost->energy.value());
  if (cost->tiling.tile.m)
    os << ',' << cost->tiling.tile.m << 'x' << cost->tiling.tile.n << ','
       << cost->tiling.splitK << ',' << cost->tiling.waves;
  else
    os << ",,,";
  // The test's coefficients have no error bars.
  os << ',' << stringifyBound(cost->time.bound) << ",,,"
     << (cost->time.inCalibratedDomain ? "true" : "false") << '\n';
  return text;
}

/// The part of each output line that follows the echoed input line.
static std::string answersOf(llvm::StringRef file) {
  std::string text;
  std::string output = runFile(file.str());
  llvm::StringRef left = output;
  file.consume_front("\xEF\xBB\xBF");
  while (!file.empty()) {
    auto [line, rest] = file.split('\n');
    file = rest;
    line.consume_back("\r");
    if (line.empty())
      continue;
    auto [answer, others] = left.split('\n');
    left = others;
    if (!answer.consume_front(line) || !answer.consume_front(","))
      return "not echoed: " + line.str() + " in " + output;
    text += answer.str() + "\n";
  }
  return text + left.str();
}

static MatmulProblem matmul(int64_t batch, int64_t m, int64_t n, int64_t k,
                            bool linear) {
  MatmulProblem p;
  p.batch = batch, p.m = m, p.n = n, p.k = k, p.linear = linear;
  return p;
}

TEST(KernelQueries, EveryColumnReachesTheModel) {
  KernelQuery slow;
  slow.clock = Hertz(900e6);
  slow.powerLimit = Watts(200);
  slow.benchmark = BenchmarkProtocol();
  slow.benchmark->toggleRate = 0.5;
  slow.reuseBytesA = slow.reuseBytesB = 1e6;
  slow.benchmark->burst = Seconds(0.05);
  slow.benchmark->warmUp = Seconds(0.002);
  EXPECT_EQ(
      answersOf("family,m,n,k,clock_mhz,power_limit_w,toggle_rate,reuse_bytes,"
                "burst_ms,warm_up_ms,dtype,protocol\n"
                "matmul,512,1024,2048,,,,,,,,\n"
                "matmul,512,1024,2048,900,200,0.5,1e6,50,2,fp16,benchmark\n"),
      results +
          expected(matmulWork(matmul(1, 512, 1024, 2048, true),
                              NumericFormat::BF16)) +
          expected(
              matmulWork(matmul(1, 512, 1024, 2048, true), NumericFormat::FP16),
              slow));
}

TEST(KernelQueries, BatchedProductIsNotLinear) {
  KernelQuery roof; // (S5)
  roof.benchmark = BenchmarkProtocol();
  EXPECT_EQ(
      answersOf("family,batch,m,n,k,dtype,linear,protocol\n"
                "matmul,8,64,64,64,fp32,,benchmark\n"
                "matmul,8,64,64,64,fp32,true,benchmark\n"
                "matmul,1,64,64,64,fp32,0,benchmark\n"),
      results +
          expected(
              matmulWork(matmul(8, 64, 64, 64, false), NumericFormat::FP32),
              roof) +
          expected(matmulWork(matmul(8, 64, 64, 64, true), NumericFormat::FP32),
                   roof) +
          expected(
              matmulWork(matmul(1, 64, 64, 64, false), NumericFormat::FP32),
              roof));
}

TEST(KernelQueries, MemoryBoundFamilies) {
  const ElementwiseOp *gelu =
      llvm::find_if(elementwiseOps(),
                    [](const ElementwiseOp &op) { return op.name == "gelu"; });
  RowsProblem rows;
  rows.rows = 4096, rows.cols = 768;
  EXPECT_EQ(
      answersOf("family,op,elements,inputs,rows,cols\n"
                "elementwise,gelu,1048576,,,\n"
                "elementwise,gelu,1048576.0,3,,\n"
                "softmax,,,,4096,768\n"
                "layernorm,,,,4096,768\n"),
      results +
          expected(elementwiseWork(*gelu, 1048576, 1, NumericFormat::BF16)) +
          expected(elementwiseWork(*gelu, 1048576, 3, NumericFormat::BF16)) +
          expected(softmaxWork(rows, NumericFormat::BF16)) +
          expected(layerNormWork(rows, NumericFormat::BF16)));
}

TEST(KernelQueries, Convolution) {
  ConvolutionProblem p;
  p.batch = 8, p.channels = 64, p.height = p.width = 56, p.outChannels = 128;
  p.kernelHeight = p.kernelWidth = 3, p.strideHeight = p.strideWidth = 2;
  EXPECT_EQ(answersOf("family,n,c,h,w,oc,kh,kw,stride,pad\n"
                      "conv2d,8,64,56,56,128,3,3,2,1\n"),
            results + expected(convolutionWork(p, 1, NumericFormat::BF16)));
}

TEST(KernelQueries, EveryColumnIsEchoedInFront) {
  std::string answer =
      expected(matmulWork(matmul(1, 64, 64, 64, true), NumericFormat::BF16));
  EXPECT_EQ(runFile("id,k,family,\"a \"\"note\"\"\",m,n,\n"
                    "7,64,matmul,\"x,y\",64,64, z \n"
                    "\n"
                    "8,64,matmul,,64,64,\n"),
            "id,k,family,\"a \"\"note\"\"\",m,n,," + results +
                "7,64,matmul,\"x,y\",64,64, z ," + answer +
                "8,64,matmul,,64,64,," + answer);
}

TEST(KernelQueries, WindowsFile) {
  EXPECT_EQ(answersOf("\xEF\xBB\xBF"
                      "family,m,n,k\r\nmatmul, 64 ,64,64\r\n"),
            results + expected(matmulWork(matmul(1, 64, 64, 64, true),
                                          NumericFormat::BF16)));
}

TEST(KernelQueries, HeaderAlone) {
  EXPECT_EQ(answersOf("family,m\n"), results);
}

TEST(KernelQueries, ManyDifferentQueries) {
  std::string file = "family,m,n,k,clock_mhz\n", answers = results;
  for (int round = 0; round < 2; ++round)
    for (int clock = 600; clock < 1400; clock += 10) {
      file += "matmul,64,64,64," + std::to_string(clock) + "\n";
      KernelQuery query;
      query.clock = Hertz(clock * 1e6);
      answers += expected(
          matmulWork(matmul(1, 64, 64, 64, true), NumericFormat::BF16), query);
    }
  EXPECT_EQ(answersOf(file), answers);
}

TEST(KernelQueries, OneKernelInWords) {
  EXPECT_EQ(runText("matmul m=64 n=64  k=64"),
            results + expected(matmulWork(matmul(1, 64, 64, 64, true),
                                          NumericFormat::BF16)));
  EXPECT_EQ(runText("k=64 family=matmul n=64 m=64"),
            runText("matmul m=64 n=64 k=64"));
}

TEST(KernelQueries, Json) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(
      runFile("family,m,n,k,\"my \"\"id\"\"\"\nmatmul,512,512,512,\"a\"\"b\"\n"
              "matmul,64,64,64,\xFF\n",
              "json"));
  ASSERT_TRUE(static_cast<bool>(value));
  ASSERT_EQ(value->getAsArray()->size(), 2u);
  const llvm::json::Object &first = *value->getAsArray()->front().getAsObject();
  EXPECT_EQ(first.getString("my \"id\""), "a\"b");
  EXPECT_EQ(first.getInteger("flops"), 268435456); // 2 * 512^3
  EXPECT_EQ(first.getString("kernel"), "matmul m=512 n=512 k=512 bf16");
  EXPECT_GT(*first.getNumber("time_us"), 0);
  EXPECT_TRUE(first.getBoolean("throttled").has_value());
  llvm::Expected<llvm::json::Value> single =
      llvm::json::parse(runText("softmax rows=8 cols=8", "json"));
  ASSERT_TRUE(static_cast<bool>(single));
  EXPECT_TRUE(single->getAsArray()->front().getAsObject()->getNull("tile"));
}

TEST(KernelQueries, Table) {
  std::string single = runText("matmul m=4096 n=4096 k=4096", "table");
  EXPECT_TRUE(llvm::StringRef(single).starts_with(
      "matmul m=4096 n=4096 k=4096 bf16 on A100\n\n  time "));
  EXPECT_NE(single.find("\n  bound"), std::string::npos);
  std::string list = runFile("family,m,n,k\nmatmul,64,64,64\n", "table");
  EXPECT_TRUE(
      llvm::StringRef(list).starts_with("kernels on A100\n\n  kernel "));
}
