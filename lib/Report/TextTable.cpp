//===- TextTable.cpp - Aligned columns of text ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Report/TextTable.h"
#include "gpucost/Report/NumberText.h"
#include <cassert>

using namespace gpucost;

/// Blanks between two columns.
static constexpr size_t gap = 2;

void TextTable::addColumn(llvm::StringRef header, Align align,
                          std::vector<std::string> cells, size_t minimum) {
  assert((columns.empty() || columns.front().cells.size() == cells.size()) &&
         "columns of different length");
  size_t width = textWidth(header);
  for (std::string &cell : cells) {
    cell = printable(cell);
    width = std::max(width, textWidth(cell));
  }
  columns.push_back({header.str(), align, std::move(cells), width, minimum});
}

void TextTable::print(llvm::raw_ostream &os, size_t indent) const {
  size_t total = indent;
  std::vector<size_t> widths;
  for (const Column &column : columns) {
    widths.push_back(column.width);
    total += column.width + (widths.size() > 1 ? gap : 0);
  }
  // Cut the widest of the columns that may shrink, one blank at a time.
  while (total > reportWidth) {
    size_t widest = columns.size();
    for (size_t i = 0; i < columns.size(); ++i)
      if (columns[i].minimum && widths[i] > columns[i].minimum &&
          (widest == columns.size() || widths[i] > widths[widest]))
        widest = i;
    if (widest == columns.size())
      break;
    --widths[widest];
    --total;
  }
  auto printLine = [&](auto cellOf) {
    std::string line(indent, ' ');
    for (size_t i = 0; i < columns.size(); ++i) {
      std::string cell = shorten(cellOf(columns[i]), widths[i]);
      std::string blanks(widths[i] - textWidth(cell), ' ');
      if (i)
        line.append(gap, ' ');
      line += columns[i].align == Align::Right ? blanks + cell : cell + blanks;
    }
    os << llvm::StringRef(line).rtrim(' ') << '\n';
  };
  printLine([](const Column &column) { return column.header; });
  size_t rows = columns.empty() ? 0 : columns.front().cells.size();
  for (size_t row = 0; row < rows; ++row)
    printLine([&](const Column &column) { return column.cells[row]; });
}

void gpucost::printWrapped(llvm::raw_ostream &os, llvm::StringRef text,
                           size_t start, size_t indent) {
  std::string clean = printable(text);
  llvm::StringRef rest = clean;
  size_t at = start;
  bool first = true;
  while (!rest.empty()) {
    auto [word, tail] = rest.split(' ');
    rest = tail;
    if (word.empty())
      continue;
    size_t width = textWidth(word);
    if (!first && at + 1 + width > reportWidth) {
      os << '\n';
      os.indent(indent);
      at = indent;
      first = true;
    }
    if (!first) {
      os << ' ';
      ++at;
    }
    std::string shown = shorten(word, std::max<size_t>(reportWidth - at, 8));
    os << shown;
    at += textWidth(shown);
    first = false;
  }
  os << '\n';
}
