//===- ErrorBars.cpp - Prediction intervals -------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/ErrorBars.h"
#include "gpucost/Core/Model/Software.h"
#include <cmath>

using namespace gpucost;

static bool hasNamedNetwork(const Coefficients &fitted) {
  const auto &links = fitted.collectives;
  return links && links->network && !links->network->name.empty();
}

ErrorClass gpucost::errorClassOf(const KernelWork &work, const Tiling &tiling) {
  if (const auto *p = work.getIf<CollectiveProblem>(); p && p->nodes > 1)
    return ErrorClass::BetweenNodes;
  if (tiling.implementation != ImplementationKind::None)
    return implementationOf(tiling.implementation).errors.of(work.format);
  // A tiling by hand is one of the most general kernel.
  Span<Implementation> rows = implementationsOf(work.family);
  const Implementation *row = rows.end() - 1;
  while (row != rows.begin() && !row->formats.contains(work.format))
    --row;
  return row->errors.of(work.format);
}

/// The half-widths of the set that predicts the kernel, else those of its
/// class.
static const KernelError *chooseError(const CostModel &model,
                                      const KernelWork &work,
                                      const Tiling &tiling, ErrorClass kind) {
  const Coefficients &fitted = model.coefficients();
  const KernelError *found = nullptr;
  auto look = [&](const KernelErrors &errors) {
    if (!found)
      found = findError(errors, kind, model.gpu().name);
  };
  auto lookIn = [&](const auto &group) {
    if (group)
      look(group->errors);
  };
  if (work.is<MatmulProblem>())
    lookIn(findLowPrecision(fitted, work.format));
  if (kind == ErrorClass::Attention)
    lookIn(findAttentionSet(fitted, work, tiling.implementation).coefficients);
  if (kind == ErrorClass::Decode)
    lookIn(findDecodeSet(fitted, work));
  look(fitted.errorBars->kernels);
  lookIn(fitted.linearAttention);
  lookIn(fitted.fusedExperts);
  lookIn(fitted.latentAttention);
  lookIn(fitted.sparseAttention);
  lookIn(fitted.staticQuantization);
  lookIn(fitted.allReduce);
  lookIn(fitted.expertExchange);
  lookIn(fitted.network);
  return found;
}

void gpucost::addErrorBar(const CostModel &model, const KernelWork &work,
                          const Tiling &tiling, bool inCalibratedDomain,
                          KernelTime &time) {
  const Coefficients &fitted = model.coefficients();
  ErrorClass kind = errorClassOf(work, tiling);
  time.inCalibratedDomain = inCalibratedDomain;
  if (!fitted.errorBars)
    return;
  // (U1) An interval states how often it contains measurements; there are none
  // with a bandwidth and a latency that --network states.
  if (kind == ErrorClass::BetweenNodes && !hasNamedNetwork(fitted))
    return;
  const KernelError *kernel = chooseError(model, work, tiling, kind);
  if (!kernel)
    return;
  double width = time.total < fitted.errorBars->smallBelow    ? kernel->small
                 : time.total < fitted.errorBars->mediumBelow ? kernel->medium
                                                              : kernel->large;
  // Between nodes everything is outside of it.
  bool isWithin = time.inCalibratedDomain || kind == ErrorClass::BetweenNodes;
  time.halfWidth = isWithin ? width : width * fitted.errorBars->outside;
}

void ErrorSum::add(ErrorClass kind, const KernelTime &time, int64_t count) {
  auto n = static_cast<double>(count);
  double total = time.total.value();
  seconds += total * n;
  if (time.inCalibratedDomain)
    calibratedSeconds += total * n;
  if (!time.halfWidth) {
    known = false;
    return;
  }
  double width = total * *time.halfWidth;
  Sum &sum = sums[static_cast<size_t>(kind)];
  // Launches of equal work err alike, whatever their number.
  sum.width += width * n;
  sum.squares += width * n * width * n;
}

std::optional<double> ErrorSum::halfWidth() const {
  if (!known || !fitted->errorBars || seconds <= 0)
    return std::nullopt;
  double common =
      fitted->errorBars->correlation * fitted->errorBars->correlation;
  double square = 0;
  for (const Sum &sum : sums)
    square += common * sum.width * sum.width + (1 - common) * sum.squares;
  return std::sqrt(square) / seconds;
}

double ErrorSum::calibratedFraction() const {
  return seconds > 0 ? calibratedSeconds / seconds : 1;
}

/// (U4) Half-width of the power of an unknown board at a known clock.
static double boardWidth(const Coefficients &fitted,
                         const IterationErrorTerms &terms) {
  // Deviations of a normal distribution that contain 80 % of it.
  constexpr double deviations = 1.2816;
  double core = 2 * terms.coreFraction * terms.voltage;
  if (!fitted.boards)
    return deviations * core;
  double gpus = std::sqrt(static_cast<double>(terms.gpus));
  return deviations *
         std::hypot(core,
                    terms.coreFraction *
                        std::hypot(fitted.boards->deviation / gpus,
                                   fitted.boards->meanDeviation),
                    terms.idleFraction * fitted.boards->idleDeviation / gpus);
}

std::optional<IterationErrorBars>
gpucost::iterationErrorBars(const Coefficients &fitted,
                            const IterationErrorTerms &terms) {
  if (!fitted.errorBars || !fitted.runtime || terms.time <= Seconds(0))
    return std::nullopt;
  const ErrorBarCoefficients &c = *fitted.errorBars;
  // (U3) d ln t / d ln busy of t = (busy^p + host^p)^(1/p) + exposed + gap,
  // equations (H2), (N3) and (H10).
  double p = fitted.runtime->hostNorm;
  Seconds joined = terms.time - terms.exposedTime - terms.gapTime;
  double share = std::max(joined / terms.time, 0.0);
  auto weightOf = [&](Seconds part) {
    return joined > Seconds(0)
               ? share * std::pow(std::min(1.0, part / joined), p)
               : 0.0;
  };
  // The width of the GPU's time holds that of exposed communication.
  double busy = weightOf(terms.busyTime) + terms.exposedTime / terms.time;
  double host = weightOf(terms.hostTime);
  double hostWidth = terms.hostStated ? c.host : c.hostUnknown;
  double gap = terms.gapTime / terms.time;
  double gapWidth = terms.gapStated ? c.host : c.hostUnknown;
  double rest = terms.training ? c.timeTraining : c.timeInference;
  // (U4) Boards differ. At the limit they differ in time, not in power.
  double board = boardWidth(fitted, terms);
  double limited = terms.throttled ? board * terms.limitedTime : 0;
  IterationErrorBars bars;
  bars.time = std::hypot(std::hypot(busy * terms.busy, gap * gapWidth),
                         host * hostWidth, std::hypot(rest, limited));
  if (terms.levelWidth > 0)
    bars.time = terms.levelWidth;
  // Dynamic energy does not depend on the time, unless the limiter stretches
  // the time because of the energy: if the time is too short, power is too
  // high by the dynamic share.
  double follows =
      terms.throttled ? 0 : c.powerFollowsTime * (1 - terms.idleFraction);
  double ownPower = terms.throttled ? c.power : std::hypot(c.power, board);
  bars.power = std::hypot(ownPower, follows * bars.time);
  // (U5) energy = power * time, whose errors are correlated.
  bars.energy = std::hypot(ownPower, (1 - follows) * bars.time);
  return bars;
}
