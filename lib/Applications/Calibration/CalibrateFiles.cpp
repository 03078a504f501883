//===- CalibrateFiles.cpp - Files of a measurement ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalibrateFiles.h"
#include "gpucost/Compiler/Support/Errors.h"
#include "gpucost/Core/Support/InputFile.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::calibration;
using llvm::StringRef;

StringRef MeasurementFile::fact(StringRef key) const {
  for (const auto &[name, value] : facts)
    if (name == key)
      return value;
  return "";
}

StringRef MeasurementRow::cell(StringRef column) const {
  auto found = file.columns.find(column);
  return found == file.columns.end() ? StringRef()
                                     : cells[found->second].text.trim();
}

void MeasurementRow::fail(StringRef column, const llvm::Twine &message) {
  if (failed())
    return;
  auto found = file.columns.find(column);
  TextPosition at = cells[found == file.columns.end() ? 0 : found->second].at;
  error = (file.path + ":" + llvm::Twine(at.line) + ":" +
           llvm::Twine(at.column) + ": column '" + column + "': " + message)
              .str();
}

llvm::Error MeasurementRow::takeError() const {
  return failed() ? llvm::createStringError(error) : llvm::Error::success();
}

std::optional<double> MeasurementRow::number(StringRef column) {
  StringRef text = cell(column);
  double value;
  if (text.empty())
    return std::nullopt;
  if (!text.getAsDouble(value) && std::isfinite(value) && value > 0)
    return value;
  fail(column, "expected a number above 0, but got '" + text + "'");
  return std::nullopt;
}

double MeasurementRow::requiredNumber(StringRef column) {
  std::optional<double> value = number(column);
  if (!value)
    fail(column, "expected a number above 0, but got no value");
  return value.value_or(1);
}

/// Moves the lines of provenance from `file.text` to `file.facts`; blanks keep
/// the later positions.
static void takeFacts(MeasurementFile &file) {
  std::string &text = *file.text;
  size_t start = 0;
  while (start < text.size()) {
    size_t end = std::min(text.find('\n', start), text.size());
    if (text[start] == '#') {
      auto [key, value] = StringRef(text).slice(start + 1, end).split(':');
      file.facts.emplace_back(key.trim().str(), value.trim().str());
      std::fill(text.begin() + start, text.begin() + end, ' ');
    }
    start = end + 1;
  }
}

llvm::Expected<MeasurementFile>
calibration::readMeasurementFile(StringRef path,
                                 llvm::ArrayRef<llvm::StringLiteral> required,
                                 StringRef expected) {
  Expected<std::string> text = readInput(path.str(), mostBytesOfData);
  if (!text)
    return toLLVMError(text.error());
  MeasurementFile file;
  file.path = path.str();
  file.text = std::make_unique<std::string>(std::move(*text));
  takeFacts(file);
  CsvReader reader(*file.text);
  llvm::SmallVector<CsvCell> cells;
  size_t width = 0;
  while (true) {
    CsvReader::Status status = reader.next(cells);
    if (status == CsvReader::Status::Error)
      return llvm::createStringError(
          path + ":" + llvm::Twine(reader.position.line) + ":" +
          llvm::Twine(reader.position.column) + ": " + reader.message);
    if (status == CsvReader::Status::End)
      break;
    if (width == 0) {
      width = cells.size();
      for (auto [i, cell] : llvm::enumerate(cells))
        file.columns[cell.text.trim()] = i;
      continue;
    }
    if (cells.size() != width)
      return llvm::createStringError(
          path + ":" + llvm::Twine(cells.front().at.line) + ":1: expected " +
          llvm::Twine(width) + " cells as in the header, but got " +
          llvm::Twine(cells.size()));
    file.rows.emplace_back(cells.begin(), cells.end());
  }
  for (StringRef column : required)
    if (!file.columns.contains(column))
      return llvm::createStringError(path + ": missing column '" + column +
                                     "'; expected " + expected);
  return file;
}
