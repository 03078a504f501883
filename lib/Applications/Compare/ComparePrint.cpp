//===- ComparePrint.cpp - A comparison as tables and Markdown -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompareText.h"
#include "gpucost/Applications/Report/Report.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpucost;
using namespace gpucost::compare;

/// "budget: 1 of 3 limits broken", then a line each.
static std::vector<std::string>
budgetLines(const std::vector<BudgetResult> &budget) {
  auto broken = llvm::count_if(
      budget, [](const BudgetResult &result) { return result.broken; });
  std::vector<std::string> lines = {
      broken ? "budget: " + std::to_string(broken) + " of " +
                   std::to_string(budget.size()) + " limits broken"
             : "budget: all " + std::to_string(budget.size()) +
                   " limits are kept"};
  for (const BudgetResult &result : budget)
    lines.push_back((result.broken ? "BROKEN  " : "kept    ") +
                    describe(result));
  return lines;
}

static void printTable(const Comparison &comparison,
                       const ComparePrintOptions &options,
                       llvm::raw_ostream &os) {
  for (const std::string &line : explainComparison(comparison))
    printWrapped(os, line, 0, 0);
  for (const TextRows &rows : tablesOf(comparison, options.top)) {
    if (rows.rows.empty())
      continue;
    os << '\n';
    if (rows.title == "notes") {
      for (const auto &row : rows.rows) {
        os << "  " << row[0] << " note: ";
        printWrapped(os, row[1], row[0].size() + 9, 4);
      }
      continue;
    }
    std::vector<TextTable::Column> columns;
    bool narrow = lineWidth() < reportWidth;
    for (auto [header, isNumber] : llvm::zip(rows.headers, rows.isNumber))
      columns.push_back(
          isNumber
              ? TextTable::right(header)
              : TextTable::left(header, header == "why" ? (narrow ? 24 : 40)
                                                        : (narrow ? 10 : 14)));
    TextTable table(std::move(columns));
    for (const auto &row : rows.rows)
      table.addRow({row.begin(), row.end()});
    table.print(os, 2);
    if (!rows.more.empty())
      os << "  (" << rows.more << ")\n";
  }
  if (options.budget) {
    os << '\n';
    for (const std::string &line : budgetLines(*options.budget))
      printWrapped(os, line, 0, 8);
  }
}

/// Escapes text from a file for a Markdown table.
static std::string escape(llvm::StringRef text) {
  std::string result;
  for (char c : printable(text)) {
    if (llvm::StringRef("|\\`*_<>[]&#").contains(c))
      result += '\\';
    result += c;
  }
  return result;
}

static void printMarkdown(const Comparison &comparison,
                          const ComparePrintOptions &options,
                          llvm::raw_ostream &os) {
  auto time = llvm::find_if(comparison.totals, [](const Change &change) {
    return change.name == "time_ms";
  });
  os << "### Predicted cost: ";
  if (comparison.isSame())
    os << "no change";
  else if (time != comparison.totals.end())
    os << "time " << relativeText(*time) << " ("
       << quantityText("time_ms", time->before) << " to "
       << quantityText("time_ms", time->after) << ")";
  os << "\n\n";
  if (options.budget) {
    for (const std::string &line : budgetLines(*options.budget))
      os << "- " << escape(line) << '\n';
    os << '\n';
  }
  for (const std::string &line : explainComparison(comparison))
    os << escape(line) << "  \n";
  for (const TextRows &rows : tablesOf(comparison, options.top)) {
    if (rows.rows.empty())
      continue;
    // Totals are visible; everything else is folded.
    bool folded = rows.title != "total" && rows.title != "setting";
    if (folded)
      os << "\n<details><summary>" << rows.title << " (" << rows.rows.size()
         << ")</summary>\n";
    os << "\n|";
    for (const std::string &header : rows.headers)
      os << ' ' << header << " |";
    os << "\n|";
    for (bool number : rows.isNumber)
      os << (number ? "---:|" : "---|");
    os << '\n';
    for (const auto &row : rows.rows) {
      os << '|';
      for (const std::string &cell : row)
        os << ' ' << escape(cell) << " |";
      os << '\n';
    }
    if (!rows.more.empty())
      os << '\n' << rows.more << '\n';
    if (folded)
      os << "\n</details>\n";
  }
}

llvm::Error compare::printComparison(const Comparison &comparison,
                                     const ComparePrintOptions &options,
                                     llvm::raw_ostream &os) {
  switch (options.format) {
  case CompareFormat::Table:
    printTable(comparison, options, os);
    break;
  case CompareFormat::Markdown:
    printMarkdown(comparison, options, os);
    break;
  case CompareFormat::Json:
    printComparisonJson(comparison, options, os);
    break;
  case CompareFormat::Html: {
    std::string json;
    llvm::raw_string_ostream text(json);
    printComparisonJson(comparison, options, text);
    return writePage(PageKind::Comparison,
                     comparison.before.file + " and " + comparison.after.file,
                     json, os);
  }
  }
  return llvm::Error::success();
}
