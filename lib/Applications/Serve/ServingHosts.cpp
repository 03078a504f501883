//===- ServingHosts.cpp - Hosts of serving stacks -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Serve/ServingHosts.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Core/Model/Software.h"

using namespace gpucost;
using namespace gpucost::serve;

HostTimes serve::hostTimesOf(const Coefficients &coefficients,
                             const Settings &settings,
                             std::optional<Seconds> request) {
  const ServingHost *host = findServingHost(coefficients, settings.software);
  HostTimes times;
  times.request = request.value_or(host ? host->request : Seconds(0));
  if (settings.runtime != Runtime::CudaGraph)
    return times;
  if (settings.hostLaunch)
    times.promptLaunch = settings.hostLaunch;
  else if (host && host->promptLaunch > Seconds(0))
    times.promptLaunch = host->promptLaunch;
  return times;
}

Settings serve::promptSettings(Settings settings,
                               std::optional<Seconds> launch) {
  if (!launch)
    return settings;
  settings.runtime = Runtime::Eager;
  if (!settings.hostLaunch)
    settings.hostLaunch = launch;
  return settings;
}

std::string serve::describeHost(const Coefficients &coefficients,
                                const Settings &settings,
                                std::optional<Seconds> request) {
  if (std::optional<Seconds> launch =
          hostTimesOf(coefficients, settings, request).promptLaunch)
    return "prompts run without CUDA graphs: " + siText(*launch) +
           " of the host for each kernel";
  if (findServingHost(coefficients, settings.software))
    return "";
  std::string text = "the host of " +
                     std::string(stringifySoftware(settings.software)) +
                     " was not measured: ";
  if (!request)
    text += "requests take no time before their prompts (--request-ms), and ";
  return text + "the host does not delay prompts";
}
