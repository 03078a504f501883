//===- CollectiveFit.h - Coefficients of links and networks -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_CALIBRATION_COLLECTIVEFIT_H
#define GPUCOST_LIB_APPLICATIONS_CALIBRATION_COLLECTIVEFIT_H

#include "Parameters.h"
#include "gpucost/Applications/Calibration/Calibration.h"
#include <list>

namespace gpucost::calibration {

/// Rows that determine the same coefficients: one collective on one number of
/// GPUs of a node (N1), or all collectives between nodes (N6).
struct LinkFit {
  std::string group; ///< "collectives" or "network"
  std::string part;  ///< "all_reduce 8 GPUs"
  std::vector<const TimedKernel *> rows;
  std::vector<Parameter> parameters;
  /// Of the parameters.
  std::list<std::string> names;
  /// Makes the coefficients that `parameters` move; null: they exist.
  std::function<void(Coefficients &)> prepare = nullptr;
};

/// Parts inside nodes come first: times between nodes contain theirs. Rows
/// without coefficients are added to `skipped`.
std::vector<LinkFit> linkFits(const CostModel &prior,
                              llvm::ArrayRef<TimedKernel> collectives,
                              std::vector<std::string> &skipped);

/// The 80 % half-widths of collectives between nodes, from the log errors of
/// `rows`; regions of few rows keep theirs.
void setNetworkWidths(Coefficients &c, llvm::ArrayRef<const TimedKernel *> rows,
                      llvm::ArrayRef<double> errors);

} // namespace gpucost::calibration

#endif // GPUCOST_LIB_APPLICATIONS_CALIBRATION_COLLECTIVEFIT_H
