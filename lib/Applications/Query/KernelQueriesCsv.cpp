//===- KernelQueriesCsv.cpp - Reader of CSV text --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Query/KernelQueriesCsv.h"

using namespace gpucost;

static bool isLineEnd(char c) { return c == '\n' || c == '\r'; }

std::string CsvCell::value() const {
  if (!escaped)
    return text.str();
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    result.push_back(text[i]);
    if (text[i] == '"')
      ++i; // the second one of a pair
  }
  return result;
}

CsvReader::CsvReader(llvm::StringRef text) {
  text.consume_front("\xEF\xBB\xBF");
  next_ = lineStart = text.begin();
  end = text.end();
}

void CsvReader::skipLineEnd() {
  if (next_ == end)
    return;
  if (*next_ == '\r' && next_ + 1 != end && next_[1] == '\n')
    ++next_;
  lineStart = ++next_;
  ++line;
}

bool CsvReader::skipBlankLine() {
  const char *c = next_;
  while (c != end && (*c == ' ' || *c == '\t'))
    ++c;
  if (c != end && !isLineEnd(*c))
    return false;
  next_ = c;
  skipLineEnd();
  return true;
}

/// Reads up to the comma, the line end or the end of the text.
bool CsvReader::readCell(CsvCell &cell) {
  cell.at = here();
  cell.escaped = false;
  const char *start = next_;
  if (next_ == end || *next_ != '"') {
    while (next_ != end && *next_ != ',' && !isLineEnd(*next_))
      ++next_;
    cell.raw = cell.text = llvm::StringRef(start, next_ - start);
    return true;
  }
  for (++next_;; ++next_) {
    if (next_ == end) {
      message = "expected a closing quote";
      position = cell.at;
      return false;
    }
    if (*next_ == '"') {
      if (next_ + 1 == end || next_[1] != '"')
        break;
      cell.escaped = true;
      ++next_;
    } else if (isLineEnd(*next_)) {
      if (*next_ == '\r' && next_ + 1 != end && next_[1] == '\n')
        ++next_;
      ++line;
      lineStart = next_ + 1;
    }
  }
  cell.text = llvm::StringRef(start + 1, next_ - start - 1);
  ++next_;
  cell.raw = llvm::StringRef(start, next_ - start);
  if (next_ == end || *next_ == ',' || isLineEnd(*next_))
    return true;
  message = "expected a comma or a line end after the closing quote";
  position = here();
  return false;
}

CsvReader::Status CsvReader::next(llvm::SmallVectorImpl<CsvCell> &cells) {
  cells.clear();
  while (next_ != end && skipBlankLine()) {
  }
  if (next_ == end)
    return Status::End;
  while (true) {
    if (!readCell(cells.emplace_back()))
      return Status::Error;
    if (next_ == end || *next_ != ',') {
      skipLineEnd();
      return Status::Record;
    }
    ++next_; // a comma at the very end is followed by an empty cell
  }
}
