//===- StepLogs.h - Levels of training stacks from step times ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_CALIBRATION_STEPLOGS_H
#define GPUCOST_LIB_APPLICATIONS_CALIBRATION_STEPLOGS_H

#include "CalibrateInput.h"

namespace gpucost::calibration {

/// Fits the slowdown of each stack (X19) to the step log of `request`, with the
/// coefficients of `result`, and adds the fits to `result`. A stack with five
/// rows or more also gets its half-width. `board` is the name of the GPU.
llvm::Error fitStepLogs(const CalibrateRequest &request,
                        const std::string &board, CalibrationInput &input,
                        CalibrationResult &result);

} // namespace gpucost::calibration

#endif // GPUCOST_LIB_APPLICATIONS_CALIBRATION_STEPLOGS_H
