//===- Evaluate.cpp - The report of a placed model ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Accuracy/MeasuredRows.h"
#include "gpucost/Core/Iteration/OperatingHint.h"
#include "gpucost/Core/Iteration/PlacedModel.h"
#include "gpucost/Core/Model/ErrorBars.h"
#include "gpucost/Core/Model/Software.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "gpucost/Core/Support/QuantityText.h"
#include "gpucost/Core/Vocabulary/Vendors.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace gpucost;

namespace {

/// Builds a report; the members are sums that all its parts share.
class ReportBuilder {
public:
  ReportBuilder(const PlacedModel &placed, const IterationTotals &totals,
                const Settings &settings, IterationReport &report)
      : placed(placed), prepared(placed.prepared()), totals(totals),
        settings(settings), report(report) {}

  void addSettings();
  void addTotals();
  void addMemory();
  void addKernels();
  void addPeak();
  void addNodes();
  void addCoverage();
  void addFractions();
  void addAccuracy();

private:
  KernelRow rowOf(const KernelKind &kind) const;

  const PlacedModel &placed;
  const PreparedModel &prepared;
  const IterationTotals &totals;
  const Settings &settings;
  IterationReport &report;
  /// Denominators of fractions, as real numbers because the integer counts of
  /// the report saturate.
  double busySeconds = 0, busyBytes = 0;
};

} // namespace

void ReportBuilder::addTotals() {
  const Gpu &gpu = placed.model().gpu();
  report.target = gpu.name;
  report.vendor = vendorOf(gpu.architecture);
  report.format = prepared.format;
  report.launches = placed.hostLaunches();
  report.dramBandwidth = gpu.dramBandwidth;
}

void ReportBuilder::addMemory() {
  const MemoryUse &memory = prepared.memory;
  const MemoryPlan &plan = placed.memoryPlan();
  report.parameterCount = memory.parameterCount;
  report.parameterBytes = memory.parameterBytes;
  report.activationBytes = memory.activationBytes;
  report.gradientBytes =
      saturatingSum(memory.gradientBytes, memory.passingGradientBytes);
  report.optimizerBytes = memory.optimizerBytes;
  if (prepared.pipeline) {
    const RankMemory &rank = fullestOf(placed.rankMemory());
    report.parameterBytes = rank.parameters;
    report.optimizerBytes = rank.optimizer;
    report.gradientBytes = saturatingSum(rank.gradients, rank.passing);
    report.activationBytes = rank.temporary - rank.passing;
  }
  report.workspaceBytes = plan.workspace;
  report.peakMemoryBytes = plan.peak;
  report.allocatedBytes = plan.allocated;
  report.reservedBytes = plan.reserved;
  report.deviceBytes = plan.device;
  report.deviceLowBytes = plan.deviceLow;
  report.deviceHighBytes = plan.deviceHigh;
  report.fitsInMemory = plan.fits;
  for (const TensorUse &tensor : memory.peakTensors)
    report.peakTensors.push_back(
        {tensor.name, tensor.madeBy, tensor.phase, tensor.bytes});
  report.memoryCapacity = plan.nominal;
  report.memoryTotal = plan.total;
  report.memoryUsable = Bytes(static_cast<double>(plan.usable));
  report.memoryVerdict = plan.verdict();
}

KernelRow ReportBuilder::rowOf(const KernelKind &kind) const {
  const PlacedKernel &kernel = placed.kernel(kind.work);
  const KernelWork &work = kernel.work;
  KernelRow row;
  row.name = kind.name;
  row.label = kind.label;
  row.op = kind.op;
  row.family = work.family;
  row.phase = kind.phase;
  row.origin = kind.origin;
  row.coverage = kernel.reason.empty() ? kind.coverage : Coverage::Fallback;
  row.count = 0;
  row.shape = describeProblem(work);
  row.format = work.format;
  row.matrixFlops = work.count.tensorFlops;
  row.flops = saturatingSum(work.count.tensorFlops, work.count.fp32Flops);
  row.bytes = saturatingSum(work.count.bytesRead, work.count.bytesWritten);
  row.tiling = kernel.tiling;
  LaunchCost cost = placed.launchCost(kind.work, totals);
  row.time = cost.time;
  addErrorBar(placed.model(), work, kernel.tiling,
              placed.isValidated(kind.work), row.time);
  row.energy = cost.energy;
  row.power = cost.power();
  return row;
}

/// What differs from the prepared model counts as stated.
void ReportBuilder::addSettings() {
  report.given = prepared.given;
  report.settings = settings;
  forEachSetting([&](const auto &row) {
    if (!(settings.*row.resolved == prepared.settings.*row.resolved))
      report.given.*row.stated = settings.*row.resolved;
  });
  report.precision = prepared.precision;
  report.bindings = prepared.bindings;
  report.samples = prepared.samples;
  report.tokens = prepared.tokens;
  report.notes = prepared.notes;
  for (std::string &note : placed.notes(settings, totals))
    report.notes.push_back(std::move(note));
}

