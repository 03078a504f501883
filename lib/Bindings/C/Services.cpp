//===- Services.cpp - Step oracles of the C interface ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "gpucost/Core/Archive/ServiceFile.h"
#include "gpucost/Core/Iteration/Restate.h"
#include <atomic>

using namespace gpucost;
using namespace gpucost::capi;

struct gpucostService {
  gpucostService(std::shared_ptr<const StepShapes> shapes,
                 const CostModel &model, const Settings &settings)
      : limits(shapes->limits()), gpus(settings.gpus),
        oracle(std::move(shapes), model, settings) {}

  StepLimits limits;
  int64_t gpus;
  StepOracle oracle;
  std::vector<StepSequence> sequences;
  std::atomic_flag isUsed = ATOMIC_FLAG_INIT;
};

namespace {
/// The use of a service by one thread; a second one fails.
class ServiceUse {
public:
  explicit ServiceUse(gpucostService &service) : service(service) {
    if (service.isUsed.test_and_set(std::memory_order_acquire))
      invalid("another thread uses the service; create one for each thread");
  }
  ~ServiceUse() { service.isUsed.clear(std::memory_order_release); }
  ServiceUse(const ServiceUse &) = delete;
  ServiceUse &operator=(const ServiceUse &) = delete;

private:
  gpucostService &service;
};
} // namespace

gpucostStatus gpucostServiceCreate(const void *bytes, size_t size,
                                   const gpucostModel *model,
                                   gpucostService **service) {
  return guard([&] {
    require(bytes && model && service, "an argument is NULL");
    auto file = valueOf(decodeService({static_cast<const char *>(bytes), size}),
                        GPUCOST_BAD_DATA);
    auto changed = restateFor(*model, file.target, file.shapes->mixed().base());
    const Settings &settings = changed->settings;
    *service = new gpucostService(file.shapes, costModelOf(*model, settings),
                                  settings);
  });
}

void gpucostServiceFree(gpucostService *service) { delete service; }

gpucostStatus gpucostServiceGetLimits(const gpucostService *service,
                                      gpucostServiceLimits *limits) {
  return guard([&] {
    require(service, "the service is NULL");
    checkSize(limits, "gpucostServiceLimits");
    gpucostServiceLimits out{};
    out.world_size = static_cast<uint32_t>(service->gpus);
    out.sequences = service->limits.batch;
    out.new_tokens = service->limits.query;
    out.cache_tokens = service->limits.past;
    writeStruct(limits, out);
  });
}

gpucostStatus gpucostServiceStep(gpucostService *service,
                                 const int64_t *newTokens,
                                 const int64_t *cacheTokens, size_t count,
                                 gpucostStepCost *cost) {
  return guard([&] {
    require(service && newTokens && cacheTokens, "an argument is NULL");
    checkSize(cost, "gpucostStepCost");
    // Before memory is taken for them.
    if (count > static_cast<size_t>(service->limits.batch))
      invalid("a step of ", count, " sequences is beyond the limit of ",
              service->limits.batch);
    ServiceUse use(*service);
    service->sequences.resize(count);
    for (size_t i = 0; i < count; ++i)
      service->sequences[i] = {newTokens[i], cacheTokens[i]};
    auto step = valueOf(service->oracle.step(service->sequences.data(), count),
                        GPUCOST_INVALID_ARGUMENT);
    gpucostStepCost out{};
    out.throttled = step.throttled;
    out.time = step.time.value();
    out.energy = step.energy.value();
    out.power = step.power().value();
    out.clock = step.clock.value();
    out.limit_unreachable = step.limitUnreachable;
    out.lower_bound = step.isLowerBound;
    writeStruct(cost, out);
  });
}
