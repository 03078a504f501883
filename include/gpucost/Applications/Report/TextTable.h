//===- TextTable.h - Aligned columns of text --------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A table for a terminal: a header, rows, columns as wide as their contents.
// When that is too wide, first the gaps and then columns that allow it shrink.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_REPORT_TEXTTABLE_H
#define GPUCOST_APPLICATIONS_REPORT_TEXTTABLE_H

#include "gpucost/Applications/Report/NumberText.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <vector>

namespace gpucost {

/// Default width of a report's lines.
constexpr size_t reportWidth = 100;

/// Width of the lines that this thread prints: `reportWidth`, unless a
/// `ScopedWidth` sets another.
size_t lineWidth();

/// The width of lines that `--width` states; 0 does not break lines. nullopt
/// for fewer than 40 columns: `widthFault`.
std::optional<size_t> columnsOf(int64_t stated);
inline constexpr char widthFault[] =
    "--width expects at least 40 columns, or 0 for as many as it takes";

class ScopedWidth {
public:
  explicit ScopedWidth(size_t width);
  ~ScopedWidth();
  ScopedWidth(const ScopedWidth &) = delete;

private:
  size_t before;
};

class TextTable {
public:
  enum class Align { Left, Right };
  /// The part of a cell that is removed when the table is too wide.
  enum class Cut { End, Middle };

  struct Column {
    std::string header;
    Align align = Align::Right;
    /// Smallest width when the table is too wide, the first such column before
    /// the next; 0: never cut.
    size_t minimum = 0;
    Cut cut = Cut::End;
    /// Unit of a number column; it follows the header with the prefix that
    /// suits the largest number, which has `digits` digits (formatColumn).
    llvm::StringRef unit = "";
    int digits = 3;
    bool shown = true;
    /// Whether the unit gets a prefix.
    bool prefixed = true;

    /// This column if `condition` holds; its cells are not printed otherwise.
    Column when(bool condition) const {
      Column column = *this;
      column.shown = condition;
      return column;
    }
  };
  static Column left(llvm::StringRef header, size_t minimum = 0,
                     Cut cut = Cut::End) {
    return {header.str(), Align::Left, minimum, cut};
  }
  static Column right(llvm::StringRef header) { return {header.str()}; }
  static Column numbers(llvm::StringRef header, llvm::StringRef unit,
                        int digits = 3) {
    return {header.str(), Align::Right, 0, Cut::End, unit, digits};
  }
  /// Numbers in exactly this unit.
  static Column fixed(llvm::StringRef header, llvm::StringRef unit,
                      int digits = 3) {
    Column column = numbers(header, unit, digits);
    column.prefixed = false;
    return column;
  }

  /// Text, or a real number in a column with a unit.
  struct Cell {
    Cell(std::string text) : text(std::move(text)) {}
    Cell(const char *text) : text(text) {}
    Cell(llvm::StringRef text) : text(text) {}
    Cell(std::string_view text) : text(text) {}
    template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
    Cell(T count) : text(std::to_string(count)) {}
    Cell(double number) : number(number), isNumber(true) {}
    template <typename Tag> Cell(Quantity<Tag> value) : Cell(value.value()) {}

    std::string text;
    double number = 0;
    bool isNumber = false;
  };

  explicit TextTable(std::vector<Column> columns)
      : columns(std::move(columns)) {}
  /// A cell for each column.
  void addRow(std::vector<Cell> cells);
  /// Width of a line that begins with `indent` spaces when nothing is cut.
  size_t width(size_t indent) const;
  /// Prints header and rows, indented by `indent` spaces, without trailing
  /// blanks, in at most `lineWidth` columns if the minimums allow it.
  void print(llvm::raw_ostream &os, size_t indent,
             size_t lineWidth = gpucost::lineWidth()) const;

private:
  /// A column as printed: its header, then its cells.
  struct Shown {
    const Column *column;
    std::vector<std::string> lines;
    size_t width = 0;
  };
  std::vector<Shown> shown() const;

  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

/// Prints `text` in lines of at most `lineWidth()` columns, broken at spaces.
/// The first line continues at column `start`; the others are indented by
/// `indent` spaces. Ends with a newline.
void printWrapped(llvm::raw_ostream &os, llvm::StringRef text, size_t start,
                  size_t indent);

/// Widths of the label, the number and the unit of a summary's lines.
struct SummaryWidths {
  size_t label = 9, number = 7, unit = 7;
};

/// Prints "  time      12.3 ms     GPU busy ...".
void printLine(llvm::raw_ostream &os, llvm::StringRef label,
               const NumberWithUnit &value, llvm::StringRef remark,
               const SummaryWidths &widths = {});
/// Prints "  hint     --clock=900: ...": a line without a number.
void printText(llvm::raw_ostream &os, llvm::StringRef label,
               llvm::StringRef text);

} // namespace gpucost

#endif // GPUCOST_APPLICATIONS_REPORT_TEXTTABLE_H
