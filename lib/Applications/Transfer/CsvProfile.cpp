//===- CsvProfile.cpp - A table of measured times -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadProfile.h"
#include "gpucost/Applications/Query/KernelQueriesCsv.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Core/Support/Enumeration.h"
#include "llvm/ADT/StringMap.h"

using namespace gpucost;
using namespace gpucost::transfer;
using llvm::StringRef;

/// Comment lines become blank, to keep line numbers.
static std::string withoutComments(StringRef text) {
  std::string result = text.str();
  bool comment = false;
  for (size_t i = 0; i < result.size(); ++i) {
    bool atStart = i == 0 || result[i - 1] == '\n';
    if (atStart)
      comment = result[i] == '#';
    if (comment && result[i] != '\n' && result[i] != '\r')
      result[i] = ' ';
  }
  return result;
}

/// Family by its name in reports.
static std::optional<KernelFamily> readFamily(StringRef text) {
  return symbolizeEnum<KernelFamily>(text);
}

llvm::Expected<Profile> transfer::readCsvProfile(StringRef text) {
  std::string clean = withoutComments(text);
  CsvReader reader(clean);
  llvm::SmallVector<CsvCell> cells;
  auto refuse = [](TextPosition at, const std::string &message) {
    return llvm::createStringError("line " + std::to_string(at.line) + ": " +
                                   message);
  };
  CsvReader::Status status = reader.next(cells);
  if (status == CsvReader::Status::End)
    return llvm::createStringError(
        "the file is empty; expected a trace of the PyTorch profiler or a CSV "
        "table");
  llvm::StringMap<size_t> columns;
  for (size_t i = 0; i < cells.size(); ++i)
    columns.try_emplace(StringRef(cells[i].value()).trim().lower(), i);
  bool says =
      columns.count("name") || columns.count("op") || columns.count("family");
  if (status == CsvReader::Status::Error || !columns.count("time_us") || !says)
    return llvm::createStringError(
        "no trace of the PyTorch profiler, and no CSV table with the columns "
        "'time_us' and 'name', 'op' or 'family'");
  Profile profile;
  while ((status = reader.next(cells)) == CsvReader::Status::Record) {
    TextPosition at = cells.front().at;
    auto cell = [&](StringRef name) {
      auto it = columns.find(name);
      return it == columns.end() || it->second >= cells.size()
                 ? std::string()
                 : StringRef(cells[it->second].value()).trim().str();
    };
    if (std::string state = cell("status"); !state.empty() && state != "ok")
      continue;
    MeasuredKernel kernel;
    kernel.name = cell("name");
    kernel.op = cell("op");
    kernel.shape = cell("shape");
    std::string family = cell("family");
    kernel.family = readFamily(family);
    // Tables may use the family names of the measuring program.
    if (!kernel.family)
      kernel.family = familyOfName(kernel.name, family + " " + kernel.op);
    std::string time = cell("time_us"), count = cell("count");
    if (StringRef(time).getAsDouble(kernel.timeUs) ||
        !(kernel.timeUs > 0 && kernel.timeUs <= 1e18))
      return refuse(at, "'time_us' expects a number above 0, but got '" +
                            printable(time) + "'");
    if (!count.empty() && (StringRef(count).getAsInteger(10, kernel.count) ||
                           kernel.count < 1 || kernel.count > 1000000000))
      return refuse(at, "'count' expects a whole number of at least 1, but got "
                        "'" +
                            printable(count) + "'");
    profile.kernels.push_back(std::move(kernel));
  }
  if (status == CsvReader::Status::Error)
    return refuse(reader.position, reader.message.str());
  if (profile.kernels.empty())
    return llvm::createStringError("the table has no measured row");
  return profile;
}