/// (Q5) The reference peak of matrix kernels.
void ReportBuilder::addPeak() {
  std::map<NumericFormat, double> flops;
  for (const Launch &launch : prepared.launches) {
    const KernelWork &work = prepared.works[launch.work];
    flops[work.format] += static_cast<double>(work.count.tensorFlops) *
                          static_cast<double>(launch.count);
  }
  report.matrixFormat = prepared.format;
  double most = 0;
  for (auto [format, sum] : flops)
    if (sum > most && placed.model().gpu().peak(format) > FlopsPerSecond(0)) {
      report.matrixFormat = format;
      most = sum;
    }
  report.peak = placed.model().gpu().peak(report.matrixFormat);
}

/// Launches by node and op; `kinds` contains the cost per launch of each kind.
static std::vector<NodeRow> sumNodes(const PreparedModel &prepared,
                                     const std::vector<NodeRow> &kinds) {
  std::vector<NodeRow> nodes;
  std::map<std::pair<uint32_t, std::string>, size_t> rows;
  for (const Launch &launch : prepared.launches) {
    const NodeRow &kernel = kinds[launch.kind];
    auto [it, isNew] = rows.try_emplace({launch.node, kernel.op}, nodes.size());
    if (isNew) {
      nodes.emplace_back();
      nodes.back().op = kernel.op;
      if (launch.node < prepared.nodes.size())
        nodes.back().node = prepared.nodes[launch.node];
      if (launch.node < prepared.nodeWeights.size())
        nodes.back().weight = prepared.nodeWeights[launch.node];
    }
    NodeRow &row = nodes[it->second];
    auto count = static_cast<double>(launch.count);
    addSaturating(row.launches, launch.count, 1);
    row.time += kernel.time * count;
    row.energy += kernel.energy * count;
    addSaturating(row.flops, launch.count, kernel.flops);
    addSaturating(row.bytes, launch.count, kernel.bytes);
  }
  return nodes;
}

void ReportBuilder::addNodes() {
  std::vector<NodeRow> kinds(report.kernels.size());
  for (size_t i = 0; i < kinds.size(); ++i) {
    const KernelRow &kernel = report.kernels[i];
    kinds[i].op = kernel.op;
    kinds[i].time = kernel.time.total;
    kinds[i].energy = kernel.energy;
    kinds[i].flops = kernel.flops;
    kinds[i].bytes = kernel.bytes;
  }
  report.nodes = [model = placed.sharedModel(), kinds = std::move(kinds)] {
    return sumNodes(*model, kinds);
  };
}

/// One row per kind of launch.
void ReportBuilder::addKernels() {
  for (const KernelKind &kind : prepared.kinds) {
    report.kernels.push_back(rowOf(kind));
    report.kernels.back().kind =
        static_cast<uint32_t>(report.kernels.size() - 1);
  }
  for (const Launch &launch : prepared.launches) {
    const KernelWork &work = prepared.works[launch.work];
    auto count = static_cast<double>(launch.count);
    KernelRow &row = report.kernels[launch.kind];
    addSaturating(row.count, launch.count, 1);
    busySeconds += row.time.total.value() * count;
    busyBytes += static_cast<double>(row.bytes) * count;
    report.events += placed.eventsOf(launch.work) * count;
    addSaturating(report.matrixFlops, launch.count, work.count.tensorFlops);
    addSaturating(report.otherFlops, launch.count, work.count.fp32Flops);
    addSaturating(report.compulsoryBytes, launch.count, work.count.bytesRead);
    addSaturating(report.compulsoryBytes, launch.count,
                  work.count.bytesWritten);
  }
  report.dramBytes = report.events.dramBytes;
  addPeak();
  if (const auto &bars = placed.model().coefficients().errorBars)
    report.limiterTolerance = bars->limiterTolerance;
}

/// Coverage of ops without exact work.
void ReportBuilder::addCoverage() {
  std::vector<CoverageEntry> fallbacks;
  for (const CoverageNote &note : prepared.fallbacks)
    fallbacks.push_back({note.op, note.count, note.reason, Seconds(0), 0});
  // Kernels that this GPU cannot run unchanged.
  std::map<std::pair<std::string, std::string>, size_t> placedAlone;
  auto fallbackOf = [&](const Launch &launch) -> CoverageEntry * {
    if (launch.fallback >= 0)
      return &fallbacks[static_cast<size_t>(launch.fallback)];
    const std::string &reason = placed.kernel(launch.work).reason;
    if (reason.empty())
      return nullptr;
    const std::string &op = prepared.kinds[launch.kind].op;
    auto [it, isNew] = placedAlone.try_emplace({op, reason}, fallbacks.size());
    if (isNew)
      fallbacks.push_back({op, 0, reason, Seconds(0), 0});
    addSaturating(fallbacks[it->second].count, launch.count, 1);
    return &fallbacks[it->second];
  };
  for (const Launch &launch : prepared.launches) {
    const KernelRow &row = report.kernels[launch.kind];
    auto count = static_cast<double>(launch.count);
    CoverageTotals &coverage =
        row.coverage == Coverage::Modelled ? report.modelled : report.fallback;
    addSaturating(coverage.ops, launch.count, 1);
    if (busySeconds > 0)
      coverage.timeFraction += row.time.total.value() * count / busySeconds;
    if (busyBytes > 0)
      coverage.bytesFraction +=
          static_cast<double>(row.bytes) * count / busyBytes;
    if (CoverageEntry *entry = fallbackOf(launch)) {
      entry->time += row.time.total * count;
      addSaturating(entry->bytes, launch.count, row.bytes);
    }
  }
  report.fallback.list = std::move(fallbacks);
  auto addNotes = [](const std::vector<CoverageNote> &notes,
                     CoverageTotals &totals) {
    for (const CoverageNote &note : notes) {
      addSaturating(totals.ops, note.count, 1);
      totals.list.push_back({note.op, note.count, note.reason, Seconds(0), 0});
    }
  };
  addNotes(prepared.unmodelled, report.unmodelled);
  addNotes(prepared.assumed, report.assumed);
}

