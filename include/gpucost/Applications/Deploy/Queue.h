//===- Queue.h - Queues of a serving deployment --------------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A steady state of requests on GPUs whose steps have known times, without a
// simulation: equations (V3) to (V9) of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_DEPLOY_QUEUE_H
#define GPUCOST_APPLICATIONS_DEPLOY_QUEUE_H

#include "gpucost/Core/Support/Quantity.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace gpucost::deploy {

/// Time and energy of steps on one GPU.
struct StepPart {
  Seconds time;
  Joules energy;
};

/// Prompts of one length.
struct PromptClass {
  double share = 1; ///< of all requests
  double steps = 1; ///< chunks
  /// Added by all chunks to the decode steps that they join; without decodes,
  /// the chunks themselves.
  StepPart added;
  /// Added to a step that has another prompt.
  StepPart further;
};

/// Steps of one replica.
struct StepCosts {
  /// A decode step of `batch` sequences; at least 1, not only integers.
  std::function<StepPart(double batch)> decode;
  /// Prompts that join steps with `batch` decodes.
  std::function<std::vector<PromptClass>(double batch)> prompts;
};

/// Requests and limits of one replica.
struct QueueTraffic {
  double outputSteps = 1; ///< decode steps of a request, on average
  /// Squared coefficient of variation of the decode steps of requests.
  double outputVariation = 0;
  /// Prompts that fit in one step. From 2 on, waiting prompts join the same
  /// step; otherwise they are processed one after another.
  double promptsPerStep = 1;
  int64_t slots = 1; ///< sequences that run at the same time
  /// (V11) Output tokens of a sequence in a decode step.
  double tokensPerStep = 1;
  /// Prompts and decodes share steps; otherwise prompts have separate steps,
  /// before decodes.
  bool mixes = true;
  /// (V12) From the sending of a request until the scheduler sees it.
  Seconds request;
};

/// A replica in equilibrium.
struct SteadyState {
  double arrivals = 0;   ///< requests per second
  double decodes = 0;    ///< sequences that decode, on average
  Seconds step;          ///< between two decode steps of a sequence
  Seconds request;       ///< before the scheduler sees a request
  Seconds residual;      ///< from an arrival to the end of the current step
  Seconds wait;          ///< for other prompts
  Seconds slotWait;      ///< for a sequence to end
  Seconds prefill;       ///< steps of the prompt
  Seconds answer;        ///< until the first token reaches the user
  Seconds transfer;      ///< of the cache to a GPU that decodes
  double waitChance = 0; ///< of waiting for other prompts
  /// Share of the time that prompts take.
  double promptShare = 0;
  /// Share of the time without a step.
  double idleShare = 0;
  /// Energy of all steps of a GPU per second; in a split queue that of a GPU
  /// that decodes, and of one for prompts.
  Watts stepPower, promptPower;
  /// Service times of the prompts, with the shares of their lengths.
  std::vector<std::pair<double, Seconds>> services;
  double outputSteps = 1, tokensPerStep = 1;

  Seconds ttft() const {
    return request + residual + wait + slotWait + prefill + answer;
  }
  /// The transfer delays the second token.
  Seconds tpot() const {
    return (step + transfer / outputSteps) / tokensPerStep;
  }
  /// The next step begins before the first token reaches the user.
  Seconds latency() const {
    return ttft() - answer + transfer + step * outputSteps;
  }
  /// (V8) Time to the first token that a share `probability` of the requests
  /// do not exceed.
  Seconds ttftQuantile(double probability) const;
};

/// (V5) Mean wait for one of `servers` whose service takes `service` on average
/// with the squared coefficient of variation `variation`; nullopt if requests
/// arrive faster than they are served.
std::optional<Seconds> waitOf(double arrivals, Seconds service,
                              double variation, double servers);
/// (V5) Share of requests that wait, for the utilization of the servers.
double waitChanceOf(double utilization, double servers);

/// A replica of prompts and decodes.
class SharedQueue {
public:
  SharedQueue(const StepCosts &costs, const QueueTraffic &traffic)
      : costs(costs), traffic(traffic) {}

  /// (V3) to (V6) Random arrivals, as many as keep `decodes` sequences
  /// decoding on average; nullopt if there is no equilibrium.
  std::optional<SteadyState> withDecodes(double decodes) const;
  /// The same for a number of requests per second.
  std::optional<SteadyState> withArrivals(double arrivals) const;
  /// (V7) `users` requests at any time: each answer is followed by the next
  /// prompt.
  SteadyState withUsers(double users) const;

private:
  bool isGated() const { return traffic.promptsPerStep >= 2; }
  /// (V3), (V4) The state with these decodes, without waiting times; `together`
  /// is the mean number of sequences of a decode step, `others` the share of
  /// the prompts that a sequence meets while it decodes.
  SteadyState balance(double decodes, double together, double others) const;
  /// The mean prompt among as many as arrive during a step of this time.
  StepPart meanPrompt(const std::vector<PromptClass> &prompts, double arrivals,
                      Seconds step) const;
  void addGate(SteadyState &state, const std::vector<PromptClass> &prompts,
               Seconds decode, double met) const;
  /// (V7) Users with requests of different lengths.
  SteadyState withDifferent(double running) const;

  const StepCosts &costs;
  const QueueTraffic traffic;
};

/// (V9) Replicas for prompts and replicas for decode steps.
class SplitQueue {
public:
  /// `costs.prompts` are those of a GPU without decodes; `transfer` is the time
  /// from the first token to the start of the first decode step.
  SplitQueue(const StepCosts &costs, const QueueTraffic &traffic,
             Seconds transfer)
      : costs(costs), traffic(traffic), transfer(transfer) {}

  /// The arrivals are those of one decode replica; `promptServers` is the
  /// number of prompt replicas for each decode replica, `pool` the number of
  /// prompt replicas that share one queue.
  std::optional<SteadyState> withArrivals(double arrivals, double promptServers,
                                          double pool) const;
  std::optional<SteadyState> withUsers(double users, double promptServers,
                                       double pool) const;
  /// Arrivals for which `decodes` sequences decode on average.
  double arrivalsOf(double decodes) const;
  /// Energy and time that a mean prompt takes.
  StepPart promptWork() const;

private:
  const StepCosts &costs;
  const QueueTraffic traffic;
  Seconds transfer;
};

} // namespace gpucost::deploy

#endif // GPUCOST_APPLICATIONS_DEPLOY_QUEUE_H
