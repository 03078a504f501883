//===- Compare.h - What changed between two reports -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two reports, of two versions of a model, of the tool, of two GPUs or
// settings: totals, phases, families, ops and kernels beside each other, and
// why a kernel costs something else. The changes of the kernels and of the time
// between them add up to the change of the iteration.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPARE_COMPARE_H
#define GPUCOST_COMPARE_COMPARE_H

#include "gpucost/Compare/AlignKernels.h"
#include "gpucost/Compare/ComparedReport.h"

namespace gpucost {

/// A number of both reports; nullopt: a report has none.
struct Change {
  std::string name; ///< as the report calls it: "time_ms", "matmul"
  std::optional<double> before, after;

  /// What it changed by; nullopt where a side is unknown.
  std::optional<double> difference() const;
  /// The same relative to `before`, 0.1 for 10 %; nullopt from 0.
  std::optional<double> relative() const;
};

/// Time and energy of one phase, family or op, all launches; what one side does
/// not have is 0.
struct GroupChange {
  Change timeUs, energyJ, launches;
};

/// A kernel of either report or of both.
struct KernelChange {
  std::optional<ComparedKernel> before, after;
  /// us: time that more launches cost, each as long as before, and time that
  /// each launch takes longer. Their sum is the change of the kernel's time.
  double byCountUs = 0, byLaunchUs = 0;
  double energyJ = 0; ///< change, all launches
  /// What else changed: "count 24 -> 48", "bound l2 -> dram", "new".
  std::vector<std::string> why;

  double timeUs() const { return byCountUs + byLaunchUs; }
  const ComparedKernel &either() const { return after ? *after : *before; }
};

/// A setting, note or coverage entry as text; "" where a side has none.
struct TextChange {
  std::string name, before, after;
};

struct Comparison {
  ComparedReport before, after;
  /// Time, energy, power, launches, ...: all that both reports may have.
  std::vector<Change> totals;
  /// Bytes: parameters, activations, ..., what the device shows.
  std::vector<Change> memory;
  /// Of the time beside kernels, ms: gaps, waits for the host, exposed
  /// communication.
  std::vector<Change> between;
  /// Largest change of time first.
  std::vector<GroupChange> phases, families, ops;
  std::vector<KernelChange> kernels; ///< those that changed
  size_t unchangedKernels = 0;
  std::vector<TextChange> settings, coverage;
  std::vector<std::string> newNotes, goneNotes;

  /// No number and no kernel differs.
  bool isSame() const;
};

Comparison compareReports(ComparedReport before, ComparedReport after);

} // namespace gpucost

#endif // GPUCOST_COMPARE_COMPARE_H
