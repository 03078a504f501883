//===- AllReduceTest.cpp - Equations (N9)-(N12) ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/AllReduce.h"
#include "StudySets.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Model/Steps.h"
#include "gpucost/Core/Targets/Links.h"
#include "gpucost/Core/Targets/TargetData.h"
#include "gtest/gtest.h"

using namespace gpucost;
using study::microseconds;
using study::timeOf;

namespace {

using K = ImplementationKind;
constexpr double us = 1e-6;
constexpr double KiB = 1024, MiB = 1024 * KiB;
constexpr int64_t smallMessage = 8192;

Gpu gpu(std::string_view name) {
  return *compiledTarget(cantFail(findCompiledTarget(name)).first).gpu;
}

ReduceFit fit(double base, double step, double rate) {
  return {Seconds(base * us), Seconds(step * us), BytesPerSecond(rate * 1e9)};
}

AllReduceStack stack(std::string gpu, int64_t generation, double link,
                     Software software, ReduceFit oneShot) {
  AllReduceStack s;
  s.gpu = std::move(gpu);
  s.generation = generation;
  s.linkBandwidth = BytesPerSecond(link * 1e9);
  s.software = software;
  s.oneShot = oneShot;
  return s;
}

/// Sets and limits of the study of all-reduces.
Coefficients coefficients() {
  AllReduceStack a100 = stack("a100-sxm-80gb", 3, 600, Software::Vllm0_14,
                              fit(5.184, 0.1043, 186.9));
  a100.twoShot = fit(11.51, 0.5504, 233.1);
  a100.limits = {{2, Bytes(8 * MiB), Bytes(8 * MiB)},
                 {4, Bytes(512 * KiB), Bytes(8 * MiB)},
                 {8, Bytes(256 * KiB), Bytes(8 * MiB)}};
  AllReduceStack h100 = stack("h100-sxm-80gb", 4, 900, Software::Vllm,
                              fit(4.328, 0.05447, 251.1));
  h100.twoShot = fit(6.328, 0.2709, 269.7);
  h100.multicast = fit(8.48, 0.1545, 200.6);
  h100.limits = {{2, Bytes(64 * MiB)},
                 {4, Bytes(512 * KiB), Bytes(32 * MiB)},
                 {8, Bytes(256 * KiB), Bytes(0), Bytes(64 * MiB)}};
  AllReduceStack old = stack("h100-sxm-80gb", 4, 900, Software::Vllm0_14,
                             fit(4.463, 0.04755, 271.8));
  old.limits = {{8, Bytes(256 * KiB)}};
  AllReduceStack b200 = stack("b200-sxm", 5, 1800, Software::TensorRtLlm,
                              fit(4.817, 0.08766, 643.7));
  b200.limits = {{2, Bytes(4 * MiB)}, {8, Bytes(2 * MiB)}};
  Coefficients c;
  c.allReduce.emplace();
  c.allReduce->errors = {{ErrorClass::AllReduce, 0.1, 0.1, 0.1}};
  c.allReduce->stacks = {a100, h100, old, b200};
  c.collectives.emplace();
  for (CollectiveKind kind :
       {CollectiveKind::AllReduce, CollectiveKind::AllGather})
    c.collectives->fits.push_back({kind, 0, Seconds(20 * us), Seconds(0),
                                   Seconds(0), BytesPerSecond(100e9), 0});
  c.errorBars.emplace();
  c.errorBars->outside = 2;
  c.errorBars->smallBelow = c.errorBars->mediumBelow = Seconds(10 * us);
  c.errorBars->kernels = {{ErrorClass::Collective, 0.3, 0.3, 0.3}};
  return c;
}

CostModel model(std::string_view name, Software software,
                const Coefficients &set = coefficients()) {
  return study::model(gpu(name), set, software);
}

KernelWork allReduce(int64_t gpus, int64_t bytes) {
  KernelWork work;
  work.family = KernelFamily::Collective;
  work.problem = CollectiveProblem{CollectiveKind::AllReduce, bytes, gpus};
  return work;
}

K kindOf(const CostModel &model, const KernelWork &work) {
  return cantFail(model.selectTiling(work)).implementation;
}

// (N9) 5.184 + 8192 / 186.9e3; 5.184 + 6 * 0.1043 + 7 * 131072 / 186.9e3 us.
// (N10) 11.51 + 6 * 0.5504 + 2 * 7/8 * 2^20 / 233.1e3. (N11) 8.48 + 6 * 0.1545
// + 2^20 / 200.6e3.
TEST(AllReduce, VectorsOfTheStudy) {
  struct Vector {
    const char *gpu;
    Software software;
    int64_t gpus, bytes;
    K kernel;
    double us;
  };
  const Vector vectors[] = {
      {"a100-sxm-80gb", Software::Vllm0_14, 2, 8192, K::OneShotAllReduce,
       5.22783},
      {"a100-sxm-80gb", Software::Vllm0_14, 8, 131072, K::OneShotAllReduce,
       10.7189},
      {"a100-sxm-80gb", Software::Vllm0_14, 8, 1048576, K::TwoShotAllReduce,
       22.6846},
      {"h100-sxm-80gb", Software::Vllm0_19, 2, 8192, K::OneShotAllReduce,
       4.36062},
      {"h100-sxm-80gb", Software::Vllm0_19, 8, 131072, K::OneShotAllReduce,
       8.30876},
      {"h100-sxm-80gb", Software::Vllm0_19, 8, 1048576, K::MulticastAllReduce,
       14.6342},
      {"b200-sxm", Software::TensorRtLlm, 2, 8192, K::OneShotAllReduce,
       4.82973},
      {"b200-sxm", Software::TensorRtLlm, 8, 131072, K::OneShotAllReduce,
       6.76832},
      {"b200-sxm", Software::TensorRtLlm, 8, 1048576, K::OneShotAllReduce,
       16.7458},
  };
  for (const Vector &v : vectors) {
    CostModel m = model(v.gpu, v.software);
    KernelWork work = allReduce(v.gpus, v.bytes);
    EXPECT_EQ(kindOf(m, work), v.kernel) << v.us;
    KernelTime time = timeOf(m, work);
    EXPECT_NEAR(time.total.value() / us / v.us, 1, 1e-5) << v.us;
    EXPECT_TRUE(time.inCalibratedDomain);
    EXPECT_DOUBLE_EQ(*time.halfWidth, 0.1);
  }
}

// (N12) A message runs the first kernel whose limit is above it.
TEST(AllReduce, LimitsAreTheFirstMessageOfTheNextKernel) {
  CostModel vllm = model("h100-sxm-80gb", Software::Vllm);
  EXPECT_EQ(kindOf(vllm, allReduce(8, 0)), K::OneShotAllReduce);
  EXPECT_EQ(kindOf(vllm, allReduce(8, 262143)), K::OneShotAllReduce);
  EXPECT_EQ(kindOf(vllm, allReduce(8, 262144)), K::MulticastAllReduce);
  EXPECT_EQ(kindOf(vllm, allReduce(4, 524287)), K::OneShotAllReduce);
  EXPECT_EQ(kindOf(vllm, allReduce(4, 524288)), K::TwoShotAllReduce);
  EXPECT_EQ(kindOf(vllm, allReduce(8, 67108863)), K::MulticastAllReduce);
  EXPECT_EQ(kindOf(vllm, allReduce(8, 67108864)), K::Nccl);
  // NCCL: 20 us and 2 * 7/8 * 64 MiB at 100 GB/s.
  EXPECT_NEAR(microseconds(vllm, allReduce(8, 67108864)), 20 + 1174.40512,
              1e-6);
}

TEST(AllReduce, OthersRunNccl) {
  CostModel vllm = model("h100-sxm-80gb", Software::Vllm);
  EXPECT_EQ(kindOf(model("h100-sxm-80gb", Software::PyTorch),
                   allReduce(8, smallMessage)),
            K::Nccl);
  // A number of GPUs without limits.
  EXPECT_EQ(kindOf(vllm, allReduce(3, smallMessage)), K::Nccl);
  EXPECT_EQ(kindOf(vllm, allReduce(1, smallMessage)), K::Nccl);
  KernelWork gather = allReduce(8, smallMessage);
  gather.edit<CollectiveProblem>().kind = CollectiveKind::AllGather;
  EXPECT_EQ(kindOf(vllm, gather), K::Nccl);
  KernelWork nodes = allReduce(8, smallMessage);
  nodes.edit<CollectiveProblem>().nodes = 2;
  EXPECT_FALSE(isAllReduceOfNode(nodes));
  // No set of SGLang, and none without switches or over PCIe.
  EXPECT_EQ(kindOf(model("h100-sxm-80gb", Software::Sglang),
                   allReduce(8, smallMessage)),
            K::Nccl);
  for (const char *name : {"v100-sxm-32gb", "l40s"})
    EXPECT_EQ(kindOf(model(name, Software::Vllm), allReduce(8, smallMessage)),
              K::Nccl);
}

// A query may force a kernel that other messages run, but not one without
// numbers.
TEST(AllReduce, ForcedKernels) {
  KernelQuery query;
  query.implementation = K::TwoShotAllReduce;
  CostModel vllm = model("h100-sxm-80gb", Software::Vllm);
  Tiling tiling = cantFail(vllm.selectTiling(allReduce(8, 1048576), query));
  // 6.328 + 6 * 0.2709 + 1.75 * 2^20 / 269.7e3 us
  EXPECT_NEAR(cantFail(vllm.predictTime(allReduce(8, 1048576), tiling,
                                        vllm.gpu().maxClock))
                      .total.value() /
                  us,
              14.75728, 1e-4);
  CostModel trt = model("b200-sxm", Software::TensorRtLlm);
  auto missing = trt.selectTiling(allReduce(8, smallMessage), query);
  ASSERT_FALSE(bool(missing));
  EXPECT_EQ(missing.error().message,
            "no such all-reduce of tensorrt-llm was measured on links as "
            "those of 'b200-sxm'");
}

// (N12) The set of the first release that is not older; of older ones the last.
TEST(AllReduce, ReleasesRunTheNextMeasuredOne) {
  // 4.463 + 6 * 0.04755 + 7 * 8192 / 271.8e3 us
  EXPECT_NEAR(microseconds(model("h100-sxm-80gb", Software::Vllm0_14),
                           allReduce(8, smallMessage)),
              4.95928, 1e-5);
  CostModel later = model("a100-sxm-80gb", Software::Vllm);
  KernelTime time = timeOf(later, allReduce(2, 8192));
  EXPECT_NEAR(time.total.value() / us, 5.22783, 1e-5);
  EXPECT_FALSE(time.inCalibratedDomain);
  EXPECT_DOUBLE_EQ(*time.halfWidth, 0.2);
  EXPECT_EQ(describeAllReduce(later),
            "outside the calibrated domain: short all-reduces of vllm from "
            "those of vllm-0.14 on a100-sxm-80gb");
}

// (N12) Other boards take the set of the newest links that are not newer than
// their own; rates scale with the links.
TEST(AllReduce, OtherBoardsScaleTheLinks) {
  CostModel h200 = model("h200-sxm", Software::Vllm);
  KernelTime time = timeOf(h200, allReduce(8, 131072));
  EXPECT_NEAR(time.total.value() / us, 8.30876, 1e-5);
  EXPECT_FALSE(time.inCalibratedDomain);
  EXPECT_DOUBLE_EQ(*time.halfWidth, 0.2);
  // A100's set with links of 900 instead of 600 GB/s: 5.184 + 6 * 0.1043 +
  // 7 * 131072 / (186.9e3 * 1.5) us.
  Coefficients onlyA100 = coefficients();
  onlyA100.allReduce->stacks.resize(1);
  EXPECT_NEAR(microseconds(model("h100-sxm-80gb", Software::Vllm, onlyA100),
                           allReduce(8, 131072)),
              9.08251, 1e-4);
}

// (N5) --interconnect: the sets of the named links, unscaled; none of others.
TEST(AllReduce, StatedLinks) {
  Coefficients named = cantFail(withInterconnect(coefficients(), "nvlink3"));
  named.collectives = coefficients().collectives;
  CostModel h100 = model("h100-sxm-80gb", Software::Vllm0_14, named);
  EXPECT_NEAR(microseconds(h100, allReduce(8, 131072)), 10.7189, 1e-4);
  EXPECT_EQ(describeAllReduce(h100), "short all-reduces: kernels of vllm-0.14, "
                                     "as measured on a100-sxm-80gb");
  for (const char *text : {"pcie4x16", "mine:100:2"}) {
    Coefficients other = cantFail(withInterconnect(coefficients(), text));
    CostModel nccl = model("h100-sxm-80gb", Software::Vllm, other);
    EXPECT_EQ(kindOf(nccl, allReduce(8, smallMessage)), K::Nccl);
    EXPECT_EQ(describeAllReduce(nccl),
              "all-reduces: NCCL, because no kernels of vllm were measured on "
              "these links");
  }
  EXPECT_EQ(describeAllReduce(model("h100-sxm-80gb", Software::PyTorch)), "");
}

// (N2) A GPU writes and reads V: 7, 1.75 and 1 messages.
TEST(AllReduce, TrafficOfEachKernel) {
  CostModel vllm = model("h100-sxm-80gb", Software::Vllm);
  auto dramBytes = [&](int64_t gpus, int64_t bytes) {
    KernelWork work = allReduce(gpus, bytes);
    Tiling tiling = cantFail(vllm.selectTiling(work));
    return cantFail(vllm.launchTerms(work, tiling)).events.dramBytes;
  };
  EXPECT_EQ(dramBytes(8, 1000), 2 * 7000);
  EXPECT_EQ(dramBytes(4, 1000000), 2 * 1500000);
  EXPECT_EQ(dramBytes(8, 1000000), 2 * 1000000);
}

TEST(AllReduce, StepsStateEveryFactor) {
  CostModel vllm = model("h100-sxm-80gb", Software::Vllm);
  Steps steps;
  KernelQuery query;
  query.steps = &steps;
  KernelWork work = allReduce(8, 8192);
  cantFail(vllm.launchTerms(work, cantFail(vllm.selectTiling(work)), query));
  ASSERT_EQ(steps.lines().size(), 3u);
  EXPECT_EQ(steps.lines()[0].name, "one shot (N9)");
  EXPECT_EQ(steps.lines()[0].text, "V = (8 - 1)*8192 = 57344 bytes");
  // 4.328 + 0.32682 + 57344 / 251.1e3
  EXPECT_EQ(steps.lines()[2].text,
            "fixed = 4.328 us + 0.05447 us*(8 - 2) + V/r = 4.88319 us");
}

} // namespace
