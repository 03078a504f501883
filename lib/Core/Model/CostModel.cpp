//===- CostModel.cpp - Queries and the clock solvers ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/CostModel.h"
#include "Streaming.h"
#include "gpucost/Core/Model/ErrorBars.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Model/OperatingPoint.h"
#include "gpucost/Core/Model/Steps.h"
#include "gpucost/Core/Model/Validation.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

KernelEvents &KernelEvents::operator+=(const KernelEvents &o) {
  tensorFlops += o.tensorFlops;
  fp32Flops += o.fp32Flops;
  instructions += o.instructions;
  dramBytes += o.dramBytes;
  l2Bytes += o.l2Bytes;
  paddedFlops += o.paddedFlops;
  return *this;
}

KernelEvents KernelEvents::operator*(double n) const {
  return {tensorFlops * n, fp32Flops * n, instructions * n,
          dramBytes * n,   l2Bytes * n,   paddedFlops * n};
}

Expected<CostModel> CostModel::create(Gpu gpu, Coefficients coefficients,
                                      KernelChoice choice) {
  if (std::string fault = findFault(gpu); !fault.empty())
    return fail("the GPU: " + fault);
  if (std::string fault = findFault(coefficients); !fault.empty())
    return fail(fault);
  return CostModel(std::move(gpu), std::move(coefficients), choice);
}

static Error wrongProblem(const KernelWork &work) {
  return {"expected the problem of kernel family '" +
          std::string(stringifyKernelFamily(work.family)) + "'"};
}

double CostModel::missFraction(double touched) const {
  if (!fitted.power)
    return 1;
  double x = touched / (fitted.power->l2Fraction * device.l2Capacity.value());
  return 1 - 1 / (1 + x * x * x);
}

double CostModel::keptShare(double touched) const {
  if (!fitted.streaming)
    return 0;
  double capacity = fitted.streaming->l2Fraction * device.l2Capacity.value();
  return std::clamp(2 - touched / capacity, 0.0, 1.0);
}

/// (W3) Adds the kernel's fused work to the terms of its problem. Streaming
/// families count all work that is stated.
static void addFused(LaunchTerms &terms, const KernelWork &work, const Gpu &gpu,
                     const Coefficients &fitted, Steps *steps) {
  const FusedCount &fused = work.count.fused;
  // A fused matmul has the tensor and L2 rates of the kernel's main matmul.
  int64_t own = work.count.tensorFlops - fused.tensorFlops;
  if (fused.tensorFlops > 0 && own > 0) {
    double more =
        static_cast<double>(fused.tensorFlops) / static_cast<double>(own);
    terms.compute += terms.compute * more;
    terms.l2 += terms.l2 * more;
    terms.exposedL2 += terms.exposedL2 * more;
    terms.events.tensorFlops *= 1 + more;
    terms.events.l2Bytes *= 1 + more;
    terms.onChip = terms.onChip * (1 + more);
    if (steps) {
      steps->equation("fused matmul (W3)", "more = {}/{} = {}",
                      {fused.tensorFlops, own, more});
      for (auto [name, term] :
           {std::pair("compute", terms.compute), std::pair("l2", terms.l2),
            std::pair("exposedL2", terms.exposedL2)})
        if (term > Seconds(0))
          steps->equation("fused matmul (W3)",
                          std::string(name) + " = " + name + "*(1 + more) = {}",
                          {term});
    }
  }
  double cycles = gpu.smCount * gpu.maxClock.value();
  auto flops = static_cast<double>(fused.fp32Flops);
  auto special = static_cast<double>(fused.specialOps);
  Seconds issue(flops / (cycles * gpu.flopsPerClock(NumericFormat::FP32)) +
                special / (cycles * static_cast<double>(gpu.specialPerClock)));
  terms.serialIssue += issue;
  terms.events.instructions += flops + special;
  auto bytes = static_cast<double>(fused.bytes);
  double efficiency = fitted.streaming ? fitted.streaming->dramEfficiency : 1;
  Seconds dram(bytes / (gpu.dramBandwidth.value() * efficiency));
  terms.serialDram += dram;
  terms.events.dramBytes += bytes;
  terms.events.l2Bytes += bytes;
  if (steps && issue > Seconds(0))
    steps->equation("fused operations (W3)",
                    "serialIssue = {}/({}*{}*{}) + {}/({}*{}*{}) = {}",
                    {flops, gpu.smCount, gpu.maxClock,
                     gpu.flopsPerClock(NumericFormat::FP32), special,
                     gpu.smCount, gpu.maxClock, gpu.specialPerClock,
                     terms.serialIssue});
  if (steps && dram > Seconds(0))
    steps->equation("fused tensors (W3)",
                    std::string("serialDram = ") +
                        (terms.serialDram > dram ? "serialDram + " : "") +
                        "{}/({}*{}) = {}",
                    {bytes, gpu.dramBandwidth, efficiency, terms.serialDram});
}

