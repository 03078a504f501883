//===- KernelQueriesSchedule.h - Answers about schedules --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_QUERY_KERNELQUERIESSCHEDULE_H
#define GPUCOST_LIB_APPLICATIONS_QUERY_KERNELQUERIESSCHEDULE_H

#include "KernelQueriesPrint.h"
#include "gpucost/Core/Support/JsonStream.h"

namespace gpucost {

/// Answers requests; keeps the schedules of the last matmul, since the rows of
/// a sweep often request the same one.
class ScheduleAnswers {
public:
  /// `model` must outlive this.
  explicit ScheduleAnswers(const CostModel &model) : model(model) {}

  /// One answer, or the best `top`; `kernel` has a request.
  Expected<std::vector<KernelAnswer>> ask(const QueriedKernel &kernel);

private:
  Expected<const ScheduleModel *> prepare(const QueriedKernel &kernel);

  const CostModel &model;
  KernelWork work;
  KernelQuery query;
  std::optional<ScheduleModel> last;
};

/// ",1,tile_m=128 ...,168,0,98304,true", or empty cells without a schedule.
void printScheduleCells(const std::optional<AnsweredSchedule> &answer,
                        llvm::raw_ostream &os);
/// JSON members of one answer.
void printScheduleJson(JsonStream &j, const AnsweredSchedule &answer);
/// "tile_k 32, 3 stages, 8 warps, ..." and its resources, on two lines.
std::string describeLoop(const AnsweredSchedule &answer);
std::string describeResources(const AnsweredSchedule &answer);
/// The answers of one product by rank.
void printScheduleTable(const KernelAnswers &all, llvm::raw_ostream &os);

} // namespace gpucost

#endif // GPUCOST_LIB_APPLICATIONS_QUERY_KERNELQUERIESSCHEDULE_H
