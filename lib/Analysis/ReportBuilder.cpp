//===- ReportBuilder.cpp - The full report of an annotated module ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Analysis/IterationAnalysis.h"
#include "gpucost/Analysis/TrainingMarks.h"
#include "gpucost/Support/CheckedMath.h"
#include "gpucost/Target/TargetRegistry.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace gpucost;

/// Name of the ONNX node behind a location; "" when it has none.
static StringRef nodeName(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName();
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location inner : fused.getLocations())
      if (StringRef name = nodeName(inner); !name.empty())
        return name;
  return "";
}

static std::string opName(KernelOp kernel) {
  return describeOp(&kernel.getBody().front().front());
}

namespace {

/// Sums that the whole report shares while it is filled.
class ReportBuilder {
public:
  ReportBuilder(ModuleOp module, const IterationAnalysis &iteration,
                IterationReport &report)
      : module(module), iteration(iteration), report(report) {}

  void addKernels(Hertz clock);
  void addCoverage();
  void addShares();

  /// Half width of the busy time, and how much of it has been validated.
  ErrorSum sumErrors() const;

  /// Matrix FLOPs over the peaks of their formats.
  double idealSeconds = 0;
  std::optional<double> busyHalfWidth;

private:
  ModuleOp module;
  const IterationAnalysis &iteration;
  IterationReport &report;
  double busySeconds = 0;
  /// Error class of each row, in the order of launches.
  std::vector<ErrorClass> errorClasses;
};

} // namespace

/// One row per distinct launch: same label, work, phase and coverage.
void ReportBuilder::addKernels(Hertz clock) {
  std::map<std::tuple<std::string, const void *, Phase, Coverage>, size_t> rows;
  for (auto [i, launched] : llvm::enumerate(iteration.kernels())) {
    KernelOp op = launched.op;
    WorkAttr work = op.getWorkAttr();
    const KernelEvents &events = iteration.eventsOf(i);
    report.events += events * static_cast<double>(launched.count);
    addSaturating(report.matrixFlops, launched.count, work->count.tensorFlops);
    double peak = iteration.model().gpu().peak(work->format).value();
    // Products that are computed again are no progress of the model.
    auto rule = op->getAttrOfType<StringAttr>(ruleAttrName);
    if (peak > 0 && !(rule && rule.getValue() == "recompute"))
      idealSeconds +=
          static_cast<double>(work->count.tensorFlops) * launched.count / peak;
    addSaturating(report.otherFlops, launched.count, work->count.fp32Flops);
    addSaturating(report.compulsoryBytes, launched.count,
                  work->count.bytesRead);
    addSaturating(report.compulsoryBytes, launched.count,
                  work->count.bytesWritten);
    auto [it, isNew] =
        rows.try_emplace({op.getLabel().str(), work.getAsOpaquePointer(),
                          op.getPhase(), op.getCoverage()},
                         report.kernels.size());
    if (!isNew) {
      report.kernels[it->second].count += launched.count;
      continue;
    }
    KernelRow row;
    row.name = nodeName(op.getLoc()).str();
    row.label = op.getLabel().str();
    row.op = opName(op);
    row.family = work->family;
    row.phase = op.getPhase();
    if (auto rule = op->getAttrOfType<StringAttr>(ruleAttrName))
      row.rule = rule.str();
    row.coverage = op.getCoverage();
    row.count = launched.count;
    row.shape = describeProblem(work.getValue());
    row.format = work->format;
    row.matrixFlops = work->count.tensorFlops;
    row.flops = saturatingSum(work->count.tensorFlops, work->count.fp32Flops);
    row.bytes = saturatingSum(work->count.bytesRead, work->count.bytesWritten);
    row.tiling = op.getTilingAttr().getValue();
    row.time = iteration.timeOf(i, clock);
    row.energy = iteration.energyOf(i, clock);
    row.power = row.time.total > Seconds(0)
                    ? std::min(row.energy / row.time.total, report.powerLimit)
                    : Watts(0);
    report.kernels.push_back(std::move(row));
    errorClasses.push_back(iteration.errorClassOf(i));
  }
  ErrorSum errors = sumErrors();
  report.validatedShare = errors.validatedShare();
  busyHalfWidth = errors.halfWidth();
  llvm::stable_sort(report.kernels, [](const KernelRow &a, const KernelRow &b) {
    return a.time.total * a.count > b.time.total * b.count;
  });
  report.dramBytes = report.events.dramBytes;
  for (const KernelRow &row : report.kernels)
    busySeconds += row.time.total.value() * row.count;
}

