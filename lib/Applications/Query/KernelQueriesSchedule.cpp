//===- KernelQueriesSchedule.cpp - Questions about schedules --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelQueriesSchedule.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <fmt/format.h>

using namespace gpucost;

Expected<const ScheduleModel *>
ScheduleAnswers::prepare(const QueriedKernel &kernel) {
  if (last && work == kernel.work && isSame(query, kernel.query))
    return &*last;
  auto made = ScheduleModel::create(model, kernel.work, kernel.query);
  if (!made)
    return fail(made.error());
  work = kernel.work;
  query = kernel.query;
  last.emplace(std::move(*made));
  return &*last;
}

Expected<std::vector<KernelAnswer>>
ScheduleAnswers::ask(const QueriedKernel &kernel) {
  auto schedules = prepare(kernel);
  if (!schedules)
    return fail(schedules.error());
  const ScheduleModel &found = **schedules;
  const ScheduleRequest &request = *kernel.request;
  std::vector<ScheduledCost> costs;
  if (request.top) {
    std::vector<Schedule> space = found.candidates(request.fixed);
    costs = found.top(space, *request.top, request.goal);
    if (costs.empty() && !request.goal.timeLimit) {
      // Say why the first one cannot run.
      auto why = found.estimate(request.fixed);
      return why ? fail("no schedule") : fail(why.error());
    }
    if (costs.empty())
      return fail("no schedule of this kernel takes at most 'time_limit_us'");
  } else {
    auto cost = found.estimate(request.fixed);
    if (!cost)
      return fail(cost.error());
    costs.push_back(std::move(*cost));
  }
  auto library = found.library();
  if (!library)
    return fail(library.error());
  std::vector<KernelAnswer> answers;
  for (const ScheduledCost &cost : costs)
    answers.push_back(
        {kernel.work, cost.cost,
         AnsweredSchedule{cost.schedule, cost.fit, answers.size() + 1,
                          found.isValidated(cost.schedule),
                          found.remarkOn(cost, library->time.total)},
         "", "", ""});
  return answers;
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

llvm::ArrayRef<llvm::StringRef> gpucost::scheduleResultColumns() {
  static constexpr llvm::StringRef names[] = {
      "rank",         "schedule",        "registers", "spilled_registers",
      "shared_bytes", "order_validated", "remark"};
  return names;
}

void gpucost::printScheduleCells(const std::optional<AnsweredSchedule> &answer,
                                 llvm::raw_ostream &os) {
  if (!answer) {
    os << ",,,,,,,";
    return;
  }
  const ScheduleFit &fit = answer->fit;
  os << ',' << answer->rank << ',' << describeSchedule(answer->schedule) << ',';
  printNumber(os, fit.registers);
  os << ',';
  printNumber(os, fit.spilled);
  os << ',';
  printNumber(os, fit.sharedBytes);
  os << ',' << (answer->validated ? "true" : "false") << ',';
  if (!answer->remark.empty()) // contains commas
    os << '"' << answer->remark << '"';
}

void gpucost::printScheduleJson(JsonStream &j, const AnsweredSchedule &answer) {
  j.attribute("rank", answer.rank);
  j.attributeObject("schedule", [&] {
    visitFields(answer.schedule,
                [&](const FieldInfo &field, const auto &value) {
                  if constexpr (std::is_same_v<std::decay_t<decltype(value)>,
                                               OperandPath>) {
                    if (value != OperandPath::Auto)
                      j.attribute(field.keyword, stringifyOperandPath(value));
                  } else if (value) {
                    j.attribute(field.keyword, value);
                  }
                });
  });
  j.number("registers", answer.fit.registers);
  j.number("spilled_registers", answer.fit.spilled);
  j.number("shared_bytes", answer.fit.sharedBytes);
  j.attribute("order_validated", answer.validated);
  j.attribute("remark", answer.remark);
}

std::string gpucost::describeLoop(const AnsweredSchedule &answer) {
  const Schedule &s = answer.schedule;
  if (s.tileM == 0)
    return fmt::format("loads of {} elements, warps {}, CTAs per SM {}",
                       s.vectorM, s.warps, s.ctasPerSm);
  if (s.tileK == 0) // attention
    return fmt::format("stages {}, warps {}, CTAs per SM {}", s.stages, s.warps,
                       s.ctasPerSm);
  std::string text =
      fmt::format("K step {}, stages {}, warps {}, CTAs per SM {}", s.tileK,
                  s.stages, s.warps, s.ctasPerSm);
  if (s.threadTileM)
    text += fmt::format(", {}x{} per thread, vectors {} and {}, A by {}, B by "
                        "{}",
                        s.threadTileM, s.threadTileN, s.vectorM, s.vectorN,
                        stringifyOperandPath(s.stageA),
                        stringifyOperandPath(s.stageB));
  return text;
}

std::string gpucost::describeResources(const AnsweredSchedule &answer) {
  const ScheduleFit &fit = answer.fit;
  if (fit.registers == 0)
    return fmt::format("{:.0f} threads", fit.threads);
  std::string text =
      fmt::format("{:.0f} registers of a thread, {:.0f} bytes shared",
                  fit.registers, fit.sharedBytes);
  if (fit.spilled > 0)
    text += fmt::format(", {:.0f} registers spilled", fit.spilled);
  return text;
}

void gpucost::printScheduleTable(const KernelAnswers &all,
                                 llvm::raw_ostream &os) {
  os << describeKernel(all.answers.front().work) << " on " << all.gpu->name
     << ": the best schedules\n\n";
  TextTable table({TextTable::right("us"), TextTable::right("W"),
                   TextTable::right("mJ"), TextTable::right("spilled"),
                   TextTable::left("schedule")});
  for (const KernelAnswer &answer : all.answers) {
    const KernelCost &cost = answer.cost;
    table.addRow({fmt::format("{:.2f}", cost.time.total.value() * 1e6),
                  fmt::format("{:.0f}", cost.power.value()),
                  fmt::format("{:.3f}", cost.energy.value() * 1e3),
                  fmt::format("{:.0f}", answer.schedule->fit.spilled),
                  describeSchedule(answer.schedule->schedule)});
  }
  table.print(os, 2);
  if (!all.answers.front().schedule->validated)
    os << "\n  no measured schedules confirm this order\n";
  if (const std::string &remark = all.answers.front().schedule->remark;
      !remark.empty()) {
    os << "\n  ";
    printWrapped(os, "best schedule: " + remark, 2, 4);
  }
}
