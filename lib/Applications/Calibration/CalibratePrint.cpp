//===- CalibratePrint.cpp - What a calibration says -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalibratePrint.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::calibration;

/// No measurement depends on a parameter that moved less.
static constexpr double leastDeviations = 0.005;

static std::string percent(double share) {
  return llvm::formatv("{0:f1}", share * 100);
}
static std::string percent(std::optional<double> share) {
  return share ? percent(*share) : "-";
}

void calibration::printErrors(const CalibrationResult &result,
                              llvm::raw_ostream &os) {
  os << llvm::formatv("{0,-25}{1,6}{2,9}{3,9}{4,10}  mean absolute error, %\n",
                      "family", "rows", "before", "fitted", "held out");
  for (const FamilyError &e : result.families)
    os << llvm::formatv("{0,-25}{1,6}{2,9}{3,9}{4,10}\n", e.family, e.count,
                        percent(e.before), percent(e.fitted),
                        percent(e.heldOut));
}

void calibration::printRows(const CalibrationResult &result,
                            llvm::raw_ostream &os) {
  os << "file,line,family,measured,prior,fitted\n";
  for (const RowPrediction &row : result.rows) {
    double unit = row.isLoad ? 1 : 1e6; // W, us
    os << row.file << ',' << row.line << ',' << row.family;
    for (double value : {row.measured, row.prior, row.fitted})
      os << ',' << llvm::format("%.6g", value * unit);
    os << '\n';
  }
}

/// Seconds and joules per event are printed in the units of the file.
static double inFileUnit(double value) {
  if (value < 1e-9)
    return value * 1e12; // pJ
  if (value < 5e-4)
    return value * 1e6; // us
  return value;
}

void calibration::printParameters(const CalibrationResult &result,
                                  llvm::raw_ostream &os) {
  os << llvm::formatv("{0,-40}{1,10}{2,10}{3,12}\n", "parameter", "prior",
                      "fitted", "deviations");
  for (const FittedParameter &p : result.parameters) {
    bool measured = p.deviations == 0 && p.prior != p.value;
    if (!measured && std::abs(p.deviations) < leastDeviations)
      continue;
    std::string deviations =
        measured ? "measured" : llvm::formatv("{0:f1}", p.deviations).str();
    auto number = [&](double value) {
      std::string text;
      llvm::raw_string_ostream(text) << llvm::format(
          "%.4g", p.perUnit > 0 ? value * p.perUnit : inFileUnit(value));
      return text;
    };
    os << llvm::formatv("{0,-40}{1,10}{2,10}{3,12}\n", p.group + "." + p.field,
                        number(p.prior), number(p.value), deviations);
  }
}

void calibration::printSkipped(const CalibrationInput &input,
                               const CalibrationResult &result,
                               llvm::raw_ostream &os) {
  std::map<std::string, size_t> reasons = input.skipped;
  for (const std::string &reason : result.skipped)
    ++reasons[reason];
  size_t left = 0;
  for (const auto &[reason, count] : reasons)
    left += count;
  os << input.rows - left << " of " << input.rows << " rows used";
  if (left)
    os << "; left out:";
  os << '\n';
  for (const auto &[reason, count] : reasons)
    os << llvm::formatv("{0,6} {1}\n", count, reason);
}

std::string calibration::describeSuspects(const CalibrationResult &result) {
  std::string names;
  for (const FittedParameter &p : result.parameters)
    if (std::abs(p.deviations) > suspectDeviations)
      names +=
          llvm::formatv("{0}'{1}.{2}' by {3:f1}", names.empty() ? "" : ", ",
                        p.group, p.field, p.deviations);
  if (names.empty())
    return "";
  return llvm::formatv(
      "the measurements move {0} deviations of the prior (more "
      "than {1:f0}): a throttled or shared GPU, or another one "
      "than the target?",
      names, suspectDeviations);
}

std::string calibration::describeGroup(const FittedGroup &group,
                                       llvm::StringRef source) {
  if (group.name == "runtime")
    return ("host_launch measured on " + source).str();
  std::string text = group.part.empty() ? "" : group.part + ": ";
  text += llvm::formatv(
      "MAP fit on {0} rows of {1}; mean error {2} %, before {3} %", group.count,
      source, percent(group.fitted), percent(group.before));
  if (group.heldOut)
    text += ", held out " + percent(group.heldOut) + " %";
  return text;
}
