//===- Space.h - Many scenarios, as lists and ranges ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A space is a vector of scenarios that is never written out: models, the
// settings that all points share, and one axis for each setting with several
// values. Its order is guaranteed: models, then settings that choose other
// kernels, then settings of the GPU, then clock, power limit and settings that
// only affect sums. Points that share work are adjacent.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_SWEEP_SPACE_H
#define GPUCOST_APPLICATIONS_SWEEP_SPACE_H

#include "gpucost/Core/Scenario/Scenario.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>
#include <vector>

namespace gpucost::sweep {

/// A setting with several values.
struct Axis {
  std::string flag;
  SettingEffect affects = SettingEffect::Evaluation;
  /// As the flag takes them; "default" where nothing is stated.
  std::vector<std::string> texts;
  /// One scenario per entry of `texts`, with only this setting set.
  std::vector<Scenario> values;
};

/// The texts that were given for one setting.
struct AxisText {
  std::string flag;
  std::vector<std::string> texts;
};

/// Values of the setting `flag`, in order and without repetitions. A text is a
/// list at commas, unless values of the setting contain commas themselves. For
/// numbers an item may be a range: "1..8" (whole numbers), "600..1410:15" in
/// steps, "1..256x2" by a factor. "default" states nothing.
llvm::Expected<std::vector<std::string>>
expandValues(llvm::StringRef flag, llvm::ArrayRef<std::string> texts);

/// Integers from 1 to `most` as a list or ranges, each once, for flags that are
/// not settings.
llvm::Expected<std::vector<int64_t>>
expandCounts(llvm::StringRef flag, llvm::StringRef text, int64_t most);

/// Points that a space may have.
inline constexpr int64_t mostPoints = 100'000'000;

class Space {
public:
  /// Each setting once. An error names the flag and the expected value.
  static llvm::Expected<Space> create(std::vector<std::string> models,
                                      llvm::ArrayRef<AxisText> settings);

  const std::vector<std::string> &models() const { return modelFiles; }
  /// The settings that all points state.
  const Scenario &common() const { return base; }
  const std::vector<Axis> &axes() const { return settingAxes; }
  const Axis *findAxis(llvm::StringRef flag) const;

  int64_t size() const { return points; }
  /// Points of a block: they differ only in settings of the evaluation.
  int64_t blockSize() const { return operations; }
  int64_t blocks() const { return points / operations; }

  /// Index into `models()`.
  size_t modelOf(int64_t block) const;
  /// The settings that all points of a block state.
  Scenario scenarioOfBlock(int64_t block) const;
  /// Adds the settings that the `operation`-th point of any block states.
  void stateOperation(Scenario &scenario, int64_t operation) const;
  Scenario scenarioOf(int64_t point) const;
  /// For each axis the index of the value that a point has.
  std::vector<size_t> valuesOf(int64_t point) const;

  /// The first point with value number `value` of `axis`, one of `axes()`.
  int64_t firstWith(const Axis &axis, size_t value) const;

  /// The settings and the number of models in one line; equal only for spaces
  /// that differ at most in their models.
  std::string describe() const;

private:
  std::vector<std::string> modelFiles;
  Scenario base;
  std::vector<Axis> settingAxes;
  int64_t points = 1, operations = 1;
};

/// Models and settings of a file: {"models": ["a.onnx"], "settings": {"target":
/// ["a100", "h100"], "batch": "1..256x2", "seq": 128}}. Relative models are
/// relative to the working directory.
struct SpaceText {
  std::vector<std::string> models;
  std::vector<AxisText> settings;
};
llvm::Expected<SpaceText> readSpaceFile(llvm::StringRef json);

} // namespace gpucost::sweep

#endif // GPUCOST_APPLICATIONS_SWEEP_SPACE_H
