//===- Collective.cpp - Communication between GPUs ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The time of a collective within a node is fitted to measurements: a latency
// per step, a square-root term for changes of protocol and for pipelining, and
// a bandwidth. Collectives across nodes are hierarchical: stages within each
// node, and one between nodes with the latency and bandwidth of the network.
// Times do not depend on the clock.

#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>
#include <vector>

using namespace gpucost;

namespace {
/// A collective or one of its stages on GPUs of the same node. A stage may have
/// a fraction of a byte.
struct LocalCollective {
  CollectiveKind kind;
  double bytes;
  int64_t gpus;
};

/// A fit, and whether it was measured for this kind and number of GPUs.
struct ChosenFit {
  const CollectiveFit *fit;
  bool isOwn;
};

struct LocalTime {
  Seconds time;
  bool isMeasured = true;
};
} // namespace

static const CollectiveFit *nearestFit(const CollectiveCoefficients &set,
                                       CollectiveKind kind, int64_t gpus) {
  const CollectiveFit *any = nullptr, *nearest = nullptr;
  for (const CollectiveFit &fit : set.fits) {
    if (fit.kind != kind)
      continue;
    if (fit.worldSize == gpus)
      return &fit;
    if (fit.worldSize == 0)
      any = &fit;
    else if (!nearest || std::abs(fit.worldSize - gpus) <
                             std::abs(nearest->worldSize - gpus))
      nearest = &fit;
  }
  return any ? any : nearest;
}

/// (N7) Broadcast and send_recv use the links like an all-gather: each link
/// carries the message in one direction.
static Expected<ChosenFit> fitFor(const CostModel &model, CollectiveKind kind,
                                  int64_t gpus) {
  if (const auto &set = model.coefficients().collectives) {
    const CollectiveFit *fit = nearestFit(*set, kind, gpus);
    bool isOwn = fit && (fit->worldSize == 0 || fit->worldSize == gpus);
    if (!fit &&
        (kind == CollectiveKind::Broadcast || kind == CollectiveKind::SendRecv))
      fit = nearestFit(*set, CollectiveKind::AllGather, gpus);
    if (fit)
      return ChosenFit{fit, isOwn};
  }
  return fail("'" + model.gpu().name + "' has no coefficients for '" +
              std::string(stringifyCollectiveKind(kind)) + "'");
}

/// V: bytes that cross each link.
static double volumeOf(const LocalCollective &c, Steps *steps = nullptr) {
  double n = static_cast<double>(c.gpus);
  double factor = 0;
  switch (c.kind) {
  case CollectiveKind::AllReduce:
    factor = 2;
    break;
  case CollectiveKind::AllGather:
  case CollectiveKind::ReduceScatter:
  case CollectiveKind::AllToAll:
    factor = 1;
    break;
  case CollectiveKind::Broadcast:
  case CollectiveKind::SendRecv:
    break;
  }
  double volume = factor > 0 ? factor * c.bytes * (n - 1) / n
                  : n > 1    ? c.bytes
                             : 0;
  if (steps && factor > 0)
    steps->equation("link traffic (N1)", "V = {}*{}*({} - 1)/{} = {} bytes",
                    {factor, c.bytes, n, n, volume});
  else if (steps)
    steps->equation("link traffic (N7)", "V = {} bytes", {volume});
  return volume;
}

static double stepsOf(const LocalCollective &c) {
  auto others = static_cast<double>(c.gpus - 1);
  if (c.kind == CollectiveKind::SendRecv)
    return 1;
  return c.kind == CollectiveKind::AllReduce ? 2 * others : others;
}

/// (N1) t = a0 + a1 steps + c sqrt(V) + V / (B (1 - b / n)).
static Expected<LocalTime> timeOf(const CostModel &model,
                                  const LocalCollective &c, Steps *steps) {
  // A message from one GPU to another involves two GPUs.
  int64_t gpus = c.kind == CollectiveKind::SendRecv
                     ? std::min<int64_t>(c.gpus, 2)
                     : c.gpus;
  auto chosen = fitFor(model, c.kind, gpus);
  if (!chosen)
    return fail(chosen.error());
  if (gpus == 1)
    return LocalTime{};
  const CollectiveFit &fit = *chosen->fit;
  double volume = volumeOf(c, steps);
  double stages = fit.worldSize == 0 ? stepsOf(c) : 0;
  double loss = 1 - fit.ramp / static_cast<double>(gpus);
  Seconds time = fit.base + fit.step * stages +
                 Seconds(fit.root.value() * std::sqrt(volume) +
                         volume / (fit.bandwidth.value() * loss));
  if (steps)
    steps->equation(std::string(stringifyCollectiveKind(c.kind)) +
                        " in a node (N1)",
                    "tn = {} + {}*{} + {}*sqrt(V) + V/({}*(1 - {}/{})) = {}",
                    {fit.base, fit.step, stages, fit.root, fit.bandwidth,
                     fit.ramp, gpus, time});
  return LocalTime{time, chosen->isOwn};
}

