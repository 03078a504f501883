//===- Collective.cpp - Communication between GPUs ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The time of a collective within a node is fitted to measurements: a latency
// per step, a square-root term for changes of protocol and for pipelining, and
// a bandwidth. Collectives across nodes are hierarchical: stages within each
// node, and one between nodes with the latency and bandwidth of the network,
// by the fastest of several algorithms. Times do not depend on the clock.

#include "NodeNetwork.h"
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

/// The fits of large domains replace the others there.
static int64_t largestLimit(const CollectiveCoefficients &set,
                            CollectiveKind kind, int64_t gpus) {
  int64_t limit = 0;
  for (const CollectiveFit &fit : set.fits)
    if (fit.kind == kind && fit.above < gpus)
      limit = std::max(limit, fit.above);
  return limit;
}

const CollectiveFit *
gpucost::findCollectiveFit(const CollectiveCoefficients &set,
                           CollectiveKind kind, int64_t gpus) {
  const CollectiveFit *any = nullptr, *nearest = nullptr;
  int64_t limit = largestLimit(set, kind, gpus);
  for (const CollectiveFit &fit : set.fits) {
    if (fit.kind != kind || fit.above != limit)
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
    const CollectiveFit *fit = findCollectiveFit(*set, kind, gpus);
    bool isOwn = fit && (fit->worldSize == 0 || fit->worldSize == gpus);
    if (!fit &&
        (kind == CollectiveKind::Broadcast || kind == CollectiveKind::SendRecv))
      fit = findCollectiveFit(*set, CollectiveKind::AllGather, gpus);
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
  case CollectiveKind::ToHost:
  case CollectiveKind::FromHost:
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

/// (N6) The share of the rows of an all-to-all that cross between nodes: a
/// token has one row for each node among those of its choices.
static double crossingRows(const CollectiveProblem &p, Steps *steps) {
  if (p.choices == 0)
    return 1;
  auto nodes = static_cast<double>(p.nodes);
  auto choices = static_cast<double>(p.choices);
  ReachedNodes reached(p);
  double share = reached.count / choices;
  if (steps)
    steps->equation("between nodes (N6)",
                    "once = min({}*(1 - (1 - 1/{})^{}), {})/{} = {}",
                    {nodes, nodes, choices, reached.limit, choices, share});
  return share;
}

namespace {
/// (N6) The stage between nodes: each GPU exchanges its part with the GPUs at
/// the same position in the other nodes; all GPUs of a node do so at once.
class BetweenNodes {
public:
  BetweenNodes(const Network &network, const NetworkCoefficients &fit,
               const CollectiveProblem &problem, Steps *steps)
      : network(network), fit(fit), p(problem), steps(steps),
        nodes(static_cast<double>(p.nodes)),
        local(static_cast<double>(p.worldSize / p.nodes)),
        bytes(static_cast<double>(p.bytes)), others((nodes - 1) / nodes),
        hop(network.latency.value_or(fit.hop)), bandwidth(bandwidthOf()) {}

  Seconds time();

private:
  BytesPerSecond bandwidthOf();
  Seconds send(double hops, double sent, const char *text);
  Seconds chain(double times);
  Seconds tree(double times);
  Seconds fastest(Seconds ring, Seconds other);

  const Network &network;
  const NetworkCoefficients &fit;
  const CollectiveProblem &p;
  Steps *steps;
  double nodes, local, bytes, others;
  Seconds hop;
  /// That the GPUs of this collective and of those at the same time get.
  BytesPerSecond bandwidth;
};
} // namespace

BytesPerSecond BetweenNodes::bandwidthOf() {
  if (network.name.empty())
    return network.bandwidth;
  double used = usedAdapters(network, local * static_cast<double>(p.groups));
  BytesPerSecond result(used * network.bandwidth.value() * fit.reach /
                        network.oversubscription);
  if (steps)
    steps->equation(
        "bandwidth of a node (N6)", "Bn = {}*{}*{}/{} = {}",
        {used, network.bandwidth, fit.reach, network.oversubscription, result});
  return result;
}

/// `sent`: bytes that leave a node for this collective; `text`: their formula.
Seconds BetweenNodes::send(double hops, double sent, const char *text) {
  Seconds time = hop * hops + Seconds(sent * static_cast<double>(p.groups) /
                                      bandwidth.value());
  if (steps)
    steps->equation("between nodes (N6)",
                    "W = " + std::string(text) +
                        " = {} bytes; x = {}*{} + W*{}/{} = {}",
                    {sent, hops, hop, p.groups, bandwidth, time});
  return time;
}

Seconds BetweenNodes::chain(double times) {
  return send(times * (nodes - 1), times * bytes * others,
              times > 1 ? "2*bytes*others" : "bytes*others");
}

Seconds BetweenNodes::tree(double times) {
  return send(fit.treeLevel * std::ceil(std::log2(nodes)) + fit.treeStart,
              times * bytes, times > 1 ? "2*bytes" : "bytes");
}

Seconds BetweenNodes::fastest(Seconds ring, Seconds other) {
  Seconds time = std::min(ring, other);
  if (steps)
    steps->equation("between nodes (N6)", "x = min({}, {}) = {}",
                    {ring, other, time});
  return time;
}

Seconds BetweenNodes::time() {
  if (steps)
    steps->equation("between nodes (N6)",
                    "bytes = {}; local = {}/{} = {}; others = ({} - 1)/{} = {}",
                    {bytes, p.worldSize, p.nodes, local, nodes, nodes, others});
  switch (p.kind) {
  case CollectiveKind::AllReduce: {
    Seconds ring = chain(2);
    Seconds time = fastest(ring, tree(2));
    // Up to the switches and back down.
    return network.inNetworkReduction ? fastest(time, send(2, bytes, "bytes"))
                                      : time;
  }
  case CollectiveKind::AllGather:
  case CollectiveKind::ReduceScatter: {
    Seconds ring = chain(1);
    return fit.gatherTrees ? fastest(ring, tree(1)) : ring;
  }
  case CollectiveKind::AllToAll: {
    double once = crossingRows(p, steps);
    return send(nodes - 1, bytes * others * local * once,
                p.choices > 0 ? "bytes*others*local*once"
                              : "bytes*others*local");
  }
  case CollectiveKind::Broadcast:
    return send(nodes - 1, bytes, "bytes");
  case CollectiveKind::SendRecv:
    return send(1, bytes * local, "bytes*local");
  case CollectiveKind::ToHost:
  case CollectiveKind::FromHost:
    break;
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
  case CollectiveKind::AllToAll:
    // The part that stays in the node; rows that crossed once are copied there.
    return {{p.kind,
             p.choices > 0 ? bytes : bytes / static_cast<double>(p.nodes),
             gpus}};
  case CollectiveKind::SendRecv: // no part within the node
  case CollectiveKind::ToHost:
  case CollectiveKind::FromHost:
    return {};
  }
  return {};
}

/// (N6) The longer stage, and the part of the shorter one that it does not
/// hide.
static Seconds joinStages(Seconds between, Seconds inside, double serial,
                          Steps *steps) {
  Seconds time = std::max(between, inside) + std::min(between, inside) * serial;
  if (steps && inside > Seconds(0))
    steps->equation("stages (N6)", "x = max({}, {}) + {}*min({}, {}) = {}",
                    {between, inside, serial, between, inside, time});
  return time;
}

static Expected<LocalTime> timeOf(const CostModel &model,
                                  const CollectiveProblem &p, Steps *steps) {
  // (B13) The link to the host is a setting of the model.
  if (isHostCopy(p.kind))
    return LocalTime{Seconds(0), /*isMeasured=*/false};
  if (p.nodes == 1)
    return timeOf(
        model,
        LocalCollective{p.kind, static_cast<double>(p.bytes), p.worldSize},
        steps);
  auto network = networkOf(model, p.nodes);
  if (!network)
    return fail(network.error());
  // A stated bandwidth is what messages get.
  NetworkCoefficients fit;
  if (!(*network)->name.empty()) {
    if (!model.coefficients().network)
      return fail("'" + model.gpu().name +
                  "' has no coefficients for named networks");
    fit = *model.coefficients().network;
  }
  Seconds between = BetweenNodes(**network, fit, p, steps).time();
  Seconds inside(0);
  for (const LocalCollective &stage : stagesInside(p)) {
    auto local = timeOf(model, stage, steps);
    if (!local)
      return fail(local.error());
    inside += local->time;
  }
  return LocalTime{joinStages(between, inside, fit.serial, steps),
                   /*isMeasured=*/false};
}

static Expected<void> check(const CollectiveProblem &p) {
  if (p.bytes < 0 || p.worldSize < 1)
    return fail("expected a collective of at least one GPU and 0 bytes");
  if (p.nodes < 1 || p.groups < 1 || p.worldSize % p.nodes)
    return fail("expected a collective with equally many GPUs in each node");
  if (p.choices < 0 || p.nodeLimit < 0)
    return fail("expected 'choices' and 'node_limit' of at least 0");
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
  if (const auto &set = model.coefficients().collectives;
      p.nodes > 1 && set->network && !set->network->name.empty())
    t.groups |= groupSet(CoefficientGroup::network);
  // (N2) A GPU reads what it sends and writes what it receives, also in stages.
  t.events.dramBytes =
      isHostCopy(p.kind)
          ? static_cast<double>(p.bytes)
          : 2 * volumeOf({p.kind, static_cast<double>(p.bytes), p.worldSize});
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
