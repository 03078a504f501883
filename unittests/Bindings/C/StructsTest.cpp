//===- StructsTest.cpp - Structs of other versions ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include <algorithm>
#include <vector>

/// A struct of a program with more fields than the library has.
template <typename T> struct Newer {
  T known;
  uint64_t added;
};

TEST(CStructs, SizeIsRequired) {
  auto model = modelOf("a100-bf16");
  gpucostKernel kernel = matmul(1, 1, 1);
  gpucostCost cost{};
  EXPECT_EQ(gpucostEstimate(model.get(), &kernel, nullptr, &cost),
            GPUCOST_INVALID_ARGUMENT);
  EXPECT_STREQ(gpucostLastError(), "the member 'size' of gpucostCost is 0, "
                                   "expected sizeof(gpucostCost)");
  cost.size = sizeof(cost);
  kernel.size = 1u << 30;
  EXPECT_EQ(gpucostEstimate(model.get(), &kernel, nullptr, &cost),
            GPUCOST_INVALID_ARGUMENT);
}

TEST(CStructs, NewerInputs) {
  auto model = modelOf("a100-bf16");
  auto cost = initialized<gpucostCost>();
  Newer<gpucostQuery> query{};
  query.known.size = sizeof(query);
  gpucostKernel kernel = matmul(64, 64, 64);
  EXPECT_EQ(gpucostEstimate(model.get(), &kernel, &query.known, &cost),
            GPUCOST_OK);
  query.added = 1;
  EXPECT_EQ(gpucostEstimate(model.get(), &kernel, &query.known, &cost),
            GPUCOST_UNSUPPORTED);
  EXPECT_STREQ(gpucostLastError(), "gpucostQuery has a field that this version "
                                   "of the library does not support");
}

TEST(CStructs, OutputsOfEverySize) {
  auto model = modelOf("a100-bf16");
  gpucostKernel kernel = matmul(64, 64, 64);
  auto whole = initialized<gpucostCost>();
  ASSERT_EQ(gpucostEstimate(model.get(), &kernel, nullptr, &whole), GPUCOST_OK);
  // An older program: nothing after its fields is written.
  std::vector<uint64_t> memory(2 * sizeof(gpucostCost) / 8);
  for (uint32_t size = 8; size <= sizeof(gpucostCost) + 64; size += 8) {
    std::fill(memory.begin(), memory.end(), 0x5555555555555555u);
    auto *cost = reinterpret_cast<gpucostCost *>(memory.data());
    cost->size = size;
    ASSERT_EQ(gpucostEstimate(model.get(), &kernel, nullptr, cost), GPUCOST_OK);
    EXPECT_EQ(cost->size, size);
    size_t known = std::min<size_t>(size, sizeof(gpucostCost));
    EXPECT_EQ(std::memcmp(reinterpret_cast<char *>(cost) + 4,
                          reinterpret_cast<char *>(&whole) + 4, known - 4),
              0);
    for (size_t i = sizeof(gpucostCost) / 8; i < size / 8; ++i)
      EXPECT_EQ(memory[i], 0u) << "fields that the library does not have";
    for (size_t i = size / 8; i < memory.size(); ++i)
      EXPECT_EQ(memory[i], 0x5555555555555555u) << "behind the struct";
  }
}

TEST(CStructs, ErrorsLeaveOutputs) {
  auto model = modelOf("a100-bf16");
  gpucostKernel kernel = matmul(0, 1, 1);
  auto cost = initialized<gpucostCost>();
  cost.time = 7;
  EXPECT_NE(gpucostEstimate(model.get(), &kernel, nullptr, &cost), GPUCOST_OK);
  EXPECT_EQ(cost.time, 7);
  gpucostModel *none = nullptr;
  EXPECT_EQ(gpucostModelCreate("nothing", nullptr, &none), GPUCOST_NOT_FOUND);
  EXPECT_EQ(none, nullptr);
}

