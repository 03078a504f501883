//===- CalibrateFiles.h - Files of a measurement ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The CSV files that measure.py writes: `# key: value` lines of
// provenance, also between the rows, then a header and rows.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_CALIBRATION_CALIBRATEFILES_H
#define GPUCOST_LIB_APPLICATIONS_CALIBRATION_CALIBRATEFILES_H

#include "gpucost/Applications/Query/KernelQueriesCsv.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <vector>

namespace gpucost::calibration {

struct MeasurementFile {
  std::string path;
  /// Cells refer to it.
  std::unique_ptr<std::string> text;
  /// Every provenance line, in order: (key, value).
  std::vector<std::pair<std::string, std::string>> facts;
  llvm::StringMap<size_t> columns;
  std::vector<llvm::SmallVector<CsvCell, 32>> rows;

  /// First value of a fact; empty when there is none.
  llvm::StringRef fact(llvm::StringRef key) const;
  /// Cell of a row; empty when the file lacks the column.
  llvm::StringRef cell(size_t row, llvm::StringRef column) const;
  /// "path:line:column: message" at a cell.
  llvm::Error errorAt(size_t row, llvm::StringRef column,
                      const llvm::Twine &message) const;
  /// A positive number. Error when it is none; nullopt when it is empty.
  llvm::Expected<std::optional<double>> number(size_t row,
                                               llvm::StringRef column) const;
  /// The same where it must not be empty.
  llvm::Expected<double> requiredNumber(size_t row,
                                        llvm::StringRef column) const;
};

/// Reads `path`; error when one of `required` is no column.
llvm::Expected<MeasurementFile>
readMeasurementFile(llvm::StringRef path,
                    llvm::ArrayRef<llvm::StringLiteral> required);

} // namespace gpucost::calibration

#endif // GPUCOST_LIB_APPLICATIONS_CALIBRATION_CALIBRATEFILES_H
