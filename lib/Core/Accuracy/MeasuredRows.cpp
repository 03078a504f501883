//===- MeasuredRows.cpp - Which predictions were measured -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Accuracy/MeasuredRows.h"
#include "gpucost/Core/Support/Text.h"
#include "gpucost/Core/Targets/EmbeddedFile.h"
#include "gpucost/Core/Vocabulary/Vendors.h"
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <tuple>

using namespace gpucost;

static constexpr std::string_view columns =
    "source,board,die,architecture,kind,format,gpus,rows,published,time_error,"
    "power_error,energy_error";

/// Reads `cell` as a case of an enumeration; false if it is not one.
template <typename Enum>
static bool readCase(std::optional<Enum> found, Enum &value) {
  if (found)
    value = *found;
  return found.has_value();
}

/// Reads an error in percent; an empty cell is unknown.
static bool readError(std::string_view cell, std::optional<double> &value) {
  double number = 0;
  if (cell.empty())
    return true;
  if (!parseNumber(cell, number) || !(number >= 0))
    return false;
  value = number;
  return true;
}

static std::optional<MeasuredRows> parseLine(std::string_view line) {
  std::vector<std::string_view> cells = splitText(line, ',');
  if (cells.size() != splitText(columns, ',').size())
    return std::nullopt;
  MeasuredRows row;
  size_t next = 0;
  auto cell = [&] { return cells[next++]; };
  row.source = cell();
  row.board = cell();
  row.die = cell();
  bool good = readCase(symbolizeArchitecture(cell()), row.architecture);
  good &= readCase(symbolizeMeasuredKind(cell()), row.kind);
  good &= readCase(symbolizeNumericFormat(cell()), row.format);
  std::string_view gpus = cell();
  row.severalGpus = gpus == "several";
  good &= row.severalGpus || gpus == "1";
  good &= parseInteger(cell(), row.rows) && row.rows > 0;
  std::string_view published = cell();
  row.published = published == "yes";
  good &= row.published || published == "no";
  for (std::optional<double> MeasuredRows::*error :
       {&MeasuredRows::timeError, &MeasuredRows::powerError,
        &MeasuredRows::energyError})
    good &= readError(cell(), row.*error);
  // Figures that must not be published are not in the table.
  good &=
      row.published || !(row.timeError || row.powerError || row.energyError);
  good &= !row.source.empty() && !row.board.empty();
  return good ? std::optional(std::move(row)) : std::nullopt;
}

Expected<std::vector<MeasuredRows>>
gpucost::parseMeasuredRows(std::string_view table) {
  std::vector<MeasuredRows> rows;
  std::vector<std::string_view> lines = splitText(table, '\n');
  if (lines.front() != columns)
    return fail(concat("line 1: expected the columns ", columns));
  for (size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].empty())
      continue;
    std::optional<MeasuredRows> row = parseLine(lines[i]);
    if (!row)
      return fail(concat("line ", i + 1, ": '", lines[i],
                         "' is not a row of the columns ", columns));
    rows.push_back(std::move(*row));
  }
  return rows;
}

const std::vector<MeasuredRows> &gpucost::measuredRows() {
  static const std::vector<MeasuredRows> rows =
      cantFail(parseMeasuredRows(embeddedAccuracy().begin()->content));
  return rows;
}

/// How near a board is, nearest first.
enum class Near { Board, Die, Generation, Other };

/// Whether the kind differs, the board, generations between the boards, whether
/// the number of GPUs differs, and the format; smaller is nearer.
using Distance = std::tuple<bool, Near, int, bool, bool>;

static Distance distance(const MeasuredRows &row,
                         const MeasuredQuestion &question) {
  int generations = generationsBetween(row.architecture, question.architecture);
  Near board = Near::Other;
  if (row.board == question.board)
    board = Near::Board;
  else if (generations == 0)
    board = row.die == question.die ? Near::Die : Near::Generation;
  return {row.kind != question.kind, board, generations,
          row.severalGpus != question.severalGpus,
          row.format != question.format};
}

