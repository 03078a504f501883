//===- StructsFuzzer.cpp - Any bytes as structs of the C interface --------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels, queries, schedules and devices with any numbers in them. A size that
// is larger than the memory that it describes is an error of the caller, so
// sizes are set.
//
//===----------------------------------------------------------------------===//

#include "gpucost-c/gpucost.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

static const uint8_t *next;
static size_t rest;

/// The next bytes of the input as a struct; zeros after its end.
template <typename T> static T take() {
  T object;
  std::memset(&object, 0, sizeof(object));
  size_t count = std::min(rest, sizeof(object));
  std::memcpy(&object, next, count);
  next += count;
  rest -= count;
  object.size = sizeof(object);
  return object;
}

static void check(gpucostStatus status) {
  if (status == GPUCOST_INTERNAL || status == GPUCOST_OUT_OF_MEMORY)
    std::abort();
}

/// Texts come from the caller and are not arbitrary addresses.
static gpucostModel *takeModel(const gpucostModel *shipped) {
  auto device = take<gpucostDevice>();
  gpucostDevice known;
  GPUCOST_INIT(known);
  check(gpucostModelDevice(shipped, &known));
  device.name = device.die = device.memory = "fuzz";
  gpucostModelOptions options;
  GPUCOST_INIT(options);
  options.coefficients = "a100-sxm-80gb";
  gpucostModel *model = nullptr;
  check(gpucostModelCreateForDevice(&device, GPUCOST_BF16, &options, &model));
  return model;
}

static void ask(const gpucostModel *model) {
  auto kernel = take<gpucostKernel>();
  auto query = take<gpucostQuery>();
  auto schedule = take<gpucostSchedule>();
  gpucostCost cost;
  GPUCOST_INIT(cost);
  gpucostStatus status = gpucostEstimate(model, &kernel, &query, &cost);
  check(status);
  if (status == GPUCOST_OK && !(cost.time > 0))
    std::abort();
  check(gpucostEstimateMany(model, &kernel, 0, 1, &query, &cost, 0));
  gpucostScheduleCost answer;
  GPUCOST_INIT(answer);
  check(gpucostEstimateSchedules(model, &kernel, &query, &schedule, 0, 1,
                                 &answer, 0));
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static gpucostModel *shipped = [] {
    gpucostModel *model = nullptr;
    check(gpucostModelCreate("a100-bf16", nullptr, &model));
    return model;
  }();
  next = data;
  rest = size;
  ask(shipped);
  if (gpucostModel *model = takeModel(shipped)) {
    ask(model);
    gpucostModelFree(model);
  }
  return 0;
}
