//===- Streaming.cpp - Memory-bound kernel equations (M*) -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Streaming.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

Stream gpucost::streamOf(const KernelWork &work) {
  Stream s;
  s.readBytes = std::max<int64_t>(work.count.bytesRead, 0);
  s.writeBytes = std::max<int64_t>(work.count.bytesWritten, 0);
  return s;
}

double gpucost::rowCycles(double rows, double columns, double first,
                          double step, Steps *steps) {
  constexpr double rowStep = 512; // columns of one step of the loop
  double cycles = rows * (first + step * std::ceil(columns / rowStep));
  if (steps)
    steps->equation("row cycles (M5)",
                    "cr = {}*({} + {}*ceil({}/512)) = {} cycles",
                    {rows, first, step, columns, cycles});
  return cycles;
}

double gpucost::fewCtasSlowdown(const CostModel &model, double ctas,
                                double elementBytes, double operands,
                                Steps *steps) {
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
  double slowdown =
      share(all, widestLoad) /
      share(std::min(ctas * limits->reductionThreads, all), elementBytes);
  if (steps)
    steps->equation(
        "few CTAs (M11)",
        "all = {}*{} = {}; need = {}*{} = {} bytes; fl = all*{}*16*{}; few = "
        "min({}*{}, all)*{}*{}*{}; slow = fl/(fl + need)/(few/(few + need)) = "
        "{}",
        {model.gpu().smCount, sm->threads, all, model.gpu().dramBandwidth,
         schedule->memoryLatency, needed, limits->loadsInFlight, operands, ctas,
         limits->reductionThreads, limits->loadsInFlight, elementBytes,
         operands, slowdown});
  return slowdown;
}

InstructionClass gpucost::classOf(const KernelWork &work,
                                  InstructionClass fallback) {
  return work.instructions == InstructionClass::None ? fallback
                                                     : work.instructions;
}

