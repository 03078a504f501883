//===- ReportOptions.h - What a report shows --------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_REPORT_REPORTOPTIONS_H
#define GPUCOST_REPORT_REPORTOPTIONS_H

namespace gpucost {

/// What the report adds up besides kernels.
enum class GroupBy { None, Op, Layer, Scope };

struct ReportOptions {
  /// Rows of the table's kernel list; json and csv always have all kernels.
  unsigned top = 10;
  GroupBy groupBy = GroupBy::None;
};

} // namespace gpucost

#endif // GPUCOST_REPORT_REPORTOPTIONS_H
