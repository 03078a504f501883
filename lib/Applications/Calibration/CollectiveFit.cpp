//===- CollectiveFit.cpp - Coefficients of links and networks -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CollectiveFit.h"
#include "MapFit.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <map>

using namespace gpucost;
using namespace gpucost::calibration;

// Priors: links of one kind differ more between machines than kernels do.
static constexpr double baseDeviation = 0.7, rootDeviation = 1.5,
                        bandwidthDeviation = 0.5, reachDeviation = 0.5,
                        hopDeviation = 1;
/// Where a fit lacks the term: an NCCL kernel's least latency, and 1 us for a
/// message of 1 MB.
static constexpr double usualBase = 5e-6, usualRoot = 1e-9;

/// The fit of `gpus` GPUs alone, made from the one that applies to them.
static CollectiveFit &ownFit(Coefficients &c, CollectiveKind kind,
                             int64_t gpus) {
  CollectiveCoefficients &set = *c.collectives;
  const CollectiveFit &shared = *findCollectiveFit(set, kind, gpus);
  for (CollectiveFit &fit : set.fits)
    if (fit.kind == kind && fit.worldSize == gpus && fit.above == shared.above)
      return fit;
  CollectiveFit own = shared;
  own.worldSize = gpus;
  if (shared.worldSize == 0) {
    double steps = static_cast<double>(gpus - 1) *
                   (kind == CollectiveKind::AllReduce ? 2 : 1);
    own.base = shared.base + shared.step * steps;
  }
  own.step = Seconds(0);
  own.bandwidth = BytesPerSecond(shared.bandwidth.value() *
                                 (1 - shared.ramp / static_cast<double>(gpus)));
  own.ramp = 0;
  if (own.base <= Seconds(0))
    own.base = Seconds(usualBase);
  if (own.root <= decltype(own.root)(0))
    own.root = decltype(own.root)(usualRoot);
  set.fits.push_back(own);
  return set.fits.back();
}

static LinkFit insideNode(CollectiveKind kind, int64_t gpus) {
  LinkFit result;
  result.group = "collectives";
  result.part =
      llvm::formatv("{0} {1} GPUs", stringifyCollectiveKind(kind), gpus);
  result.prepare = [=](Coefficients &c) { ownFit(c, kind, gpus); };
  auto add = [&](auto CollectiveFit::*member, llvm::StringRef name,
                 ParameterKind type, double deviation, double low, double high,
                 double perUnit) {
    using Value = std::decay_t<decltype(CollectiveFit().*member)>;
    result.names.push_back(llvm::formatv(
        "{0}.{1}.{2}", stringifyCollectiveKind(kind), gpus, name));
    Parameter parameter{
        "collectives", result.names.back(), type, deviation, low, high};
    parameter.move = [=](Coefficients &c, double value) {
      ownFit(c, kind, gpus).*member = Value(value);
    };
    parameter.read = [=](const Coefficients &c) {
      Coefficients copy = c;
      return (ownFit(copy, kind, gpus).*member).value();
    };
    parameter.perUnit = perUnit;
    result.parameters.push_back(std::move(parameter));
  };
  add(&CollectiveFit::base, "base", ParameterKind::Shape, baseDeviation, 1e-7,
      1e-2, 1e6);
  add(&CollectiveFit::root, "root", ParameterKind::Shape, rootDeviation, 1e-13,
      1e-6, 1e6);
  add(&CollectiveFit::bandwidth, "bandwidth", ParameterKind::Physical,
      bandwidthDeviation, 1e7, 1e13, 1e-9);
  return result;
}

static LinkFit betweenNodes(const Network &network) {
  LinkFit result;
  result.group = result.part = "network";
  result.parameters.push_back(
      {"network", "reach", ParameterKind::Physical, reachDeviation, 0.01, 1});
  if (!network.latency)
    result.parameters.push_back(
        {"network", "hop", ParameterKind::Shape, hopDeviation, 1e-7, 1e-2});
  return result;
}

/// Why the coefficients cannot predict `p`; empty if they can.
static std::string faultOf(const CollectiveProblem &p, const Coefficients &c) {
  if (!c.collectives ||
      !findCollectiveFit(*c.collectives, p.kind, p.worldSize / p.nodes))
    return llvm::formatv("no coefficients of links for '{0}'; state them with "
                         "--coefficients",
                         stringifyCollectiveKind(p.kind));
  if (p.nodes == 1)
    return "";
  if (!c.collectives->network || !c.network)
    return "collectives between nodes need --network=NAME or FILE";
  int64_t most = c.collectives->network->gpus;
  if (p.worldSize / p.nodes > most)
    return llvm::formatv("{0} GPUs on a host, but {1} in a node of the network",
                         p.worldSize / p.nodes, most);
  return "";
}

std::vector<LinkFit>
calibration::linkFits(const CostModel &prior,
                      llvm::ArrayRef<TimedKernel> collectives,
                      std::vector<std::string> &skipped) {
  const Coefficients &c = prior.coefficients();
  std::map<std::pair<CollectiveKind, int64_t>, LinkFit> inside;
  std::optional<LinkFit> between;
  for (const TimedKernel &row : collectives) {
    const auto &p = row.work.as<CollectiveProblem>();
    if (std::string fault = faultOf(p, c); !fault.empty()) {
      skipped.push_back(fault);
      continue;
    }
    if (p.nodes > 1) {
      if (!between)
        between = betweenNodes(*c.collectives->network);
      between->rows.push_back(&row);
      continue;
    }
    auto found = inside.find({p.kind, p.worldSize});
    if (found == inside.end())
      found = inside
                  .emplace(std::pair(p.kind, p.worldSize),
                           insideNode(p.kind, p.worldSize))
                  .first;
    found->second.rows.push_back(&row);
  }
  std::vector<LinkFit> result;
  result.reserve(inside.size() + 1);
  for (auto &[key, part] : inside)
    result.push_back(std::move(part));
  if (between)
    result.push_back(std::move(*between));
  return result;
}

void calibration::setNetworkWidths(Coefficients &c,
                                   llvm::ArrayRef<const TimedKernel *> rows,
                                   llvm::ArrayRef<double> errors) {
  if (!c.network || !c.errorBars)
    return;
  for (KernelError &width : c.network->errors) {
    if (width.kind != ErrorClass::BetweenNodes)
      continue;
    std::vector<double> small, medium, large;
    for (auto [row, error] : llvm::zip_equal(rows, errors)) {
      Seconds predicted = row->time * std::exp(error);
      auto &region = predicted < c.errorBars->smallBelow    ? small
                     : predicted < c.errorBars->mediumBelow ? medium
                                                            : large;
      region.push_back(error);
    }
    auto set = [](double &half, const std::vector<double> &region) {
      half = halfWidthOf(region).value_or(half);
    };
    set(width.small, small);
    set(width.medium, medium);
    set(width.large, large);
  }
}
