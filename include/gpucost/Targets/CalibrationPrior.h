//===- CalibrationPrior.h - Where a calibration starts ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_TARGETS_CALIBRATIONPRIOR_H
#define GPUCOST_TARGETS_CALIBRATIONPRIOR_H

#include "gpucost/Targets/TargetRegistry.h"

namespace gpucost {

struct CalibrationPrior {
  ResolvedTarget target;
  /// Groups whose numbers were measured on another GPU.
  std::vector<std::string> foreignGroups;
  std::string description; ///< "the coefficients of 'h200-sxm'"
};

/// As `resolveTargetOptions`. A target file without coefficients starts from
/// those of the nearest shipped GPU: the nearest generation, then the same kind
/// of memory (HBM or GDDR), then the nearest DRAM bandwidth.
llvm::Expected<CalibrationPrior>
resolveCalibrationPrior(mlir::MLIRContext *context, llvm::StringRef target,
                        llvm::StringRef targetFile,
                        llvm::StringRef coefficientsFile);

} // namespace gpucost

#endif // GPUCOST_TARGETS_CALIBRATIONPRIOR_H