/// "1410 MHz".
static std::string inMegahertz(Hertz clock) {
  return std::to_string(saturatingInt(std::nearbyint(clock.value() * 1e-6))) +
         " MHz";
}

static Expected<Hertz> clockOf(const Gpu &gpu, std::optional<Hertz> clock) {
  Hertz f = clock.value_or(gpu.maxClock);
  if (f > Hertz(0) && f <= gpu.maxClock)
    return f;
  return fail("expected a clock of at most " + inMegahertz(gpu.maxClock) +
              " for '" + gpu.name + "', but got " + inMegahertz(f));
}

Expected<Tiling> CostModel::selectTiling(const KernelWork &work,
                                         const KernelQuery &query) const {
  if (!problemFits(work.family, work.problem))
    return fail(wrongProblem(work));
  if (!query.steps)
    return chooseKernel(*this, work, query);
  // Report only the steps of the chosen configuration.
  KernelQuery quiet = query;
  quiet.steps = nullptr;
  return chooseKernel(*this, work, quiet);
}

Expected<LaunchTerms> CostModel::launchTerms(const KernelWork &work,
                                             const Tiling &tiling,
                                             const KernelQuery &query) const {
  if (!problemFits(work.family, work.problem))
    return fail(wrongProblem(work));
  auto row = findImplementation(*this, work, tiling, query);
  if (!row)
    return fail(row.error());
  auto terms = (*row)->model->terms(*this, work, tiling, query);
  if (terms) {
    if (std::isnan(terms->events.tensorFlops))
      return fail("'" + device.name + "' has no energy of a FLOP in " +
                  std::string(stringifyNumericFormat(work.format)) +
                  "; add it to 'power_fit'");
    if (work.isTiled())
      addFused(*terms, work, device, fitted, query.steps);
    terms->groups |= (*row)->groups;
    if ((terms->groups & transferred).any())
      terms->inCalibratedDomain = false;
    // (P2) L2 keeps data that neighbouring kernels exchange.
    terms->compulsoryBytes = terms->events.dramBytes;
    terms->events.dramBytes *=
        missFraction(footprintOf(terms->compulsoryBytes, query));
  }
  return terms;
}

Expected<KernelTime> CostModel::predictTime(const KernelWork &work,
                                            const Tiling &tiling, Hertz clock,
                                            const KernelQuery &query) const {
  auto f = clockOf(device, clock);
  if (!f)
    return fail(f.error());
  auto terms = launchTerms(work, tiling, query);
  if (!terms)
    return fail(terms.error());
  KernelTime time = explainTimeAt(*terms, *f / device.maxClock);
  time.clock = *f;
  addErrorBar(*this, work, tiling, terms->inCalibratedDomain, time);
  return time;
}

Expected<KernelEvents> CostModel::countEvents(const KernelWork &work,
                                              const Tiling &tiling,
                                              const KernelQuery &query) const {
  auto terms = launchTerms(work, tiling, query);
  if (!terms)
    return fail(terms.error());
  return terms->events;
}

