//===- PredictedRun.cpp - A prediction, launch by launch ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Transfer/PredictedRun.h"
#include "gpucost/Core/Model/Composition.h"
#include <cassert>
#include <deque>
#include <map>
#include <tuple>

using namespace gpucost;
using namespace gpucost::compare;
using namespace gpucost::transfer;

/// More launches than a trace of one iteration contains.
static constexpr int64_t longest = 1000000;

double PredictedRun::kernelUs() const {
  double sum = 0;
  for (const PredictedKernel &kernel : kernels)
    if (kernel.phase != Phase::Communication)
      sum += kernel.row.totalUs();
  return sum;
}

Seconds PredictedRun::timeWith(const PhaseTimes &busy, double hostRatio) const {
  Seconds time = report.time;
  for (const PhaseTotals &phase : report.phases)
    if (phase.phase != Phase::Communication)
      time += phaseTime(runtime, busy[static_cast<size_t>(phase.phase)],
                        phase.host * hostRatio) -
              phaseTime(runtime, phase.gpuBusy, phase.host);
  return time;
}

static PredictedKernel describe(const KernelRow &row) {
  PredictedKernel kernel;
  ComparedKernel &out = kernel.row;
  out.name = row.name;
  out.op = row.op;
  out.label = row.label;
  out.origin = row.origin;
  out.family = stringifyKernelFamily(row.family);
  out.phase = stringifyPhase(row.phase);
  out.format = stringifyNumericFormat(row.format);
  out.shape = row.shape;
  out.bound = stringifyBound(row.time.bound);
  if (row.tiling.tile.m > 0)
    out.tile = std::to_string(row.tiling.tile.m) + "x" +
               std::to_string(row.tiling.tile.n);
  out.splitK = row.tiling.splitK;
  out.count = row.count;
  out.timeUs = row.time.total.value() * 1e6;
  out.energyJ = row.energy.value();
  out.computeUs = row.time.compute.value() * 1e6;
  out.l2Us = row.time.l2.value() * 1e6;
  out.dramUs = row.time.dram.value() * 1e6;
  out.fixedUs = row.time.fixed.value() * 1e6;
  kernel.family = row.family;
  kernel.phase = row.phase;
  kernel.halfWidth = row.time.halfWidth;
  return kernel;
}

std::vector<uint32_t>
transfer::launchOrder(const std::vector<Launch> &launches) {
  std::vector<uint32_t> order;
  for (size_t begin = 0, end = 0; begin < launches.size(); begin = end) {
    int64_t passes = std::max<int64_t>(1, launches[begin].passes);
    while (end < launches.size() &&
           std::max<int64_t>(1, launches[end].passes) == passes)
      ++end;
    for (int64_t pass = 0; pass < passes; ++pass)
      for (size_t i = begin; i < end; ++i) {
        // Launches that do not divide evenly among the passes run in the last
        // passes.
        int64_t count = launches[i].count * (pass + 1) / passes -
                        launches[i].count * pass / passes;
        order.insert(order.end(), static_cast<size_t>(count),
                     static_cast<uint32_t>(i));
      }
  }
  return order;
}

/// The row of the report for each kind of launch. Rows are sorted by time, and
/// two kinds may differ only in their L2 hits.
static std::vector<uint32_t> rowsOfKinds(const PlacedModel &placed,
                                         const IterationTotals &totals,
                                         const IterationReport &report) {
  const PreparedModel &prepared = placed.prepared();
  std::vector<int64_t> counts(prepared.kinds.size());
  for (const Launch &launch : prepared.launches)
    addSaturating(counts[launch.kind], launch.count, 1);
  auto keyOf = [](const auto &kernel, const std::string &shape,
                  NumericFormat format, Seconds time, int64_t count) {
    return std::tuple(kernel.name, kernel.label, kernel.op, kernel.origin,
                      kernel.phase, shape, format, time.value(), count);
  };
  using Key =
      decltype(keyOf(KernelRow(), "", NumericFormat::BF16, Seconds(), 0));
  std::map<Key, std::deque<uint32_t>> rows;
  for (uint32_t i = 0; i < report.kernels.size(); ++i) {
    const KernelRow &row = report.kernels[i];
    rows[keyOf(row, row.shape, row.format, row.time.total, row.count)]
        .push_back(i);
  }
  std::vector<uint32_t> result(prepared.kinds.size());
  for (size_t i = 0; i < prepared.kinds.size(); ++i) {
    const KernelKind &kind = prepared.kinds[i];
    const KernelWork &work = placed.kernel(kind.work).work;
    std::deque<uint32_t> &fitting =
        rows[keyOf(kind, describeProblem(work), work.format,
                   placed.launchCost(kind.work, totals).time.total, counts[i])];
    assert(!fitting.empty() && "every kind has a row");
    result[i] = fitting.front();
    fitting.pop_front();
  }
  return result;
}

PredictedRun transfer::describeRun(const PlacedModel &placed) {
  PredictedRun run;
  const PreparedModel &prepared = placed.prepared();
  IterationSummary summary = placed.summarize(prepared.settings);
  run.report = placed.report(summary, prepared.settings);
  const Gpu &gpu = placed.model().gpu();
  run.gpu = gpu.name;
  run.die = gpu.die;
  run.runtime = *placed.model().coefficients().runtime;
  run.clockMHz = run.report.clock.value() * 1e-6;
  for (const KernelRow &row : run.report.kernels)
    run.kernels.push_back(describe(row));
  int64_t launches = 0;
  for (const Launch &launch : prepared.launches)
    launches = saturatingSum(launches, launch.count);
  if (launches > longest)
    return run;
  std::vector<uint32_t> rows = rowsOfKinds(placed, summary.totals, run.report);
  for (uint32_t index : launchOrder(prepared.launches))
    run.sequence.push_back(rows[prepared.launches[index].kind]);
  return run;
}
