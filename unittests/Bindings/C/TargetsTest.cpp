//===- TargetsTest.cpp - Targets and devices through C --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "gpucost/Core/Model/CostModel.h"
#include "gpucost/Core/Model/Validation.h"
#include "gpucost/Core/Targets/TargetData.h"
#include <cmath>
#include <limits>
#include <set>

using namespace gpucost;

static double timeOf(const gpucostModel *model, const gpucostKernel &kernel) {
  auto cost = initialized<gpucostCost>();
  EXPECT_EQ(gpucostEstimate(model, &kernel, nullptr, &cost), GPUCOST_OK)
      << gpucostLastError();
  return cost.time;
}

/// Each compiled-in target, in each of its formats, is a model.
TEST(CTargets, AllWork) {
  ASSERT_GE(gpucostTargetCount(), 20u);
  std::set<std::string> names;
  for (size_t i = 0; i < gpucostTargetCount(); ++i) {
    auto info = initialized<gpucostTargetInfo>();
    ASSERT_EQ(gpucostTargetGet(i, &info), GPUCOST_OK);
    EXPECT_TRUE(names.insert(info.name).second);
    EXPECT_GT(info.source_count, 0u);
    size_t found = ~size_t(0);
    for (size_t a = 0; a < info.alias_count; ++a) {
      EXPECT_EQ(gpucostTargetFind(info.aliases[a], &found), GPUCOST_OK);
      EXPECT_EQ(found, i);
    }
    for (size_t f = 0; f < info.format_count; ++f) {
      std::string spec = std::string(info.name) + "-" +
                         gpucostEnumName(GPUCOST_ENUM_FORMAT, info.formats[f]);
      auto model = modelOf(spec.c_str());
      ASSERT_TRUE(model);
      EXPECT_EQ(gpucostModelFormat(model.get()), info.formats[f]);
      EXPECT_GT(timeOf(model.get(), matmul(512, 512, 512)), 0) << spec;
    }
    auto group = initialized<gpucostGroupInfo>();
    ASSERT_EQ(gpucostCoefficientGroup(info.coefficients, 0, &group),
              GPUCOST_OK);
    EXPECT_NE(std::string(group.provenance), "");
  }
  for (size_t i = 0; i < gpucostCoefficientSetCount(); ++i) {
    const Coefficients *set =
        findCompiledCoefficients(gpucostCoefficientSetName(i));
    ASSERT_TRUE(set);
    EXPECT_EQ(findFault(*set), "") << gpucostCoefficientSetName(i);
  }
  for (size_t i = 0; i < gpucostTargetCount(); ++i)
    EXPECT_EQ(findFault(*compiledTarget(i).gpu), "");
}

TEST(CTargets, Mistakes) {
  gpucostModel *model = nullptr;
  auto create = [&](const char *name,
                    const gpucostModelOptions *options = nullptr) {
    return errorOf(gpucostModelCreate(name, options, &model));
  };
  EXPECT_EQ(create("a100-bf17"), "'a100-sxm-80gb' has no bf17; its formats are "
                                 "fp32, tf32, fp16, bf16, int8");
  EXPECT_EQ(create("h10"), "unknown target 'h10'; did you mean 'h100-nvl' or "
                           "'h100-pcie-80gb' or 'h100-pcie' or 'h100-sxm-80gb' "
                           "or 'h100' or 'h100-sxm'? "
                           "'--list-targets' shows all");
  EXPECT_EQ(create(std::string(100000, '-').c_str()),
            "a target's name of more than 256 characters");
  auto options = initialized<gpucostModelOptions>();
  options.coefficients = "mine";
  EXPECT_EQ(create("a100", &options), "unknown coefficient set 'mine'");
  options = initialized<gpucostModelOptions>();
  options.software = 1000;
  EXPECT_EQ(create("a100", &options), "'software' of gpucostModelOptions is "
                                      "1000, which is not a valid value");
  options = initialized<gpucostModelOptions>();
  options.network = "fast";
  EXPECT_EQ(create("a100", &options),
            "unknown network 'fast'; '--list-networks' shows all");
  options.network = "400";
  EXPECT_EQ(create("a100", &options),
            "--network expects a name (--list-networks shows all), FILE.mlir "
            "or GB/s:us (bandwidth of a node from 0.001 to 1e6, latency of one "
            "hop up to 1e6), but got '400'");
  EXPECT_EQ(model, nullptr);
}

