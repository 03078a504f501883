//===- PointText.h - Points as JSON Lines and CSV ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One line for each point, with every setting that any point states, so that
// files of shards can be put together and sorted. docs/Decisions.md names the
// fields.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_SWEEP_POINTTEXT_H
#define GPUCOST_SWEEP_POINTTEXT_H

#include "gpucost/Sweep/PointResult.h"
#include "gpucost/Sweep/Space.h"

namespace gpucost {

enum class PointFormat { JsonLines, Csv };

class PointText {
public:
  /// `sweep` and `version` stand on every line: they tell whether lines belong
  /// together. Neither has quotes, commas or backslashes.
  PointText(const Space &space, PointFormat format, std::string sweep,
            std::string version);

  /// The first line of a CSV file, with its end; "" for JSON Lines.
  std::string header() const;
  /// The keys of the settings that every line has.
  std::vector<std::string> settingKeys() const;
  /// One line, with its end.
  void append(std::string &text, const PointResult &result) const;

  /// What every line begins with.
  struct Start {
    int64_t point = 0;
    llvm::StringRef sweep, version; ///< parts of the line
  };
  /// nullopt when `line` does not begin as a line of this format does.
  static std::optional<Start> readStart(llvm::StringRef line,
                                        PointFormat format);

private:
  const Space &space;
  PointFormat format;
  std::string sweep, version;
  /// The settings with a column.
  std::vector<std::string> flags;
};

} // namespace gpucost

#endif // GPUCOST_SWEEP_POINTTEXT_H