template <typename Case>
static std::vector<std::pair<Case, double>>
descending(const std::map<Case, double> &shares) {
  std::vector<std::pair<Case, double>> list(shares.begin(), shares.end());
  std::stable_sort(list.begin(), list.end(), [](const auto &a, const auto &b) {
    return a.second > b.second;
  });
  return list;
}

void ReportBuilder::addFractions() {
  std::map<Bound, double> bounds;
  std::map<KernelFamily, double> families;
  for (KernelRow &row : report.kernels) {
    if (report.gpuBusy > Seconds(0))
      row.timeFraction = row.total() / report.gpuBusy;
    double share = busySeconds > 0
                       ? row.time.total.value() *
                             static_cast<double>(row.count) / busySeconds
                       : 0.0;
    bounds[row.time.bound] += share;
    families[row.family] += share;
  }
  report.boundFractions = descending(bounds);
  report.familyFractions = descending(families);
  std::stable_sort(report.kernels.begin(), report.kernels.end(),
                   [](const KernelRow &a, const KernelRow &b) {
                     return a.total() > b.total();
                   });
}

void ReportBuilder::addAccuracy() {
  // Errors are those of the built-in targets.
  if (report.given.targetFile || report.given.coefficients ||
      report.given.changes) {
    report.accuracy.text = "unknown: not a built-in GPU with its coefficients";
    return;
  }
  MeasuredQuestion question;
  const Gpu &gpu = placed.model().gpu();
  question.board = gpu.name;
  question.die = gpu.die;
  question.architecture = gpu.architecture;
  question.format = prepared.format;
  question.severalGpus = report.worldSize() > 1;
  if (totals.phases[static_cast<size_t>(Phase::Backward)].kernels > 0)
    question.kind = MeasuredKind::Training;
  else if (std::any_of(prepared.works.begin(), prepared.works.end(),
                       [&](const KernelWork &work) {
                         return work.is<AttentionProblem>() &&
                                runsDecodeKernel(placed.model(), work);
                       }))
    question.kind = MeasuredKind::Decode;
  report.accuracy = findNearest(measuredRows(), question);
}

void PlacedModel::restateTotals(IterationReport &report,
                                const IterationSummary &summary,
                                const Settings &settings) const {
  const IterationTotals &totals = summary.totals;
  report.time = totals.time;
  report.gpuBusy = totals.busy;
  report.host = totals.host;
  report.energy = totals.energy;
  report.averagePower = totals.power();
  report.powerLimit = settings.powerLimit.value_or(costModel.gpu().powerLimit);
  report.clock = totals.point.clock;
  report.throttled = totals.point.throttled;
  report.limitUnreachable = totals.point.limitUnreachable;
  const PhaseTotals &links =
      totals.phases[static_cast<size_t>(Phase::Communication)];
  report.communication = links.gpuBusy;
  report.exposedCommunication = links.time;
  report.phases.clear();
  for (const PhaseTotals &phase : totals.phases)
    if (phase.kernels)
      report.phases.push_back(phase);
  report.bound = boundOf(totals);
  report.mfu = summary.mfu;
  report.errorBars = summary.errors.bars;
  report.calibratedFraction = summary.errors.calibratedFraction;
}

IterationReport PlacedModel::report(const IterationSummary &summary,
                                    const Settings &settings) const {
  const IterationTotals &totals = summary.totals;
  IterationReport report;
  ReportBuilder builder(*this, totals, settings, report);
  restateTotals(report, summary, settings);
  builder.addSettings();
  builder.addTotals();
  builder.addMemory();
  builder.addKernels();
  builder.addNodes();
  builder.addCoverage();
  builder.addFractions();
  builder.addAccuracy();
  report.cost = costOfIteration(report.time, report.energy, report.errorBars,
                                report.settings, report.target);
  report.pipeline = pipelineReport(summary.totals);
  report.runIterations =
      iterationsOfRun(report.settings, report.samples, report.tokens);
  return report;
}

IterationReport PlacedModel::evaluate(const Settings &settings) const {
  IterationReport found = report(summarize(settings), settings);
  if (!source->pipeline)
    found.hint = findHint(*this, found);
  return found;
}
