//===- HostileBytesTest.cpp - Bytes that nobody has prepared --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "SampleModel.h"
#include <random>

using namespace gpucost;

/// Loads and, where that works, evaluates.
static gpucostStatus use(const std::string &bytes, const gpucostModel *model) {
  gpucostPrepared *raw = nullptr;
  gpucostStatus status = gpucostPreparedLoad(bytes.data(), bytes.size(), &raw);
  if (status != GPUCOST_OK)
    return status;
  Handle<gpucostPrepared> prepared(raw);
  gpucostPlaced *placed = nullptr;
  if (gpucostPlace(raw, model, &placed) != GPUCOST_OK)
    return status;
  Handle<gpucostPlaced> holder(placed);
  gpucostReport *report = nullptr;
  if (gpucostEvaluate(placed, nullptr, &report) == GPUCOST_OK) {
    char *text = nullptr;
    EXPECT_EQ(gpucostReportJson(report, "op", &text, nullptr), GPUCOST_OK);
    gpucostFree(text);
    text = nullptr;
    EXPECT_NE(gpucostEvaluatePage(placed, nullptr, &text, nullptr),
              GPUCOST_INTERNAL);
    gpucostFree(text);
  }
  gpucostReportFree(report);
  return status;
}

static constexpr size_t headerBytes = 24;

TEST(CHostileBytes, CutOff) {
  auto model = modelOf("a100-bf16");
  std::string bytes = encodePrepared(sampleModel());
  EXPECT_EQ(use(bytes, model.get()), GPUCOST_OK);
  std::string payload = bytes.substr(headerBytes);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_EQ(use(bytes.substr(0, size), model.get()), GPUCOST_BAD_DATA)
        << size;
  // After a valid checksum.
  for (size_t size = 0; size < payload.size(); ++size)
    EXPECT_EQ(use(sealPrepared(payload.substr(0, size)), model.get()),
              GPUCOST_BAD_DATA)
        << size;
  EXPECT_EQ(use(sealPrepared(payload + "x"), model.get()), GPUCOST_BAD_DATA);
  EXPECT_EQ(use(bytes + "x", model.get()), GPUCOST_BAD_DATA);
}

/// Lists that no launch reads to the end.
TEST(CHostileBytes, ReadsWithoutALaunch) {
  auto model = modelOf("a100-bf16");
  PreparedFile more = sampleModel();
  more.model.reads.push_back(0);
  EXPECT_EQ(use(encodePrepared(more), model.get()), GPUCOST_BAD_DATA);
  more = sampleModel();
  more.model.persistentReads.push_back({0, 16, 16});
  EXPECT_EQ(use(encodePrepared(more), model.get()), GPUCOST_BAD_DATA);
  more = sampleModel();
  more.model.touches.emplace_back();
  EXPECT_EQ(use(encodePrepared(more), model.get()), GPUCOST_BAD_DATA);
}

TEST(CHostileBytes, OneBitOff) {
  auto model = modelOf("a100-bf16");
  std::string bytes = encodePrepared(sampleModel());
  for (size_t i = 0; i < bytes.size(); ++i)
    for (int bit : {0, 7}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      EXPECT_EQ(use(changed, model.get()), GPUCOST_BAD_DATA) << i;
    }
}

/// Changed bytes after a valid checksum are an error or a model that can be
/// evaluated; never more.
TEST(CHostileBytes, RandomChanges) {
  auto model = modelOf("a100-bf16");
  std::string payload = encodePrepared(sampleModel()).substr(headerBytes);
  std::mt19937 random(1);
  size_t loaded = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    std::string changed = payload;
    for (unsigned n = 1 + random() % 3; n > 0; --n) {
      size_t at = random() % changed.size();
      switch (random() % 3) {
      case 0:
        changed[at] = static_cast<char>(random());
        break;
      case 1:
        changed.erase(at, 1 + random() % 4);
        break;
      default:
        changed.insert(at, 1, static_cast<char>(random() % 2 ? 0xff : 0x80));
      }
    }
    loaded += use(sealPrepared(changed), model.get()) == GPUCOST_OK;
  }
  EXPECT_GT(loaded, 100u) << "no change got past the checks: a weak test";
}
