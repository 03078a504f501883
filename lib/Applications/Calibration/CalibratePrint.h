//===- CalibratePrint.h - What a calibration says ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_CALIBRATION_CALIBRATEPRINT_H
#define GPUCOST_LIB_APPLICATIONS_CALIBRATION_CALIBRATEPRINT_H

#include "CalibrateInput.h"
#include "llvm/Support/raw_ostream.h"

namespace gpucost::calibration {

/// Errors by family, parameters, and rows that were left out.
void printErrors(const CalibrationResult &result, llvm::raw_ostream &os);
void printParameters(const CalibrationResult &result, llvm::raw_ostream &os);
void printSkipped(const CalibrationInput &input,
                  const CalibrationResult &result, llvm::raw_ostream &os);

/// A CSV row for each row of a fit: its kind, its line in its file, measured,
/// predicted with the prior and with the fit (us or W).
void printRows(const CalibrationResult &result, llvm::raw_ostream &os);

/// The warning of parameters that moved too far; empty when none did.
std::string describeSuspects(const CalibrationResult &result);

/// One sentence per fitted group: its provenance in the file.
std::string describeGroup(const FittedGroup &group, llvm::StringRef source);

} // namespace gpucost::calibration

#endif // GPUCOST_LIB_APPLICATIONS_CALIBRATION_CALIBRATEPRINT_H
