//===- CostModel.cpp - Queries and the clock solvers ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Model/CostModel.h"
#include "Streaming.h"
#include "gpucost/Model/ErrorBars.h"
#include "gpucost/Model/KernelFamily.h"
#include "gpucost/Model/Validation.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

/// The time-power loop looks for a clock between this share of the maximum and
/// the requested one. Not a fitted number: boards offer about 210 MHz at least.
static constexpr double lowestClockShare = 0.35;
/// Step of the clocks that a board offers.
static constexpr double clockStepHertz = 15e6;

KernelEvents &KernelEvents::operator+=(const KernelEvents &o) {
  tensorFlops += o.tensorFlops;
  fp32Flops += o.fp32Flops;
  instructions += o.instructions;
  dramBytes += o.dramBytes;
  l2Bytes += o.l2Bytes;
  return *this;
}

KernelEvents KernelEvents::operator*(double n) const {
  return {tensorFlops * n, fp32Flops * n, instructions * n, dramBytes * n,
          l2Bytes * n};
}

llvm::Expected<CostModel> CostModel::create(Gpu gpu,
                                            Coefficients coefficients) {
  if (std::string fault = findFault(gpu); !fault.empty())
    return llvm::createStringError("the GPU: " + fault);
  if (std::string fault = findFault(coefficients); !fault.empty())
    return llvm::createStringError(fault);
  return CostModel(std::move(gpu), std::move(coefficients));
}

static llvm::Expected<const KernelFamilyModel *>
familyOf(const KernelWork &work) {
  if (problemFits(work.family, work.problem))
    return lookupKernelFamily(work.family);
  return llvm::createStringError("expected the problem of kernel family '%s'",
                                 stringifyKernelFamily(work.family).data());
}

/// (P2) Of the compulsory bytes, what L2 does not keep from the neighbouring
/// kernels goes to DRAM.
static void filterDram(KernelEvents &events, const Gpu &gpu,
                       const Coefficients &fitted, const KernelQuery &query) {
  if (!fitted.power || events.dramBytes <= 0)
    return;
  double x = footprintOf(events.dramBytes, query) /
             (fitted.power->l2Share * gpu.l2Capacity.value());
  events.dramBytes *= 1 - 1 / (1 + x * x * x);
}

static llvm::Expected<Hertz> clockOf(const Gpu &gpu,
                                     std::optional<Hertz> clock) {
  Hertz f = clock.value_or(gpu.maxClock);
  if (f > Hertz(0) && f <= gpu.maxClock)
    return f;
  return llvm::createStringError(
      "expected a clock of at most %.0f MHz for '%s', but got %.0f MHz",
      gpu.maxClock.value() * 1e-6, gpu.name.c_str(), f.value() * 1e-6);
}

llvm::Expected<Tiling> CostModel::selectTiling(const KernelWork &work,
                                               const KernelQuery &query) const {
  auto family = familyOf(work);
  if (!family)
    return family.takeError();
  return (*family)->tile(*this, work, query);
}

llvm::Expected<KernelTime>
CostModel::predictTime(const KernelWork &work, const Tiling &tiling,
                       Hertz clock, const KernelQuery &query) const {
  auto family = familyOf(work);
  if (!family)
    return family.takeError();
  auto f = clockOf(device, clock);
  if (!f)
    return f.takeError();
  auto terms = (*family)->terms(*this, work, tiling, query);
  if (!terms)
    return terms.takeError();
  KernelTime time = explainTimeAt(*terms, *f / device.maxClock);
  time.clock = *f;
  addErrorBar(fitted, work, terms->validated, time);
  return time;
}

llvm::Expected<KernelEvents>
CostModel::countEvents(const KernelWork &work, const Tiling &tiling,
                       const KernelQuery &query) const {
  auto family = familyOf(work);
  if (!family)
    return family.takeError();
  auto terms = (*family)->terms(*this, work, tiling, query);
  if (!terms)
    return terms.takeError();
  filterDram(terms->events, device, fitted, query);
  return terms->events;
}

