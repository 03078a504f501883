//===- SyntheticGpu.cpp - Measurements with a known answer ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SyntheticGpu.h"
#include "StudySets.h"
#include "gpucost/Core/Query/KernelQueriesWork.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::calibration;

const CostModel &synthetic::prior() { return study::a100(); }

CostModel
synthetic::withChanged(llvm::function_ref<void(Coefficients &)> change) {
  Coefficients c = prior().coefficients();
  change(c);
  return study::model(prior().gpu(), std::move(c));
}

/// Between -1 and 1, evenly spread and the same in every run.
static double deviationOf(size_t i) {
  return 2 * std::fmod(0.618034 * static_cast<double>(i + 1), 1.0) - 1;
}

static KernelWork product(int64_t m, int64_t n, int64_t k,
                          NumericFormat format) {
  MatmulProblem p;
  p.m = m;
  p.n = n;
  p.k = k;
  return *matmulWork(p, format);
}

static KernelWork elementwise(llvm::StringRef name, int64_t elements) {
  for (const ElementwiseOp &op : elementwiseOps())
    if (llvm::StringRef(op.name) == name)
      return *elementwiseWork(op, elements, op.inputs, NumericFormat::BF16);
  ADD_FAILURE() << "no op " << name.str();
  return KernelWork();
}

static std::vector<std::pair<std::string, KernelWork>> works() {
  std::vector<std::pair<std::string, KernelWork>> result;
  int64_t products[][3] = {
      {8192, 8192, 8192}, {4096, 4096, 4096}, {2048, 768, 768},
      {2048, 3072, 768},  {16, 4096, 4096},   {1, 4096, 4096},
      {512, 1024, 1024},  {128, 768, 768},    {4096, 14336, 4096},
      {64, 28672, 8192},  {1024, 1024, 1024}, {16384, 16384, 512}};
  for (auto [m, n, k] : products)
    result.push_back({"matmul bf16", product(m, n, k, NumericFormat::BF16)});
  int64_t simt[][3] = {{4096, 4096, 4096}, {2048, 768, 768},
                       {2048, 3072, 768},  {512, 1024, 1024},
                       {16, 4096, 4096},   {1024, 1024, 1024}};
  for (auto [m, n, k] : simt)
    result.push_back({"matmul fp32", product(m, n, k, NumericFormat::FP32)});
  for (int64_t elements : {1 << 12, 1 << 24, 1 << 27})
    for (const char *op : {"copy", "gelu"})
      result.push_back({"elementwise", elementwise(op, elements)});
  RowsProblem rows[] = {{65536, 1024}, {98304, 384}, {4096, 768}};
  for (const RowsProblem &p : rows) {
    result.push_back({"softmax", *softmaxWork(p, NumericFormat::BF16)});
    result.push_back({"normalization", *layerNormWork(p, NumericFormat::BF16)});
  }
  return result;
}

std::vector<TimedKernel> synthetic::kernels(const CostModel &truth,
                                            double noise) {
  std::vector<TimedKernel> result;
  for (const auto &[family, work] : works()) {
    TimedKernel kernel;
    kernel.family = family;
    kernel.shape = family + std::to_string(result.size());
    kernel.work = work;
    kernel.query.clock = truth.gpu().maxClock;
    kernel.query.powerLimit = Watts(1e6);
    // Operands take turns: nothing is left in L2.
    kernel.query.reuseBytesA = kernel.query.reuseBytesB = 1e9;
    auto cost = truth.estimate(work, kernel.query);
    EXPECT_TRUE(bool(cost));
    kernel.time = cost->time.total * (1 + noise * deviationOf(result.size()));
    result.push_back(kernel);
  }
  EXPECT_EQ(result.size(), 30u);
  return result;
}

std::vector<MeasuredLoad> synthetic::loads(const CostModel &truth,
                                           double noise) {
  std::vector<MeasuredLoad> result;
  std::pair<std::string, std::optional<KernelWork>> loads[] = {
      {"idle", std::nullopt},
      {"copy", elementwise("copy", 1 << 27)},
      {"gelu", elementwise("gelu", 1 << 27)},
      {"fp32", product(4096, 4096, 4096, NumericFormat::FP32)},
      {"bf16", product(8192, 8192, 8192, NumericFormat::BF16)}};
  for (const auto &[name, work] : loads) {
    MeasuredLoad load;
    load.name = name;
    load.clock = truth.gpu().maxClock * 0.9;
    load.power = truth.idlePower(load.clock);
    if (work) {
      KernelQuery query;
      query.clock = load.clock;
      query.powerLimit = Watts(1e6);
      load.kernels.push_back({*work, query});
      auto cost = truth.estimate(*work, query);
      EXPECT_TRUE(bool(cost));
      // The GPU takes 10 % longer than the model predicts.
      load.iteration = cost->time.total * 1.1;
      load.power +=
          truth.dynamicEnergy(cost->events, load.iteration, load.clock) /
          load.iteration;
    }
    load.power *= 1 + noise * deviationOf(result.size());
    result.push_back(load);
  }
  return result;
}

const FittedParameter &synthetic::find(const CalibrationResult &result,
                                       llvm::StringRef group,
                                       llvm::StringRef field) {
  for (const FittedParameter &p : result.parameters)
    if (p.group == group && p.field == field)
      return p;
  ADD_FAILURE() << "no parameter " << field.str();
  static const FittedParameter none;
  return none;
}

const FamilyError &synthetic::find(const CalibrationResult &result,
                                   llvm::StringRef family) {
  for (const FamilyError &e : result.families)
    if (e.family == family)
      return e;
  ADD_FAILURE() << "no family " << family.str();
  static const FamilyError none;
  return none;
}
