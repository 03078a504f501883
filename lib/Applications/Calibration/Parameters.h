//===- Parameters.h - What a calibration moves ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The coefficients of Model/Coefficients.def that a calibration moves, and
// which of them a kernel depends on.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_CALIBRATION_PARAMETERS_H
#define GPUCOST_LIB_APPLICATIONS_CALIBRATION_PARAMETERS_H

#include "gpucost/Core/Model/CostModel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <vector>

namespace gpucost::calibration {

struct Parameter {
  llvm::StringRef group, name;
  ParameterKind kind;
  double deviation; ///< prior standard deviation of the log
  double low, high; ///< SI units
  /// Moves something else than the field `name` of `group`, such as several
  /// fields at once.
  std::function<void(Coefficients &c, double value)> move = nullptr;
  /// Reads something else than that field.
  std::function<double(const Coefficients &c)> read = nullptr;
  double perUnit = 0; ///< as in FittedParameter

  /// 0 when the coefficients lack the group.
  double get(const Coefficients &c) const;
  void set(Coefficients &c, double value) const;
};

llvm::ArrayRef<Parameter> allParameters();

/// Those of `group` whose prior is positive: a zero switches a term off.
std::vector<const Parameter *> parametersOf(llvm::StringRef group,
                                            const Coefficients &prior);

/// The group whose parameters set the time of `work`, in addition to the
/// refinements of single kernels; empty when none does.
llvm::StringRef groupOf(const KernelWork &work, const KernelQuery &query,
                        const CostModel &model);

} // namespace gpucost::calibration

#endif // GPUCOST_LIB_APPLICATIONS_CALIBRATION_PARAMETERS_H
