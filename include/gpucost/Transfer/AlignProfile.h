//===- AlignProfile.h - Measured kernels as predicted ones ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_TRANSFER_ALIGNPROFILE_H
#define GPUCOST_TRANSFER_ALIGNPROFILE_H

#include "gpucost/Transfer/PredictedRun.h"
#include "gpucost/Transfer/Profile.h"

namespace gpucost {

/// What was measured of a predicted kernel.
struct AlignedKernel {
  int64_t launches = 0; ///< measured ones in one iteration
  double totalUs = 0;   ///< of those
  /// The kernel that most of the time was measured as, and its tile.
  std::string name, tile;
  double meanUs() const { return totalUs / static_cast<double>(launches); }
};

/// Measured launches that no predicted kernel stands for.
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
  /// Of rows of a table that say no more than their family: time of all their
  /// launches.
  std::map<KernelFamily, double> familyUs;
  /// Measured time that has a predicted kernel, 0..1.
  double matched = 0;
};

/// The sequences of a trace and of a prediction, with the order of both kept:
/// the pairs of least total cost. Two kernels of one family cost up to 0.2, the
/// more their times differ; of two families that frameworks mix (an addition is
/// a copy, a 1x1 convolution a product), 0.7 to 0.9; any other two never pair.
/// A kernel that stays alone costs 0.5.
///
/// Rows of a table have no order: they pair by the name of the model's node,
/// else by family and shape (and op, where several kernels fit). An error says
/// that the two have too many launches, or nothing in common.
llvm::Expected<Alignment> alignProfile(const Profile &profile,
                                       const PredictedRun &run);

/// Two shapes agree: sizes of the same name are equal, there is one at least,
/// and sizes that one of them lacks are 0 or 1.
bool isSameShape(llvm::StringRef a, llvm::StringRef b);

} // namespace gpucost

#endif // GPUCOST_TRANSFER_ALIGNPROFILE_H
