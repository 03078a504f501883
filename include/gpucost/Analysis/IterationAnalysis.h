//===- IterationAnalysis.h - One iteration from kernels -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects the kernels of a module and evaluates the whole iteration at a
// clock: GPU busy time, host launch time, energy, power. Solves for the clock
// that keeps a power limit. Never changes the IR. docs/CostModel.md, equations
// (H*) and (P*).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_ANALYSIS_ITERATIONANALYSIS_H
#define GPUCOST_ANALYSIS_ITERATIONANALYSIS_H

#include "gpucost/Analysis/IterationReport.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Model/CostModel.h"
#include "gpucost/Support/CheckedMath.h"
#include "mlir/IR/BuiltinOps.h"
#include <array>
#include <vector>

namespace gpucost {

/// How the iteration is run.
struct IterationOptions {
  Runtime runtime = Runtime::Eager;
  /// Host cost of one launch (c_h); nullopt = the coefficients' default. CUDA
  /// graphs have no host cost.
  std::optional<Seconds> hostLaunch;
  std::optional<Watts> powerLimit;
};

/// One launch site; equal launches are evaluated once.
struct LaunchedKernel {
  KernelOp op;
  unsigned unique = 0; ///< index into the distinct (work, tiling) pairs
  int64_t count = 1;
};

/// The iteration at one clock.
struct IterationTotals {
  Hertz clock;
  Seconds time, busy, host;
  Joules energy;
  Watts power() const { return time > Seconds(0) ? energy / time : Watts(0); }
  std::array<PhaseTotals, getMaxEnumValForPhase() + 1> phases;
};

/// The highest clock that keeps the power limit.
struct ClockSolution {
  Hertz clock;
  bool throttled = false;
  /// Not even the lowest clock keeps the limit.
  bool unreachable = false;
};

class IterationAnalysis {
public:
  /// Reads `work` and `tiling` of every kernel in `module`. Diagnoses a kernel
  /// that lacks them.
  static mlir::FailureOr<IterationAnalysis> create(mlir::ModuleOp module,
                                                   const CostModel &model,
                                                   IterationOptions options);

  IterationTotals evaluate(Hertz clock) const;
  ClockSolution solveClock(Hertz highest) const;
  /// Time of launch site `i` at `clock`.
  KernelTime timeOf(unsigned i, Hertz clock) const;
  const KernelEvents &eventsOf(unsigned i) const;
  ErrorClass errorClassOf(unsigned i) const;
  /// Energy of one launch of site `i` and its average power, at `clock`.
  Joules energyOf(unsigned i, Hertz clock) const;

  llvm::ArrayRef<LaunchedKernel> kernels() const { return launched; }
  int64_t launches() const { return hostLaunches; }
  const CostModel &model() const { return *costModel; }

private:
  struct Unique {
    WorkAttr attr;
    KernelWork work;
    Tiling tiling;
    KernelEvents events;
  };
  IterationAnalysis(const CostModel &model, IterationOptions options)
      : costModel(&model), options(options) {}
  Seconds timeAt(const Unique &kernel, Hertz clock) const;
  /// Adds time and energy of the collectives to the computation in `totals`.
  /// (OverlapAnalysis.cpp)
  void addCommunication(IterationTotals &totals,
                        llvm::ArrayRef<Seconds> kernelTimes, Seconds gap,
                        const KernelEvents &events) const;

  const CostModel *costModel;
  IterationOptions options;
  std::vector<Unique> uniques;
  std::vector<LaunchedKernel> launched;
  int64_t hostLaunches = 0;
};

/// The cost model for `gpucost.target` and `gpucost.coefficients` of `module`;
/// a missing attribute is an error that names the pass to run.
mlir::FailureOr<CostModel> getCostModel(mlir::ModuleOp module);

/// Numeric format of `gpucost.target`.
mlir::FailureOr<NumericFormat> getTargetFormat(mlir::ModuleOp module);

/// What one GPU holds, bytes, when every tensor is freed after its last use.
struct MemoryUse {
  int64_t parameterCount = 0; ///< learned parameters of the whole model
  int64_t parameterBytes = 0; ///< parameters and buffers
  int64_t optimizerBytes = 0;
  int64_t gradientBytes = 0; ///< kept between backward passes
  /// At the peak of what comes and goes: gradients of parameters, the rest.
  int64_t passingGradientBytes = 0, activationBytes = 0;
  int64_t temporaryBytes() const {
    return saturatingSum(passingGradientBytes, activationBytes);
  }
  int64_t peakBytes() const {
    return saturatingSum(saturatingSum(parameterBytes, optimizerBytes),
                         saturatingSum(gradientBytes, temporaryBytes()));
  }
};
MemoryUse analyzeMemory(mlir::ModuleOp module);

/// The full report of an annotated module (`time` and `power` present).
mlir::FailureOr<IterationReport> buildReport(mlir::ModuleOp module,
                                             IterationOptions options);

} // namespace gpucost

#endif // GPUCOST_ANALYSIS_ITERATIONANALYSIS_H