/// Every function with every pointer missing.
TEST(CStructs, NullPointers) {
  auto model = modelOf("a100-bf16");
  gpucostKernel kernel = matmul(1, 1, 1);
  auto cost = initialized<gpucostCost>();
  auto device = initialized<gpucostDevice>();
  auto info = initialized<gpucostTargetInfo>();
  auto group = initialized<gpucostGroupInfo>();
  gpucostModel *made = nullptr;
  gpucostCache *cache = nullptr;
  size_t number = 1;
  EXPECT_NE(gpucostTargetGet(0, nullptr), GPUCOST_OK);
  EXPECT_NE(gpucostTargetGet(~size_t(0), &info), GPUCOST_OK);
  EXPECT_NE(gpucostTargetFind(nullptr, &number), GPUCOST_OK);
  EXPECT_NE(gpucostTargetFind("a100", nullptr), GPUCOST_OK);
  EXPECT_NE(gpucostTargetDevice(nullptr, &device), GPUCOST_OK);
  EXPECT_NE(gpucostTargetDevice("a100", nullptr), GPUCOST_OK);
  EXPECT_NE(gpucostCoefficientGroup(nullptr, 0, &group), GPUCOST_OK);
  EXPECT_NE(gpucostCoefficientGroup("t4", 0, nullptr), GPUCOST_OK);
  EXPECT_NE(gpucostCoefficientGroup("t4", 1000, &group), GPUCOST_OK);
  EXPECT_NE(gpucostModelCreate(nullptr, nullptr, &made), GPUCOST_OK);
  EXPECT_NE(gpucostModelCreate("a100", nullptr, nullptr), GPUCOST_OK);
  EXPECT_NE(gpucostModelCreateForDevice(nullptr, 5, nullptr, &made),
            GPUCOST_OK);
  EXPECT_NE(gpucostModelCreateFromBytes(nullptr, 0, 0, nullptr, &made),
            GPUCOST_OK);
  EXPECT_NE(gpucostModelDevice(nullptr, &device), GPUCOST_OK);
  EXPECT_EQ(gpucostModelFormat(nullptr), 0u);
  EXPECT_NE(gpucostEstimate(nullptr, &kernel, nullptr, &cost), GPUCOST_OK);
  EXPECT_NE(gpucostEstimate(model.get(), nullptr, nullptr, &cost), GPUCOST_OK);
  EXPECT_NE(gpucostEstimate(model.get(), &kernel, nullptr, nullptr),
            GPUCOST_OK);
  EXPECT_NE(gpucostEstimateMany(nullptr, &kernel, 0, 1, nullptr, &cost, 0),
            GPUCOST_OK);
  EXPECT_NE(gpucostEstimateMany(model.get(), nullptr, 0, 1, nullptr, &cost, 0),
            GPUCOST_OK);
  EXPECT_NE(gpucostCacheCreate(nullptr, nullptr, &cache), GPUCOST_OK);
  EXPECT_NE(gpucostCacheCreate(model.get(), nullptr, nullptr), GPUCOST_OK);
  EXPECT_NE(gpucostCacheEstimateMany(nullptr, &kernel, 0, 1, &cost, 0),
            GPUCOST_OK);
  EXPECT_EQ(gpucostCacheSize(nullptr), 0u);
  EXPECT_NE(gpucostEstimateSchedules(model.get(), nullptr, nullptr, nullptr, 0,
                                     1, nullptr, 0),
            GPUCOST_OK);
  EXPECT_NE(gpucostTopSchedules(model.get(), &kernel, nullptr, nullptr, nullptr,
                                0, 0, nullptr, nullptr, 0, nullptr),
            GPUCOST_OK);
  EXPECT_NE(gpucostTopSchedules(model.get(), &kernel, nullptr, nullptr, nullptr,
                                0, 0, nullptr, nullptr, 0, &number),
            GPUCOST_OK);
  EXPECT_NE(gpucostScheduleCandidates(model.get(), &kernel, nullptr, nullptr, 0,
                                      nullptr),
            GPUCOST_OK);
  gpucostPrepared *prepared = nullptr;
  gpucostPlaced *placed = nullptr;
  gpucostReport *report = nullptr;
  auto totals = initialized<gpucostTotals>();
  auto run = initialized<gpucostRun>();
  auto phase = initialized<gpucostPhaseTotals>();
  auto row = initialized<gpucostKernelRow>();
  auto preparedInfo = initialized<gpucostPreparedInfo>();
  char *text = nullptr;
  EXPECT_NE(gpucostScheduleReason(model.get(), &kernel, nullptr, nullptr, &text,
                                  nullptr),
            GPUCOST_OK);
  EXPECT_NE(gpucostPreparedLoad(nullptr, 0, &prepared), GPUCOST_OK);
  EXPECT_NE(gpucostPreparedLoad("", 0, nullptr), GPUCOST_OK);
  EXPECT_NE(gpucostPreparedLoadFile(nullptr, &prepared), GPUCOST_OK);
  EXPECT_NE(gpucostPreparedBytes(nullptr, nullptr, nullptr), GPUCOST_OK);
  EXPECT_NE(gpucostPreparedGetInfo(nullptr, &preparedInfo), GPUCOST_OK);
  EXPECT_NE(gpucostPlace(nullptr, model.get(), &placed), GPUCOST_OK);
  EXPECT_NE(gpucostEvaluate(nullptr, &run, &report), GPUCOST_OK);
  EXPECT_NE(gpucostEvaluateMany(nullptr, &run, 0, 1, &totals, 0), GPUCOST_OK);
  EXPECT_NE(gpucostReportTotals(nullptr, &totals), GPUCOST_OK);
  EXPECT_NE(gpucostReportPhase(nullptr, 0, &phase), GPUCOST_OK);
  EXPECT_NE(gpucostReportKernel(nullptr, 0, &row), GPUCOST_OK);
  EXPECT_EQ(gpucostReportNote(nullptr, 0), nullptr);
  EXPECT_NE(gpucostReportJson(nullptr, nullptr, &text, nullptr), GPUCOST_OK);
  EXPECT_NE(gpucostEvaluatePage(nullptr, &run, &text, nullptr), GPUCOST_OK);
  EXPECT_NE(gpucostMakePage(nullptr, "", "{}", 2, &text, nullptr), GPUCOST_OK);
  EXPECT_NE(gpucostMakePage("report", "", nullptr, 0, &text, nullptr),
            GPUCOST_OK);
  EXPECT_NE(gpucostMakePage("report", "", "{}", 2, nullptr, nullptr),
            GPUCOST_OK);
  EXPECT_NE(gpucostSettings(nullptr, nullptr), GPUCOST_OK);
  EXPECT_EQ(gpucostCoefficientSetName(1000), nullptr);
  gpucostModelFree(nullptr);
  gpucostCacheFree(nullptr);
  gpucostPreparedFree(nullptr);
  gpucostPlacedFree(nullptr);
  gpucostReportFree(nullptr);
  gpucostFree(nullptr);
}
