//===- Streaming.cpp - Memory-bound kernel equations (M*) -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Streaming.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

Stream gpucost::streamOf(const KernelWork &work) {
  Stream s;
  s.readBytes = std::max<int64_t>(work.count.bytesRead, 0);
  s.writeBytes = std::max<int64_t>(work.count.bytesWritten, 0);
  return s;
}

Expected<Tiling> gpucost::tileStream(const CostModel &, const KernelWork &,
                                     const KernelQuery &) {
  return Tiling();
}

Expected<const StreamingCoefficients *>
gpucost::streamingCoefficients(const CostModel &model) {
  if (const auto &set = model.coefficients().streaming)
    return &*set;
  return fail("'" + model.gpu().name +
              "' has no coefficients for memory-bound kernels");
}

void gpucost::countChannelAccesses(const KernelWork &work, bool perChannel,
                                   Stream &stream) {
  if (perChannel)
    stream.channelAccesses =
        (stream.readBytes + stream.writeBytes) / work.inputBytes();
}

double gpucost::fewCtasSlowdown(const CostModel &model, double ctas,
                                double elementBytes, double operands) {
  const auto &schedule = model.coefficients().tensorSchedule;
  const auto &limits = model.coefficients().streamLimits;
  const auto &sm = model.gpu().sm;
  if (!schedule || !limits || !sm || ctas <= 0 || operands <= 0)
    return 1;
  constexpr double widestLoad = 16; // bytes
  double all = static_cast<double>(model.gpu().smCount) * sm->threads;
  double needed =
      model.gpu().dramBandwidth.value() * schedule->memoryLatency.value();
  auto share = [&](double threads, double bytes) {
    double flight = threads * limits->loadsInFlight * bytes * operands;
    return flight / (flight + needed);
  };
  return share(all, widestLoad) /
         share(std::min(ctas * limits->reductionThreads, all), elementBytes);
}

InstructionClass gpucost::classOf(const KernelWork &work,
                                  InstructionClass fallback) {
  return work.instructions == InstructionClass::None ? fallback
                                                     : work.instructions;
}

void gpucost::countInstructions(const CostModel &model,
                                const StreamingCoefficients &c,
                                InstructionClass kind, double elements,
                                bool strided, Stream &stream) {
  auto index = static_cast<unsigned>(kind);
  // (M4) Index arithmetic of a strided kernel hides cheap arithmetic.
  double slots = c.issueSlots[index];
  if (strided)
    slots = std::max(slots, c.broadcastSlots);
  stream.issueSlots = elements * slots;
  // (P1) Thread instructions add up.
  if (const auto &counts = model.coefficients().instructions)
    stream.instructions = elements * (counts->perElement[index] +
                                      (strided ? counts->strided : 0));
}

double gpucost::footprintOf(double bytes, const KernelQuery &query) {
  double touched = std::max(query.reuseBytesA, query.reuseBytesB);
  return std::isfinite(touched) ? touched : bytes;
}

LaunchTerms gpucost::streamTerms(const CostModel &model,
                                 const StreamingCoefficients &c,
                                 const Stream &s, const KernelQuery &query) {
  const Gpu &gpu = model.gpu();
  double bytes = s.readBytes + s.writeBytes;
  double smCount = gpu.smCount;
  double cycles = smCount * gpu.maxClock.value(); // SM cycles per second
  double capacity = c.l2Fraction * gpu.l2Capacity.value();
  // (M1) What stays in L2 between kernels, and between the two passes.
  double hit =
      query.keptShare.value_or(model.keptShare(footprintOf(bytes, query)));
  double rereadHit = std::max(
      hit, std::clamp(2 - s.inFlightBytes * smCount / capacity, 0.0, 1.0));
  LaunchTerms t;
  // (M2) DRAM.
  t.dram = Seconds((bytes * (1 - hit) + s.rereadBytes * (1 - rereadHit)) /
                   (gpu.dramBandwidth.value() * c.dramEfficiency) * s.slowdown);
  // (M3) All traffic crosses the fabric between L2 and the SMs.
  double fabric = bytes + s.rereadBytes * rereadHit * (1 - s.keptFraction);
  t.l2 = Seconds(fabric / (cycles * c.l2BytesPerClock) * s.slowdown);
  // (M4) Instruction issue.
  t.issue = Seconds(s.issueSlots * c.issueScale / (cycles * c.issueWidth));
  // (M8) A long body takes as long as its arithmetic.
  t.issue = std::max(
      {t.issue,
       Seconds(s.fp32Flops / (cycles * gpu.flopsPerClock(NumericFormat::FP32))),
       Seconds(s.specialOps / (cycles * gpu.specialPerClock))});
  // (M10) Single elements of channels, whatever their size.
  if (c.channelAccesses > 0) {
    double perClock = smCount * c.channelAccesses;
    if (s.channelCtas > 0 && c.channelCtaAccesses > 0)
      perClock = std::min(perClock, s.channelCtas * c.channelCtaAccesses);
    t.issue = std::max(t.issue, Seconds(s.channelAccesses /
                                        (gpu.maxClock.value() * perClock)));
  }
  // (C5), (M13) to (M16)
  t.issue = std::max(t.issue, Seconds(s.smCycles / cycles));
  // (M5) Reductions and synchronisation per row.
  t.rows = Seconds(s.rowCycles / cycles);
  t.fixed = c.latency;
  t.events.instructions = s.instructions;
  t.events.dramBytes = s.energyBytes.value_or(bytes);
  t.events.l2Bytes = fabric;
  t.refinements = s.refinements;
  return t;
}