/// (G10) Power of a tensor-core kernel in a benchmark.
static Watts loopPower(const CostModel &model, const LaunchTerms &terms,
                       Hertz clock) {
  const TensorPowerCoefficients &c = *model.coefficients().tensorPower;
  const Gpu &gpu = model.gpu();
  Hertz reference =
      c.referenceClock > Hertz(0) ? c.referenceClock : gpu.maxClock;
  double scale =
      std::max(std::pow(clock / reference, c.clockExponent), c.energyFloor);
  Joules dynamic = terms.onChip * scale + terms.offChip;
  return gpu.powerLimit * c.staticFraction +
         dynamic / timeAt(terms, clock / gpu.maxClock);
}

/// (P5) Power of any kernel from its event energies.
static Watts eventPower(const CostModel &model, const LaunchTerms &terms,
                        const KernelEvents &events, Hertz clock) {
  Seconds time = timeAt(terms, clock / model.gpu().maxClock);
  return model.energy(events, time, time, clock) / time;
}

/// (G11) A short burst runs at full clock until the limiter acts.
static Seconds burstTime(const LaunchTerms &terms,
                         const BenchmarkProtocol &benchmark, Seconds unlimited,
                         Seconds throttled) {
  double early = std::clamp(
      (terms.limiterDelay - benchmark.warmUp) / *benchmark.burst, 0.0, 1.0);
  return Seconds(1 /
                 (early / unlimited.value() + (1 - early) / throttled.value()));
}

Expected<KernelCost> CostModel::estimate(const KernelWork &work,
                                         const KernelQuery &query) const {
  auto start = clockOf(device, query.clock);
  if (!start)
    return fail(start.error());
  auto tiling = selectTiling(work, query);
  if (!tiling)
    return fail(tiling.error());
  auto terms = launchTerms(work, *tiling, query);
  if (!terms)
    return fail(terms.error());
  return estimateFrom(*start, work, *tiling, *terms, query);
}

Expected<KernelCost> CostModel::estimate(const KernelWork &work,
                                         const Tiling &tiling,
                                         const LaunchTerms &terms,
                                         const KernelQuery &query) const {
  auto start = clockOf(device, query.clock);
  return start ? estimateFrom(*start, work, tiling, terms, query)
               : fail(start.error());
}

Expected<KernelCost> CostModel::estimateFrom(Hertz start,
                                             const KernelWork &work,
                                             const Tiling &tiling,
                                             const LaunchTerms &terms,
                                             const KernelQuery &query) const {
  // The clock of a benchmark is a mean.
  if (!query.benchmark)
    start = settableClock(device, start);
  bool inLoop = query.benchmark && terms.coupled && fitted.tensorPower;
  if (!inLoop && !fitted.power)
    return fail("'" + device.name +
                "' has no power coefficients; use a query of time alone");

  KernelCost cost;
  cost.tiling = tiling;
  cost.events = terms.events;
  auto powerAt = [&](Hertz clock) {
    return inLoop ? loopPower(*this, terms, clock)
                  : eventPower(*this, terms, cost.events, clock);
  };
  Watts limit = regulatedPower(query.powerLimit.value_or(device.powerLimit));
  OperatingPoint point = terms.powerRoof > Seconds(0)
                             ? OperatingPoint{start}
                             : solveClock(device, start, limit, powerAt);
  cost.clock = point.clock;
  cost.throttled = point.throttled;
  cost.limitUnreachable = point.limitUnreachable;
  cost.time = explainTimeAt(terms, point.clock / device.maxClock);
  cost.time.clock = point.clock;
  cost.power = powerAt(point.clock);
  if (!point.limitUnreachable)
    cost.power = std::min(cost.power, limit);
  if (inLoop && query.benchmark->burst && point.throttled)
    cost.time.total =
        burstTime(terms, *query.benchmark,
                  timeAt(terms, start / device.maxClock), cost.time.total);
  addErrorBar(*this, work, tiling, terms.inCalibratedDomain, cost.time);
  cost.energy = cost.power * cost.time.total;
  return cost;
}
