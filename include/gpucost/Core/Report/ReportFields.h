//===- ReportFields.h - The fields of a report ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `visitReport` for the records of Report.def.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_REPORT_REPORTFIELDS_H
#define GPUCOST_CORE_REPORT_REPORTFIELDS_H

#include "gpucost/Core/Report/Groups.h"
#include "gpucost/Core/Report/IterationReport.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "gpucost/Core/Support/Version.h"

namespace gpucost {

/// The members of the object `settings`.
struct StatedSettings {
  const Scenario *given;
  const Settings *settings;
};

/// A report as --report=json prints it.
struct PrintedReport {
  const IterationReport *report = nullptr;
  std::optional<std::string_view> groupBy;
  std::optional<std::vector<NodeRow>> groups;

  static constexpr int64_t schema = 2;

  std::string parallelism() const;
  StatedSettings settings() const {
    return {&report->given, &report->settings};
  }
  KeyedValues<Coverage, CoverageTotals> coverage() const {
    return {{Coverage::Modelled, report->modelled},
            {Coverage::Fallback, report->fallback},
            {Coverage::Unmodelled, report->unmodelled}};
  }
  std::vector<Assumption> assumed() const {
    std::vector<Assumption> list;
    for (const CoverageEntry &entry : report->assumed.list)
      list.push_back({entry.op, entry.count, entry.reason});
    return list;
  }
};

/// One member of all elements.
template <typename Record, typename T>
std::vector<T> columnOf(const std::vector<Record> &records, T Record::*member) {
  std::vector<T> column;
  column.reserve(records.size());
  for (const Record &record : records)
    column.push_back(record.*member);
  return column;
}

#define GPUCOST_REPORT "gpucost/Core/Report/Report.def"
#include "gpucost/Core/Report/VisitReport.inc"

} // namespace gpucost

#endif // GPUCOST_CORE_REPORT_REPORTFIELDS_H
