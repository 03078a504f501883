//===- PredictedRun.h - A prediction, launch by launch -------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_TRANSFER_PREDICTEDRUN_H
#define GPUCOST_TRANSFER_PREDICTEDRUN_H

#include "gpucost/Compare/ComparedReport.h"
#include "gpucost/Iteration/PlacedModel.h"

namespace gpucost {

/// A row of a report as transfers need it.
struct PredictedKernel {
  ComparedKernel row;
  KernelFamily family = KernelFamily::Opaque;
  Phase phase = Phase::Forward;
  /// Of one launch, 80 %; nullopt: not known.
  std::optional<double> halfWidth;
};

struct PredictedRun {
  std::string gpu, die;
  double clockMHz = 0;
  RuntimeCoefficients runtime;
  IterationReport report;
  /// Rows of the report, in its order.
  std::vector<PredictedKernel> kernels;
  /// Index into `kernels` of every launch of one iteration, in the order of
  /// `launchOrder`. Empty where there are more than a trace can be aligned
  /// with.
  std::vector<uint32_t> sequence;

  /// Of all kernels outside of communication, us.
  double kernelUs() const;
  using PhaseTimes = std::array<Seconds, getMaxEnumValForPhase() + 1>;
  /// (H2) The iteration when the GPU is `busy` in each phase and the host needs
  /// `hostRatio` times what is predicted. Waits for sizes and exposed
  /// communication are as predicted.
  Seconds timeWith(const PhaseTimes &busy, double hostRatio) const;
};

/// Indices of `launches` as often and in the order they run: a launch that a
/// loop repeats stands behind itself; neighbours that are sums of the same
/// number of accumulated passes run as one, pass by pass.
std::vector<uint32_t> launchOrder(const std::vector<Launch> &launches);

PredictedRun describeRun(const PlacedModel &placed);

} // namespace gpucost

#endif // GPUCOST_TRANSFER_PREDICTEDRUN_H
