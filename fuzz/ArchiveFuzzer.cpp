//===- ArchiveFuzzer.cpp - Forged service and target files
//-----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input is a kind of file, then the data after its checksum, which is valid
// again: what somebody can write who knows the format.
//
//===----------------------------------------------------------------------===//

#include "gpucost-c/gpucost.h"
#include "gpucost/Core/Archive/ServiceFile.h"
#include "gpucost/Core/Targets/TargetData.h"
#include <cstdlib>

using namespace gpucost;

static bool check(gpucostStatus status) {
  if (status == GPUCOST_INTERNAL || status == GPUCOST_OUT_OF_MEMORY)
    std::abort();
  return status == GPUCOST_OK;
}

static void runService(std::string_view payload) {
  static gpucostModel *model = [] {
    gpucostModel *made = nullptr;
    if (gpucostModelCreate("a100-bf16", nullptr, &made) != GPUCOST_OK)
      std::abort();
    return made;
  }();
  std::string bytes = sealService(payload);
  gpucostService *service = nullptr;
  if (!check(gpucostServiceCreate(bytes.data(), bytes.size(), model, &service)))
    return;
  gpucostServiceLimits limits;
  GPUCOST_INIT(limits);
  check(gpucostServiceGetLimits(service, &limits));
  const int64_t newTokens[] = {1, limits.new_tokens};
  const int64_t cacheTokens[] = {limits.cache_tokens, 0};
  gpucostStepCost cost;
  GPUCOST_INIT(cost);
  for (size_t count : {1, 2})
    check(gpucostServiceStep(service, newTokens, cacheTokens, count, &cost));
  gpucostServiceFree(service);
}

static void runTarget(std::string_view payload) {
  std::string bytes = sealTarget(payload);
  gpucostModel *model = nullptr;
  if (!check(gpucostModelCreateFromBytes(bytes.data(), bytes.size(), 0, nullptr,
                                         &model)))
    return;
  gpucostDevice device;
  GPUCOST_INIT(device);
  check(gpucostModelDevice(model, &device));
  gpucostModelFree(model);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return -1;
  std::string_view payload(reinterpret_cast<const char *>(data) + 1, size - 1);
  *data % 2 ? runTarget(payload) : runService(payload);
  return 0;
}
