//===- NumberTextTest.cpp - Digits, units, widths -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace gpucost;

static const double infinity = std::numeric_limits<double>::infinity();

TEST(NumberText, ThreeSignificantDigits) {
  EXPECT_EQ(formatSignificant(0), "0");
  EXPECT_EQ(formatSignificant(0.012345), "0.0123");
  EXPECT_EQ(formatSignificant(9.994), "9.99");
  EXPECT_EQ(formatSignificant(9.996), "10.0"); // rounding adds a digit
  EXPECT_EQ(formatSignificant(12345), "12345");
  EXPECT_EQ(formatSignificant(-1.234), "-1.23");
  EXPECT_EQ(formatSignificant(std::nan("")), "<unknown>");
}

TEST(NumberText, PrefixOfTheUnit) {
  EXPECT_EQ(formatSi(1.23e-5, "s").str(), "12.3 us");
  EXPECT_EQ(formatSi(0.99996, "s").str(), "1.00 s");
  EXPECT_EQ(formatSi(312e12, "FLOP/s").str(), "312 TFLOP/s");
  EXPECT_EQ(formatSi(0.030042, "s", 5).str(), "30.042 ms");
  EXPECT_EQ(formatSi(0.2, "B").str(), "<1 B"); // no "mB"
  EXPECT_EQ(formatSi(0, "J").str(), "0 J");
  EXPECT_EQ(formatSi(infinity, "W").str(), "<unknown>");
  EXPECT_EQ(formatMemory(80 * 0x1p30).str(), "80 GiB");
  EXPECT_EQ(formatMemory(1023).str(), "1023 B");
  EXPECT_EQ(formatMemory(1.5 * 0x1p20).str(), "1.5 MiB");
}

TEST(NumberText, Apart) {
  using Texts = std::pair<std::string, std::string>;
  constexpr double gib = 1 << 30;
  EXPECT_EQ(formatApart(81 * gib, 80 * gib, formatMemory),
            Texts("81 GiB", "80 GiB"));
  EXPECT_EQ(formatApart(180.06 * gib, 180 * gib, formatMemory),
            Texts("180.1 GiB", "180 GiB"));
  EXPECT_EQ(formatApart(180 * gib, 180 * gib, formatMemory),
            Texts("180 GiB", "180 GiB"));
  auto inSeconds = [](double time, int digits) {
    return formatSi(time, "s", digits);
  };
  EXPECT_EQ(formatApart(0.03001, 0.03, inSeconds),
            Texts("30.01 ms", "30.00 ms"));
}

TEST(NumberText, Percent) {
  EXPECT_EQ(formatPercent(0.4129), "41.3 %");
  EXPECT_EQ(formatPercent(0), "0.0 %");
  EXPECT_EQ(formatPercent(1e-5), "<0.1 %");
  EXPECT_EQ(formatPercent(-infinity), "<unknown>");
}

TEST(NumberText, OnePrefixPerColumn) {
  NumberColumn column = formatColumn({0.0012, 25e-6, 0}, "s");
  EXPECT_EQ(column.unit, "ms");
  EXPECT_EQ(column.numbers, (std::vector<std::string>{"1.20", "0.03", "0.00"}));
  EXPECT_EQ(formatColumn({}, "s").unit, "s");
  NumberColumn watts = formatColumn({1002, 917, 60.4}, "W", 3, false);
  EXPECT_EQ(watts.unit, "W");
  EXPECT_EQ(watts.numbers, (std::vector<std::string>{"1002", "917", "60"}));
}

TEST(NumberText, ProgramsNeverSeeInfinity) {
  std::string text;
  llvm::raw_string_ostream os(text);
  EXPECT_TRUE(printNumber(os, 0.1));
  os << ' ';
  EXPECT_TRUE(printNumber(os, 1e-7));
  os << ' ';
  EXPECT_TRUE(printNumber(os, -0.0));
  os << ' ';
  EXPECT_TRUE(printNumber(os, 12345678901.0));
  EXPECT_FALSE(printNumber(os, infinity));
  EXPECT_FALSE(printNumber(os, std::nan("")));
  EXPECT_EQ(text, "0.1 1e-07 0 12345678901");
}

