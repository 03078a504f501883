//===- ExplainEnergy.cpp - (P*) with numbers ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"
#include <cmath>

using namespace gpucost;

static std::string mJ(double joules) { return number(joules * 1e3); }
static std::string pJ(JoulesPerEvent energy) {
  return number(energy.value() * 1e12) + " pJ";
}

void gpucost::explainEnergy(const ExplainedKernel &kernel, ExplainText &text) {
  const CostModel &model = kernel.placed.model();
  const PowerCoefficients &c = *model.coefficients().power;
  uint32_t work = kernel.kernelKind().work;
  const KernelEvents &events = kernel.placed.eventsOf(work);
  Hertz clock = kernel.totals.point.clock;
  Seconds time = kernel.placed.launchCost(work, clock).time.total;
  double v = model.voltageRatio(clock);
  double scale = std::pow(v, c.voltageExponent);

  text.section("energy, in mJ");
  text.equation("DRAM traffic (P2)",
                "DRAM bytes = " + number(events.dramBytes) + " of " +
                    number(kernel.terms().compulsoryBytes) +
                    " that the kernel reads and writes; cold data "
                    "included (P7)");
  text.equation("voltage (P3)", "v = V(" + number(clock.value() * 1e-6) +
                                    " MHz)/V(" +
                                    number(c.referenceClock.value() * 1e-6) +
                                    " MHz) = " + number(v));
  text.equation("idle power (P4)",
                "P_idle = " + number(c.idleBase.value()) + " + " +
                    number(c.idleVoltage.value()) + "*v^3 + " +
                    number(c.idleClock.value()) + "*" +
                    number(clock.value() * 1e-9) +
                    "*v^2 = " + number(model.idlePower(clock).value()) + " W");
  double cycles = model.gpu().smCount * clock.value() * time.value();
  std::string core;
  auto add = [&](const char *name, double count, JoulesPerEvent each) {
    if (count > 0)
      core += std::string(core.empty() ? "" : " + ") + name + " " +
              number(count) + "*" + pJ(each);
  };
  add("tensor FLOP", events.tensorFlops, c.perTensorFlop);
  if (c.perPaddedFlop > JoulesPerEvent(0))
    add("padded FLOP", events.paddedFlops, c.perPaddedFlop);
  add("fp32 FLOP", events.fp32Flops, c.perFp32Flop);
  add("instructions", events.instructions, c.perInstruction);
  if (c.perL2Byte > JoulesPerEvent(0))
    add("L2 bytes", events.l2Bytes, c.perL2Byte);
  add("SM cycles", cycles, c.perSmCycle);
  double dramScale =
      c.dramVoltageExponent != 0 ? std::pow(v, c.dramVoltageExponent) : 1;
  double dynamic = model.dynamicEnergy(events, time, clock).value();
  text.equation("dynamic energy (P5)",
                "E_dyn = " + number(scale) + "*(" + core + ") + " +
                    number(dramScale) + "*DRAM " + number(events.dramBytes) +
                    "*" + pJ(c.perDramByte) + " = " + mJ(dynamic));
  double idle = model.idlePower(clock).value();
  double total = idle * time.value() + dynamic;
  text.equation("energy (P6)", "E = " + number(idle) + " W*" + number(time) +
                                   " us + " + mJ(dynamic) + " = " + mJ(total));
  Watts power(total / time.value());
  LaunchCost shared = kernel.placed.launchCost(work, kernel.totals);
  const PowerShare &share = kernel.totals.share;
  if (std::isinf(share.limit.value()) ||
      (share.scale == 1 && power <= share.limit)) {
    text.line("power " + number(power.value()) + " W");
    return;
  }
  text.equation("power limit (P8)",
                "power min(" + number(share.limit.value()) + ", " +
                    number(share.scale) + "*" + number(power.value()) +
                    ") = " + number(shared.power().value()) +
                    " W, E = " + number(shared.power().value()) + " W*" +
                    number(time) + " us = " + mJ(shared.energy.value()));
}
