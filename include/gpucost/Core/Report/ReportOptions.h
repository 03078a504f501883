//===- ReportOptions.h - What a report shows --------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_REPORT_REPORTOPTIONS_H
#define GPUCOST_CORE_REPORT_REPORTOPTIONS_H

#include <cstddef>

namespace gpucost {

/// What the report adds up besides kernels.
enum class GroupBy { None, Op, Layer, Scope };

struct ReportOptions {
  /// Rows of the table's kernel list; json and csv always have all kernels.
  unsigned top = 10;
  GroupBy groupBy = GroupBy::None;
  /// Levels of the tree of modules in the table: 0 shows no tree.
  unsigned treeDepth = 0;
  /// Columns that tables may take; what is wider is elided.
  size_t width = 100;
  /// Colour, and bars beside shares: for a terminal.
  bool color = false, bars = false;
};

} // namespace gpucost

#endif // GPUCOST_CORE_REPORT_REPORTOPTIONS_H
