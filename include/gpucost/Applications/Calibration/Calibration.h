//===- Calibration.h - Coefficients from measurements -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves the coefficients of a cost model towards measured kernels and loads: a
// maximum a posteriori fit, robust in the measurements, with the shipped
// coefficients as prior. Pure: no files, no IR. docs/Calibration.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_CALIBRATION_CALIBRATION_H
#define GPUCOST_APPLICATIONS_CALIBRATION_CALIBRATION_H

#include "gpucost/Core/Model/CostModel.h"
#include "llvm/ADT/StringSet.h"
#include <string>
#include <vector>

namespace gpucost::calibration {

/// One kernel and how long a launch took. With a clock in `query` the time was
/// measured at that clock, else under the power limit of the query.
struct TimedKernel {
  KernelWork work;
  /// Other kernels of the same call, such as the backward kernels of a
  /// normalization. The call takes the sum of their times.
  std::vector<KernelWork> others;
  KernelQuery query;
  Seconds time;
  double spread = 0;  ///< standard deviation of the log over the repeats
  std::string family; ///< row of the error table: "matmul bf16"
  std::string shape;  ///< rows of one shape are held out together
  size_t line = 0;    ///< of its file
  std::string file = "kernels";
};

/// A steady load and the power that it drew; without kernels the idle GPU.
struct MeasuredLoad {
  struct Kernel {
    KernelWork work;
    KernelQuery query;
  };
  std::string name;
  std::vector<Kernel> kernels; ///< of one iteration
  Watts power;
  Hertz clock;
  Seconds iteration; ///< wall time of one
  /// Launched one by one: the GPU may wait between kernels.
  bool launchedByHost = false;
  size_t line = 0; ///< of its file
};

struct Measurements {
  std::vector<TimedKernel> kernels;
  std::vector<MeasuredLoad> loads;
  /// Their work is a CollectiveProblem.
  std::vector<TimedKernel> collectives;
  /// Host time of one eager launch.
  std::optional<Seconds> hostLaunch;
};

struct CalibrationOptions {
  unsigned folds = 5; ///< 0 and 1: nothing is held out
  /// Groups whose prior was measured on another GPU: it is wider.
  llvm::StringSet<> foreignGroups;
  /// "group" or "group.field": determined by other measurements.
  llvm::StringSet<> kept;
};

/// One coefficient before and after, in the SI unit of its attribute.
struct FittedParameter {
  std::string group, field;
  double prior = 0, value = 0;
  double deviations = 0; ///< (log value - log prior) / deviation of the prior
  bool physical = false; ///< distorted by a throttled or shared GPU
  double perUnit = 0;    ///< units of a coefficients file; 0: by size
};

/// Mean absolute errors in one family, as fractions of the measured value.
struct FamilyError {
  std::string family;
  size_t count = 0;
  double before = 0, fitted = 0;
  std::optional<double> heldOut;
};

/// One group of coefficients that measurements have moved.
struct FittedGroup {
  std::string name; ///< as in the attribute: "tensor_gemm"
  std::string part; ///< of it: "all_reduce 8 GPUs"; empty: all
  size_t count = 0;
  double before = 0, fitted = 0;
  std::optional<double> heldOut;
};

/// One measured row and its predictions: a time in s, or a power in W.
struct RowPrediction {
  std::string family;
  std::string file; ///< "kernels", "power", or the name of another one
  bool isLoad = false;
  size_t line = 0; ///< of its file
  double measured = 0, prior = 0, fitted = 0;
};

struct CalibrationResult {
  Coefficients coefficients;
  std::vector<RowPrediction> rows;
  std::vector<FittedGroup> groups;
  std::vector<FittedParameter> parameters;
  std::vector<FamilyError> families;
  /// Why kernels and loads were left out, one entry each.
  std::vector<std::string> skipped;
};

/// Prior deviations beyond which a parameter is suspect.
constexpr double suspectDeviations = 3;

/// Fits every group of `prior` that depends on `measurements`. Fails if no
/// group does.
Expected<CalibrationResult> calibrate(const CostModel &prior,
                                      const Measurements &measurements,
                                      const CalibrationOptions &options);

} // namespace gpucost::calibration

#endif // GPUCOST_APPLICATIONS_CALIBRATION_CALIBRATION_H
