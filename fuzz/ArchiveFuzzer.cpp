//===- ArchiveFuzzer.cpp - Forged service and target files ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The input is a kind of file, then the data after its checksum, which is valid
// again: what somebody can write who knows the format. Of the third kind it is
// edits of a compiled-in target.
//
//===----------------------------------------------------------------------===//

#include "gpucost-c/gpucost.h"
#include "gpucost/Core/Archive/ServiceFile.h"
#include "gpucost/Core/Targets/TargetChoice.h"
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

/// A compiled-in target in bytes, without the envelope, with `edits`: an offset
/// of two bytes and what is added there.
static std::string editedTarget(std::string_view edits) {
  static const std::string target = [] {
    TargetChoice choice = cantFail(chooseTarget("h100-bf16"));
    TargetData data;
    data.gpu = choice.target.gpu;
    data.coefficients = choice.coefficients;
    return encodeTarget(data).substr(sealTarget("").size());
  }();
  std::string payload = target;
  for (; edits.size() >= 3; edits.remove_prefix(3)) {
    size_t offset = static_cast<uint8_t>(edits[0]) * size_t(256) +
                    static_cast<uint8_t>(edits[1]);
    payload[offset % payload.size()] += edits[2];
  }
  return payload;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return -1;
  std::string_view payload(reinterpret_cast<const char *>(data) + 1, size - 1);
  switch (*data % 3) {
  case 0:
    runService(payload);
    break;
  case 1:
    runTarget(payload);
    break;
  case 2:
    runTarget(editedTarget(payload));
    break;
  }
  return 0;
}
