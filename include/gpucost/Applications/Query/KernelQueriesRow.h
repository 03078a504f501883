//===- KernelQueriesRow.h - One queried kernel ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The columns of a kernel query and how a row of them becomes a KernelWork and
// a KernelQuery. Every mistake of the user is an error with its position.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_QUERY_KERNELQUERIESROW_H
#define GPUCOST_APPLICATIONS_QUERY_KERNELQUERIESROW_H

#include "gpucost/Applications/Query/KernelQueries.h"
#include "gpucost/Applications/Query/KernelQueriesCsv.h"
#include "gpucost/Core/Model/Schedule.h"
#include "gpucost/Core/Query/KernelSizes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include <array>

namespace gpucost {

llvm::StringRef columnName(QueryColumn column);
/// nullopt for an unknown column.
std::optional<QueryColumn> findColumn(llvm::StringRef name);
/// Names of all columns.
std::vector<llvm::StringRef> columnNames();

/// ", did you mean 'matmul'?" when one of `known` is close to `text`, else "".
std::string suggestNearest(llvm::StringRef text,
                           llvm::ArrayRef<llvm::StringRef> known);

/// "source:line:column: message".
llvm::Error errorAt(llvm::StringRef source, TextPosition at,
                    const llvm::Twine &message);

/// The cells of one row by column; null where the input lacks the column.
using QueryCells = std::array<const CsvCell *, numQueryColumns>;

/// Values of cells that a row lacks.
struct QueryDefaults {
  llvm::StringRef source; ///< file name, or "--kernel"
  NumericFormat format;
  std::optional<Hertz> clock;
  std::optional<Watts> powerLimit;
  QueryNodes nodes; ///< of collectives
};

/// A given schedule, or a search for the best ones.
struct ScheduleRequest {
  Schedule fixed; ///< the model chooses fields that are 0
  /// Number of the best schedules; nullopt: only the fastest one.
  std::optional<size_t> top;
  ScheduleGoal goal;
};

struct QueriedKernel {
  KernelWork work;
  KernelQuery query;
  std::optional<ScheduleRequest> request;
};

/// Columns since `BlockScaled` request a schedule.
constexpr bool asksForSchedule(QueryColumn column) {
  return column >= QueryColumn::BlockScaled;
}

/// Whether two kernels with these queries have one cost.
bool isSame(const KernelQuery &a, const KernelQuery &b);

/// Reads the kernel of a row, with its query and schedule.
llvm::Error readKernel(const QueryCells &cells, TextPosition row,
                       const Gpu &gpu, const QueryDefaults &defaults,
                       QueriedKernel &kernel);

} // namespace gpucost

#endif // GPUCOST_APPLICATIONS_QUERY_KERNELQUERIESROW_H
