//===- OverlapAnalysis.cpp - Communication behind computation ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Two streams: kernels run in program order on one, collectives in program
// order on the other. A collective waits for the kernels that make its
// operands, a kernel for the collectives whose results it reads.
// docs/CostModel.md, (N3).

#include "gpucost/Analysis/IterationAnalysis.h"
#include "gpucost/Analysis/TrainingMarks.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace gpucost;

namespace {

/// Times of one pass over the step.
class TwoStreams {
public:
  void run(KernelOp op, double duration) {
    bool communicates = op.getPhase() == Phase::Communication;
    double &stream = communicates ? link : compute;
    double start = stream;
    op.getBody().walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        // A view is ready when what it shows is.
        Operation *def = operand.getDefiningOp();
        while (def && !isa<KernelOp>(def) && def->getNumOperands())
          def = def->getOperand(0).getDefiningOp();
        auto it = def ? end.find(def) : end.end();
        if (it != end.end())
          start = std::max(start, it->second);
      }
    });
    stream = start + duration;
    end[op] = stream;
  }

  double compute = 0, link = 0;

private:
  llvm::DenseMap<Operation *, double> end;
};

} // namespace

void IterationAnalysis::addCommunication(IterationTotals &totals,
                                         llvm::ArrayRef<Seconds> kernelTimes,
                                         Seconds gap,
                                         const KernelEvents &events) const {
  // A phase that the host holds up is stretched: so are its kernels.
  std::array<double, getMaxEnumValForPhase() + 1> stretch;
  for (auto [factor, phase] : llvm::zip_equal(stretch, totals.phases))
    factor = phase.gpuBusy > Seconds(0) ? phase.time / phase.gpuBusy : 1.0;
  // One of the accumulated passes; collectives that run in each repeat it all.
  int64_t passes = 1;
  for (const LaunchedKernel &kernel : launched) {
    KernelOp op = kernel.op;
    if (op.getPhase() == Phase::Communication)
      passes = std::max(passes, kernel.count);
  }
  TwoStreams streams;
  double computation = 0;
  for (const LaunchedKernel &kernel : launched) {
    KernelOp op = kernel.op;
    Phase phase = op.getPhase();
    if (phase == Phase::Optimizer && streams.link > streams.compute) {
      // The update waits for the last collective.
      streams.compute = streams.link;
    }
    double once = kernelTimes[kernel.unique].value();
    double duration = once;
    if (phase != Phase::Communication) {
      // Of `count` launches, those of one pass.
      double count = static_cast<double>(kernel.count);
      if (auto passes = op->getAttrOfType<IntegerAttr>(accumulatedAttrName))
        count /= static_cast<double>(passes.getInt());
      duration =
          (once + gap.value()) * count * stretch[static_cast<unsigned>(phase)];
      computation += duration;
    }
    streams.run(op, duration);
  }
  double exposed = std::max(streams.compute, streams.link) - computation;
  auto &phase = totals.phases[static_cast<unsigned>(Phase::Communication)];
  phase.time = Seconds(std::max(exposed, 0.0) * static_cast<double>(passes));
  // (N2) While only links work the board draws a share of its busy power.
  Watts idle = costModel->idlePower(totals.clock);
  Watts busy =
      totals.time > Seconds(0) ? totals.energy / totals.time - idle : Watts(0);
  double share = costModel->coefficients().collectives
                     ? costModel->coefficients().collectives->powerShare
                     : 0.0;
  phase.energy = (idle + std::max(busy, Watts(0)) * share) * phase.time +
                 costModel->dynamicEnergy(events, Seconds(0), totals.clock);
  totals.time += phase.time;
  totals.energy += phase.energy;
}