void gpucost::countInstructions(const CostModel &model,
                                const StreamingCoefficients &c,
                                InstructionClass kind, double elements,
                                bool strided, const KernelQuery &query,
                                Stream &stream) {
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
  if (query.steps)
    query.steps->equation("instruction slots (M4)", "slots = {}*{} = {}",
                          {elements, slots, stream.issueSlots});
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
  // (M1) The fraction that stays in L2 between kernels and between both passes.
  double foot = footprintOf(bytes, query);
  double hit = query.keptShare.value_or(model.keptShare(foot));
  double rereadHit = std::max(
      hit, std::clamp(2 - s.inFlightBytes * smCount / capacity, 0.0, 1.0));
  LaunchTerms t;
  // (M2) DRAM.
  double costed = s.readBytes + c.writeCost * s.writeBytes;
  t.dram = Seconds((costed * (1 - hit) + s.rereadBytes * (1 - rereadHit)) /
                   (gpu.dramBandwidth.value() * c.dramEfficiency) * s.slowdown);
  // (M3) All traffic crosses the fabric between L2 and the SMs.
  double fabric = bytes + s.rereadBytes * rereadHit * (1 - s.keptFraction);
  t.l2 = Seconds(fabric / (cycles * c.l2BytesPerClock) * s.slowdown);
  // (M4) Instruction issue.
  Seconds slots(s.issueSlots * c.issueScale / (cycles * c.issueWidth));
  // (M8) A long body takes as long as its arithmetic.
  double rate = gpu.flopsPerClock(NumericFormat::FP32);
  Seconds fp32(s.fp32Flops / (cycles * rate));
  Seconds special(s.specialOps / (cycles * gpu.specialPerClock));
  // (M10) Accesses to single elements of channels, independent of their size.
  Seconds channels;
  double perClock = smCount * c.channelAccesses;
  if (c.channelAccesses > 0) {
    if (s.channelCtas > 0 && c.channelCtaAccesses > 0)
      perClock = std::min(perClock, s.channelCtas * c.channelCtaAccesses);
    channels = Seconds(s.channelAccesses / (gpu.maxClock.value() * perClock));
  }
  Seconds least(s.smCycles / cycles); // (C5), (M13) to (M16)
  t.issue = std::max({slots, fp32, special, channels, least});
  // (M5) Reductions and synchronisation per row.
  t.rows = Seconds(s.rowCycles / cycles);
  t.fixed = c.latency;
  t.events.instructions = s.instructions;
  t.events.dramBytes = s.energyBytes.value_or(bytes);
  t.events.l2Bytes = fabric;
  if (!query.steps)
    return t;
  Steps &steps = *query.steps;
  if (query.keptShare)
    steps.equation("hit rate in the iteration (M12)",
                   "bytes = {} + {} = {}; hit = {}",
                   {s.readBytes, s.writeBytes, bytes, hit});
  else
    steps.equation("hit rate (M1)",
                   "bytes = {} + {} = {}; hit = clamp(2 - {}/({}*{}), 0, 1) = "
                   "{}",
                   {s.readBytes, s.writeBytes, bytes, foot, c.l2Fraction,
                    gpu.l2Capacity, hit});
  bool twice = s.rereadBytes > 0;
  if (twice)
    steps.equation("second pass (M1)",
                   "re = {} bytes; kept = {}; hre = max(hit, clamp(2 - "
                   "{}*{}/({}*{}), 0, 1)) = {}",
                   {s.rereadBytes, s.keptFraction, s.inFlightBytes, smCount,
                    c.l2Fraction, gpu.l2Capacity, rereadHit});
  std::string slow = s.slowdown != 1 ? "*slow = {}" : " = {}";
  bool alike = c.writeCost == 1;
  if (!alike)
    steps.equation("written bytes (M2)", "costed = {} + {}*{} = {}",
                   {s.readBytes, c.writeCost, s.writeBytes, costed});
  steps.equation(
      "DRAM (M2)",
      (alike ? "dram = (bytes" : "dram = (costed") + std::string("*(1 - hit)") +
          std::string(twice ? " + re*(1 - hre)" : "") + ")/({}*{})" + slow,
      {gpu.dramBandwidth, c.dramEfficiency, t.dram});
  steps.equation("L2 (M3)",
                 "l2 = (bytes" +
                     std::string(twice ? " + re*hre*(1 - kept)" : "") +
                     ")/({}*{}*{})" + slow,
                 {gpu.smCount, gpu.maxClock, c.l2BytesPerClock, t.l2});
  steps.equation("issue (M4)", "issue = {}*{}/({}*{}*{}) = {}",
                 {s.issueSlots, c.issueScale, gpu.smCount, gpu.maxClock,
                  c.issueWidth, slots});
  if (fp32 > Seconds(0) || special > Seconds(0))
    steps.equation("loop body (M8)",
                   "body = max({}/({}*{}*{}), {}/({}*{}*{})) = {}",
                   {s.fp32Flops, gpu.smCount, gpu.maxClock, rate, s.specialOps,
                    gpu.smCount, gpu.maxClock, gpu.specialPerClock,
                    std::max(fp32, special)});
  if (channels > Seconds(0))
    steps.equation("single elements (M10)", "channels = {}/({}*{}) = {}",
                   {s.channelAccesses, gpu.maxClock, perClock, channels});
  if (least > Seconds(0))
    steps.equation("SM cycles (M4)", "least = {}/({}*{}) = {}",
                   {s.smCycles, gpu.smCount, gpu.maxClock, least});
  if (t.issue > slots)
    steps.equation("issue (M4)", "issue = max(issue, {}, {}, {}, {}) = {}",
                   {fp32, special, channels, least, t.issue});
  if (t.rows > Seconds(0))
    steps.equation("row cost (M5)", "rows = {}/({}*{}) = {}",
                   {s.rowCycles, gpu.smCount, gpu.maxClock, t.rows});
  steps.equation("launch latency (M5)", "fixed = {}", {t.fixed});
  return t;
}
