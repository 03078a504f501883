//===- CalibrationPrior.h - Prior of a calibration --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_TARGETS_CALIBRATIONPRIOR_H
#define GPUCOST_CORE_TARGETS_CALIBRATIONPRIOR_H

#include "gpucost/Core/Targets/TargetChoice.h"

namespace gpucost {

struct CalibrationPrior {
  TargetChoice target;
  /// Groups whose numbers were measured on another GPU.
  std::vector<std::string> foreignGroups;
  std::string description; ///< "the coefficients of 'h200-sxm'"
};

/// Evaluates `target`, `target-file` and `coefficients` of `scenario` like
/// `chooseTarget`. A target file without coefficients starts from those of the
/// nearest shipped GPU: the nearest generation, then the same kind of memory
/// (HBM or GDDR), then the nearest DRAM bandwidth.
Expected<CalibrationPrior> chooseCalibrationPrior(const Scenario &scenario);

} // namespace gpucost

#endif // GPUCOST_CORE_TARGETS_CALIBRATIONPRIOR_H
