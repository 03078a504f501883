//===- Power.cpp - Voltage, idle power and event energies (P*) ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/CostModel.h"
#include <algorithm>
#include <cassert>
#include <cmath>

using namespace gpucost;

/// A field of the table, linear between its points and constant outside.
template <typename Field>
static double interpolate(const VoltageCurve &curve, Hertz clock, Field field) {
  auto above = std::lower_bound(
      curve.begin(), curve.end(), clock,
      [](const auto &point, Hertz f) { return point.clock < f; });
  if (above == curve.begin())
    return field(curve.front());
  if (above == curve.end())
    return field(curve.back());
  auto below = above - 1;
  double x = (clock - below->clock) / (above->clock - below->clock);
  return field(*below) + x * (field(*above) - field(*below));
}

/// (P3) Voltage from the table; without one, the generic curve relative to the
/// lowest voltage.
static double voltageAt(const PowerCoefficients &c, Hertz maxClock,
                        Hertz clock) {
  if (c.voltage.empty()) {
    double knee = c.genericKnee * maxClock.value();
    double rise = (clock.value() - knee) / (maxClock.value() - knee);
    return 1 + (c.genericMax - 1) * std::clamp(rise, 0.0, 1.0);
  }
  return interpolate(c.voltage, clock,
                     [](const VoltagePoint &p) { return p.voltage.value(); });
}

double CostModel::voltageDeviation(Hertz clock) const {
  if (!fitted.power || fitted.power->voltage.empty())
    return 0;
  return interpolate(fitted.power->voltage, clock,
                     [](const VoltagePoint &p) { return p.deviation; });
}

double CostModel::voltageRatio(Hertz clock) const {
  assert(fitted.power && "no power coefficients");
  return voltageAt(*fitted.power, device.maxClock, clock) / referenceVoltage;
}

double CostModel::findReferenceVoltage() const {
  return fitted.power ? voltageAt(*fitted.power, device.maxClock,
                                  fitted.power->referenceClock)
                      : 1;
}

/// (P4) Always-on part, leakage, clock tree (per GHz); `v` is the voltage
/// ratio.
static Watts idleAt(const PowerCoefficients &c, Hertz clock, double v) {
  return c.idleBase + c.idleVoltage * (v * v * v) +
         c.idleClock * (clock.value() * 1e-9 * v * v);
}

/// (P5) Core events scale with the core voltage; DRAM has a separate supply.
static Joules dynamicAt(const PowerCoefficients &c, int64_t sms,
                        const KernelEvents &events, Seconds busy, Hertz clock,
                        double v) {
  double core = c.perTensorFlop.value() * events.tensorFlops +
                c.perFp32Flop.value() * events.fp32Flops +
                c.perInstruction.value() * events.instructions +
                c.perL2Byte.value() * events.l2Bytes +
                c.perPaddedFlop.value() * events.paddedFlops +
                c.perSmCycle.value() * sms * clock.value() * busy.value();
  double dram = c.perDramByte.value() * events.dramBytes;
  if (c.dramVoltageExponent != 0)
    dram *= std::pow(v, c.dramVoltageExponent);
  return Joules(core * std::pow(v, c.voltageExponent) + dram);
}

Watts CostModel::idlePower(Hertz clock) const {
  return idleAt(*fitted.power, clock, voltageRatio(clock));
}

Watts CostModel::regulatedPower(Watts limit) const {
  return fitted.power ? limit * fitted.power->limiterShare : limit;
}

static std::string wholeWatts(Watts power) {
  return std::to_string(std::llround(power.value())) + " W";
}

std::string CostModel::refusePowerLimit(Watts limit) const {
  const auto &boards = fitted.boards;
  Watts lowest = device.powerLimit * (boards ? boards->lowestLimitShare : 0);
  if (limit >= lowest && limit <= device.powerLimit)
    return "";
  return "power limit of " + wholeWatts(limit) + ": drivers accept about " +
         wholeWatts(lowest) + " to " + wholeWatts(device.powerLimit) +
         " on this board";
}

/// "1005 MHz", "1402.5 MHz".
static std::string describeMegahertz(Hertz clock) {
  constexpr double tenth = 10;
  std::string text =
      std::to_string(std::nearbyint(clock.value() / 1e5) / tenth);
  text.erase(text.find('.') + 2);
  return (text.back() == '0' ? text.substr(0, text.size() - 2) : text) + " MHz";
}

// Drivers support a grid of clocks and round other clocks down to it.
std::string CostModel::describeClock(std::optional<Hertz> clock) const {
  if (!clock || settableClock(device, *clock) == *clock)
    return "";
  return "clock of " + describeMegahertz(*clock) + ": '" + device.name +
         "' runs at " + describeMegahertz(device.maxClock) +
         " minus multiples of " + describeMegahertz(device.clockStep) +
         "; using " + describeMegahertz(settableClock(device, *clock));
}

std::string CostModel::describeBrokenLimit(std::optional<Watts> limit,
                                           const OperatingPoint &point,
                                           Watts power) const {
  std::string why = limit ? refusePowerLimit(*limit) : "";
  if (!point.limitUnreachable)
    return why;
  return why + (why.empty() ? "" : "; ") +
         "no clock keeps the power limit of " +
         wholeWatts(limit.value_or(device.powerLimit)) + ": the GPU consumes " +
         wholeWatts(power) + " at " +
         std::to_string(std::llround(point.clock.value() * 1e-6)) +
         " MHz, the lowest clock; time is a lower bound";
}

Joules CostModel::energy(const KernelEvents &events, Seconds time, Seconds busy,
                         Hertz clock) const {
  const PowerCoefficients &c = *fitted.power;
  double v = voltageRatio(clock);
  return idleAt(c, clock, v) * time +
         dynamicAt(c, device.smCount, events, busy, clock, v);
}

Joules CostModel::dynamicEnergy(const KernelEvents &events, Seconds busy,
                                Hertz clock) const {
  return dynamicAt(*fitted.power, device.smCount, events, busy, clock,
                   voltageRatio(clock));
}