/// The facts of a shipped GPU with the GPU's coefficients are that GPU.
TEST(CTargets, DeviceFromFields) {
  auto device = initialized<gpucostDevice>();
  ASSERT_EQ(gpucostTargetDevice("h100-sxm-80gb", &device), GPUCOST_OK);
  EXPECT_EQ(device.sm_count, 132);
  auto options = initialized<gpucostModelOptions>();
  gpucostModel *raw = nullptr;
  EXPECT_EQ(
      errorOf(
          gpucostModelCreateForDevice(&device, GPUCOST_BF16, &options, &raw)),
      "'coefficients' of gpucostModelOptions names the set of the nearest GPU, "
      "but is NULL");
  options.coefficients = "h100-sxm-80gb";
  auto create = [&](const gpucostDevice &facts) {
    raw = nullptr;
    EXPECT_EQ(gpucostModelCreateForDevice(&facts, GPUCOST_BF16, &options, &raw),
              GPUCOST_OK)
        << gpucostLastError();
    return Handle<gpucostModel>(raw);
  };
  auto same = create(device), shipped = modelOf("h100-bf16");
  gpucostKernel large = matmul(8192, 8192, 8192), small = matmul(64, 64, 64);
  EXPECT_EQ(timeOf(same.get(), large), timeOf(shipped.get(), large));
  EXPECT_EQ(timeOf(same.get(), small), timeOf(shipped.get(), small));
  // Half of the multiprocessors: twice the time of a large matmul, at a clock
  // that no power limit lowers.
  gpucostDevice half = device;
  half.sm_count = 66;
  auto query = initialized<gpucostQuery>();
  query.clock = 1e9;
  auto slow = initialized<gpucostCost>(), fast = slow;
  auto halved = create(half);
  ASSERT_EQ(gpucostEstimate(halved.get(), &large, &query, &slow), GPUCOST_OK);
  ASSERT_EQ(gpucostEstimate(same.get(), &large, &query, &fast), GPUCOST_OK);
  EXPECT_NEAR(slow.time / fast.time, 2, 0.15);
  // Another die, which has no measurements.
  gpucostDevice other = device;
  other.die = "mine";
  other.name = "mine";
  auto mine = create(other);
  auto cost = initialized<gpucostCost>();
  ASSERT_EQ(gpucostEstimate(mine.get(), &large, nullptr, &cost), GPUCOST_OK);
  EXPECT_EQ(cost.in_calibrated_domain, 0u);
  ASSERT_EQ(gpucostEstimate(same.get(), &large, nullptr, &cost), GPUCOST_OK);
  EXPECT_EQ(cost.in_calibrated_domain, 1u);
  auto back = initialized<gpucostDevice>();
  ASSERT_EQ(gpucostModelDevice(mine.get(), &back), GPUCOST_OK);
  EXPECT_STREQ(back.name, "mine");
}

/// Rates of the formats that version 2 added are in an array at the end, which
/// programs of version 1 do not have.
TEST(CTargets, RatesOfLaterFormats) {
  auto device = initialized<gpucostDevice>();
  ASSERT_EQ(gpucostTargetDevice("b200-sxm", &device), GPUCOST_OK);
  auto options = initialized<gpucostModelOptions>();
  options.coefficients = "b200-sxm";
  gpucostModel *raw = nullptr;
  constexpr size_t later = GPUCOST_NVFP4 - 8;
  device.more_flops_per_clock[later] = 0;
  EXPECT_NE(gpucostModelCreateForDevice(&device, GPUCOST_NVFP4, &options, &raw),
            GPUCOST_OK);
  device.more_flops_per_clock[later] = 4096;
  ASSERT_EQ(gpucostModelCreateForDevice(&device, GPUCOST_NVFP4, &options, &raw),
            GPUCOST_OK)
      << gpucostLastError();
  Handle<gpucostModel> model(raw);
  auto back = initialized<gpucostDevice>();
  ASSERT_EQ(gpucostModelDevice(model.get(), &back), GPUCOST_OK);
  EXPECT_EQ(back.more_flops_per_clock[later], 4096);
  EXPECT_EQ(back.flops_per_clock[GPUCOST_FP8],
            device.flops_per_clock[GPUCOST_FP8]);

  device.size = offsetof(gpucostDevice, more_flops_per_clock);
  EXPECT_NE(gpucostModelCreateForDevice(&device, GPUCOST_NVFP4, &options, &raw),
            GPUCOST_OK);
  ASSERT_EQ(gpucostModelCreateForDevice(&device, GPUCOST_BF16, &options, &raw),
            GPUCOST_OK);
  Handle<gpucostModel> older(raw);
  EXPECT_EQ(timeOf(older.get(), matmul(64, 64, 64)),
            timeOf(modelOf("b200-bf16").get(), matmul(64, 64, 64)));
}

