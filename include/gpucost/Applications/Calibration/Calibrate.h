//===- Calibrate.h - gpu-cost-opt calibrate ---------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_CALIBRATION_CALIBRATE_H
#define GPUCOST_APPLICATIONS_CALIBRATION_CALIBRATE_H

#include "gpucost/Core/Scenario/Scenario.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>
#include <vector>

namespace gpucost::calibration {

/// Files and names of a calibration, as the flags of `gpu-cost-opt calibrate`
/// (docs/Calibration.md); "" where one is not given.
struct CalibrateRequest {
  std::string measurements;             ///< folder of CSV files; empty: none
  std::vector<std::string> collectives; ///< output of nccl-tests
  std::string network;                  ///< between the nodes of these
  std::string steps; ///< CSV file: model, flags, time_s; empty: none
  /// Reads the flags of a step into a scenario.
  std::function<llvm::Error(llvm::StringRef, Scenario &)> readSettings;
  std::string target, targetFile, coefficients;
  std::string models; ///< folder
  std::string output; ///< coefficients file to write; "-": standard output
  std::string rows;   ///< CSV file to write
  std::vector<std::string> keep; ///< "group" or "group.field"
  unsigned folds = 5;            ///< parts that are held out in turn; 0: none
};

/// Fits, writes the files and prints the result.
llvm::Error runCalibrate(const CalibrateRequest &request);

} // namespace gpucost::calibration

#endif // GPUCOST_APPLICATIONS_CALIBRATION_CALIBRATE_H
