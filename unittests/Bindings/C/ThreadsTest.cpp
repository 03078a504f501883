//===- ThreadsTest.cpp - Many threads on one model ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "SampleModel.h"
#include <cstring>
#include <thread>
#include <vector>

using namespace gpucost;

/// The results of one thread for all shared objects.
static std::string work(const gpucostModel *model,
                        const gpucostPrepared *prepared,
                        const gpucostPlaced *shared) {
  std::string bits;
  auto append = [&](const void *bytes, size_t size) {
    bits.append(static_cast<const char *>(bytes), size);
  };
  std::vector<gpucostKernel> kernels;
  for (int64_t i = 0; i < 300; ++i)
    kernels.push_back(matmul(1 + 7 * (i % 100), 512, 64 + i));
  std::vector<gpucostCost> costs(kernels.size());
  costs[0].size = sizeof(gpucostCost);
  EXPECT_EQ(gpucostEstimateMany(model, kernels.data(), 0, kernels.size(),
                                nullptr, costs.data(), sizeof(gpucostCost)),
            GPUCOST_OK);
  append(costs.data(), costs.size() * sizeof(gpucostCost));
  gpucostPlaced *own = nullptr;
  EXPECT_EQ(gpucostPlace(prepared, model, &own), GPUCOST_OK);
  Handle<gpucostPlaced> holder(own);
  for (const gpucostPlaced *placed : {shared, (const gpucostPlaced *)own}) {
    gpucostReport *report = nullptr;
    EXPECT_EQ(gpucostEvaluate(placed, nullptr, &report), GPUCOST_OK);
    char *text = nullptr;
    size_t size = 0;
    EXPECT_EQ(gpucostReportJson(report, "layer", &text, &size), GPUCOST_OK);
    append(text, size);
    gpucostFree(text);
    gpucostReportFree(report);
  }
  return bits;
}

TEST(CThreads, SameBits) {
  std::string bytes = encodePrepared(sampleModel());
  gpucostPrepared *rawPrepared = nullptr;
  ASSERT_EQ(gpucostPreparedLoad(bytes.data(), bytes.size(), &rawPrepared),
            GPUCOST_OK);
  Handle<gpucostPrepared> prepared(rawPrepared);
  auto model = modelOf("a100-bf16");
  gpucostPlaced *rawPlaced = nullptr;
  ASSERT_EQ(gpucostPlace(rawPrepared, model.get(), &rawPlaced), GPUCOST_OK);
  Handle<gpucostPlaced> placed(rawPlaced);
  std::vector<std::string> results(8);
  std::vector<std::thread> threads;
  for (std::string &result : results)
    threads.emplace_back(
        [&] { result = work(model.get(), rawPrepared, rawPlaced); });
  for (std::thread &thread : threads)
    thread.join();
  std::string alone = work(model.get(), rawPrepared, rawPlaced);
  for (const std::string &result : results)
    EXPECT_EQ(result, alone);
}

/// Each thread has separate errors.
TEST(CThreads, OwnErrors) {
  gpucostModel *none = nullptr;
  EXPECT_EQ(gpucostModelCreate("here", nullptr, &none), GPUCOST_NOT_FOUND);
  std::string other;
  std::thread([&] {
    other = gpucostLastError();
    EXPECT_EQ(gpucostModelCreate("there", nullptr, &none), GPUCOST_NOT_FOUND);
  }).join();
  EXPECT_EQ(other, "");
  EXPECT_NE(std::string(gpucostLastError()).find("'here'"), std::string::npos);
}
