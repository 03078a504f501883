//===- StreamClocks.cpp - Schedules of memory-bound kernels ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamClocks.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

static constexpr double mostThreads = 1024; ///< per CTA
static constexpr double widestLoad = 16;    ///< bytes

ScheduleFit gpucost::fitStream(const ScheduleDevice &d, double elementBytes,
                               const Schedule &s) {
  ScheduleFit fit;
  Schedule others = s;
  others.vectorM = others.warps = others.ctasPerSm = 0;
  fit.threads = d.lanes * s.warps;
  if (!s.vectorM || !s.warps)
    fit.fault = ScheduleFault::Unknown;
  else if (!(others == Schedule()))
    fit.fault = ScheduleFault::NotOfStreams;
  else if ((s.vectorM & (s.vectorM - 1)) ||
           s.vectorM * elementBytes > widestLoad)
    fit.fault = ScheduleFault::Vector;
  else if (fit.threads > std::min(mostThreads, d.threads))
    fit.fault = ScheduleFault::Threads;
  if (!fit)
    return fit;
  double fits = std::min(roundDown(d.threads / fit.threads), d.ctas);
  fit.ctasPerSm = s.ctasPerSm ? s.ctasPerSm : fits;
  if (fit.ctasPerSm > fits)
    fit.fault = ScheduleFault::CtasPerSm;
  return fit;
}

double gpucost::streamSlowdown(const ScheduleDevice &d, Seconds memoryLatency,
                               double elementBytes, double inputs,
                               const Schedule &s, const ScheduleFit &fit) {
  // (M9) Little's law: bandwidth x latency bytes must be in flight.
  double needed = d.dramBandwidth * memoryLatency.value();
  auto share = [&](double threads, double bytes) {
    double flight = d.sms * threads * d.streams->loadsInFlight * bytes * inputs;
    return flight / (flight + needed);
  };
  return share(d.threads, widestLoad) /
         share(fit.ctasPerSm * fit.threads, s.vectorM * elementBytes);
}
