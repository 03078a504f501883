//===- KernelQueriesPrint.h - Answers to kernel queries ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_QUERY_KERNELQUERIESPRINT_H
#define GPUCOST_LIB_APPLICATIONS_QUERY_KERNELQUERIESPRINT_H

#include "gpucost/Applications/Query/KernelQueriesRow.h"
#include <string>
#include <vector>

namespace gpucost {

/// The schedule of an answer.
struct AnsweredSchedule {
  Schedule schedule;
  ScheduleFit fit;
  size_t rank = 1;
  bool validated = false; ///< measured schedules confirm the order
  std::string remark;     ///< `ScheduleModel::remarkOn`
};

struct KernelAnswer {
  KernelWork work;
  KernelCost cost;
  std::optional<AnsweredSchedule> schedule;
  /// CostModel::describeBrokenLimit
  std::string brokenLimit;
  /// CostModel::describeClock
  std::string otherClock;
  /// Whose kernels stand in for those of the software; else empty.
  std::string stack;
};

/// All answers in the order of the rows, and the cells to echo.
struct KernelAnswers {
  const Gpu *gpu = nullptr;
  Software software = Software::PyTorch;
  std::string allReduce; ///< describeAllReduce
  std::vector<KernelAnswer> answers;
  /// Raw header and cells (with quotes) of the file; `echoed` has
  /// `echoedNames.size()` cells per answer.
  std::vector<std::string> echoedNames;
  std::vector<llvm::StringRef> echoed;
  bool single = false;       ///< from `--kernel`
  bool hasSchedules = false; ///< a column requests them
};

/// Names of the result columns; an input must not have them.
const std::vector<std::string_view> &resultColumns();

/// The additional columns if a column requests schedules.
llvm::ArrayRef<llvm::StringRef> scheduleResultColumns();

/// "matmul m=2048 n=1024 k=1024 bf16".
std::string describeKernel(const KernelWork &work);

void printAnswersCsv(const KernelAnswers &all, llvm::raw_ostream &os);
void printAnswersJson(const KernelAnswers &all, llvm::raw_ostream &os);
void printAnswersTable(const KernelAnswers &all, llvm::raw_ostream &os);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_QUERY_KERNELQUERIESPRINT_H