/// (G10) Power of a tensor-core kernel at clock ratio y.
static Watts loopPower(const CostModel &model, const LaunchTerms &terms,
                       double y) {
  const TensorPowerCoefficients &c = *model.coefficients().tensorPower;
  const Gpu &gpu = model.gpu();
  double reference =
      c.referenceClock > Hertz(0) ? gpu.maxClock / c.referenceClock : 1.0;
  double scale =
      std::max(std::pow(y * reference, c.clockExponent), c.energyFloor);
  Joules dynamic = terms.onChip * scale + terms.offChip;
  return gpu.powerLimit * c.staticShare + dynamic / timeAt(terms, y);
}

/// (G10) Highest clock whose power keeps the limit; (G11) short bursts run
/// before the limiter acts.
static void solveLoop(const CostModel &model, const LaunchTerms &terms,
                      const KernelQuery &query, double start, Watts limit,
                      KernelCost &cost) {
  double y = start;
  if (loopPower(model, terms, start) > limit) {
    double low = std::min(lowestClockShare, start), high = start;
    cost.limitUnreachable = loopPower(model, terms, low) > limit;
    for (int step = 0; step < 24 && !cost.limitUnreachable; ++step) {
      double middle = 0.5 * (low + high);
      (loopPower(model, terms, middle) > limit ? high : low) = middle;
    }
    y = low;
    cost.throttled = true;
  }
  cost.clock = model.gpu().maxClock * y;
  cost.time = explainTimeAt(terms, y);
  cost.time.clock = cost.clock;
  cost.power = std::min(loopPower(model, terms, y), limit);
  if (!query.burst || !cost.throttled)
    return;
  double unlimited = timeAt(terms, start).value();
  double early =
      std::clamp((terms.limiterDelay - query.warmUp) / *query.burst, 0.0, 1.0);
  cost.time.total =
      Seconds(1 / (early / unlimited + (1 - early) / cost.time.total.value()));
}

/// (P6) The same from event energies, on the grid of offered clocks.
static void solveEvents(const CostModel &model, const LaunchTerms &terms,
                        bool solveClock, Hertz start, Watts limit,
                        KernelCost &cost) {
  Hertz maximum = model.gpu().maxClock;
  auto clockAt = [&](int64_t step) {
    return start - Hertz(clockStepHertz) * static_cast<double>(step);
  };
  auto powerAt = [&](Hertz clock) {
    Seconds time = timeAt(terms, clock / maximum);
    return model.idlePower(clock) +
           model.dynamicEnergy(cost.events, time, clock) / time;
  };
  int64_t low = 0; // power grows with the clock: find the first step that fits
  if (solveClock && powerAt(start) > limit) {
    double span = start.value() - lowestClockShare * maximum.value();
    int64_t high = std::max<int64_t>(0, std::floor(span / clockStepHertz));
    cost.limitUnreachable = powerAt(clockAt(high)) > limit;
    while (low < high) {
      int64_t middle = low + (high - low) / 2;
      if (powerAt(clockAt(middle)) > limit)
        low = middle + 1;
      else
        high = middle;
    }
    cost.throttled = true;
  }
  cost.clock = clockAt(low);
  cost.time = explainTimeAt(terms, cost.clock / maximum);
  cost.time.clock = cost.clock;
  cost.power = std::min(powerAt(cost.clock), limit);
}

llvm::Expected<KernelCost> CostModel::estimate(const KernelWork &work,
                                               const KernelQuery &query) const {
  auto family = familyOf(work);
  if (!family)
    return family.takeError();
  auto start = clockOf(device, query.clock);
  if (!start)
    return start.takeError();
  auto tiling = (*family)->tile(*this, work, query);
  if (!tiling)
    return tiling.takeError();
  auto terms = (*family)->terms(*this, work, *tiling, query);
  if (!terms)
    return terms.takeError();

  KernelCost cost;
  cost.tiling = *tiling;
  cost.events = terms->events;
  filterDram(cost.events, device, fitted, query);
  Watts limit = query.powerLimit.value_or(device.powerLimit);
  if (terms->coupled && fitted.tensorPower)
    solveLoop(*this, *terms, query, *start / device.maxClock, limit, cost);
  else if (fitted.power)
    solveEvents(*this, *terms, !query.powerRoof, *start, limit, cost);
  else
    return llvm::createStringError(
        "'%s' has no power coefficients; use a query of time alone",
        device.name.c_str());
  addErrorBar(fitted, work, terms->validated, cost.time);
  cost.energy = cost.power * cost.time.total;
  return cost;
}
