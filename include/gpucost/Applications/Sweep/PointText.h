//===- PointText.h - Points as JSON Lines and CSV ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One line per point, with every setting that any point states, so that files
// of shards can be concatenated and sorted. docs/Decisions.md lists the fields.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_SWEEP_POINTTEXT_H
#define GPUCOST_APPLICATIONS_SWEEP_POINTTEXT_H

#include "gpucost/Applications/Sweep/PointResult.h"
#include "gpucost/Applications/Sweep/Space.h"
#include <optional>
#include <string>
#include <vector>

namespace gpucost {
class JsonStream;
} // namespace gpucost

namespace gpucost::sweep {

/// The values of a point's axes: "--target=a100 --batch=8".
std::string axesText(const Space &space, int64_t point);

enum class PointFormat { JsonLines, Csv };

class PointText {
public:
  /// Every line contains `sweep` and `version`, which identify lines that
  /// belong together. They must not contain quotes, commas or backslashes.
  PointText(const Space &space, PointFormat format, std::string sweep,
            std::string version);

  PointFormat lineFormat() const { return format; }
  /// The first line of a CSV file, with its newline; "" for JSON Lines.
  std::string header() const;
  /// The keys of the settings that every line has.
  std::vector<std::string> settingKeys() const;
  /// Appends one line, with its newline.
  void append(std::string &text, const PointResult &result) const;
  /// Writes a line of JSON Lines as a value.
  void write(JsonStream &j, const PointResult &result) const;

  /// Beginning of every line.
  struct Start {
    int64_t point = 0;
    llvm::StringRef sweep, version; ///< parts of the line
  };
  /// nullopt if `line` does not begin like a line of this format.
  static std::optional<Start> readStart(llvm::StringRef line,
                                        PointFormat format);

  /// Whether `line` has the settings of `point` and all results: lines that
  /// were changed after they were written may not.
  bool isWhole(llvm::StringRef line, int64_t point) const;

private:
  /// A setting of every line.
  struct Column {
    std::string key;
    /// Number of its axis; nullopt if all points have the same value.
    std::optional<size_t> axis;
    /// Its part of a line for each value, after a comma.
    std::vector<std::string> parts;
  };
  Column columnOf(const std::string &flag) const;
  /// The line of a point up to its results, without their comma.
  std::string start(int64_t point, const std::string &model) const;
  const std::string &modelOf(int64_t point) const;

  const Space &space;
  PointFormat format;
  std::string sweep, version;
  std::vector<Column> settings;
};

} // namespace gpucost::sweep

#endif // GPUCOST_APPLICATIONS_SWEEP_POINTTEXT_H