ErrorSum ReportBuilder::sumErrors() const {
  ErrorSum errors(iteration.model().coefficients());
  double exposed = report.communication > Seconds(0)
                       ? report.exposedCommunication / report.communication
                       : 0;
  for (auto [row, kind] : llvm::zip_equal(report.kernels, errorClasses)) {
    KernelTime time = row.time;
    if (row.phase == Phase::Communication)
      time.total = time.total * exposed;
    errors.add(kind, time, row.count);
  }
  return errors;
}

/// Error bars of the totals, once all but they stand.
static void addErrorBars(const CostModel &model,
                         const IterationOptions &options,
                         std::optional<double> busyHalfWidth,
                         IterationReport &report) {
  if (!busyHalfWidth)
    return;
  IterationShares shares;
  shares.busy = *busyHalfWidth;
  shares.time = report.time;
  shares.busyTime = report.gpuBusy;
  shares.hostTime = report.host;
  shares.training = llvm::any_of(report.phases, [](const PhaseTotals &phase) {
    return phase.phase == Phase::Backward;
  });
  shares.hostStated = options.hostLaunch.has_value();
  shares.throttled = report.throttled;
  if (report.energy > Joules(0))
    shares.idleShare =
        model.idlePower(report.clock) * report.time / report.energy;
  report.errorBars = iterationErrorBars(model.coefficients(), shares);
}

void ReportBuilder::addCoverage() {
  int64_t bytes = report.compulsoryBytes;
  llvm::MapVector<std::pair<StringAttr, StringAttr>, LedgerEntry> fallbacks,
      unknowns;
  auto book = [&](KernelOp op, auto &ledger, CoverageTotals &totals) {
    auto reason = op->getAttrOfType<StringAttr>("gpucost.reason");
    auto name = StringAttr::get(op.getContext(), opName(op));
    LedgerEntry &entry = ledger[{name, reason}];
    entry.op = name.str();
    entry.reason = reason ? reason.str() : "";
    entry.count += op.getCount();
    totals.ops += op.getCount();
    return &entry;
  };
  module.walk([&](KernelOp op) {
    if (op.getCoverage() == Coverage::Unmodelled) {
      book(op, unknowns, report.unmodelled);
      return;
    }
    double time = op.getTimeAttr() ? op.getTimeAttr()->total.value() : 0.0;
    int64_t moved = saturatingSum(op.getWorkAttr()->count.bytesRead,
                                  op.getWorkAttr()->count.bytesWritten);
    double shareOfTime =
        busySeconds > 0 ? time * op.getCount() / busySeconds : 0;
    double shareOfBytes =
        bytes > 0 ? static_cast<double>(moved) * op.getCount() / bytes : 0;
    bool modelled = op.getCoverage() == Coverage::Modelled;
    CoverageTotals &totals = modelled ? report.modelled : report.fallback;
    totals.shareOfTime += shareOfTime;
    totals.shareOfBytes += shareOfBytes;
    if (modelled) {
      totals.ops += op.getCount();
      return;
    }
    LedgerEntry *entry = book(op, fallbacks, totals);
    entry->time += Seconds(time) * static_cast<double>(op.getCount());
    addSaturating(entry->bytes, op.getCount(), moved);
  });
  // Branches and loops whose share in the iteration is not known.
  if (auto assumed = module->getAttrOfType<ArrayAttr>(assumptionsAttrName))
    for (auto pair : assumed.getAsRange<ArrayAttr>()) {
      auto op = cast<StringAttr>(pair[0]), reason = cast<StringAttr>(pair[1]);
      LedgerEntry &entry = unknowns[{op, reason}];
      entry.op = op.str();
      entry.reason = reason.str();
      ++entry.count;
      ++report.unmodelled.ops;
    }
  for (auto &[key, entry] : fallbacks)
    report.fallback.list.push_back(entry);
  for (auto &[key, entry] : unknowns)
    report.unmodelled.list.push_back(entry);
}

void ReportBuilder::addShares() {
  std::map<Bound, double> bounds;
  std::map<KernelFamily, double> families;
  for (const KernelRow &row : report.kernels) {
    double share = busySeconds > 0
                       ? row.time.total.value() * row.count / busySeconds
                       : 0.0;
    bounds[row.time.bound] += share;
    families[row.family] += share;
  }
  report.boundShares.assign(bounds.begin(), bounds.end());
  report.familyShares.assign(families.begin(), families.end());
  auto descending = [](const auto &a, const auto &b) {
    return a.second > b.second;
  };
  llvm::stable_sort(report.boundShares, descending);
  llvm::stable_sort(report.familyShares, descending);
  if (report.host > report.gpuBusy)
    report.bound = Bound::Host;
  else if (!report.boundShares.empty())
    report.bound = report.boundShares.front().first;
}

