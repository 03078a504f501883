//===- TextTable.cpp - Aligned columns of text ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Report/TextTable.h"
#include "llvm/ADT/STLExtras.h"
#include <cassert>
#include <fmt/format.h>

using namespace gpucost;

/// Blanks between two columns, and if the table is too wide.
static constexpr size_t wideGap = 2, narrowGap = 1;

/// Set by `ScopedWidth`.
static thread_local size_t currentWidth = reportWidth;

size_t gpucost::lineWidth() { return currentWidth; }

std::optional<size_t> gpucost::columnsOf(int64_t stated) {
  constexpr int64_t least = 40;
  if (stated == 0)
    return SIZE_MAX / 2;
  return stated < least ? std::nullopt : std::optional(size_t(stated));
}

ScopedWidth::ScopedWidth(size_t width) : before(currentWidth) {
  currentWidth = width;
}

ScopedWidth::~ScopedWidth() { currentWidth = before; }

void TextTable::addRow(std::vector<Cell> cells) {
  assert(cells.size() == columns.size() && "a cell for each column");
  rows.push_back(std::move(cells));
}

std::vector<TextTable::Shown> TextTable::shown() const {
  std::vector<Shown> result;
  for (auto [i, column] : llvm::enumerate(columns)) {
    if (!column.shown)
      continue;
    std::vector<double> values;
    for (const std::vector<Cell> &row : rows)
      if (row[i].isNumber)
        values.push_back(row[i].number);
    Shown shown{&column, {column.header}};
    NumberColumn numbers;
    if (!column.unit.empty()) {
      numbers =
          formatColumn(values, column.unit, column.digits, column.prefixed);
      shown.lines.front() += (column.header.empty() ? "" : " ") + numbers.unit;
    }
    auto number = numbers.numbers.begin();
    for (const std::vector<Cell> &row : rows)
      shown.lines.push_back(row[i].isNumber ? *number++
                                            : printable(row[i].text));
    for (const std::string &line : shown.lines)
      shown.width = std::max(shown.width, textWidth(line));
    result.push_back(std::move(shown));
  }
  return result;
}

/// Width of `columns` with this gap between them.
template <typename Columns>
static size_t widthOf(const Columns &columns, size_t indent, size_t gap) {
  size_t total = indent + (columns.size() - 1) * gap;
  for (const auto &column : columns)
    total += column.width;
  return total;
}

size_t TextTable::width(size_t indent) const {
  return widthOf(shown(), indent, narrowGap);
}

void TextTable::print(llvm::raw_ostream &os, size_t indent,
                      size_t lineWidth) const {
  std::vector<Shown> all = shown();
  size_t gap = widthOf(all, indent, wideGap) <= lineWidth ? wideGap : narrowGap;
  size_t total = widthOf(all, indent, gap);
  for (Shown &each : all)
    if (size_t minimum = each.column->minimum;
        minimum && total > lineWidth && each.width > minimum) {
      size_t cut = std::min(total - lineWidth, each.width - minimum);
      each.width -= cut;
      total -= cut;
    }
  for (size_t row = 0; row <= rows.size(); ++row) {
    std::string line(indent, ' ');
    for (const auto &[column, lines, width] : all) {
      std::string cell = column->cut == Cut::Middle
                             ? elide(lines[row], width)
                             : shorten(lines[row], width);
      std::string blanks(width - textWidth(cell), ' ');
      line += column->align == Align::Right ? blanks + cell : cell + blanks;
      line.append(gap, ' ');
    }
    os << llvm::StringRef(line).rtrim(' ') << '\n';
  }
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
    if (!first && at + 1 + width > currentWidth) {
      os << '\n';
      os.indent(indent);
      at = indent;
      first = true;
    }
    if (!first) {
      os << ' ';
      ++at;
    }
    std::string shown = shorten(
        word, std::max<size_t>(currentWidth - std::min(at, currentWidth), 8));
    os << shown;
    at += textWidth(shown);
    first = false;
  }
  os << '\n';
}

void gpucost::printLine(llvm::raw_ostream &os, llvm::StringRef label,
                        const NumberWithUnit &value, llvm::StringRef remark,
                        const SummaryWidths &widths) {
  std::string line =
      fmt::format("  {:<{}}{:>{}} {:<{}}", label.str(), widths.label,
                  value.number, widths.number, value.unit, widths.unit);
  size_t column = 2 + widths.label + widths.number + 1 + widths.unit;
  if (remark.empty()) {
    os << llvm::StringRef(line).rtrim(' ') << '\n';
    return;
  }
  os << line;
  printWrapped(os, remark, textWidth(line), column);
}

void gpucost::printText(llvm::raw_ostream &os, llvm::StringRef label,
                        llvm::StringRef text) {
  size_t column = 2 + SummaryWidths().label;
  os << fmt::format("  {:<{}}", label.str(), SummaryWidths().label);
  printWrapped(os, text, column, column);
}
