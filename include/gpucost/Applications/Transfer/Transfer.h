//===- Transfer.h - Scales a profile to another GPU -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Combines a profile of one GPU with predictions for two: the prediction of
// every kernel on the second GPU is corrected by its measurement on the first,
//
//   t = predicted_B x (measured_A / predicted_A)^w
//
// The ratio contains an error of the model that both GPUs share and an error of
// A only. With half-widths s_A, s_B of the two predictions and a correlation c
// between their errors, w = c s_B / s_A minimizes the error and leaves s_B
// sqrt(1 + w^2 - 2 w c). The correlation of a given pair of GPUs is unknown, so
// w depends on the shared properties of the runs:
//
//   the same board and clock     c = 1            nothing changes but the plan
//   the same die                 c in 1/2 to 1    w = 3/4
//   another die                  c in 0 to 1      w = 1/2
//
// w uses the middle of the range, which minimizes the largest loss; the
// interval uses the lower end of c; s_B / s_A is at most 1. These numbers are
// not fitted.

#ifndef GPUCOST_APPLICATIONS_TRANSFER_TRANSFER_H
#define GPUCOST_APPLICATIONS_TRANSFER_TRANSFER_H

#include "gpucost/Applications/Enums.h"
#include "gpucost/Applications/Transfer/AlignProfile.h"

namespace gpucost::transfer {

/// Comparison of a predicted kernel with its measurement on the first GPU.
struct KernelGap {
  size_t kernel = 0; ///< index into the prediction
  GapReason reason = GapReason::Agrees;
  std::string detail;      ///< "tile 128x64, predicted 128x128"; ""
  double differenceUs = 0; ///< measured - predicted, launches with a partner
  int64_t missing = 0;     ///< trace only: launches that never ran
  double missingUs = 0;    ///< predicted for these
};

/// Comparison of the measured and the predicted iteration on the first GPU. For
/// a trace, predicted + kernels + extra - missing + idle - overlap = measured;
/// kernels exclude collectives.
struct ProfileGaps {
  std::vector<KernelGap> kernels; ///< largest difference first
  double predictedUs = 0;
  /// Trace: its iteration. Table: the measured kernels plus the predicted times
  /// of the others.
  double measuredUs = 0;
  double kernelsUs = 0, extraUs = 0, missingUs = 0;
  /// Measured - predicted time in which the GPU computes nothing: gaps, waits
  /// for the host, exposed communication.
  double idleUs = 0;
  double overlapUs = 0; ///< time in which kernels ran concurrently
  /// The GPU waits for the host for at least a tenth of the time.
  bool hostBound = false;
  /// Factor by which kernels bound by the SM clock are slower, if the others
  /// are not; otherwise nullopt.
  std::optional<double> clockRatio;
  /// Fraction of the time that agrees: of the measured time, kernels within a
  /// factor of 2 of their prediction; of the predicted time, kernels in the
  /// trace. The smaller one.
  double agreement = 0;
  /// So little agrees that the profile may be that of another model.
  bool isDoubtful() const;
};

/// Warnings about a profile that may be of another run.
std::vector<std::string> findDoubts(const Profile &profile,
                                    const ProfileGaps &gaps,
                                    const PredictedRun &run);

ProfileGaps explainGaps(const Profile &profile, const Alignment &alignment,
                        const PredictedRun &run);

struct CarriedKernel {
  size_t kernel = 0; ///< index into the prediction of the second run
  CarryBasis basis = CarryBasis::None;
  double ratio = 1;  ///< measured / predicted on the first GPU
  double weight = 0; ///< w
  int64_t count = 0; ///< launches, without those missing in the trace
  double timeUs = 0; ///< corrected time of one launch
};

struct CarriedRun {
  std::vector<CarriedKernel> kernels;
  double extraUs = 0; ///< measured kernels without a prediction
  /// Measured / predicted: host time, and gap between two kernels if the run is
  /// not host-bound.
  double hostRatio = 1, gapRatio = 1;
  Seconds time, predictedTime;
  Joules energy, predictedEnergy;
  /// 80 % half-widths; nullopt: not known.
  std::optional<double> timeHalfWidth, energyHalfWidth;
  std::vector<std::string> notes;
  Watts power() const { return time > Seconds(0) ? energy / time : Watts(0); }
};

/// Scales the measurement `alignment` of the run `from` to `to`, which is
/// placed as `placed`.
CarriedRun carryOver(const Profile &profile, const Alignment &alignment,
                     const PredictedRun &from, const ProfileGaps &gaps,
                     const PredictedRun &to, const PlacedModel &placed);

/// Shared error of two predictions, by the rule above.
struct SharedError {
  double weight = 0; ///< w for equal half-widths
  double least = 0;  ///< the lower end of c
  /// Remaining half-width, relative to that of the second prediction.
  double remaining() const;
};
SharedError sharedError(const PredictedRun &from, const PredictedRun &to);

} // namespace gpucost::transfer

#endif // GPUCOST_APPLICATIONS_TRANSFER_TRANSFER_H
