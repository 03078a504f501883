//===- PredictedRun.h - A prediction, launch by launch -------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_TRANSFER_PREDICTEDRUN_H
#define GPUCOST_APPLICATIONS_TRANSFER_PREDICTEDRUN_H

#include "gpucost/Applications/Compare/ComparedReport.h"
#include "gpucost/Core/Iteration/PlacedModel.h"

namespace gpucost::transfer {

/// A row of a report, for transfers.
struct PredictedKernel {
  compare::ComparedKernel row;
  KernelFamily family = KernelFamily::Opaque;
  Phase phase = Phase::Forward;
  /// 80 % half-width of one launch; nullopt if unknown.
  std::optional<double> halfWidth;
};

struct PredictedRun {
  std::string gpu, die;
  double clockMHz = 0;
  RuntimeCoefficients runtime;
  IterationReport report;
  /// Rows of the report, in its order.
  std::vector<PredictedKernel> kernels;
  /// Index into `kernels` for every launch in one iteration, in the order of
  /// `launchOrder`. Empty if there are too many to align with a trace.
  std::vector<uint32_t> sequence;

  /// Time of all kernels except communication, us.
  double kernelUs() const;
  using PhaseTimes = std::array<Seconds, getMaxEnumValForPhase() + 1>;
  /// (H2) Time of the iteration if the GPU is `busy` in each phase and the host
  /// takes `hostRatio` times its predicted time. Waits for sizes and exposed
  /// communication are as predicted.
  Seconds timeWith(const PhaseTimes &busy, double hostRatio) const;
};

/// Indices of `launches` in execution order, one per execution: launches
/// repeated by a loop are consecutive; adjacent launches with the same number
/// of gradient-accumulation passes run together, pass by pass.
std::vector<uint32_t> launchOrder(const std::vector<Launch> &launches);

PredictedRun describeRun(const PlacedModel &placed);

} // namespace gpucost::transfer

#endif // GPUCOST_APPLICATIONS_TRANSFER_PREDICTEDRUN_H
