//===- Sizing.h - Replicas for the requests of a question ----- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DEPLOY_SIZING_H
#define GPUCOST_LIB_APPLICATIONS_DEPLOY_SIZING_H

#include "Engines.h"

namespace gpucost::deploy {

/// Fills candidates with the fewest replicas that meet the limits on times.
class Sizing {
public:
  explicit Sizing(const DeployQuestion &question);

  /// Of `d` engine, chunk (number `plan` of the engine) and batch limit are
  /// set. Sets a reason if no number of replicas meets the limits.
  void size(Deployment &d, size_t plan) const;

  /// The state of `d` with its replicas for another number of requests per
  /// second; nullopt if they cannot serve them.
  std::optional<Deployment> withRequests(const Deployment &d, size_t plan,
                                         double requests) const;
  /// The fewest GPUs that serve them within the limits; nullopt: none.
  std::optional<Deployment> smallestFor(const Deployment &d, size_t plan,
                                        double requests) const;

private:
  /// The first limit on times that the state breaks; "" if it meets all.
  std::string brokenLimit(const SteadyState &state) const;
  QueueTraffic trafficOf(const Deployment &d) const;
  void sizeShared(Deployment &d, size_t plan, double requests) const;
  void sizeSharedUsers(Deployment &d, size_t plan) const;
  void sizeSplit(Deployment &d, size_t plan, double requests) const;
  void sizeSplitUsers(Deployment &d, size_t plan) const;
  /// Sets the numbers that follow from replicas and state; `requests` per
  /// second if they are stated.
  void finish(Deployment &d, std::optional<double> requests) const;

  const DeployQuestion &question;
  std::vector<sweep::Constraint> limits; ///< on times, as numbers
};

/// A metric of one request; percentiles of random arrivals.
double valueOfRequest(const SteadyState &state, Metric metric);

/// Time to move the cache of a mean prompt; nullopt: there is no network.
std::optional<Seconds> transferTime(const Engine &prompts,
                                    const Engine &decodes, double tokens);

} // namespace gpucost::deploy

#endif // GPUCOST_LIB_APPLICATIONS_DEPLOY_SIZING_H
