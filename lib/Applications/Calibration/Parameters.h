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
#include <vector>

namespace gpucost::calibration {

struct Parameter {
  llvm::StringRef group, name;
  ParameterKind kind;
  double deviation; ///< prior standard deviation of the log
  double low, high; ///< SI units
  /// Moves several fields at once; null: only the field `name` of `group`.
  void (*move)(Coefficients &c, double value) = nullptr;

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
