//===- CalibrateNetworks.h - Networks that no fit has seen ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_CALIBRATION_CALIBRATENETWORKS_H
#define GPUCOST_LIB_APPLICATIONS_CALIBRATION_CALIBRATENETWORKS_H

#include "CalibrateFiles.h"
#include "gpucost/Compiler/Session/Session.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

namespace gpucost::calibration {

/// Inputs for predicting the rows of training.csv and inference.csv.
struct NetworkCheck {
  llvm::StringRef measurements, models; ///< folders
  std::string target;                   ///< without a format
  std::string targetFile;
  /// Texts of coefficients files.
  std::string prior, fitted;
};

/// Errors of one model in one mode.
struct NetworkError {
  size_t count = 0, powerCount = 0;
  double timeBefore = 0, timeFitted = 0, powerBefore = 0, powerFitted = 0;
};

struct NetworkErrors {
  /// "bert-base training" -> sums of absolute errors.
  std::map<std::string, NetworkError> models;
  std::map<std::string, size_t> skipped;
};

/// Error when a file is wrong; a network that cannot be predicted is skipped.
llvm::Expected<NetworkErrors> checkNetworks(const NetworkCheck &check);

void printNetworks(const NetworkErrors &errors, llvm::raw_ostream &os);

/// The report of a model file or configuration. The error is the first
/// diagnostic.
llvm::Expected<IterationReport>
predictIteration(const mlir::DialectRegistry &registry, llvm::StringRef model,
                 const Scenario &scenario);

/// Writes a coefficients file, which the caller removes.
llvm::Error storeCoefficients(llvm::StringRef text,
                              llvm::SmallVectorImpl<char> &path);

} // namespace gpucost::calibration

#endif // GPUCOST_LIB_APPLICATIONS_CALIBRATION_CALIBRATENETWORKS_H
