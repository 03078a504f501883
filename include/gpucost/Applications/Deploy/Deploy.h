//===- Deploy.h - How a language model is served -------------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which GPUs, how many, split how, at which batch, for given requests and
// limits: every candidate is a steady state of its step oracle (Queue.h), so
// that no request is simulated. docs/Deploy.md defines the numbers.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_DEPLOY_DEPLOY_H
#define GPUCOST_APPLICATIONS_DEPLOY_DEPLOY_H

#include "gpucost/Applications/Deploy/Queue.h"
#include "gpucost/Applications/Deploy/Traffic.h"
#include "gpucost/Applications/Serve/ClosedLoop.h"
#include "gpucost/Applications/Sweep/Goal.h"
#include "gpucost/Applications/Sweep/Space.h"
#include "gpucost/Core/Report/RecordShape.h"
#include "gpucost/Core/Report/RunCost.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace gpucost::deploy {

class Engine;

/// The names of schedulers in flags and reports: "mixed": chunks of prompts in
/// steps with decodes; "separate": chunks in steps without decodes; "whole":
/// undivided prompts in steps with decodes.
std::string promptStepsText(const serve::Scheduler &scheduler);
/// nullopt for other names.
std::optional<serve::Scheduler> promptStepsOf(llvm::StringRef name);

struct DeployQuestion {
  Traffic traffic;
  sweep::Goal goal;
  /// Tensor parallelism to try; empty: powers of two up to the GPUs of a node.
  std::vector<int64_t> tensor;
  /// Most prompt tokens of a step, descending.
  std::vector<int64_t> chunks;
  /// How prompts form steps; empty: as the software does by default, and in
  /// steps with decodes.
  std::vector<serve::Scheduler> promptSteps;
  /// Most sequences of a replica; empty: powers of two, and the most that fit.
  std::vector<int64_t> batchLimits;
  bool aggregated = true, disaggregated = true;
  /// Targets without one of the formats are rejected candidates, not errors.
  bool triesFormats = false;
  /// Power of a node with its GPUs.
  std::optional<Watts> nodeLimit;
  unsigned jobs = 1;
};

/// A candidate.
struct Deployment {
  std::shared_ptr<const Engine> engine;
  /// For prompts; null: aggregated.
  std::shared_ptr<const Engine> prompts;
  int64_t batchLimit = 0, chunk = 0;
  serve::Scheduler scheduler;
  int64_t largestBatch = 0; ///< sequences of a replica that fit
  int64_t replicas = 0, promptReplicas = 0;
  SteadyState state; ///< of a group of GPUs with one batch
  double requests = 0, tokensPerSecond = 0;
  bool hasQuantiles = false;
  Watts power; ///< mean of a GPU
  RunCost perSecond;
  std::string reason;

  bool isFeasible() const { return reason.empty(); }
  /// "mixed", "separate", "whole"; "" on separate GPUs.
  std::string promptSteps() const {
    return prompts ? "" : promptStepsText(scheduler);
  }
  const char *kind() const { return prompts ? "disaggregated" : "aggregated"; }
  const char *status() const { return isFeasible() ? "ok" : "rejected"; }
  std::string gpuName() const;
  std::string formatName() const;
  std::string planText() const;
  std::string promptPlanText() const;
  /// "--target=h100 --parallel=tp ...".
  std::string flags() const;
  std::optional<Watts> powerLimit() const;
  int64_t deviceBytes() const;
  int64_t gpus() const;
  double runningPerReplica() const;
  double gpuRate() const {
    return tokensPerSecond / static_cast<double>(gpus());
  }
  double userRate() const { return 1 / state.tpot().value(); }
  std::optional<Seconds> quantile(double probability) const {
    return hasQuantiles ? std::optional(state.ttftQuantile(probability))
                        : std::nullopt;
  }
  Joules energyPerToken() const { return perSecond.energy / tokensPerSecond; }
  Watts totalPower() const { return perSecond.energy / perSecond.time; }
  Watts nodePower() const;
  std::optional<double> costPerMillion() const;
  std::optional<double> carbonPerMillion() const;
  /// 80 % half-widths of the step oracle; nullopt: unknown.
  std::optional<double> decodeWidth() const;
  std::optional<double> promptWidth() const;
  std::optional<double> energyWidth() const;
};

inline bool isKnown(const Deployment &deployment) {
  return deployment.isFeasible();
}

struct Rejection {
  std::string reason;
  int64_t count = 0;
};

/// The best deployment without one property of the choice.
struct Rival {
  std::string property; ///< "target h200-bf16 instead of h100-bf16"
  size_t index = 0;
  double ratio = 1;
  std::optional<double> low, high;
};

struct HourPlan {
  double hour = 0, requests = 0;
  std::optional<int64_t> gpus;
  std::optional<Seconds> ttft, tpot;
  std::optional<Watts> totalPower, neededPower;
  std::optional<Joules> energyPerRequest;
};

/// The choice with another number of requests, which arrive at random.
struct LoadPoint {
  double requests = 0;
  Seconds ttft, tpot;
  Watts totalPower;
  Joules energyPerToken;
  double idleShare = 0;
};

struct DeployResult {
  std::string model;
  DeployQuestion question;
  std::vector<Deployment> candidates;
  sweep::Choice choice;
  std::vector<Rejection> rejections;
  std::vector<size_t> front;
  std::vector<Rival> rivals;
  std::optional<size_t> fewestGpus;
  /// From a tenth of the choice's requests to all.
  std::vector<LoadPoint> loadCurve;
  std::vector<HourPlan> hours;
  std::vector<std::string> notes;

  const Deployment *chosen() const {
    return choice.chosen ? &candidates[*choice.chosen] : nullptr;
  }
};

/// In the units of bounds: cost and CO2e per million output tokens, energy per
/// output token.
std::optional<double> valueOf(const Deployment &deployment, Metric metric);
/// 80 % half-width of ln(value); nullopt if unknown.
std::optional<double> widthOf(const Deployment &deployment, Metric metric);

/// Fails for a question that no candidate can answer.
llvm::Expected<DeployResult> searchDeployments(const sweep::Space &space,
                                               const DeployQuestion &question);

/// Commands for one replica; of a disaggregated deployment first one that
/// decodes, then one for prompts.
struct DeployCommands {
  std::vector<std::string> serve, vllm, sglang, tensorrtLlm;
};
DeployCommands commandsOf(const DeployResult &result,
                          const Deployment &deployment);

/// Why no candidate was chosen.
std::string describeNoDeployment(const DeployResult &result);

/// `top` lines of the front.
void printDeploy(const DeployResult &result, size_t top, llvm::raw_ostream &os);
/// `everyCandidate`: also all candidates, and which of them break a bound.
void printDeployJson(const DeployResult &result, llvm::StringRef version,
                     llvm::raw_ostream &os, bool everyCandidate = false);
/// Every candidate.
void printDeployCsv(const DeployResult &result, llvm::raw_ostream &os);
RecordShape shapeOfDeploy();

} // namespace gpucost::deploy

#endif // GPUCOST_APPLICATIONS_DEPLOY_DEPLOY_H
