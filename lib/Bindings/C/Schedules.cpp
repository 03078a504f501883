//===- Schedules.cpp - Schedules of the C interface -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "gpucost/Core/Model/Ranking.h"
#include "gpucost/Core/Model/Schedule.h"
#include "gpucost/Core/Model/Validation.h"
#include "gpucost/Core/Query/KernelQueriesWork.h"
#include <array>
#include <cmath>
#include <cstddef>

using namespace gpucost;
using namespace gpucost::capi;

static_assert(uint32_t(ScheduleFault::NotOfAttention) ==
                  GPUCOST_FAULT_NOT_OF_ATTENTION &&
              uint32_t(ScheduleFault::NotOfStreams) ==
                  GPUCOST_FAULT_NOT_OF_STREAMS &&
              uint32_t(ScheduleFault::SplitK) == GPUCOST_FAULT_SPLIT_K &&
              uint32_t(ScheduleFault::Registers) == GPUCOST_FAULT_REGISTERS &&
              uint32_t(ScheduleFault::Unknown) == GPUCOST_FAULT_UNKNOWN);

/// The fields of both structs in one order.
static constexpr size_t fieldCount = 16;
using Fields = std::array<int32_t, fieldCount>;
static_assert(offsetof(gpucostSchedule, reserved) -
                      offsetof(gpucostSchedule, tile_m) ==
                  sizeof(Fields),
              "a field of Schedule.def is missing in gpucostSchedule");

/// Calls `visit(FieldInfo, C field, C++ field)`.
template <typename Visit>
static void forEachField(gpucostSchedule &c, Schedule &schedule, Visit visit) {
  Fields fields;
  char *first =
      reinterpret_cast<char *>(&c) + offsetof(gpucostSchedule, tile_m);
  std::memcpy(fields.data(), first, sizeof(fields));
  size_t i = 0;
  visitFields(schedule, [&](const FieldInfo &info, auto &value) {
    visit(info, fields.at(i++), value);
  });
  std::memcpy(first, fields.data(), sizeof(fields));
}

static Schedule readSchedule(const gpucostSchedule &in) {
  gpucostSchedule copy = in;
  Schedule schedule;
  forEachField(copy, schedule,
               [&](const FieldInfo &info, int32_t number, auto &value) {
                 using T = std::decay_t<decltype(value)>;
                 if constexpr (std::is_enum_v<T>)
                   value = readEnum<T>(number, info.keyword, "a schedule");
                 else
                   value = number;
               });
  if (in.reserved)
    refuse(GPUCOST_UNSUPPORTED, "'reserved' of a schedule is not 0");
  if (std::string fault = findFault(schedule); !fault.empty())
    invalid("a schedule: ", fault);
  return schedule;
}

static gpucostSchedule describe(const Schedule &schedule) {
  gpucostSchedule out{};
  out.size = sizeof(out);
  Schedule copy = schedule;
  forEachField(out, copy, [](const FieldInfo &, int32_t &number, auto &value) {
    number = static_cast<int32_t>(value);
  });
  return out;
}

static gpucostScheduleCost describe(const ScheduleFit &fit,
                                    const Schedule &schedule) {
  gpucostScheduleCost out{};
  out.size = sizeof(out);
  out.fault = static_cast<uint32_t>(fit.fault);
  out.schedule = describe(schedule);
  out.cost = unknownCost();
  out.threads = fit.threads;
  out.registers = fit.registers;
  out.spilled = fit.spilled;
  out.shared_bytes = fit.sharedBytes;
  out.ctas_per_sm = fit.ctasPerSm;
  return out;
}

/// Sets the reason; a longer text ends with the last complete character.
static void setReason(gpucostScheduleCost &out, const std::string &text) {
  size_t size = std::min(text.size(), sizeof(out.reason) - 1);
  auto continues = [](char c) { return (c & 0xC0) == 0x80; };
  while (size > 0 && size < text.size() && continues(text[size]))
    --size;
  std::memcpy(out.reason, text.data(), size);
}