/// (N6) The stage between nodes: each GPU exchanges its part with the GPUs at
/// the same position in the other nodes; all GPUs of a node do so at once.
static Seconds timeBetween(const NetworkLink &network,
                           const CollectiveProblem &p, Steps *steps) {
  auto nodes = static_cast<double>(p.nodes);
  int64_t perNode = p.worldSize / p.nodes;
  auto local = static_cast<double>(perNode);
  auto bytes = static_cast<double>(p.bytes);
  double others = (nodes - 1) / nodes;
  if (steps)
    steps->equation("between nodes (N6)",
                    "bytes = {}; local = {}/{} = {}; others = ({} - 1)/{} = {}",
                    {bytes, p.worldSize, p.nodes, local, nodes, nodes, others});
  // `sent`: bytes that leave a node for this collective; `text`: their formula.
  auto send = [&](double hops, double sent, const char *text) {
    Seconds time =
        network.latency * hops + Seconds(sent * static_cast<double>(p.groups) /
                                         network.bandwidth.value());
    if (steps)
      steps->equation(
          "between nodes (N6)",
          "W = " + std::string(text) + " = {} bytes; x = {}*{} + W*{}/{} = {}",
          {sent, hops, network.latency, p.groups, network.bandwidth, time});
    return time;
  };
  switch (p.kind) {
  case CollectiveKind::AllReduce: { // a ring, or two binary trees
    Seconds ring = send(2 * (nodes - 1), 2 * bytes * others, "2*bytes*others");
    Seconds trees = send(2 * std::ceil(std::log2(nodes)), 2 * bytes, "2*bytes");
    Seconds time = std::min(ring, trees);
    if (steps)
      steps->equation("between nodes (N6)", "x = min({}, {}) = {}",
                      {ring, trees, time});
    return time;
  }
  case CollectiveKind::AllGather:
  case CollectiveKind::ReduceScatter:
    return send(nodes - 1, bytes * others, "bytes*others");
  case CollectiveKind::AllToAll:
    return send(nodes - 1, bytes * others * local, "bytes*others*local");
  case CollectiveKind::Broadcast:
    return send(nodes - 1, bytes, "bytes");
  case CollectiveKind::SendRecv:
    return send(1, bytes * local, "bytes*local");
  }
  return Seconds(0);
}

/// The stages within one node of a collective over several nodes.
static std::vector<LocalCollective> stagesInside(const CollectiveProblem &p) {
  int64_t gpus = p.worldSize / p.nodes;
  auto bytes = static_cast<double>(p.bytes);
  switch (p.kind) {
  case CollectiveKind::AllReduce:
    return {{CollectiveKind::ReduceScatter, bytes, gpus},
            {CollectiveKind::AllGather, bytes, gpus}};
  case CollectiveKind::AllGather:
  case CollectiveKind::ReduceScatter:
  case CollectiveKind::Broadcast:
    return {{p.kind, bytes, gpus}};
  case CollectiveKind::AllToAll: // the part that stays in the node
    return {{p.kind, bytes / static_cast<double>(p.nodes), gpus}};
  case CollectiveKind::SendRecv: // no part within the node
    return {};
  }
  return {};
}

static Expected<LocalTime> timeOf(const CostModel &model,
                                  const CollectiveProblem &p, Steps *steps) {
  if (p.nodes == 1)
    return timeOf(
        model,
        LocalCollective{p.kind, static_cast<double>(p.bytes), p.worldSize},
        steps);
  const auto &set = model.coefficients().collectives;
  if (!set || !set->network)
    return fail("no network between " + std::to_string(p.nodes) +
                " nodes; state it with --network=GB/s:us");
  LocalTime sum{timeBetween(*set->network, p, steps),
                /*isMeasured=*/false};
  for (const LocalCollective &stage : stagesInside(p)) {
    auto local = timeOf(model, stage, steps);
    if (!local)
      return fail(local.error());
    sum.time += local->time;
    if (steps && local->time > Seconds(0))
      steps->equation("stages (N6)", "x = x + tn = {}", {sum.time});
  }
  return sum;
}

static Expected<void> check(const CollectiveProblem &p) {
  if (p.bytes < 0 || p.worldSize < 1)
    return fail("expected a collective of at least one GPU and 0 bytes");
  if (p.nodes < 1 || p.groups < 1 || p.worldSize % p.nodes)
    return fail("expected a collective with equally many GPUs in each node");
  return {};
}

static Expected<Tiling> tileCollective(const CostModel &model,
                                       const KernelWork &work,
                                       const KernelQuery &) {
  const CollectiveProblem &p = work.as<CollectiveProblem>();
  if (auto valid = check(p); !valid)
    return fail(valid.error());
  if (auto time = timeOf(model, p, nullptr); !time)
    return fail(time.error());
  return Tiling();
}

static Expected<LaunchTerms> collectiveTerms(const CostModel &model,
                                             const KernelWork &work,
                                             const Tiling &,
                                             const KernelQuery &query) {
  const CollectiveProblem &p = work.as<CollectiveProblem>();
  if (auto valid = check(p); !valid)
    return fail(valid.error());
  auto time = timeOf(model, p, query.steps);
  if (!time)
    return fail(time.error());
  LaunchTerms t;
  t.fixed = time->time;
  t.fixedBound = Bound::Network;
  t.inCalibratedDomain = time->isMeasured;
  t.groups = groupSet(CoefficientGroup::collectives);
  // (N2) A GPU reads what it sends and writes what it receives, also in stages.
  t.events.dramBytes =
      2 * volumeOf({p.kind, static_cast<double>(p.bytes), p.worldSize});
  if (query.steps)
    query.steps->equation("fixed time (N1)",
                          p.nodes > 1            ? "fixed = x = {}"
                          : t.fixed > Seconds(0) ? "fixed = tn = {}"
                                                 : "fixed = {}",
                          {t.fixed});
  return t;
}

namespace gpucost::kernels {
extern const KernelModel collective;
const KernelModel collective = {tileCollective, collectiveTerms};
} // namespace gpucost::kernels
