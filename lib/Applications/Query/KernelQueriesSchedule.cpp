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
using Column = QueryColumn;

/// More answers than any tuner looks at.
static constexpr int64_t mostAnswers = 100000;

bool gpucost::asksForSchedule(QueryColumn column) {
  return column >= Column::BlockScaled;
}

namespace {

/// Reads cells until the first mistake.
class ScheduleReader {
public:
  ScheduleReader(const QueryCells &cells, llvm::StringRef source)
      : cells(cells), source(source) {}

  llvm::StringRef text(size_t column) const {
    return cells[column] ? cells[column]->text.trim() : llvm::StringRef();
  }
  llvm::StringRef text(Column column) const {
    return text(static_cast<size_t>(column));
  }

  /// An integer of [0, high]; 0 without a value.
  int64_t integer(size_t column, int64_t low, int64_t high) {
    llvm::StringRef digits = text(column);
    auto [whole, zeros] = digits.split('.');
    if (!zeros.empty() && zeros.find_first_not_of('0') == llvm::StringRef::npos)
      digits = whole;
    int64_t value = 0;
    if (digits.empty() ||
        (!digits.getAsInteger(10, value) && value >= low && value <= high))
      return value;
    fail(column,
         "an integer from " + llvm::Twine(low) + " to " + llvm::Twine(high));
    return 0;
  }

  void fail(size_t column, const llvm::Twine &expectation) {
    if (error)
      return;
    llvm::StringRef got = text(column);
    error = errorAt(source, cells[column]->at,
                    "column '" + columnName(static_cast<Column>(column)) +
                        "': expected " + expectation + ", but got '" +
                        got.substr(0, 60) + "'");
  }

  llvm::Error takeError() { return std::move(error); }

private:
  const QueryCells &cells;
  llvm::StringRef source;
  llvm::Error error = llvm::Error::success();
};

} // namespace

static void readField(ScheduleReader &r, size_t column, const FieldInfo &field,
                      int32_t &value) {
  auto high = static_cast<int64_t>(field.range.high);
  value = static_cast<int32_t>(r.integer(column, 0, high));
}

static void readField(ScheduleReader &r, size_t column, const FieldInfo &,
                      OperandPath &value) {
  llvm::StringRef text = r.text(column);
  if (text.empty())
    return;
  if (auto path = symbolizeOperandPath(text))
    value = *path;
  else
    r.fail(column, "auto, shared or cache");
}

static void readGoal(ScheduleReader &r, ScheduleRequest &request) {
  auto at = [](Column column) { return static_cast<size_t>(column); };
  bool searches = false;
  if (int64_t top = r.integer(at(Column::Top), 1, mostAnswers)) {
    request.top = static_cast<size_t>(top);
    searches = true;
  }
  if (llvm::StringRef text = r.text(Column::Objective); !text.empty()) {
    if (auto objective = symbolizeObjective(text))
      request.goal.objective = *objective;
    else
      r.fail(at(Column::Objective), "time, energy or energy_delay");
    searches = true;
  }
  if (llvm::StringRef text = r.text(Column::TimeLimitUs); !text.empty()) {
    double limit = 0;
    if (text.getAsDouble(limit) || !(limit > 0) || !std::isfinite(limit))
      r.fail(at(Column::TimeLimitUs), "a number above 0");
    request.goal.timeLimit = Seconds(limit * 1e-6);
    searches = true;
  }
  if (searches && !request.top)
    request.top = 1;
}

llvm::Error gpucost::readSchedule(const QueryCells &cells,
                                  llvm::StringRef family,
                                  llvm::StringRef source,
                                  QueriedKernel &kernel) {
  ScheduleReader r(cells, source);
  std::optional<size_t> asked;
  for (size_t i = static_cast<size_t>(Column::BlockScaled);
       i < numQueryColumns && !asked; ++i)
    if (!r.text(i).empty())
      asked = i;
  kernel.request.reset();
  if (!asked)
    return r.takeError();
  bool streams = kernel.work.family == KernelFamily::Elementwise ||
                 kernel.work.family == KernelFamily::Softmax ||
                 kernel.work.family == KernelFamily::Normalization;
  if (kernel.work.family != KernelFamily::Matmul &&
      kernel.work.family != KernelFamily::Attention && !streams) {
    r.fail(*asked, "a kernel of family matmul, attention, elementwise, softmax "
                   "or layernorm, not " +
                       family);
    return r.takeError();
  }
  ScheduleRequest request;
  size_t column = static_cast<size_t>(Column::tileM);
  visitFields(request.fixed, [&](const FieldInfo &field, auto &value) {
    readField(r, column++, field, value);
  });
  assert(column == static_cast<size_t>(Column::Top) &&
         "the columns follow Schedule.def");
  readGoal(r, request);
  if (llvm::Error error = r.takeError())
    return error;
  // `block_scaled=0` alone asks for nothing.
  const auto *product = kernel.work.getIf<MatmulProblem>();
  if (asked == static_cast<size_t>(Column::BlockScaled) &&
      !(product && product->blockScaled) && request.fixed == Schedule() &&
      !request.top)
    return llvm::Error::success();
  kernel.request = request;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

static bool isSame(const KernelQuery &a, const KernelQuery &b) {
  auto fields = [](const KernelQuery &q) {
    BenchmarkProtocol benchmark = q.benchmark.value_or(BenchmarkProtocol());
    return std::make_tuple(q.clock, q.powerLimit, q.reuseBytesA, q.reuseBytesB,
                           q.benchmark.has_value(), benchmark.toggleRate,
                           benchmark.burst, benchmark.warmUp);
  };
  return fields(a) == fields(b);
}

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
  std::vector<KernelAnswer> answers;
  for (const ScheduledCost &cost : costs)
    answers.push_back(
        {kernel.work, cost.cost,
         AnsweredSchedule{cost.schedule, cost.fit, answers.size() + 1,
                          found.isValidated()}});
  return answers;
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

llvm::ArrayRef<llvm::StringRef> gpucost::scheduleResultColumns() {
  static constexpr llvm::StringRef names[] = {
      "rank",         "schedule",       "registers", "spilled_registers",
      "shared_bytes", "order_validated"};
  return names;
}

void gpucost::printScheduleCells(const std::optional<AnsweredSchedule> &answer,
                                 llvm::raw_ostream &os) {
  if (!answer) {
    os << ",,,,,,";
    return;
  }
  const ScheduleFit &fit = answer->fit;
  os << ',' << answer->rank << ',' << describeSchedule(answer->schedule) << ',';
  printNumber(os, fit.registers);
  os << ',';
  printNumber(os, fit.spilled);
  os << ',';
  printNumber(os, fit.sharedBytes);
  os << ',' << (answer->validated ? "true" : "false");
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
}
