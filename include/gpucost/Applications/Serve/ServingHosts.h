//===- ServingHosts.h - Hosts of serving stacks -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The times of a host around the steps of a service, equation (V12) of
// docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_SERVE_SERVINGHOSTS_H
#define GPUCOST_APPLICATIONS_SERVE_SERVINGHOSTS_H

#include "gpucost/Core/Model/Coefficients.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include <optional>
#include <string>

namespace gpucost::serve {

struct HostTimes {
  /// From the sending of a request until the scheduler sees it.
  Seconds request;
  /// For each kernel of a step with prompts; nullopt: such steps are launched
  /// as decode steps are.
  std::optional<Seconds> promptLaunch;
};

/// (V12) The host of the software of `settings`; `request` replaces the fitted
/// time.
HostTimes hostTimesOf(const Coefficients &coefficients,
                      const Settings &settings, std::optional<Seconds> request);

/// The settings of a step with prompts, in which the host launches each kernel
/// in `launch` unless --host-launch-us states another time.
Settings promptSettings(Settings settings, std::optional<Seconds> launch);

/// What a prediction assumes about the host of the software of `settings`;
/// "" if it was measured and needs no remark.
std::string describeHost(const Coefficients &coefficients,
                         const Settings &settings,
                         std::optional<Seconds> request);

} // namespace gpucost::serve

#endif // GPUCOST_APPLICATIONS_SERVE_SERVINGHOSTS_H
