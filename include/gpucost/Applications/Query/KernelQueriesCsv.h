//===- KernelQueriesCsv.h - Reader of CSV text ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// RFC 4180 over text in memory: quotes, CRLF, byte order mark. Cells refer to
// the text; nothing is copied. Lines without any character but blanks are
// skipped.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_QUERY_KERNELQUERIESCSV_H
#define GPUCOST_APPLICATIONS_QUERY_KERNELQUERIESCSV_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpucost {

/// One-based position of a character; columns count bytes.
struct TextPosition {
  uint32_t line = 1, column = 1;
};

struct CsvCell {
  llvm::StringRef raw;  ///< as in the file, with its quotes
  llvm::StringRef text; ///< without the outer quotes; inner ones still doubled
  TextPosition at;
  bool escaped = false; ///< `text` has doubled quotes

  /// The value of the cell.
  std::string value() const;
};

class CsvReader {
public:
  explicit CsvReader(llvm::StringRef text);

  enum class Status { Record, End, Error };
  /// Reads the next record. On Error, see `message` and `position`.
  Status next(llvm::SmallVectorImpl<CsvCell> &cells);

  llvm::StringRef message;
  TextPosition position;

private:
  bool readCell(CsvCell &cell);
  void skipLineEnd();
  bool skipBlankLine();
  TextPosition here() const {
    return {line, static_cast<uint32_t>(next_ - lineStart) + 1};
  }

  const char *next_, *end, *lineStart;
  uint32_t line = 1;
};

} // namespace gpucost

#endif // GPUCOST_APPLICATIONS_QUERY_KERNELQUERIESCSV_H