/// "a, b and c", each once, in the order of the rows.
template <typename Get>
static std::string listOf(const std::vector<MeasuredRows> &rows, Get get) {
  std::vector<std::string> names;
  for (const MeasuredRows &row : rows)
    if (std::string name(get(row));
        std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

/// "4.1": one digit after the point.
static std::string percentText(double percent) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.1f", percent);
  return text.data();
}

std::string gpucost::describeErrors(const std::vector<MeasuredRows> &rows) {
  std::string text;
  auto add = [&](std::string_view name,
                 std::optional<double> MeasuredRows::*error) {
    double sum = 0, count = 0;
    for (const MeasuredRows &row : rows)
      if (row.*error) {
        sum += *(row.*error) * static_cast<double>(row.rows);
        count += static_cast<double>(row.rows);
      }
    if (count > 0)
      text += concat(text.empty() ? "" : ", ", name, " ",
                     percentText(sum / count), " %");
  };
  add("time", &MeasuredRows::timeError);
  add("power", &MeasuredRows::powerError);
  add("energy", &MeasuredRows::energyError);
  return text.empty() ? "figures not published" : text;
}

/// The relation of the nearest rows to the question.
static std::string describeEvidence(const Accuracy &found,
                                    const MeasuredQuestion &question) {
  std::string kind(stringifyMeasuredKind(question.kind));
  if (found.boardIsNearest && found.kindIsMeasured)
    return "this GPU was measured";
  if (found.board == BoardEvidence::Measured)
    return concat("this GPU was measured, but not its ", kind);
  if (found.board == BoardEvidence::Transferred)
    return "only other GPUs of this generation were measured";
  return "no GPU of this generation was measured";
}

Accuracy gpucost::findNearest(const std::vector<MeasuredRows> &table,
                              const MeasuredQuestion &question) {
  Accuracy found;
  if (table.empty()) {
    found.text = "no rows were measured";
    return found;
  }
  Vendor vendor = vendorOf(question.architecture);
  if (std::none_of(table.begin(), table.end(), [&](const MeasuredRows &row) {
        return vendorOf(row.architecture) == vendor;
      })) {
    found.text =
        concat("no iteration on a GPU of ", nameOf(vendor), " was measured");
    return found;
  }
  std::optional<Distance> least;
  for (const MeasuredRows &row : table) {
    if (row.board == question.board)
      found.board = BoardEvidence::Measured;
    else if (row.architecture == question.architecture &&
             found.board == BoardEvidence::Unseen)
      found.board = BoardEvidence::Transferred;
    Distance here = distance(row, question);
    if (least && here > *least)
      continue;
    if (!least || here < *least)
      found.nearest.clear();
    least = here;
    found.nearest.push_back(row);
  }
  auto [kindDiffers, board, generations, gpusDiffer, formatDiffers] = *least;
  found.boardIsNearest = board == Near::Board;
  found.kindIsMeasured = !kindDiffers;
  found.formatIsMeasured = !formatDiffers;
  const std::vector<MeasuredRows> &rows = found.nearest;
  int64_t count = 0;
  for (const MeasuredRows &row : rows)
    count += row.rows;
  found.text =
      concat(describeEvidence(found, question), ": ", count,
             count == 1 ? " row of " : " rows of ",
             listOf(rows,
                    [](const MeasuredRows &r) {
                      return stringifyMeasuredKind(r.kind);
                    }),
             " in ",
             listOf(rows,
                    [](const MeasuredRows &r) {
                      return stringifyNumericFormat(r.format);
                    }),
             rows.front().severalGpus ? " on several " : " on ",
             listOf(rows, [](const MeasuredRows &r) { return r.board; }), " (",
             listOf(rows, [](const MeasuredRows &r) { return r.source; }),
             "), mean error: ", describeErrors(rows));
  return found;
}
