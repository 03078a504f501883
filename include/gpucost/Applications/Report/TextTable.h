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

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace gpucost {

/// Widest line of a report where nobody says another width.
constexpr size_t reportWidth = 100;

class TextTable {
public:
  enum class Align { Left, Right };
  /// Which part of a cell goes when the table is too wide.
  enum class Cut { End, Middle };

  /// A column with all its cells. All columns must have equally many.
  /// `minimum` is the width it may be cut to when the table is too wide, the
  /// first such column before the next; 0 means never.
  void addColumn(llvm::StringRef header, Align align,
                 std::vector<std::string> cells, size_t minimum = 0,
                 Cut cut = Cut::End);

  /// A column of numbers under "TITLE UNIT", with the prefix that suits the
  /// largest of them (formatColumn).
  void addNumbers(llvm::StringRef title, llvm::StringRef unit,
                  llvm::ArrayRef<double> values);

  /// Columns that a line takes behind `indent` spaces when nothing is cut.
  size_t width(size_t indent) const;

  /// Header and rows, each line behind `indent` spaces, no trailing blanks, in
  /// at most `lineWidth` columns where the minimums allow it.
  void print(llvm::raw_ostream &os, size_t indent,
             size_t lineWidth = reportWidth) const;

private:
  struct Column {
    std::string header;
    Align align;
    std::vector<std::string> cells;
    size_t width, minimum;
    Cut cut;
  };
  std::vector<Column> columns;
};

/// `text` in lines of at most `reportWidth` columns, broken at spaces. The
/// first line starts where the stream stands, at column `start`; the others
/// behind `indent` spaces. Ends with a newline.
void printWrapped(llvm::raw_ostream &os, llvm::StringRef text, size_t start,
                  size_t indent);

} // namespace gpucost

#endif // GPUCOST_APPLICATIONS_REPORT_TEXTTABLE_H
