//===- CollectiveTests.h - Output of nccl-tests and rccl-tests --*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_CALIBRATION_COLLECTIVETESTS_H
#define GPUCOST_LIB_APPLICATIONS_CALIBRATION_COLLECTIVETESTS_H

#include "CalibrateInput.h"

namespace gpucost::calibration {

/// Adds the rows of a file that all_reduce_perf and its siblings have printed,
/// one run or several after another. The GPUs of a run are those of its `Rank`
/// lines, its nodes their hosts. The time of a row is the geometric mean of the
/// one in place and the one out of place.
llvm::Error readCollectiveTests(llvm::StringRef path, const Gpu &gpu,
                                CalibrationInput &input);

} // namespace gpucost::calibration

#endif // GPUCOST_LIB_APPLICATIONS_CALIBRATION_COLLECTIVETESTS_H