namespace {

/// The schedules of one kernel on one GPU.
struct Setup {
  KernelWork work;
  std::optional<ScheduleModel> schedules;
  std::optional<KernelCost> library;

  Setup(const gpucostModel *model, const gpucostKernel *kernel,
        const gpucostQuery *given) {
    require(model, "the model is NULL");
    work = readKernel(*model, readStruct(kernel, "gpucostKernel"));
    KernelQuery query = readQuery(*model, given);
    schedules.emplace(
        valueOf(ScheduleModel::create(model->model, work, query)));
    library = valueOf(schedules->library());
  }

  /// A cost and the complete reason, of which the struct has a part.
  struct Answer {
    gpucostScheduleCost cost;
    std::string reason;
  };

  Answer describeCost(const ScheduledCost &cost) const {
    Answer answer = {describe(cost.fit, cost.schedule),
                     schedules->remarkOn(cost, library->time.total)};
    answer.cost.cost = describe(work, cost.cost);
    answer.cost.order_validated = schedules->isValidated(cost.schedule);
    setReason(answer.cost, answer.reason);
    return answer;
  }

  /// One schedule: its cost, or why it cannot run.
  Answer answer(const Schedule &schedule) const {
    auto cost = schedules->estimate(schedule);
    if (cost)
      return describeCost(*cost);
    Schedule completed = schedules->complete(schedule);
    ScheduleFit fit = schedules->check(completed);
    // Something else is missing: no answer about the schedule.
    if (fit)
      refuse(GPUCOST_UNSUPPORTED, cost.error().message);
    Answer answer = {describe(fit, completed),
                     schedules->describeFault(completed, fit)};
    answer.cost.order_validated = schedules->isValidated(completed);
    setReason(answer.cost, answer.reason);
    return answer;
  }

  /// The best of `space`; candidates for `fixed` where it is empty.
  std::vector<ScheduledCost> findTop(const Schedule &fixed,
                                     std::vector<Schedule> space, size_t count,
                                     const ScheduleGoal &goal) const {
    if (space.empty())
      space = schedules->candidates(fixed);
    std::vector<ScheduledCost> best = schedules->top(space, count, goal);
    if (!best.empty() || count == 0)
      return best;
    auto why = schedules->estimate(space.empty() ? fixed : space.front());
    if (!why)
      refuseKernel(why.error());
    refuse(GPUCOST_INFEASIBLE, "no schedule of this kernel keeps 'time_limit'");
  }
};

/// Schedules of the caller.
using ScheduleArray = StructArray<const gpucostSchedule>;

} // namespace

static Schedule readFixed(const gpucostSchedule *given) {
  return readSchedule(readOptional(given, "gpucostSchedule"));
}

gpucostStatus gpucostEstimateSchedules(
    const gpucostModel *model, const gpucostKernel *kernel,
    const gpucostQuery *query, const gpucostSchedule *given, size_t stride,
    size_t count, gpucostScheduleCost *costs, size_t costStride) {
  return guard([&] {
    Setup setup(model, kernel, query);
    ScheduleArray inputs(given, stride, count, "gpucostSchedule");
    StructArray<gpucostScheduleCost> outputs(costs, costStride, count,
                                             "gpucostScheduleCost");
    auto answers = readEach(count, "schedule", [&](size_t i) {
      return setup
          .answer(readSchedule(readStruct(inputs.at(i), "gpucostSchedule")))
          .cost;
    });
    for (size_t i = 0; i < count; ++i)
      writeStruct(outputs.prepare(i), answers[i]);
  });
}

gpucostStatus gpucostScheduleReason(const gpucostModel *model,
                                    const gpucostKernel *kernel,
                                    const gpucostQuery *query,
                                    const gpucostSchedule *given, char **reason,
                                    size_t *size) {
  return guard([&] {
    Setup setup(model, kernel, query);
    Schedule schedule = readSchedule(readStruct(given, "gpucostSchedule"));
    copyText(setup.answer(schedule).reason, reason, size);
  });
}

