//===- TextTable.cpp - Aligned columns of text ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Report/TextTable.h"
#include "gpucost/Applications/Report/NumberText.h"
#include <cassert>

using namespace gpucost;

/// Blanks between two columns, and when that is too wide.
static constexpr size_t wideGap = 2, narrowGap = 1;

void TextTable::addColumn(llvm::StringRef header, Align align,
                          std::vector<std::string> cells, size_t minimum,
                          Cut cut) {
  assert((columns.empty() || columns.front().cells.size() == cells.size()) &&
         "columns of different length");
  size_t width = textWidth(header);
  for (std::string &cell : cells) {
    cell = printable(cell);
    width = std::max(width, textWidth(cell));
  }
  columns.push_back(
      {header.str(), align, std::move(cells), width, minimum, cut});
}

void TextTable::addNumbers(llvm::StringRef title, llvm::StringRef unit,
                           llvm::ArrayRef<double> values) {
  NumberColumn column = formatColumn(values, unit);
  addColumn(title.str() + " " + column.unit, Align::Right,
            std::move(column.numbers));
}

size_t TextTable::width(size_t indent) const {
  size_t total = indent;
  for (const Column &column : columns)
    total += column.width + narrowGap;
  return columns.empty() ? 0 : total - narrowGap;
}

void TextTable::print(llvm::raw_ostream &os, size_t indent,
                      size_t lineWidth) const {
  if (columns.empty())
    return;
  size_t total = width(indent), gap = narrowGap;
  size_t wide = total + (columns.size() - 1) * (wideGap - narrowGap);
  if (wide <= lineWidth) {
    total = wide;
    gap = wideGap;
  }
  std::vector<size_t> widths;
  for (const Column &column : columns)
    widths.push_back(column.width);
  for (size_t i = 0; i < columns.size() && total > lineWidth; ++i) {
    if (!columns[i].minimum || widths[i] <= columns[i].minimum)
      continue;
    size_t cut = std::min(total - lineWidth, widths[i] - columns[i].minimum);
    widths[i] -= cut;
    total -= cut;
  }
  auto printLine = [&](auto cellOf) {
    std::string line(indent, ' ');
    for (size_t i = 0; i < columns.size(); ++i) {
      std::string cell = columns[i].cut == Cut::Middle
                             ? elide(cellOf(columns[i]), widths[i])
                             : shorten(cellOf(columns[i]), widths[i]);
      std::string blanks(widths[i] - textWidth(cell), ' ');
      if (i)
        line.append(gap, ' ');
      line += columns[i].align == Align::Right ? blanks + cell : cell + blanks;
    }
    os << llvm::StringRef(line).rtrim(' ') << '\n';
  };
  printLine([](const Column &column) { return column.header; });
  for (size_t row = 0; row < columns.front().cells.size(); ++row)
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
