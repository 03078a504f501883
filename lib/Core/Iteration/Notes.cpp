//===- Notes.cpp - Notes on a placed model --------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/PlacedModel.h"
#include "gpucost/Core/Model/AllReduce.h"
#include "gpucost/Core/Model/ErrorBars.h"
#include "gpucost/Core/Model/ExpertExchange.h"
#include "gpucost/Core/Model/ServingKernels.h"
#include "gpucost/Core/Scenario/PipelineLayout.h"
#include "gpucost/Core/Support/QuantityText.h"
#include "gpucost/Core/Vocabulary/Vendors.h"
#include <algorithm>
#include <cmath>
#include <set>

using namespace gpucost;

namespace {

/// Collects notes; each method adds those of one kind.
class NoteBuilder {
public:
  NoteBuilder(const PlacedModel &placed, const IterationTotals &totals,
              const Settings &settings)
      : placed(placed), prepared(placed.prepared()), totals(totals),
        settings(settings) {}

  void addKernels();
  void addWaits();
  void addRun();
  void addVoltage();
  void addDomain();
  void addLinks();
  void addNetwork();
  void addPipeline();

  std::vector<std::string> notes;

private:
  void add(std::string note) {
    if (!note.empty())
      notes.push_back(std::move(note));
  }
  /// Whether some kernel of fused attention is `kind`.
  template <typename Predicate> bool hasAttention(Predicate kind) const {
    return std::any_of(prepared.works.begin(), prepared.works.end(),
                       [&](const KernelWork &work) {
                         const auto *p = work.getIf<AttentionProblem>();
                         return p && kind(work, *p);
                       });
  }
  /// (A15) Adds whose kernels run attention with keys and values in 8 bits.
  void addEightBitAttention() {
    std::set<std::string> found;
    for (const KernelWork &work : prepared.works)
      if (work.is<AttentionProblem>())
        if (const AttentionStack *kernels =
                findEightBitAttention(placed.model().coefficients(), work))
          found.insert(describeEightBit(*kernels, work, settings.software,
                                        placed.model().gpu().name));
    for (const std::string &note : found)
      add(note);
  }
  /// Adds whose kernels run expert layers and latent attention.
  void addServingKernels() {
    std::set<std::string> found;
    for (const KernelWork &work : prepared.works)
      found.insert(describeServingKernel(placed.model(), work));
    for (const std::string &note : found)
      add(note);
  }
  /// Whether some matmul has the numbers of `kernels`.
  bool hasMatmul(const LowPrecisionGemm &kernels) const {
    const Coefficients &all = placed.model().coefficients();
    return std::any_of(prepared.works.begin(), prepared.works.end(),
                       [&](const KernelWork &work) {
                         return work.is<MatmulProblem>() &&
                                findLowPrecision(all, work.format) == &kernels;
                       });
  }

  const PlacedModel &placed;
  const PreparedModel &prepared;
  const IterationTotals &totals;
  const Settings &settings;
};

} // namespace

void NoteBuilder::addKernels() {
  std::set<std::string> ofKernels;
  for (size_t i = 0; i < prepared.works.size(); ++i)
    if (const std::string &note = placed.kernel(i).note;
        ofKernels.insert(note).second)
      add(note);
}

void NoteBuilder::addWaits() {
  int64_t waits = 0;
  for (const Launch &launch : prepared.launches)
    if (launch.synchronizes)
      addSaturating(waits, launch.count, 1);
  if (waits > 0)
    add(settings.runtime == Runtime::CudaGraph
            ? inWordsOf(vendorOf(placed.model().gpu().architecture),
                        "data-dependent sizes: a CUDA graph cannot contain "
                        "such ops; waits for them are not modelled")
            : "the host waits " +
                  (waits == 1 ? "once" : std::to_string(waits) + " times") +
                  " for sizes or checks that the GPU computes");
}

void NoteBuilder::addRun() {
  add(placed.model().describeClock(settings.clock));
  // A limit that is not kept is evaluated, with a note.
  add(placed.describeBrokenLimit(settings, totals));
  addVoltage();
  if (settings.changes)
    add("hypothetical GPU (" + *settings.changes +
        "): outside the calibrated domain, no intervals");
  add(placed.describeStepGap(settings));
  if (settings.runtime != Runtime::CudaGraph && !settings.hostLaunch)
    add("host launch cost assumes a current server; set "
        "--host-launch-us for yours");
}

/// (P3) Lower voltages were not measured on all GPUs.
void NoteBuilder::addVoltage() {
  constexpr double negligible = 0.01, percent = 100;
  double deviation = placed.model().voltageDeviation(totals.point.clock);
  if (deviation < negligible)
    return;
  add("voltage at " +
      std::to_string(std::llround(totals.point.clock.value() * 1e-6)) +
      " MHz is inferred from idle power and loads, +-" +
      std::to_string(std::llround(percent * deviation)) +
      " %: it widens power and energy");
}

