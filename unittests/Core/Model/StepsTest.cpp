//===- StepsTest.cpp - Equations that the model reports -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reports change no number, every term has an equation that ends with it, and
// only the chosen configuration reports. test/Explain recomputes the equations.
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/Steps.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Targets/TargetData.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <map>

using namespace gpucost;

namespace {

const CostModel &board(const char *name) {
  static std::map<std::string, CostModel> models;
  auto it = models.find(name);
  if (it == models.end()) {
    const DataFile &file =
        compiledTarget(cantFail(findCompiledTarget(name)).first);
    it = models
             .emplace(name,
                      cantFail(CostModel::create(
                          *file.gpu, cantFail(coefficientsOf(file, name)))))
             .first;
  }
  return it->second;
}

KernelWork workOf(KernelFamily family, Problem problem, NumericFormat format) {
  KernelWork work;
  work.family = family;
  work.problem = std::move(problem);
  work.format = format;
  work.inputBits = work.outputBits = format == NumericFormat::FP32 ? 32 : 16;
  work.count.bytesRead = work.count.bytesWritten = 1 << 26;
  return work;
}

KernelWork matmul(int64_t m, int64_t n, int64_t k, NumericFormat format) {
  MatmulProblem p;
  p.m = m;
  p.n = n;
  p.k = k;
  return workOf(KernelFamily::Matmul, p, format);
}

KernelWork convolution(ConvolutionPass pass, NumericFormat format) {
  ConvolutionProblem p;
  p.batch = 8;
  p.channels = p.outChannels = 64;
  p.height = p.width = p.outHeight = p.outWidth = 56;
  p.kernelHeight = p.kernelWidth = 3;
  p.pass = pass;
  return workOf(KernelFamily::Convolution, p, format);
}

KernelWork attention(int64_t queries, bool backward) {
  AttentionProblem p;
  p.batch = 4;
  p.heads = 32;
  p.kvHeads = 8;
  p.queryLength = queries;
  p.kvLength = 2048;
  p.headDim = 128;
  p.causal = true;
  p.backward = backward;
  return workOf(KernelFamily::Attention, p, NumericFormat::BF16);
}

KernelWork rows(KernelFamily family, int64_t columns) {
  RowsProblem p;
  p.rows = 4096;
  p.cols = columns;
  return workOf(family, p, NumericFormat::BF16);
}

/// The last number that `steps` give for `name`; "" without an equation.
std::string lastOf(const Steps &steps, const std::string &name) {
  std::string last;
  for (const Step &step : steps.lines())
    for (size_t at = 0; at < step.text.size();) {
      size_t end = std::min(step.text.find("; ", at), step.text.size());
      std::string statement = step.text.substr(at, end - at);
      if (statement.rfind(name + " = ", 0) == 0)
        last = statement.substr(statement.rfind(" = ") + 3);
      at = end + 2;
    }
  return last;
}

void check(const CostModel &model, const KernelWork &work) {
  SCOPED_TRACE(describeProblem(work));
  Steps steps;
  KernelQuery query;
  Tiling tiling = cantFail(model.selectTiling(work, query));
  LaunchTerms quiet = cantFail(model.launchTerms(work, tiling, query));
  query.steps = &steps;
  EXPECT_EQ(cantFail(model.selectTiling(work, query)), tiling);
  EXPECT_TRUE(steps.lines().empty());
  LaunchTerms terms = cantFail(model.launchTerms(work, tiling, query));
  std::pair<const char *, Seconds LaunchTerms::*> all[] = {
      {"compute", &LaunchTerms::compute},
      {"l2", &LaunchTerms::l2},
      {"issue", &LaunchTerms::issue},
      {"rows", &LaunchTerms::rows},
      {"dram", &LaunchTerms::dram},
      {"exposedL2", &LaunchTerms::exposedL2},
      {"exposedDram", &LaunchTerms::exposedDram},
      {"serialIssue", &LaunchTerms::serialIssue},
      {"serialDram", &LaunchTerms::serialDram},
      {"fixed", &LaunchTerms::fixed}};
  for (auto [name, term] : all) {
    EXPECT_EQ(quiet.*term, terms.*term) << name;
    if (terms.*term > Seconds(0))
      EXPECT_EQ(lastOf(steps, name), StepValue(terms.*term).text()) << name;
  }
  std::vector<Tiling> candidates = candidatesOf(model, work, tiling);
  if (tiling.tile.m > 0 && !work.is<AttentionProblem>())
    EXPECT_TRUE(std::any_of(
        candidates.begin(), candidates.end(), [&](const Tiling &each) {
          return each.tile == tiling.tile && each.splitK == tiling.splitK &&
                 each.variant == tiling.variant &&
                 each.implementation == tiling.implementation;
        }));
}

TEST(Steps, EveryTermHasItsEquation) {
  const CostModel &h100 = board("h100-sxm-80gb"), &v100 = board("v100");
  for (int64_t rows : {1, 64, 8192}) {
    check(h100, matmul(rows, 4096, 4096, NumericFormat::BF16));
    check(v100, matmul(rows, 4096, 4096, NumericFormat::FP32));
  }
  check(v100, matmul(0, 4096, 4096, NumericFormat::FP32));
  for (ConvolutionPass pass :
       {ConvolutionPass::Forward, ConvolutionPass::InputGradient,
        ConvolutionPass::WeightGradient}) {
    check(h100, convolution(pass, NumericFormat::FP16));
    check(v100, convolution(pass, NumericFormat::FP32));
  }
  for (int64_t queries : {1, 128, 2048})
    check(h100, attention(queries, /*backward=*/false));
  check(h100, attention(2048, /*backward=*/true));
  for (int64_t columns : {1000, 4096, 32768}) {
    check(h100, rows(KernelFamily::Softmax, columns));
    check(h100, rows(KernelFamily::Normalization, columns));
    check(h100, rows(KernelFamily::Reduction, columns));
  }
  for (int64_t columns : {1000, 1001})
    for (NormKind kind : {NormKind::Layer, NormKind::Rms}) {
      KernelWork norm = rows(KernelFamily::Normalization, columns);
      norm.edit<RowsProblem>().norm = kind;
      check(h100, norm);
    }
  KernelWork sums = rows(KernelFamily::Reduction, 32768);
  sums.edit<RowsProblem>().run = 1;
  check(h100, sums);
  CollectiveProblem p;
  p.kind = CollectiveKind::AllReduce;
  p.bytes = 1 << 26;
  p.worldSize = 8;
  check(h100, workOf(KernelFamily::Collective, p, NumericFormat::BF16));
}

// A matmul with a second matmul of half its FLOP, a bias and a residual (W3).
TEST(Steps, FusedMembersAreReported) {
  KernelWork work = matmul(2048, 1024, 1024, NumericFormat::BF16);
  work.count.tensorFlops = 3LL << 31;
  work.count.fused.tensorFlops = 1LL << 31;
  work.count.fused.fp32Flops = 1 << 21;
  work.count.fused.bytes = 1 << 22;
  check(board("a100-sxm-80gb"), work);
}

TEST(Steps, NumbersHaveUnits) {
  EXPECT_EQ(fillIn("{}*{}/({}*{}) = {}",
                   {2, 0.5, Hertz(1.41e9), BytesPerSecond(2039e9),
                    Seconds(12.34567891e-6)}),
            "2*0.5/(1410 MHz*2039 GB/s) = 12.3457 us");
}

} // namespace