gpucostStatus
gpucostTopSchedules(const gpucostModel *model, const gpucostKernel *kernel,
                    const gpucostQuery *query, const gpucostSchedule *fixed,
                    const gpucostSchedule *space, size_t stride,
                    size_t spaceCount, const gpucostGoal *givenGoal,
                    gpucostScheduleCost *costs, size_t costStride,
                    size_t *count) {
  return guard([&] {
    require(count, "the place for the number of schedules is NULL");
    Setup setup(model, kernel, query);
    Schedule start = readFixed(fixed);
    auto in = readOptional(givenGoal, "gpucostGoal");
    ScheduleGoal goal;
    goal.objective =
        readEnum<Objective>(in.objective, "objective", "gpucostGoal");
    require(in.time_limit >= 0,
            "'time_limit' of gpucostGoal expects seconds above 0");
    if (in.time_limit > 0)
      goal.timeLimit = Seconds(in.time_limit);
    ScheduleArray inputs(space, stride, spaceCount, "gpucostSchedule");
    StructArray<gpucostScheduleCost> outputs(costs, costStride, *count,
                                             "gpucostScheduleCost");
    std::vector<ScheduledCost> best =
        setup.findTop(start,
                      readEach(spaceCount, "schedule",
                               [&](size_t i) {
                                 return readSchedule(readStruct(
                                     inputs.at(i), "gpucostSchedule"));
                               }),
                      *count, goal);
    for (size_t i = 0; i < best.size(); ++i)
      writeStruct(outputs.prepare(i), setup.describeCost(best[i]).cost);
    *count = best.size();
  });
}

gpucostStatus gpucostScheduleCandidates(const gpucostModel *model,
                                        const gpucostKernel *kernel,
                                        const gpucostSchedule *fixed,
                                        gpucostSchedule *schedules,
                                        size_t stride, size_t *count) {
  return guard([&] {
    require(count, "the place for the number of schedules is NULL");
    Setup setup(model, kernel, nullptr);
    std::vector<Schedule> candidates =
        setup.schedules->candidates(readFixed(fixed));
    size_t written = schedules ? std::min(*count, candidates.size()) : 0;
    StructArray<gpucostSchedule> outputs(schedules, stride, written,
                                         "gpucostSchedule");
    for (size_t i = 0; i < written; ++i)
      writeStruct(outputs.prepare(i), describe(candidates[i]));
    *count = schedules ? written : candidates.size();
  });
}

gpucostStatus gpucostRank(const gpucostModel *model, const double *times,
                          const double *halfWidths, size_t count,
                          double confidence, size_t *order, size_t *groups,
                          size_t *ranked, size_t *worth) {
  return guard([&] {
    require(model, "the model is NULL");
    require(ranked && worth, "the place for a number is NULL");
    require(count == 0 || (times && order && groups),
            "'times', 'order' or 'groups' is NULL");
    if (confidence == 0)
      confidence = usualConfidence;
    require(confidence >= evenProbability && confidence <= 1,
            "'confidence' expects a number in 0.5..1, or 0 for 0.8");
    std::vector<RankCandidate> candidates(count);
    for (size_t i = 0; i < count; ++i) {
      candidates[i].value = times[i];
      if (!halfWidths || std::isnan(halfWidths[i]))
        continue;
      require(halfWidths[i] >= 0 && std::isfinite(halfWidths[i]),
              "'half_widths' expects numbers of at least 0");
      candidates[i].halfWidth = halfWidths[i];
    }
    Ranking ranking = rankCandidates(
        candidates, commonFractionOf(model->model.coefficients()), confidence);
    for (size_t i = 0; i < ranking.order.size(); ++i) {
      order[i] = ranking.order[i].index;
      groups[i] = ranking.order[i].group;
    }
    *ranked = ranking.order.size();
    *worth = ranking.worthMeasuring;
  });
}
