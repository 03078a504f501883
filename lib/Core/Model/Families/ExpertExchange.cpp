//===- ExpertExchange.cpp - Exchanges between GPUs of experts (N13)-(N15) -===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/ExpertExchange.h"
#include "NodeNetwork.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Model/ServingKernels.h"
#include "gpucost/Core/Model/Steps.h"
#include "gpucost/Core/Support/Text.h"
#include <cmath>

using namespace gpucost;

/// Nodes of the largest exchange that was measured.
static constexpr int64_t mostMeasuredNodes = 8;

bool gpucost::isExpertExchange(const KernelWork &work) {
  const auto *p = work.getIf<CollectiveProblem>();
  return p && p->exchange != ExpertExchange::None && p->worldSize > 1 &&
         p->bytes >= 0;
}

std::string gpucost::describeExchange(const CostModel &model) {
  const ExchangeStack *stack = findExchange(model, /*tokens=*/1);
  if (!stack)
    return "";
  std::string from = concat("exchanges of experts: kernels of ",
                            stringifySoftware(stack->software));
  return isMeasuredStack(*stack, model)
             ? from
             : concat(from, " as measured on ", stack->gpu);
}

namespace {
/// Rows that a GPU sends for each of its tokens, per GPU.
struct Rows {
  double between = 0; ///< to other nodes
  double inside = 0;  ///< over the links of its node
};
} // namespace

static Rows countRows(const CollectiveProblem &p, ExchangeMode mode,
                      Steps *steps) {
  auto gpus = static_cast<double>(p.worldSize);
  auto nodes = static_cast<double>(p.nodes);
  auto choices = static_cast<double>(p.choices);
  double local = gpus / nodes;
  Rows rows;
  if (mode == ExchangeMode::LowLatency) {
    rows.between = choices * (nodes - 1) / nodes;
    rows.inside = choices * (local - 1) / gpus;
    if (steps)
      steps->equation("rows of a token (N14)",
                      "wn = {}*({} - 1)/{} = {}; wl = {}*({} - 1)/{} = {}",
                      {choices, nodes, nodes, rows.between, choices, local,
                       gpus, rows.inside});
    return rows;
  }
  ReachedNodes reached(p);
  rows.between = reached.count * (nodes - 1) / nodes;
  rows.inside = distinct(gpus, choices) * (local - 1) / local;
  if (steps)
    steps->equation("rows of a token (N13)",
                    "wn = min({}*(1 - (1 - 1/{})^{}), {})*({} - 1)/{} = {}; wl "
                    "= {}*(1 - (1 - 1/{})^{})*({} - 1)/{} = {}",
                    {nodes, nodes, choices, reached.limit, nodes, nodes,
                     rows.between, gpus, gpus, choices, local, local,
                     rows.inside});
  return rows;
}

/// What one GPU gets of the line rate.
static BytesPerSecond rateOf(const Network &network,
                             const CollectiveProblem &p) {
  double gpus = static_cast<double>(p.worldSize) /
                static_cast<double>(p.nodes) * static_cast<double>(p.groups);
  double used = network.name.empty() ? 1 : usedAdapters(network, gpus);
  return BytesPerSecond(used * network.bandwidth.value() /
                        network.oversubscription / gpus);
}

static Expected<LaunchTerms> exchangeTerms(const CostModel &model,
                                           const KernelWork &work,
                                           const Tiling &,
                                           const KernelQuery &query) {
  const auto &p = work.as<CollectiveProblem>();
  const ExchangeStack *stack = findExchange(model, p.tokens);
  if (!stack || !model.gpu().interconnect)
    return missingGroup(model, "expert_exchange");
  if (p.worldSize < 1 || p.nodes < 1 || p.worldSize % p.nodes ||
      p.choices < 1 || p.groups < 1)
    return fail("expected an exchange with equally many GPUs in each node and "
                "'choices' of at least 1");
  const ExchangeFit &c =
      p.exchange == ExpertExchange::Dispatch ? stack->dispatch : stack->combine;
  Rows rows = countRows(p, stack->mode, query.steps);
  // A message has a row for each choice.
  auto tokens = static_cast<double>(p.tokens);
  double bytes = static_cast<double>(p.bytes) / static_cast<double>(p.choices);
  // Links state both directions.
  double link = model.gpu().interconnect->bandwidth.value() / 2;
  Seconds inside = Seconds(rows.inside * bytes / (link * c.linkEfficiency)) +
                   c.row * (tokens * rows.inside);
  Seconds base = c.base, between(0);
  BytesPerSecond line;
  if (p.nodes > 1) {
    auto network = networkOf(model, p.nodes);
    if (!network)
      return fail(network.error());
    line = rateOf(**network, p);
    base += c.networkBase + c.hop * std::log2(static_cast<double>(p.nodes));
    between =
        Seconds(rows.between * bytes / (line.value() * c.networkEfficiency));
  }
  LaunchTerms t;
  t.fixed = base + std::max(inside, between);
  t.fixedBound = Bound::Network;
  t.groups = groupSet(CoefficientGroup::expertExchange);
  t.inCalibratedDomain =
      isMeasuredStack(*stack, model) && p.nodes <= mostMeasuredNodes;
  // (N2) A GPU reads what it sends and writes what it receives.
  t.events.dramBytes = 2 * (rows.inside + rows.between) * bytes;
  if (query.steps) {
    query.steps->equation("over the links (N13)",
                          "B = {}/{}; xl = wl*B/({}/2*{}) + {}*{}*wl = {}",
                          {p.bytes, p.choices,
                           model.gpu().interconnect->bandwidth,
                           c.linkEfficiency, tokens, c.row, inside});
    if (p.nodes > 1)
      query.steps->equation("between nodes (N13)",
                            "xn = wn*B/({}*{}) = {}; a = {} + {} + {}*log2({}) "
                            "= {}",
                            {line, c.networkEfficiency, between, c.base,
                             c.networkBase, c.hop, p.nodes, base});
    query.steps->equation("fixed time (N13)", "fixed = {} + max({}, {}) = {}",
                          {base, inside, between, t.fixed});
  }
  return t;
}

namespace gpucost::kernels {
extern const KernelModel expertExchange;
const KernelModel expertExchange = {untiled, exchangeTerms};
GPUCOST_CONDITION(exchangeOfExperts,
                  "an exchange between GPUs of experts, on tensor cores and "
                  "links on which a stack was measured",
                  {
                    return isExpertExchange(work) &&
                           findExchange(model,
                                        work.as<CollectiveProblem>().tokens);
                  })
} // namespace gpucost::kernels
