//===- CollectiveSteps.cpp - (N*) with numbers --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include <algorithm>

using namespace gpucost;

namespace {

/// (N1) of one collective inside of a node.
struct LocalSteps {
  double gpus, bytes, factor, steps, volume;
  /// "2*100*(8 - 1)/8"
  std::string volumeText() const {
    if (factor == 0)
      return number(bytes);
    return fill("{}*{}*({} - 1)/{}", {factor, bytes, gpus, gpus});
  }
  double time(const CollectiveFit &fit) const {
    return fit.base.value() + fit.step.value() * stepsOf(fit) +
           fit.root.value() * std::sqrt(volume) +
           volume / (fit.bandwidth.value() * (1 - fit.ramp / gpus));
  }
  double stepsOf(const CollectiveFit &fit) const {
    return fit.worldSize == 0 ? steps : 0;
  }
};

} // namespace

static LocalSteps stepsOf(const CollectiveProblem &p) {
  LocalSteps s;
  s.gpus = static_cast<double>(p.worldSize);
  s.bytes = static_cast<double>(p.bytes);
  s.steps = s.gpus - 1;
  s.factor = 1;
  if (p.kind == CollectiveKind::AllReduce) {
    s.factor = 2;
    s.steps *= 2;
  } else if (p.kind == CollectiveKind::Broadcast ||
             p.kind == CollectiveKind::SendRecv) {
    s.factor = 0;
  }
  if (p.kind == CollectiveKind::SendRecv) { // (N7)
    s.gpus = std::min(s.gpus, 2.0);
    s.steps = 1;
  }
  s.volume =
      s.factor == 0 ? s.bytes : s.factor * s.bytes * (s.gpus - 1) / s.gpus;
  return s;
}

/// The fit that gives `time`, which tells it: the nearest in size, or that of
/// an all-gather (N7).
static const CollectiveFit *fitOf(const ExplainedKernel &kernel,
                                  const CollectiveProblem &p, Seconds time) {
  const auto &set = kernel.placed.model().coefficients().collectives;
  LocalSteps s = stepsOf(p);
  for (CollectiveKind kind : {p.kind, CollectiveKind::AllGather})
    for (const CollectiveFit &fit : set->fits)
      if (fit.kind == kind && isClose(time, s.time(fit)))
        return &fit;
  return nullptr;
}

static void printLocal(const CollectiveProblem &p, const CollectiveFit &fit,
                       Seconds time, const std::string &name,
                       ExplainText &text) {
  LocalSteps s = stepsOf(p);
  text.equation(
      "N1",
      fill("V = " + s.volumeText() + " = {} bytes; " + name +
               " = {} us + {}*{} us + {}*sqrt(V) us + V/((1 - {}/{})*{} GB/s) "
               "= {} us: " +
               std::string(stringifyCollectiveKind(p.kind)) + " of {} GPUs",
           {s.volume, fit.base.value() * 1e6, fit.step.value() * 1e6,
            s.stepsOf(fit), fit.root.value() * 1e6, fit.ramp, s.gpus,
            fit.bandwidth.value() * 1e-9, time.value() * 1e6, s.gpus}));
}

namespace {
/// A stage inside of each node, and its time by the model.
struct Stage {
  CollectiveProblem problem;
  const CollectiveFit *fit = nullptr;
  Seconds time;
};
} // namespace

/// (N6) The stages inside of a node; bytes as the model has them.
static std::vector<Stage> stagesOf(const CollectiveProblem &p) {
  auto stage = [&](CollectiveKind kind, int64_t bytes) {
    Stage result;
    result.problem.kind = kind;
    result.problem.bytes = bytes;
    result.problem.worldSize = p.worldSize / p.nodes;
    return result;
  };
  switch (p.kind) {
  case CollectiveKind::AllReduce:
    return {stage(CollectiveKind::ReduceScatter, p.bytes),
            stage(CollectiveKind::AllGather, p.bytes)};
  case CollectiveKind::AllToAll:
    return {stage(p.kind, p.bytes / p.nodes)};
  case CollectiveKind::SendRecv:
    return {};
  default:
    return {stage(p.kind, p.bytes)};
  }
}

/// h hops and W bytes that leave a node, of the stage between nodes.
static std::string between(const NetworkLink &link, const CollectiveProblem &p,
                           double hops, const std::string &bytes) {
  return fill("{}*{} us + {}*" + bytes + "/{} GB/s",
              {hops, link.latency.value() * 1e6, static_cast<double>(p.groups),
               link.bandwidth.value() * 1e-9});
}

static std::string betweenText(const NetworkLink &link,
                               const CollectiveProblem &p) {
  auto nodes = static_cast<double>(p.nodes);
  auto bytes = static_cast<double>(p.bytes);
  auto local = static_cast<double>(p.worldSize / p.nodes);
  std::string others = fill("{}*({} - 1)/{}", {bytes, nodes, nodes});
  switch (p.kind) {
  case CollectiveKind::AllReduce:
    return "min(" + between(link, p, 2 * (nodes - 1), "2*" + others) + ", " +
           between(link, p, 2 * std::ceil(std::log2(nodes)),
                   fill("2*{}", {bytes})) +
           ")";
  case CollectiveKind::AllToAll:
    return between(link, p, nodes - 1, others + fill("*{}", {local}));
  case CollectiveKind::Broadcast:
    return between(link, p, nodes - 1, number(bytes));
  case CollectiveKind::SendRecv:
    return between(link, p, 1, fill("{}*{}", {bytes, local}));
  default:
    return between(link, p, nodes - 1, others);
  }
}

static bool explainNodes(const ExplainedKernel &kernel,
                         const CollectiveProblem &p, ExplainText &text) {
  const CostModel &model = kernel.placed.model();
  const auto &set = model.coefficients().collectives;
  if (!set->network)
    return false;
  std::vector<Stage> stages = stagesOf(p);
  Seconds rest = kernel.terms().fixed;
  for (Stage &stage : stages) {
    KernelWork work = kernel.work();
    work.problem = stage.problem;
    auto terms = model.launchTerms(work, Tiling());
    if (!terms)
      return false;
    stage.time = terms->fixed;
    rest = rest - stage.time;
    stage.fit = fitOf(kernel, stage.problem, stage.time);
    if (!stage.fit && stage.problem.worldSize > 1)
      return false;
  }
  text.equation("N6", "x = " + betweenText(*set->network, p) + " = " +
                          us(rest) + " us: between " + std::to_string(p.nodes) +
                          " nodes");
  std::string sum = "x";
  for (size_t i = 0; i < stages.size(); ++i)
    if (stages[i].fit && stages[i].time > Seconds(0)) {
      std::string name = "t" + std::to_string(i + 1);
      printLocal(stages[i].problem, *stages[i].fit, stages[i].time, name, text);
      sum += " + " + name;
    }
  text.equation("N6",
                "fixed = " + sum + " = " + us(kernel.terms().fixed) + " us");
  return true;
}

bool gpucost::explainCollective(const ExplainedKernel &kernel,
                                ExplainText &text) {
  const auto *p = kernel.work().getIf<CollectiveProblem>();
  if (!p || !kernel.placed.model().coefficients().collectives)
    return false;
  if (p->nodes > 1)
    return explainNodes(kernel, *p, text);
  const CollectiveFit *fit = fitOf(kernel, *p, kernel.terms().fixed);
  if (!fit)
    return false;
  printLocal(*p, *fit, kernel.terms().fixed, "fixed", text);
  return true;
}
