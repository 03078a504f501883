//===- Details.cpp - Details of an iteration ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/Details.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <map>

using namespace gpucost;

namespace {

class DetailsBuilder {
public:
  DetailsBuilder(const PlacedModel &placed, const IterationReport &report)
      : placed(placed), model(placed.model()), prepared(placed.prepared()),
        report(report),
        slow(model.gpu().maxClock.value() / report.clock.value()) {}

  IterationDetails build();

private:
  void addRoofs();
  KernelDetails detailsOf(size_t work);
  void addTime(const LaunchTerms &terms, TimeTerms &time) const;
  void addEnergy(const KernelEvents &events, Seconds time,
                 EnergyParts &energy) const;
  /// The coefficient groups that the terms of `work` depend on.
  std::vector<uint32_t> groupsOf(size_t work);
  void addLaunches();

  const PlacedModel &placed;
  const CostModel &model;
  const PreparedModel &prepared;
  const IterationReport &report;
  double slow; ///< maximum clock divided by the clock of the iteration
  std::map<std::string, uint32_t> groups;
  IterationDetails details;
};

} // namespace

std::vector<uint32_t> DetailsBuilder::groupsOf(size_t work) {
  std::vector<uint32_t> found;
  // Every kernel depends on the power group and on the groups of its terms.
  GroupSet used =
      placed.launchTerms(work).groups | groupSet(CoefficientGroup::power);
  size_t index = 0;
  forEachGroup(model.coefficients(), [&](const GroupInfo &info,
                                         const auto &group) {
    if (!used.test(index++) || !group)
      return;
    using Group = typename std::decay_t<decltype(group)>::value_type;
    auto [it, isNew] =
        groups.try_emplace(std::string(info.name),
                           static_cast<uint32_t>(details.coefficients.size()));
    if (isNew)
      details.coefficients.push_back(
          {std::string(info.name), std::string(RecordTraits<Group>::summary),
           group->provenance, group->transferredFrom});
    found.push_back(it->second);
  });
  return found;
}

void DetailsBuilder::addRoofs() {
  const Gpu &gpu = model.gpu();
  details.idlePower = model.idlePower(report.clock);
  details.smCount = gpu.smCount;
  std::vector<NumericFormat> formats = {report.matrixFormat};
  for (const KernelRow &row : report.kernels)
    if (row.matrixFlops > 0)
      formats.push_back(row.format);
  formats.push_back(NumericFormat::FP32);
  for (auto it = formats.begin(); it != formats.end(); ++it)
    if (std::find(formats.begin(), it, *it) == it &&
        gpu.peak(*it) > FlopsPerSecond(0))
      details.peaks.emplace_back(std::string(stringifyNumericFormat(*it)),
                                 gpu.peak(*it) * (1 / slow));
  auto addL2 = [&](const char *name, const auto &group) {
    if (group)
      details.l2Bandwidths.emplace_back(
          name, BytesPerSecond(group->l2BytesPerClock *
                               static_cast<double>(gpu.smCount) *
                               report.clock.value()));
  };
  if (report.matrixFormat == NumericFormat::FP32)
    addL2("simt_linear", model.coefficients().simtLinear);
  else
    addL2("tensor_gemm", model.coefficients().tensorGemm);
}

/// (W1)
void DetailsBuilder::addTime(const LaunchTerms &terms, TimeTerms &time) const {
  time.compute = terms.compute * slow;
  time.l2 = terms.l2 * slow;
  time.issue = terms.issue * slow;
  time.rows = terms.rows * slow;
  time.dram = terms.dram;
  time.powerRoof = terms.powerRoof;
  time.norm = terms.norm;
  time.exposed =
      std::max(terms.exposedL2 * slow, terms.exposedDram) +
      std::min(std::max(time.compute, time.l2), time.dram) * terms.exposedShare;
  time.serial = terms.serialIssue * slow + terms.serialDram;
  time.fixed = terms.fixed;
}

/// The energy (P5) is linear in the events, so each event is evaluated
/// separately.
void DetailsBuilder::addEnergy(const KernelEvents &events, Seconds time,
                               EnergyParts &energy) const {
  auto energyOf = [&](double KernelEvents::*event) {
    KernelEvents alone;
    alone.*event = events.*event;
    return model.dynamicEnergy(alone, Seconds(0), report.clock);
  };
  energy.idle = details.idlePower * time;
  energy.tensor = energyOf(&KernelEvents::tensorFlops) +
                  energyOf(&KernelEvents::paddedFlops);
  energy.fp32 = energyOf(&KernelEvents::fp32Flops);
  energy.instructions = energyOf(&KernelEvents::instructions);
  energy.l2 = energyOf(&KernelEvents::l2Bytes);
  energy.dram = energyOf(&KernelEvents::dramBytes);
  energy.smCycles = model.dynamicEnergy(KernelEvents(), time, report.clock);
}

KernelDetails DetailsBuilder::detailsOf(size_t work) {
  KernelDetails kernel;
  const KernelEvents &events = placed.eventsOf(work);
  kernel.dramBytes = events.dramBytes;
  kernel.l2Bytes = events.l2Bytes;
  const LaunchTerms &terms = placed.launchTerms(work);
  addTime(terms, kernel.time);
  addEnergy(events, timeAt(terms, 1 / slow), kernel.energy);
  kernel.coefficients = groupsOf(work);
  Steps steps;
  placed.explainTerms(work, steps);
  for (const Step &step : steps.lines())
    kernel.equations.push_back((step.name.empty() ? "" : step.name + ": ") +
                               step.text);
  return kernel;
}

void DetailsBuilder::addLaunches() {
  details.nodes = prepared.nodes;
  details.nodeWeights = prepared.nodeWeights;
  if (details.nodes.empty()) {
    details.nodes.emplace_back();
    details.nodeWeights.emplace_back();
  }
  std::vector<uint32_t> rowOf(prepared.kinds.size());
  for (size_t i = 0; i < report.kernels.size(); ++i)
    rowOf[report.kernels[i].kind] = static_cast<uint32_t>(i);
  LiveBytes live(prepared.memory.trace);
  for (const Launch &launch : prepared.launches) {
    LaunchSite site{rowOf[launch.kind], launch.node, launch.count, -1};
    live.follow(launch.memoryEvents);
    if (launch.memoryEvents > 0)
      site.liveBytes = live.now();
    details.launches.push_back(site);
  }
}

IterationDetails DetailsBuilder::build() {
  addRoofs();
  for (const KernelRow &row : report.kernels)
    details.kernels.push_back(detailsOf(prepared.kinds[row.kind].work));
  addLaunches();
  return std::move(details);
}

IterationDetails gpucost::explainIteration(const PlacedModel &placed,
                                           const IterationReport &report) {
  return DetailsBuilder(placed, report).build();
}
