//===- ValueTable.cpp - Values as lines of text ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Archive/ValueTable.h"
#include "gpucost/Support/Text.h"
#include <charconv>

using namespace gpucost;

void TableWriter::line(std::string_view keyword, std::string_view value) {
  out += keyword;
  out += ' ';
  for (char c : value)
    out += c == '\n' || c == '\r' ? ' ' : c;
  out += '\n';
}

void TableWriter::integer(std::string_view keyword, int64_t value) {
  line(keyword, std::to_string(value));
}

void TableWriter::number(std::string_view keyword, double value) {
  char buffer[32];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  (void)error; // 32 characters hold every number
  line(keyword, {buffer, static_cast<size_t>(end - buffer)});
}

void TableWriter::text(std::string_view keyword, std::string_view value) {
  line(keyword, value);
}

void TableWriter::count(std::string_view keyword, size_t value) {
  line(keyword, std::to_string(value));
}

void TableReader::fail(std::string_view keyword) {
  if (fault.empty())
    fault = keyword.empty() ? "value" : keyword;
  rest = {};
}

std::string_view TableReader::text(std::string_view keyword) {
  size_t end = rest.find('\n');
  std::string_view line = rest.substr(0, end);
  bool found = end != std::string_view::npos && line.size() > keyword.size() &&
               line.substr(0, keyword.size()) == keyword &&
               line[keyword.size()] == ' ';
  if (!found) {
    fail(keyword);
    return {};
  }
  rest.remove_prefix(end + 1);
  return line.substr(keyword.size() + 1);
}

int64_t TableReader::integer(std::string_view keyword) {
  int64_t value = 0;
  if (!parseInteger(text(keyword), value))
    fail(keyword);
  return good() ? value : 0;
}

double TableReader::number(std::string_view keyword) {
  double value = 0;
  if (!parseNumber(text(keyword), value))
    fail(keyword);
  return good() ? value : 0;
}

size_t TableReader::count(std::string_view keyword) {
  int64_t value = integer(keyword);
  if (value < 0 || static_cast<size_t>(value) > rest.size())
    fail(keyword);
  return good() ? static_cast<size_t>(value) : 0;
}
