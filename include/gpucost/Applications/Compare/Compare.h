//===- Compare.h - Differences between two reports --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares two reports, for two versions of a model or the tool, two GPUs or
// two settings: totals, phases, families, ops and kernels, and the reasons for
// changed kernel costs. The changes in kernels and in the time between them add
// up to the change of the iteration.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_COMPARE_COMPARE_H
#define GPUCOST_APPLICATIONS_COMPARE_COMPARE_H

#include "gpucost/Applications/Compare/AlignKernels.h"
#include "gpucost/Applications/Compare/ComparedReport.h"

namespace gpucost::compare {

/// A number in both reports; nullopt if a report lacks it.
struct Change {
  std::string name; ///< name in the report: "time_ms", "matmul"
  std::optional<double> before, after;

  /// after - before; nullopt if a side is unknown.
  std::optional<double> difference() const;
  /// The difference relative to `before`, 0.1 for 10 %; nullopt if `before` is
  /// 0.
  std::optional<double> relative() const;
};

/// Time and energy of one phase, family or op, all launches; 0 on a side that
/// lacks it.
struct GroupChange {
  Change timeUs, energyJ, launches;
};

/// A kernel of either report or of both.
struct KernelChange {
  std::optional<ComparedKernel> before, after;
  /// us: time of added launches at the old time per launch, and change of the
  /// time per launch. Their sum is the change of the kernel's time.
  double byCountUs = 0, byLaunchUs = 0;
  double energyJ = 0; ///< change, all launches
  /// Other changes: "count 24 -> 48", "bound l2 -> dram", "new".
  std::vector<std::string> why;

  double timeUs() const { return byCountUs + byLaunchUs; }
  const ComparedKernel &either() const { return after ? *after : *before; }
};

/// A setting, note or coverage entry as text; "" if a side has none.
struct TextChange {
  std::string name, before, after;
};

struct Comparison {
  ComparedReport before, after;
  /// Time, energy, power, launches, ...: all totals that reports may have.
  std::vector<Change> totals;
  /// Bytes: parameters, activations, ..., device memory.
  std::vector<Change> memory;
  /// Time outside kernels, ms: gaps, waits for the host, exposed communication.
  std::vector<Change> between;
  /// Largest change of time first.
  std::vector<GroupChange> phases, families, ops;
  std::vector<KernelChange> kernels; ///< those that changed
  size_t unchangedKernels = 0;
  std::vector<TextChange> settings, coverage;
  std::vector<std::string> newNotes, goneNotes;

  /// All numbers and kernels are equal.
  bool isSame() const;
};

Comparison compareReports(ComparedReport before, ComparedReport after);

} // namespace gpucost::compare

#endif // GPUCOST_APPLICATIONS_COMPARE_COMPARE_H
