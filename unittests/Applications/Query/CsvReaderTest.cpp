//===- CsvReaderTest.cpp - RFC 4180 ---------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Query/KernelQueriesCsv.h"
#include "gtest/gtest.h"
#include <vector>

using namespace gpucost;
using Rows = std::vector<std::vector<std::string>>;

static Rows readAll(llvm::StringRef text) {
  CsvReader reader(text);
  llvm::SmallVector<CsvCell> cells;
  Rows rows;
  while (reader.next(cells) == CsvReader::Status::Record) {
    rows.emplace_back();
    for (const CsvCell &cell : cells)
      rows.back().push_back(cell.value());
  }
  EXPECT_EQ(reader.message, "");
  return rows;
}

TEST(CsvReader, LineEnds) {
  Rows expected = {{"a", "b"}, {"1", "2"}};
  EXPECT_EQ(readAll("a,b\n1,2\n"), expected);
  EXPECT_EQ(readAll("a,b\r\n1,2\r\n"), expected);
  EXPECT_EQ(readAll("a,b\r1,2\r"), expected);
  EXPECT_EQ(readAll("a,b\n1,2"), expected);
  EXPECT_EQ(readAll("\xEF\xBB\xBF"
                    "a,b\n1,2"),
            expected);
  EXPECT_EQ(readAll("\n\na,b\n  \t\n\r\n1,2\n\n"), expected);
}

TEST(CsvReader, EmptyCells) {
  EXPECT_EQ(readAll(""), Rows());
  EXPECT_EQ(readAll("\xEF\xBB\xBF"), Rows());
  EXPECT_EQ(readAll("\n"), Rows());
  EXPECT_EQ(readAll(","), (Rows{{"", ""}}));
  EXPECT_EQ(readAll("a,,c,\n"), (Rows{{"a", "", "c", ""}}));
  EXPECT_EQ(readAll("\"\"\n"), (Rows{{""}}));
}

TEST(CsvReader, Quotes) {
  EXPECT_EQ(readAll("\"a,b\",\"x\"\"y\"\n"), (Rows{{"a,b", "x\"y"}}));
  EXPECT_EQ(readAll("\"two\nlines\",\"\"\"\"\n"), (Rows{{"two\nlines", "\""}}));
  // A quote inside of a plain cell is a character.
  EXPECT_EQ(readAll("5\" pipe,b\n"), (Rows{{"5\" pipe", "b"}}));
}

TEST(CsvReader, RawTextKeepsItsQuotes) {
  CsvReader reader("\"a\"\"b\",c");
  llvm::SmallVector<CsvCell> cells;
  ASSERT_EQ(reader.next(cells), CsvReader::Status::Record);
  EXPECT_EQ(cells[0].raw, "\"a\"\"b\"");
  EXPECT_EQ(cells[1].raw, "c");
  EXPECT_EQ(reader.next(cells), CsvReader::Status::End);
}

TEST(CsvReader, Positions) {
  CsvReader reader("a,bb,c\r\n\n\"x\r\ny\",z\n1,2");
  llvm::SmallVector<CsvCell> cells;
  auto expectAt = [&](size_t i, uint32_t line, uint32_t column) {
    EXPECT_EQ(cells[i].at.line, line);
    EXPECT_EQ(cells[i].at.column, column);
  };
  reader.next(cells);
  expectAt(1, 1, 3);
  expectAt(2, 1, 6);
  reader.next(cells);
  expectAt(0, 3, 1);
  expectAt(1, 4, 4); // y",z
  reader.next(cells);
  expectAt(1, 5, 3);
}

static std::string errorOf(llvm::StringRef text) {
  CsvReader reader(text);
  llvm::SmallVector<CsvCell> cells;
  CsvReader::Status status;
  while ((status = reader.next(cells)) == CsvReader::Status::Record) {
  }
  EXPECT_EQ(status, CsvReader::Status::Error);
  return std::to_string(reader.position.line) + ":" +
         std::to_string(reader.position.column) + ": " + reader.message.str();
}

TEST(CsvReader, Errors) {
  EXPECT_EQ(errorOf("a\n1,\"open\n2\n"), "2:3: expected a closing quote");
  EXPECT_EQ(errorOf("\""), "1:1: expected a closing quote");
  EXPECT_EQ(errorOf("\"a\"b,c"),
            "1:4: expected a comma or a line end after the closing quote");
}