/// GPUs and what they communicate.
static void addParallelism(ModuleOp module, const IterationTotals &totals,
                           IterationReport &report) {
  if (auto gpus = module->getAttrOfType<IntegerAttr>(gpusAttrName))
    report.gpus = gpus.getInt();
  if (auto mode = module->getAttrOfType<StringAttr>(parallelAttrName))
    report.parallelism = mode.str();
  const PhaseTotals &phase =
      totals.phases[static_cast<unsigned>(Phase::Communication)];
  report.communication = phase.gpuBusy;
  report.exposedCommunication = phase.time;
}

FailureOr<IterationReport> gpucost::buildReport(ModuleOp module,
                                                IterationOptions options) {
  FailureOr<CostModel> model = getCostModel(module);
  FailureOr<NumericFormat> format = getTargetFormat(module);
  if (failed(model) || failed(format))
    return failure();
  const Coefficients &fitted = model->coefficients();
  if (!fitted.power || !fitted.runtime)
    return module.emitError() << "no " << (fitted.power ? "runtime" : "power")
                              << " coefficients for " << model->gpu().name;
  FailureOr<IterationAnalysis> iteration =
      IterationAnalysis::create(module, *model, options);
  if (failed(iteration))
    return failure();

  IterationReport report;
  Hertz clock = model->gpu().maxClock;
  for (const LaunchedKernel &kernel : iteration->kernels()) {
    KernelOp op = kernel.op;
    if (!op.getPowerAttr())
      return op.emitOpError("expected a 'power' attribute; run "
                            "'gpucost-predict-power' first");
    clock = op.getPowerAttr()->clock;
    report.throttled = op.getPowerAttr()->throttled;
  }
  IterationTotals totals = iteration->evaluate(clock);
  report.target = model->gpu().name;
  report.format = *format;
  report.runtime = stringifyRuntime(options.runtime).str();
  report.time = totals.time;
  report.gpuBusy = totals.busy;
  report.host = totals.host;
  report.energy = totals.energy;
  report.averagePower = totals.power();
  report.powerLimit = options.powerLimit.value_or(model->gpu().powerLimit);
  report.clock = clock;
  report.capUnreachable = module->hasAttr("gpucost.limit_unreachable");
  if (report.capUnreachable) {
    // No board draws more than its limit: time is a lower bound then, and what
    // it costs is that time at the limit.
    report.averagePower = std::min(report.averagePower, report.powerLimit);
    report.energy = report.averagePower * report.time;
  }
  report.launches = iteration->launches();
  report.peak = model->gpu().peak(*format);
  report.dramBandwidth = model->gpu().dramBandwidth;
  addParallelism(module, totals, report);
  for (const PhaseTotals &phase : totals.phases)
    if (phase.kernels)
      report.phases.push_back(phase);
  if (auto bindings = module->getAttrOfType<DictionaryAttr>("gpucost.bindings"))
    for (NamedAttribute binding : bindings)
      if (auto value = dyn_cast<IntegerAttr>(binding.getValue()))
        report.bindings.emplace_back(binding.getName().str(), value.getInt());

  MemoryUse memory = analyzeMemory(module);
  report.parameterCount = memory.parameterCount;
  report.parameterBytes = memory.parameterBytes;
  report.activationBytes = memory.activationBytes;
  report.gradientBytes =
      saturatingSum(memory.gradientBytes, memory.passingGradientBytes);
  report.optimizerBytes = memory.optimizerBytes;
  report.workspaceBytes =
      static_cast<int64_t>(model->gpu().libraryWorkspace.value());
  if (const auto &bars = model->coefficients().errorBars)
    report.limiterTolerance = bars->limiterTolerance;
  report.peakMemoryBytes =
      saturatingSum(memory.peakBytes(), report.workspaceBytes);
  report.memoryCapacity = model->gpu().dramCapacity;

  ReportBuilder builder(module, *iteration, report);
  builder.addKernels(clock);
  builder.addCoverage();
  builder.addShares();
  addErrorBars(*model, options, builder.busyHalfWidth, report);
  // Each kernel against the peak of the format that it computes in.
  report.mfu =
      report.time > Seconds(0) ? builder.idealSeconds / report.time.value() : 0;
  if (std::string borrowed =
          describeBorrowed(model->coefficients(), report.format);
      !borrowed.empty())
    report.notes.push_back("outside the validated region: " + borrowed);
  return report;
}
