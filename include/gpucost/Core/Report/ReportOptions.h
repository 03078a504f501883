//===- ReportOptions.h - Report options -------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_REPORT_REPORTOPTIONS_H
#define GPUCOST_CORE_REPORT_REPORTOPTIONS_H

#include <cstddef>

namespace gpucost {

/// Groups whose sums the report lists in addition to kernels.
enum class GroupBy { None, Op, Layer, Scope };

struct ReportOptions {
  /// Rows of the kernel list in the table; json and csv always contain all
  /// kernels.
  unsigned top = 10;
  GroupBy groupBy = GroupBy::None;
  /// Levels of the module tree in the table; 0: no tree.
  unsigned treeDepth = 0;
  /// Maximum width of tables in columns; wider cells are elided.
  size_t width = 100;
  /// Colour, and bars next to shares, for terminals.
  bool color = false, bars = false;
};

} // namespace gpucost

#endif // GPUCOST_CORE_REPORT_REPORTOPTIONS_H
