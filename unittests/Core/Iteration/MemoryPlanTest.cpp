//===- MemoryPlanTest.cpp - Tensors, segments and device by hand ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/MemoryPlan.h"
#include "StudySets.h"
#include "gtest/gtest.h"

using namespace gpucost;

static constexpr int64_t MiB = 1 << 20;

/// Parameters of 30 MiB and a tensor of 50; the library keeps 8 MiB for each
/// thread.
static PreparedModel sample(IterationMode mode) {
  PreparedModel model;
  model.settings.mode = mode;
  model.memory.parameterBytes = 30 * MiB;
  model.memory.activationBytes = 50 * MiB;
  model.memory.trace.parameters = {30 * MiB};
  model.memory.trace.sizes = {50 * MiB};
  model.memory.trace.events = {1, -1};
  return model;
}

static Gpu gpuOf(int64_t capacity) {
  Gpu gpu;
  gpu.dramCapacity = Bytes(static_cast<double>(capacity));
  gpu.libraryWorkspace = Bytes(8.0 * MiB);
  return gpu;
}

static MemoryPlan planOf(const PreparedModel &model, const Gpu &gpu) {
  Coefficients coefficients;
  study::complete(coefficients);
  return planMemory(model, gpu, coefficients);
}

// (O12) 8 MiB have a segment of 20: 30 + 20 + 50 MiB, and a context of 600, 400
// to 800, and up to a tenth of the 100, which no rule covers. Blocks in use:
// 30 + 8 + 50.
TEST(MemoryPlan, Inference) {
  MemoryPlan plan = planOf(sample(IterationMode::Inference), gpuOf(2000 * MiB));
  EXPECT_EQ(plan.workspace, 8 * MiB);
  EXPECT_EQ(plan.peak, 88 * MiB);
  EXPECT_EQ(plan.allocated, 88 * MiB);
  EXPECT_EQ(plan.reserved, 100 * MiB);
  EXPECT_EQ(plan.device, 700 * MiB);
  EXPECT_EQ(plan.deviceLow, 488 * MiB);
  EXPECT_EQ(plan.deviceHigh, 910 * MiB);
  EXPECT_TRUE(plan.fits);
}

// Autograd's thread has a separate workspace, in the same segment.
TEST(MemoryPlan, Training) {
  MemoryPlan plan = planOf(sample(IterationMode::Training), gpuOf(2000 * MiB));
  EXPECT_EQ(plan.workspace, 16 * MiB);
  EXPECT_EQ(plan.peak, 96 * MiB);
  EXPECT_EQ(plan.reserved, 100 * MiB);
}

// NCCL: 128 MiB, 0 to 256, for each kind of group.
TEST(MemoryPlan, SeveralGpus) {
  PreparedModel model = sample(IterationMode::Training);
  model.settings.gpus = 4;
  model.settings.parallel = Parallelism{1, 0, 0};
  MemoryPlan one = planOf(model, gpuOf(2000 * MiB));
  EXPECT_EQ(one.device, 828 * MiB);
  EXPECT_EQ(one.deviceLow, 496 * MiB);
  EXPECT_EQ(one.deviceHigh, 1166 * MiB);
  model.settings.parallel = Parallelism{2, 2, 0};
  EXPECT_EQ(planOf(model, gpuOf(2000 * MiB)).device, 956 * MiB);
}

// 100 MiB of segments in addition to a 600 MiB context.
TEST(MemoryPlan, Fits) {
  PreparedModel model = sample(IterationMode::Inference);
  EXPECT_TRUE(planOf(model, gpuOf(700 * MiB)).fits);
  EXPECT_FALSE(planOf(model, gpuOf(699 * MiB)).fits);
  // Another tensor of 60 MiB comes after the 50 MiB tensor is freed: both
  // segments do not fit, one does.
  model.memory.trace.sizes = {50 * MiB, 60 * MiB};
  model.memory.trace.events = {1, -1, 2, -2};
  EXPECT_EQ(planOf(model, gpuOf(2000 * MiB)).reserved, 160 * MiB);
  MemoryPlan tight = planOf(model, gpuOf(710 * MiB));
  EXPECT_TRUE(tight.fits);
  EXPECT_EQ(tight.reserved, 110 * MiB);
  EXPECT_EQ(tight.device, 710 * MiB);
}

// Nothing is known of the process without the group.
TEST(MemoryPlan, WithoutOverhead) {
  MemoryPlan plan = planMemory(sample(IterationMode::Inference),
                               gpuOf(2000 * MiB), Coefficients());
  EXPECT_EQ(plan.device, plan.reserved);
  EXPECT_EQ(plan.deviceLow, plan.allocated);
}

// Needs 700 MiB, 488 to 910. CUDA reports less than the board has, and a stack
// takes a part of that.
TEST(MemoryPlan, UsableMemory) {
  PreparedModel model = sample(IterationMode::Inference);
  Gpu gpu = gpuOf(1000 * MiB);
  gpu.reportedMemory = Bytes(950.0 * MiB);
  MemoryPlan plan = planOf(model, gpu);
  EXPECT_EQ(plan.nominal, Bytes(1000.0 * MiB));
  EXPECT_EQ(plan.total, Bytes(950.0 * MiB));
  EXPECT_EQ(plan.usable, 950 * MiB);
  EXPECT_EQ(plan.verdict(), MemoryVerdict::Fits);

  model.settings.memoryFraction = Scalar(0.9); // 855 MiB
  plan = planOf(model, gpu);
  EXPECT_EQ(plan.usable, 855 * MiB);
  EXPECT_EQ(plan.verdict(), MemoryVerdict::MayNotFit);
  model.settings.memoryFraction = Scalar(0.7); // 665 MiB
  EXPECT_EQ(planOf(model, gpu).verdict(), MemoryVerdict::DoesNotFit);

  // Of the 920 MiB that the parameters leave free.
  model.settings.software = Software::TensorRtLlm;
  model.settings.memoryFraction = Scalar(0.5);
  EXPECT_EQ(planOf(model, gpu).usable, (30 + 920 / 2) * MiB);
}

TEST(MemoryPlan, DefaultFractions) {
  auto fraction = [](Software software) {
    Scenario scenario;
    scenario.software = software;
    return resolve(scenario, std::nullopt).memoryFraction.value();
  };
  EXPECT_EQ(fraction(Software::PyTorch), 1);
  EXPECT_EQ(fraction(Software::Vllm), 0.9);
  EXPECT_EQ(fraction(Software::Vllm0_19), 0.9);
  EXPECT_EQ(fraction(Software::Sglang), 0.88);
  EXPECT_EQ(fraction(Software::TensorRtLlm), 0.9);
}
