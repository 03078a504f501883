//===- CalibrateInput.h - Measurements from a folder ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_CALIBRATION_CALIBRATEINPUT_H
#define GPUCOST_LIB_APPLICATIONS_CALIBRATION_CALIBRATEINPUT_H

#include "CalibrateFiles.h"
#include "gpucost/Applications/Calibration/Calibrate.h"
#include "gpucost/Applications/Calibration/Calibration.h"
#include <map>
#include <set>

namespace gpucost::calibration {

/// The measurements of one GPU in a folder.
struct CalibrationInput {
  Measurements measurements;
  /// "NVIDIA A100-SXM4-80GB, driver 570.86, CUDA 12.8, PyTorch 2.11, 2026-..."
  std::string provenance;
  size_t rows = 0;                       ///< of all files
  std::map<std::string, size_t> skipped; ///< reason -> rows
  std::vector<std::string> warnings;
  std::set<std::string> devices; ///< that tests of collectives name
};

/// Reads kernels.csv, kernels-from-model.csv, power.csv and host.csv of
/// `folder`, as many as there are. Error when there is none of them, when they
/// hold another GPU than `gpu` or several, or when a number is none.
/// The measurements of `request`: its folder and its tests of collectives.
llvm::Expected<CalibrationInput>
readMeasurements(const CalibrateRequest &request, const Gpu &gpu);

/// Fails if the provenance of `file` does not name a board like `gpu`.
llvm::Error checkDevice(const MeasurementFile &file, const Gpu &gpu);

} // namespace gpucost::calibration

#endif // GPUCOST_LIB_APPLICATIONS_CALIBRATION_CALIBRATEINPUT_H
