//===- AlignProfile.h - Matches measured to predicted kernels ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_TRANSFER_ALIGNPROFILE_H
#define GPUCOST_APPLICATIONS_TRANSFER_ALIGNPROFILE_H

#include "gpucost/Applications/Transfer/PredictedRun.h"
#include "gpucost/Applications/Transfer/Profile.h"

namespace gpucost::transfer {

/// Measurements of a predicted kernel.
struct AlignedKernel {
  int64_t launches = 0; ///< measured ones in one iteration
  double totalUs = 0;   ///< of those
  /// Name of the measured kernel with most of the time, and its tile.
  std::string name, tile;
  double meanUs() const { return totalUs / static_cast<double>(launches); }
};

/// Measured launches without a predicted kernel.
struct ExtraKernel {
  std::string name;
  std::optional<KernelFamily> family;
  int64_t launches = 0;
  double totalUs = 0;
};

struct Alignment {
  /// By the index of the predicted kernel.
  std::vector<AlignedKernel> kernels;
  std::vector<ExtraKernel> extra; ///< most time first
  /// Time of table rows that give only a family, over all their launches.
  std::map<KernelFamily, double> familyUs;
  /// Fraction of the measured time with a predicted kernel, 0..1.
  double matched = 0;
  /// The same whose time is within a factor of 2 of the prediction.
  double agreeing = 0;
};

/// Aligns the sequences of a trace and a prediction with the lowest total cost,
/// keeping the order of both. A pair of one family costs up to 0.2, increasing
/// with their time difference; a pair of two families that frameworks mix (an
/// addition is a copy, a 1x1 convolution a matmul) costs 0.7 to 0.9; other
/// kernels are never paired. An unpaired kernel costs 0.5.
///
/// Rows of a table have no order: they match by the name of the model's node,
/// otherwise by family and shape (and op, if several kernels match). Fails if
/// there are too many launches, or if nothing matches.
llvm::Expected<Alignment> alignProfile(const Profile &profile,
                                       const PredictedRun &run);

/// Whether two shapes agree: they have at least one size name in common, sizes
/// of the same name are equal, and sizes that only one shape has are 0 or 1.
bool isSameShape(llvm::StringRef a, llvm::StringRef b);

} // namespace gpucost::transfer

#endif // GPUCOST_APPLICATIONS_TRANSFER_ALIGNPROFILE_H
