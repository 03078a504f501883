//===- ValueTable.h - Values as lines of text -------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sink and the source of RecordIo.h behind the tables that are compiled in:
// one line for each value, "keyword value", in order. Real numbers have the
// digits that read back to the same double.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_ARCHIVE_VALUETABLE_H
#define GPUCOST_ARCHIVE_VALUETABLE_H

#include <cstdint>
#include <string>
#include <string_view>

namespace gpucost {

class TableWriter {
public:
  void integer(std::string_view keyword, int64_t value);
  void number(std::string_view keyword, double value);
  /// Without line breaks: `value` has none.
  void text(std::string_view keyword, std::string_view value);
  void count(std::string_view keyword, size_t value);
  const std::string &lines() const { return out; }

private:
  void line(std::string_view keyword, std::string_view value);

  std::string out;
};

class TableReader {
public:
  explicit TableReader(std::string_view lines) : rest(lines) {}

  int64_t integer(std::string_view keyword);
  double number(std::string_view keyword);
  std::string_view text(std::string_view keyword);
  size_t count(std::string_view keyword);

  bool good() const { return fault.empty(); }
  bool complete() const { return good() && rest.empty(); }
  /// What is wrong is the value of `keyword`, or its place.
  void fail(std::string_view keyword);
  const std::string &faultyKeyword() const { return fault; }

private:
  std::string_view rest;
  std::string fault;
};

} // namespace gpucost

#endif // GPUCOST_ARCHIVE_VALUETABLE_H