/// No number of a device crashes the library.
TEST(CTargets, WrongDevices) {
  auto device = initialized<gpucostDevice>();
  ASSERT_EQ(gpucostTargetDevice("a100", &device), GPUCOST_OK);
  auto options = initialized<gpucostModelOptions>();
  options.coefficients = "a100-sxm-80gb";
  auto refusal = [&](const gpucostDevice &changed) {
    gpucostModel *model = nullptr;
    EXPECT_EQ(
        gpucostModelCreateForDevice(&changed, GPUCOST_BF16, &options, &model),
        GPUCOST_INVALID_ARGUMENT);
    EXPECT_EQ(model, nullptr);
    return std::string(gpucostLastError());
  };
  // A message names the field as the struct does.
  auto expectName = [](const std::string &message, const std::string &name) {
    EXPECT_NE(message.find("'" + name + "'"), message.npos) << message;
  };
#define NUMBER(name)                                                           \
  {                                                                            \
    #name, &gpucostDevice::name                                                \
  }
  const std::pair<const char *, double gpucostDevice::*> numbers[] = {
      NUMBER(max_clock),
      NUMBER(min_clock),
      NUMBER(boost_clock),
      NUMBER(clock_step),
      NUMBER(dram_bandwidth),
      NUMBER(dram_capacity),
      NUMBER(l2_capacity),
      NUMBER(library_workspace),
      NUMBER(power_limit),
      NUMBER(compute_capability),
      NUMBER(sm_shared_memory),
      NUMBER(cta_shared_memory),
      NUMBER(reserved_shared_memory),
      NUMBER(interconnect_bandwidth),
      NUMBER(warp_matrix_share),
      NUMBER(reported_memory)};
  for (auto [name, member] : numbers)
    for (double number : {std::numeric_limits<double>::quiet_NaN(), -1.0,
                          HUGE_VAL, -HUGE_VAL}) {
      gpucostDevice changed = device;
      changed.*member = number;
      expectName(refusal(changed), name);
    }
  const std::pair<const char *, int64_t gpucostDevice::*> counts[] = {
      NUMBER(sm_count),
      NUMBER(special_per_clock),
      NUMBER(sm_registers),
      NUMBER(sm_threads),
      NUMBER(sm_ctas),
      NUMBER(sm_partitions),
      NUMBER(cache_bytes_per_clock),
      NUMBER(shared_bytes_per_clock),
      NUMBER(cluster_ctas)};
#undef NUMBER
  for (auto [name, member] : counts)
    for (int64_t number : {int64_t(-1), std::numeric_limits<int64_t>::max(),
                           std::numeric_limits<int64_t>::min()}) {
      gpucostDevice changed = device;
      changed.*member = number;
      expectName(refusal(changed), name);
    }
  const std::pair<const char *, uint32_t gpucostDevice::*> choices[] = {
      {"architecture", &gpucostDevice::architecture},
      {"matrix_path", &gpucostDevice::matrix_path},
      {"interconnect", &gpucostDevice::interconnect}};
  for (auto [name, member] : choices) {
    gpucostDevice changed = device;
    changed.*member = 999;
    expectName(refusal(changed), name);
  }
  gpucostDevice changed = device;
  changed.sm_count = 0;
  EXPECT_EQ(refusal(changed),
            "gpucostDevice: expected 'sm_count' above 0, but got 0");
  changed = device;
  changed.sm_shared_memory = -1;
  EXPECT_EQ(refusal(changed),
            "gpucostDevice: expected 'sm_shared_memory' above 0, but got -1");
  changed = device;
  changed.interconnect_generation = 0;
  expectName(refusal(changed), "interconnect_generation");
  changed = device;
  changed.memory = "tape";
  expectName(refusal(changed), "memory");
  changed = device;
  changed.flops_per_clock[GPUCOST_BF16] = 0.5;
  expectName(refusal(changed), "flops_per_clock");
  changed = device;
  changed.boost_clock = changed.max_clock = 1e306;
  expectName(refusal(changed), "flops_per_clock x sm_count x boost_clock");
}

/// The bytes of a target file are the same target.
TEST(CTargets, Bytes) {
  const DataFile &known = compiledTarget(0);
  TargetData data{known.gpu, defaultFormatOf(known), known.aliases,
                  known.coefficientsFrom,
                  *findCompiledCoefficients(known.coefficientsFrom)};
  std::string bytes = encodeTarget(data);
  gpucostModel *raw = nullptr;
  ASSERT_EQ(
      gpucostModelCreateFromBytes(bytes.data(), bytes.size(), 0, nullptr, &raw),
      GPUCOST_OK)
      << gpucostLastError();
  Handle<gpucostModel> model(raw);
  auto shipped = modelOf(known.gpu->name.c_str());
  for (int64_t m : {1, 100, 5000})
    EXPECT_EQ(timeOf(model.get(), matmul(m, 512, 512)),
              timeOf(shipped.get(), matmul(m, 512, 512)));
  raw = nullptr;
  for (size_t size = 0; size < bytes.size(); size += 13)
    EXPECT_EQ(gpucostModelCreateFromBytes(bytes.data(), size, 0, nullptr, &raw),
              GPUCOST_BAD_DATA);
  EXPECT_EQ(raw, nullptr);
}
