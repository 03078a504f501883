//===- IterationAnalysis.cpp - One iteration from kernels ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Analysis/IterationAnalysis.h"
#include "gpucost/Model/Composition.h"
#include "gpucost/Model/ErrorBars.h"
#include "gpucost/Support/CheckedMath.h"
#include "gpucost/Target/TargetRegistry.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace gpucost;

/// Grid of the clock search (P6): what the driver's clock steps are.
static constexpr double clockStepHz = 15e6;
/// Lowest clock tried, as a share of the maximum: where drivers stop (210 MHz
/// of 1410 MHz on A100).
static constexpr double lowestClockShare = 0.15;

FailureOr<NumericFormat> gpucost::getTargetFormat(ModuleOp module) {
  auto target =
      module->getAttrOfType<TargetAttr>(GpuCostDialect::targetAttrName);
  if (!target)
    return module.emitError("expected a 'gpucost.target' attribute; run "
                            "'gpucost-set-target' first");
  return target->format;
}

FailureOr<CostModel> gpucost::getCostModel(ModuleOp module) {
  auto target =
      module->getAttrOfType<TargetAttr>(GpuCostDialect::targetAttrName);
  auto coefficients = module->getAttrOfType<CoefficientsAttr>(
      GpuCostDialect::coefficientsAttrName);
  if (!target || !coefficients)
    return module.emitError() << "expected a '"
                              << (target ? GpuCostDialect::coefficientsAttrName
                                         : GpuCostDialect::targetAttrName)
                              << "' attribute; run 'gpucost-set-target' first";
  llvm::Expected<CostModel> model =
      CostModel::create(target->gpu, coefficients.getValue());
  if (!model)
    return module.emitError(llvm::toString(model.takeError()));
  return std::move(*model);
}

FailureOr<IterationAnalysis>
IterationAnalysis::create(ModuleOp module, const CostModel &model,
                          IterationOptions options) {
  IterationAnalysis analysis(model, options);
  llvm::DenseMap<std::pair<Attribute, Attribute>, unsigned> indices;
  WalkResult result = module.walk([&](KernelOp kernel) {
    if (kernel.getCoverage() == Coverage::Unmodelled)
      return WalkResult::skip();
    if (!kernel.getWorkAttr() || !kernel.getTilingAttr()) {
      kernel.emitOpError("expected a '")
          << (kernel.getWorkAttr() ? "tiling" : "work") << "' attribute; run '"
          << (kernel.getWorkAttr() ? "gpucost-select-tiling"
                                   : "gpucost-annotate-work")
          << "' first";
      return WalkResult::interrupt();
    }
    auto [it, isNew] =
        indices.try_emplace({kernel.getWorkAttr(), kernel.getTilingAttr()},
                            analysis.uniques.size());
    if (isNew) {
      Unique unique;
      unique.attr = kernel.getWorkAttr();
      unique.work = kernel.getWorkAttr().getValue();
      unique.tiling = kernel.getTilingAttr().getValue();
      llvm::Expected<KernelEvents> events =
          model.countEvents(unique.work, unique.tiling);
      if (!events) {
        kernel.emitOpError(llvm::toString(events.takeError()));
        return WalkResult::interrupt();
      }
      unique.events = *events;
      analysis.uniques.push_back(unique);
    }
    analysis.launched.push_back(
        {kernel, it->second, static_cast<int64_t>(kernel.getCount())});
    analysis.hostLaunches += kernel.getCount() * kernel.getHostLaunches();
    return WalkResult::skip();
  });
  if (result.wasInterrupted())
    return failure();
  return analysis;
}

static KernelTime timeOrZero(llvm::Expected<KernelTime> time) {
  // `countEvents` has accepted the work, so `predictTime` does too.
  if (time)
    return *time;
  llvm::consumeError(time.takeError());
  return KernelTime();
}

Seconds IterationAnalysis::timeAt(const Unique &kernel, Hertz clock) const {
  return timeOrZero(costModel->predictTime(kernel.work, kernel.tiling, clock))
      .total;
}

KernelTime IterationAnalysis::timeOf(unsigned i, Hertz clock) const {
  const Unique &kernel = uniques[launched[i].unique];
  return timeOrZero(costModel->predictTime(kernel.work, kernel.tiling, clock));
}

const KernelEvents &IterationAnalysis::eventsOf(unsigned i) const {
  return uniques[launched[i].unique].events;
}

