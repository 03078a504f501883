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

  /// First value of a fact; empty if there is none.
  llvm::StringRef fact(llvm::StringRef key) const;
};

/// One row of a file. After the first error, every getter returns its default.
class MeasurementRow {
public:
  MeasurementRow(const MeasurementFile &file, size_t row)
      : file(file), cells(file.rows[row]) {}

  const MeasurementFile &owner() const { return file; }
  /// Line number in the file, from 1.
  size_t line() const { return cells.front().at.line; }
  /// Empty if the file lacks the column.
  llvm::StringRef cell(llvm::StringRef column) const;
  /// A number above 0; nullopt for an empty cell.
  std::optional<double> number(llvm::StringRef column);
  /// The same for a cell that must not be empty; 1 after an error.
  double requiredNumber(llvm::StringRef column);
  void fail(llvm::StringRef column, const llvm::Twine &message);
  bool failed() const { return !error.empty(); }
  /// "path:line:column: column 'time_us': message".
  llvm::Error takeError() const;

private:
  const MeasurementFile &file;
  llvm::ArrayRef<CsvCell> cells;
  std::string error;
};

/// Reads `path`; an error if one of the `required` columns is missing.
llvm::Expected<MeasurementFile> readMeasurementFile(
    llvm::StringRef path, llvm::ArrayRef<llvm::StringLiteral> required,
    llvm::StringRef expected = "a file that measure.py has written");

} // namespace gpucost::calibration

#endif // GPUCOST_LIB_APPLICATIONS_CALIBRATION_CALIBRATEFILES_H