void NoteBuilder::addDomain() {
  const Gpu &gpu = placed.model().gpu();
  if (std::string transferred = describeTransferred(
          placed.model().coefficients(), prepared.format, placed.groups());
      !transferred.empty())
    add("outside the calibrated domain: " + transferred);
  // (D6) Software whose attention kernels were not measured.
  if (settings.software != Software::PyTorch) {
    const AttentionOrigin &origin = placed.model().attentionOrigin();
    auto addOrigin = [&](std::string_view kernels, bool decode, bool causal,
                         std::optional<Software> from) {
      if (hasAttention([&](const KernelWork &work, const AttentionProblem &p) {
            return !p.backward &&
                   runsDecodeKernel(placed.model(), work) == decode &&
                   (decode || p.causal == causal) &&
                   !findEightBitAttention(placed.model().coefficients(),
                                          work) &&
                   !findLatentKernel(placed.model(), work).stack;
          }))
        add(describeStandIn(kernels, settings.software, from, gpu.name));
    };
    addOrigin("attention kernels for one new token", true, true, origin.decode);
    addOrigin("attention kernels for a prompt", false, true, origin.causal);
    addOrigin("attention kernels without a mask", false, false, origin.full);
  }
  // (G15) Software whose matmuls in 8 and 4 bits were not measured.
  for (const LowPrecisionGemm &kernels :
       placed.model().coefficients().lowPrecision)
    if (hasMatmul(kernels))
      add(describeLowPrecision(kernels, settings.software, gpu.name));
  addEightBitAttention();
  addServingKernels();
  if (!gpu.runsFlashAttention() &&
      hasAttention(
          [](const KernelWork &, const AttentionProblem &) { return true; }))
    add("outside the calibrated domain: fused attention, timed as "
        "FlashAttention 2, which does not run on " +
        gpu.name + "; frameworks use a different fused kernel there");
}

/// "nvlink4", "pcie4".
static std::string describeInterconnect(const Gpu &gpu) {
  if (!gpu.interconnect)
    return "unknown link";
  return std::string(stringifyInterconnectKind(gpu.interconnect->kind)) +
         std::to_string(gpu.interconnect->generation);
}

/// (N5) The assumed links and the source of their measurements.
void NoteBuilder::addLinks() {
  const auto &links = placed.model().coefficients().collectives;
  // Only iterations on several GPUs use this set.
  bool used = links && settings.gpus > 1;
  if (used)
    add("interconnect: " +
        (settings.interconnect
             ? *settings.interconnect
             : describeInterconnect(placed.model().gpu()) + " of the target") +
        "; collectives: " +
        links->provenance.substr(0, links->provenance.find(';')));
  addNetwork();
  if (used && !links->transferredFrom.empty())
    add("outside the calibrated domain: collectives from " +
        links->transferredFrom);
  if (used && std::any_of(prepared.works.begin(), prepared.works.end(),
                          isAllReduceOfNode))
    add(describeAllReduce(placed.model()));
  if (used && std::any_of(prepared.works.begin(), prepared.works.end(),
                          isExpertExchange))
    add(describeExchange(placed.model()));
}

/// "8 GPUs and 8 x 50 GBps per node", "400 GBps of a node and 5 us a hop".
static std::string describeNetwork(const Network &network) {
  if (network.name.empty())
    return toText(network.bandwidth) + " of a node and " +
           toText(network.latency.value_or(Seconds(0))) +
           " a hop, as --network states";
  return network.name + ", " + std::to_string(network.gpus) + " GPUs and " +
         std::to_string(network.adapters) + " x " + toText(network.bandwidth) +
         " per node";
}

/// (N6) Collectives between nodes are not calibrated.
void NoteBuilder::addNetwork() {
  const auto &links = placed.model().coefficients().collectives;
  if (!links || !links->network)
    return;
  const Gpu &gpu = placed.model().gpu();
  int64_t held = links->network->gpus;
  if (held > gpu.gpusPerNode.value_or(held))
    add("nodes of " + std::to_string(held) + " GPUs, but those of " + gpu.name +
        " have " + std::to_string(*gpu.gpusPerNode) +
        ": collectives of more GPUs are those of " + links->network->name);
  std::string stated = "network: " + describeNetwork(*links->network) + "; ";
  if (settings.nodes == 1)
    return add(stated + "not used on one node");
  bool isNamed = !links->network->name.empty();
  add(stated + "collectives between " + std::to_string(settings.nodes) +
      " nodes follow from " +
      (isNamed ? "its facts, uncalibrated" : "them, stage after stage"));
  add(std::string(
          "outside the calibrated domain: collectives between nodes (") +
      (isNamed ? "few measurements, wide intervals)" : "no measurements)"));
}

/// (X15) Which GPU the numbers describe.
void NoteBuilder::addPipeline() {
  if (settings.plan().pipeline == 1)
    return;
  if (!prepared.pipeline)
    return add("one stage of a pipeline, " +
               std::to_string(settings.selectStage.value_or(0)) + " of 0 to " +
               std::to_string(layoutOf(settings).stages() - 1) +
               ", without waiting for the others; numbers of all GPUs and per "
               "sample assume that all stages are equal");
  add("pipeline: time, energy and memory are those of all ranks; kernels, "
      "phases, work and communication are those of stage " +
      std::to_string(prepared.pipeline->reported) + " of 0 to " +
      std::to_string(layoutOf(settings).stages() - 1) +
      ", which has the most matrix work");
  add("outside the calibrated domain: pipelines (no measurements of the "
      "schedule, its transfers and its memory)");
}

std::vector<std::string>
PlacedModel::notes(const Settings &settings,
                   const IterationTotals &totals) const {
  NoteBuilder builder(*this, totals, settings);
  builder.addKernels();
  builder.addWaits();
  builder.addRun();
  builder.addDomain();
  builder.addLinks();
  builder.addPipeline();
  return std::move(builder.notes);
}
