//===- Transfer.h - From a measured GPU to another one -------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A profile of one GPU and the predictions of two: every kernel's prediction on
// the second one is corrected by what was measured of it on the first,
//
//   t = predicted_B x (measured_A / predicted_A)^w
//
// The ratio has an error of the model that both GPUs share and one of A alone.
// With half-widths s_A, s_B of the two predictions and a correlation c between
// their errors, w = c s_B / s_A errs least, and leaves
// s_B sqrt(1 + w^2 - 2 w c). Nobody knows c of a pair of GPUs, so the rule is
// by what the two runs share:
//
//   the same board and clock     c = 1            nothing changes but the plan
//   the same die                 c in 1/2 to 1    w = 3/4
//   another die                  c in 0 to 1      w = 1/2
//
// w is the middle of the range, which loses least at either end; the interval
// takes c at its lower end; and s_B / s_A counts as 1 at most. No number of it
// is fitted.

#ifndef GPUCOST_TRANSFER_TRANSFER_H
#define GPUCOST_TRANSFER_TRANSFER_H

#include "gpucost/Transfer/AlignProfile.h"

namespace gpucost {

/// Why measured and predicted time of the first GPU differ.
enum class GapReason {
  Agrees,         ///< within the 80 % interval
  Clock,          ///< as all kernels that the SM clock bounds
  OtherAlgorithm, ///< product, convolution or attention outside of its interval
  Slower,         ///< other kernels outside of it
  Faster,
  NotMeasured, ///< a table has no row of it
  Missing,     ///< a trace has no launch of it
};

/// "agrees", "other algorithm", ...
llvm::StringRef describe(GapReason reason);

/// A predicted kernel of the first GPU beside what was measured.
struct KernelGap {
  size_t kernel = 0; ///< index into the prediction
  GapReason reason = GapReason::Agrees;
  std::string detail;      ///< "tile 128x64, predicted 128x128"; ""
  double differenceUs = 0; ///< measured - predicted, launches with a partner
  int64_t missing = 0;     ///< of a trace: launches that never ran
  double missingUs = 0;    ///< predicted for these
};

/// Measured against predicted iteration of the first GPU. Of a trace,
/// predicted + kernels + extra - missing + idle - overlap = measured, without
/// collectives in the kernels.
struct ProfileGaps {
  std::vector<KernelGap> kernels; ///< largest difference first
  double predictedUs = 0;
  /// Of a trace: its iteration; of a table: the measured kernels and what is
  /// predicted of the rest.
  double measuredUs = 0;
  double kernelsUs = 0, extraUs = 0, missingUs = 0;
  /// Measured - predicted time in which the GPU computes nothing: gaps, waits
  /// for the host, exposed communication.
  double idleUs = 0;
  double overlapUs = 0; ///< time in which kernels ran beside each other
  /// The GPU waits for the host for a tenth of the time or more.
  bool hostBound = false;
  /// Kernels that the SM clock bounds are slower by about this factor, the
  /// others are not: nullopt otherwise.
  std::optional<double> clockRatio;
};

ProfileGaps explainGaps(const Profile &profile, const Alignment &alignment,
                        const PredictedRun &run);

/// Where the correction of a kernel comes from.
enum class CarryBasis { Kernel, Family, None };

struct CarriedKernel {
  size_t kernel = 0; ///< index into the prediction of the second run
  CarryBasis basis = CarryBasis::None;
  double ratio = 1;  ///< measured / predicted on the first GPU
  double weight = 0; ///< w
  int64_t count = 0; ///< launches: those that were never seen are left out
  double timeUs = 0; ///< corrected, of one launch
};

struct CarriedRun {
  std::vector<CarriedKernel> kernels;
  double extraUs = 0; ///< measured kernels without a prediction
  /// Measured / predicted: time that the host needs, and what is between two
  /// kernels where the host keeps up.
  double hostRatio = 1, gapRatio = 1;
  Seconds time, predictedTime;
  Joules energy, predictedEnergy;
  /// 80 % half-widths; nullopt: not known.
  std::optional<double> timeHalfWidth, energyHalfWidth;
  std::vector<std::string> notes;
  Watts power() const { return time > Seconds(0) ? energy / time : Watts(0); }
};

/// Carries the measurement `alignment` of the run `from` to `to`, which is
/// placed as `placed`.
CarriedRun carryOver(const Profile &profile, const Alignment &alignment,
                     const PredictedRun &from, const ProfileGaps &gaps,
                     const PredictedRun &to, const PlacedModel &placed);

/// What the errors of two predictions share by the rule above.
struct SharedError {
  double weight = 0; ///< w for equal half-widths
  double least = 0;  ///< the lower end of c
  /// Half-width that is left, relative to that of the second prediction.
  double remaining() const;
};
SharedError sharedError(const PredictedRun &from, const PredictedRun &to);

} // namespace gpucost

#endif // GPUCOST_TRANSFER_TRANSFER_H
