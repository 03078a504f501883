//===- ComparedReport.h - A report read for a comparison --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of a JSON report that a comparison needs, from any version of the
// tool: fields that only some versions write are optional.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_COMPARE_COMPAREDREPORT_H
#define GPUCOST_APPLICATIONS_COMPARE_COMPAREDREPORT_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpucost::compare {

/// One element of `kernels`; names and strings as in the file.
struct ComparedKernel {
  std::string name, op, label, origin, family, phase, format, shape;
  std::string tile;  ///< "128x64", "" without one
  std::string bound; ///< "tensor", "dram", ...
  int64_t splitK = 0, count = 0;
  double timeUs = 0;  ///< of one launch
  double energyJ = 0; ///< of one launch
  /// Time terms of one launch, us; they overlap.
  double computeUs = 0, l2Us = 0, dramUs = 0, fixedUs = 0;

  double totalUs() const { return timeUs * static_cast<double>(count); }
  double totalJ() const { return energyJ * static_cast<double>(count); }
};

struct ComparedPhase {
  std::string name;
  double timeMs = 0, energyJ = 0;
  int64_t kernels = 0;
};

struct ComparedReport {
  std::string file; ///< name in messages
  std::string model, target, format, mode;
  /// Settings, bindings and other properties of the run, as text.
  std::map<std::string, std::string> settings;
  /// Every number of `iteration` by name; nullopt if unknown (null).
  std::map<std::string, std::optional<double>> iteration;
  std::vector<ComparedPhase> phases;
  std::vector<ComparedKernel> kernels;
  /// Ops that are not fully modelled, with the reason.
  std::map<std::string, std::string> coverage;
  std::vector<std::string> notes;

  std::optional<double> value(const std::string &quantity) const {
    auto it = iteration.find(quantity);
    return it == iteration.end() ? std::nullopt : it->second;
  }
};

/// Reads the text of a JSON report; errors begin with `file`.
llvm::Expected<ComparedReport> readReport(llvm::StringRef json,
                                          llvm::StringRef file);

} // namespace gpucost::compare

#endif // GPUCOST_APPLICATIONS_COMPARE_COMPAREDREPORT_H
