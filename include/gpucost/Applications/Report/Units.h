//===- Units.h - Units that somebody chose ----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NumberText.h chooses the prefix that fits each number; a report may have one
// for all.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_REPORT_UNITS_H
#define GPUCOST_APPLICATIONS_REPORT_UNITS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace gpucost {

/// Units that all numbers of one quantity get, in place of those that fit each.
class UnitChoice {
public:
  /// "ms,mJ,MB": at most one of each quantity (s, J, W, B, FLOP, Hz) with a
  /// prefix; KiB, MiB, ... are units of B. The error names the first that is
  /// none.
  static llvm::Expected<UnitChoice> parse(llvm::StringRef text);

  /// The prefix of `unit`, as printed, and its size; nullopt: automatic.
  std::optional<std::pair<std::string, double>>
  prefixOf(llvm::StringRef unit) const;

private:
  std::map<std::string, std::pair<std::string, double>> prefixes;
};

/// As long as it lives, numbers of this thread are printed in `units`.
class ScopedUnits {
public:
  explicit ScopedUnits(const UnitChoice &units);
  ~ScopedUnits();
  ScopedUnits(const ScopedUnits &) = delete;

private:
  const UnitChoice *before;
};

} // namespace gpucost

#endif // GPUCOST_APPLICATIONS_REPORT_UNITS_H