TEST(NumberText, CsvQuotes) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const char *cell :
       {"plain", "a,b", "say \"x\"", "two\nlines", " led", ""}) {
    printCsvCell(os, cell);
    os << ';';
  }
  EXPECT_EQ(text, "plain;\"a,b\";\"say \"\"x\"\"\";two lines;\" led\";;");
}

// Spreadsheets compute such cells; numbers stay numbers.
TEST(NumberText, CsvFormulas) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const char *cell : {"=1+2", "@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3",
                           "\t=1", "\r=1", "-2.5", "+1e-3", "-", "a=b"}) {
    printCsvCell(os, cell);
    os << ';';
  }
  EXPECT_EQ(text, "'=1+2;'@SUM(A1);'+cmd|' /C calc'!A0;'-2+3;' =1;' =1;-2.5;"
                  "+1e-3;-;a=b;");
}

TEST(NumberText, WidthOfForeignText) {
  EXPECT_EQ(printable("a\tb\x01"), "a b ");
  EXPECT_EQ(textWidth("\xC3\xA9t\xC3\xA9"), 3u); // "ete" with accents
  EXPECT_EQ(shorten("abcdef", 6), "abcdef");
  EXPECT_EQ(shorten("abcdefg", 6), "abcd..");
  EXPECT_EQ(shorten("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", 4),
            "\xC3\xA9\xC3\xA9..");
  EXPECT_EQ(printable("\xFF"), "\xEF\xBF\xBD");
}

TEST(NumberText, ElidesTheMiddle) {
  EXPECT_EQ(elide("abcdef", 6), "abcdef");
  EXPECT_EQ(elide("model/layers.0/mlp/MatMul", 14), "model/..MatMul");
  EXPECT_EQ(textWidth(elide("model/layers.0/mlp/MatMul", 13)), 13u);
  EXPECT_EQ(elide("abcdefg", 4), "ab..");
  EXPECT_EQ(elide("\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", 5),
            "\xC3\xA9..\xC3\xA9\xC3\xA9");
}

TEST(NumberText, Bars) {
  EXPECT_EQ(barText(0, 10), "");
  EXPECT_EQ(barText(0.5, 4), "\u2588\u2588");
  // 0.3 * 4 columns are 9.6 eighths.
  EXPECT_EQ(barText(0.3, 4), "\u2588\u258e");
  EXPECT_EQ(textWidth(barText(2, 4)), 4u);
}

TEST(TextTable, FitsTheWidthAsked) {
  TextTable table({TextTable::left("name", 10, TextTable::Cut::Middle)});
  table.addRow({"model/layers.0/mlp/MatMul"});
  std::string text;
  llvm::raw_string_ostream os(text);
  table.print(os, 2, 16);
  EXPECT_EQ(text, "  name\n  model/..MatMul\n");
}

TEST(TextTable, ShrinksOnlyWhatMay) {
  TextTable table({TextTable::right("n"), TextTable::left("text", 10),
                   TextTable::left("end")});
  table.addRow({1, std::string(200, 'x'), "fixed"});
  table.addRow({22, "short", ""});
  std::string text;
  llvm::raw_string_ostream os(text);
  table.print(os, 2);
  // 2 + 2 + 1 + 89 + 1 + 5 = 100
  EXPECT_EQ(text, "   n text" + std::string(86, ' ') + "end\n" + "   1 " +
                      std::string(87, 'x') + ".. fixed\n" + "  22 short\n");
  EXPECT_EQ(table.width(2), 2 + 2 + 1 + 200 + 1 + 5u);
}

TEST(TextTable, GivesNumbersOfAColumnOneUnit) {
  TextTable table({TextTable::numbers("time", "s"),
                   TextTable::left("bar").when(false),
                   TextTable::left("name")});
  table.addRow({0.0123, "xx", "a"});
  table.addRow({"-", "xx", "b"});
  table.addRow({0.00004, "xx", "c"});
  std::string text;
  llvm::raw_string_ostream os(text);
  table.print(os, 2);
  // 12.3 ms has three digits; 0.04 ms has the same decimals.
  EXPECT_EQ(text, "  time ms  name\n     12.3  a\n        -  b\n"
                  "      0.0  c\n");
}