ErrorClass IterationAnalysis::errorClassOf(unsigned i) const {
  return gpucost::errorClassOf(uniques[launched[i].unique].work);
}

Joules IterationAnalysis::energyOf(unsigned i, Hertz clock) const {
  const Unique &kernel = uniques[launched[i].unique];
  Seconds time = timeAt(kernel, clock);
  return costModel->idlePower(clock) * time +
         costModel->dynamicEnergy(kernel.events, time, clock);
}

IterationTotals IterationAnalysis::evaluate(Hertz clock) const {
  IterationTotals totals;
  totals.clock = clock;
  const RuntimeCoefficients &runtime = *costModel->coefficients().runtime;
  std::vector<Seconds> times(uniques.size());
  for (auto [time, unique] : llvm::zip_equal(times, uniques))
    time = timeAt(unique, clock);

  struct Sums {
    Seconds busy;
    KernelEvents events;
    int64_t launches = 0, libraryLaunches = 0;
  };
  std::array<Sums, getMaxEnumValForPhase() + 1> sums;
  Seconds gap =
      options.runtime == Runtime::CudaGraph ? Seconds(0) : runtime.kernelGap;
  for (const LaunchedKernel &kernel : launched) {
    KernelOp op = kernel.op;
    const Unique &unique = uniques[kernel.unique];
    auto phaseIndex = static_cast<unsigned>(op.getPhase());
    Sums &sum = sums[phaseIndex];
    PhaseTotals &phase = totals.phases[phaseIndex];
    double n = static_cast<double>(kernel.count);
    sum.busy += (times[kernel.unique] + gap) * n;
    sum.events += unique.events * n;
    int64_t launches = kernel.count * op.getHostLaunches();
    sum.launches += launches;
    sum.libraryLaunches += op.getLibrary() ? launches : 0;
    phase.kernels += kernel.count;
    addSaturating(phase.flops, kernel.count, unique.work.count.tensorFlops);
    addSaturating(phase.flops, kernel.count, unique.work.count.fp32Flops);
    addSaturating(phase.bytes, kernel.count, unique.work.count.bytesRead);
    addSaturating(phase.bytes, kernel.count, unique.work.count.bytesWritten);
  }

  // Communication has no phase of its own on the compute stream: what it adds
  // is what computation does not hide.
  auto communication = static_cast<unsigned>(Phase::Communication);
  RuntimeCoefficients host = runtime;
  if (options.hostLaunch)
    host.hostLaunch = *options.hostLaunch;
  if (options.runtime == Runtime::CudaGraph)
    host.hostLaunch = Seconds(0);
  for (auto [i, sum] : llvm::enumerate(sums)) {
    PhaseTotals &phase = totals.phases[i];
    phase.phase = static_cast<Phase>(i);
    phase.gpuBusy = sum.busy;
    if (i == communication)
      continue;
    phase.host = hostTime(host, sum.launches, sum.libraryLaunches);
    phase.time = phaseTime(host, phase.gpuBusy, phase.host);
    // (P5) SMs are busy at most as long as the phase lasts; idle power always.
    phase.energy = costModel->idlePower(clock) * phase.time +
                   costModel->dynamicEnergy(
                       sum.events, std::min(phase.gpuBusy, phase.time), clock);
    totals.time += phase.time;
    totals.busy += phase.gpuBusy;
    totals.host += phase.host;
    totals.energy += phase.energy;
  }
  if (sums[communication].busy > Seconds(0))
    addCommunication(totals, times, gap, sums[communication].events);
  return totals;
}

ClockSolution IterationAnalysis::solveClock(Hertz highest) const {
  Watts limit = options.powerLimit.value_or(costModel->gpu().powerLimit);
  auto fits = [&](Hertz clock) { return evaluate(clock).power() <= limit; };
  if (fits(highest))
    return {highest, false, false};
  // (P6) Power grows with the clock: bisect on the grid of clock steps.
  int64_t low = 0,
          high = static_cast<int64_t>(std::max(
              0.0, (highest.value() -
                    lowestClockShare * costModel->gpu().maxClock.value()) /
                       clockStepHz));
  Hertz lowest(highest.value() - high * clockStepHz);
  if (!fits(lowest))
    return {lowest, true, true};
  while (high - low > 1) {
    int64_t middle = (low + high) / 2;
    (fits(Hertz(highest.value() - middle * clockStepHz)) ? high : low) = middle;
  }
  return {Hertz(highest.value() - high * clockStepHz), true, false};
}
