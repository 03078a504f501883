//===- Schedules.cpp - Schedules of the C interface -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "gpucost/Core/Model/Schedule.h"
#include "gpucost/Core/Model/Validation.h"
#include "gpucost/Core/Query/KernelQueriesWork.h"
#include <array>
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

/// Calls `visit(FieldInfo, field of C, field of C++)`.
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

static Result readSchedule(const gpucostSchedule &in, Schedule &schedule) {
  gpucostSchedule copy = in;
  Result result;
  forEachField(copy, schedule,
               [&](const FieldInfo &info, int32_t number, auto &value) {
                 using T = std::decay_t<decltype(value)>;
                 if constexpr (std::is_enum_v<T>) {
                   if (stringifyEnum(static_cast<T>(number)).empty())
                     result = invalid("'", info.keyword, "' of a schedule is ",
                                      number, ", which is no such value");
                 }
                 value = static_cast<T>(number);
               });
  if (result.failed())
    return result;
  if (in.reserved)
    return error(GPUCOST_UNSUPPORTED, "'reserved' of a schedule is not 0");
  if (std::string fault = findFault(schedule); !fault.empty())
    return invalid("a schedule: ", fault);
  return ok();
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

static gpucostScheduleCost describe(const ScheduleModel &schedules,
                                    const KernelWork &work,
                                    const ScheduledCost &cost) {
  gpucostScheduleCost out = describe(cost.fit, cost.schedule);
  out.cost = describe(work, cost.cost);
  out.order_validated = schedules.isValidated();
  return out;
}

namespace {

/// The schedules of one kernel on one GPU.
struct Setup {
  KernelWork work;
  std::optional<ScheduleModel> schedules;

  Result open(const gpucostModel *model, const gpucostKernel *kernel,
              const gpucostQuery *given) {
    if (!model)
      return invalid("the model is NULL");
    gpucostKernel in;
    KernelQuery query;
    if (Result result = readStruct(kernel, in, "gpucostKernel");
        result.failed())
      return result;
    if (Result result = readKernel(*model, in, work); result.failed())
      return result;
    if (Result result = readQuery(*model, given, query); result.failed())
      return result;
    chooseAttention(model->model, query, work);
    auto made = ScheduleModel::create(model->model, work, query);
    if (!made)
      return error(GPUCOST_UNSUPPORTED, made.error().message);
    schedules.emplace(std::move(*made));
    return ok();
  }

  /// One schedule: its cost, or why it cannot run.
  Result answer(const gpucostSchedule &in, gpucostScheduleCost &out) const {
    Schedule schedule;
    if (Result result = readSchedule(in, schedule); result.failed())
      return result;
    auto cost = schedules->estimate(schedule);
    if (cost) {
      out = describe(*schedules, work, *cost);
      return ok();
    }
    Schedule completed = schedules->complete(schedule);
    ScheduleFit fit = schedules->check(completed);
    // Something else is missing: no answer about the schedule.
    if (fit)
      return error(GPUCOST_UNSUPPORTED, cost.error().message);
    out = describe(fit, completed);
    out.order_validated = schedules->isValidated();
    std::string why = schedules->describeFault(completed, fit);
    size_t length = std::min(why.size(), sizeof(out.reason) - 1);
    std::memcpy(out.reason, why.data(), length);
    return ok();
  }
};

} // namespace

gpucostStatus gpucostEstimateSchedules(
    const gpucostModel *model, const gpucostKernel *kernel,
    const gpucostQuery *query, const gpucostSchedule *given, size_t stride,
    size_t count, gpucostScheduleCost *costs, size_t costStride) {
  return guard([&] {
    Setup setup;
    if (Result result = setup.open(model, kernel, query); result.failed())
      return result;
    StructArray<const gpucostSchedule> inputs;
    StructArray<gpucostScheduleCost> outputs;
    if (Result result = StructArray<const gpucostSchedule>::create(
            given, stride, count, "gpucostSchedule", inputs);
        result.failed())
      return result;
    if (Result result = StructArray<gpucostScheduleCost>::create(
            costs, costStride, count, "gpucostScheduleCost", outputs);
        result.failed())
      return result;
    std::vector<gpucostScheduleCost> answers(count);
    for (size_t i = 0; i < count; ++i) {
      gpucostSchedule in;
      Result result = readStruct(inputs.at(i), in, "gpucostSchedule");
      if (!result.failed())
        result = setup.answer(in, answers[i]);
      if (result.failed())
        return error(result.status, "schedule ", i, ": ", result.message);
    }
    for (size_t i = 0; i < count; ++i)
      writeStruct(outputs.prepare(i), answers[i]);
    return ok();
  });
}

static Result readFixed(const gpucostSchedule *given, Schedule &fixed) {
  gpucostSchedule in;
  Result result = readOptional(given, in, "gpucostSchedule");
  return result.failed() ? result : readSchedule(in, fixed);
}

/// The best of `space`; candidates for `fixed` where it is empty.
static Result findTop(const Setup &setup, const Schedule &fixed,
                      std::vector<Schedule> space, size_t count,
                      const ScheduleGoal &goal,
                      std::vector<ScheduledCost> &best) {
  if (space.empty())
    space = setup.schedules->candidates(fixed);
  best = setup.schedules->top(space, count, goal);
  if (!best.empty() || count == 0)
    return ok();
  auto why = setup.schedules->estimate(space.empty() ? fixed : space.front());
  if (!why)
    return refusedKernel(why.error());
  return error(GPUCOST_INFEASIBLE,
               "no schedule of this kernel keeps 'time_limit'");
}

gpucostStatus
gpucostTopSchedules(const gpucostModel *model, const gpucostKernel *kernel,
                    const gpucostQuery *query, const gpucostSchedule *fixed,
                    const gpucostSchedule *space, size_t stride,
                    size_t spaceCount, const gpucostGoal *givenGoal,
                    gpucostScheduleCost *costs, size_t costStride,
                    size_t *count) {
  return guard([&] {
    if (!count)
      return invalid("the place for the number of schedules is NULL");
    Setup setup;
    if (Result result = setup.open(model, kernel, query); result.failed())
      return result;
    Schedule start;
    if (Result result = readFixed(fixed, start); result.failed())
      return result;
    gpucostGoal in;
    if (Result result = readOptional(givenGoal, in, "gpucostGoal");
        result.failed())
      return result;
    ScheduleGoal goal;
    goal.objective = static_cast<Objective>(in.objective);
    if (stringifyEnum(goal.objective).empty())
      return invalid("'objective' of gpucostGoal is ", in.objective,
                     ", which is no such value");
    if (!(in.time_limit >= 0))
      return invalid("'time_limit' of gpucostGoal expects seconds above 0");
    if (in.time_limit > 0)
      goal.timeLimit = Seconds(in.time_limit);
    StructArray<const gpucostSchedule> inputs;
    StructArray<gpucostScheduleCost> outputs;
    if (Result result = StructArray<const gpucostSchedule>::create(
            space, stride, spaceCount, "gpucostSchedule", inputs);
        result.failed())
      return result;
    if (Result result = StructArray<gpucostScheduleCost>::create(
            costs, costStride, *count, "gpucostScheduleCost", outputs);
        result.failed())
      return result;
    std::vector<Schedule> choices(spaceCount);
    for (size_t i = 0; i < spaceCount; ++i) {
      gpucostSchedule each;
      Result result = readStruct(inputs.at(i), each, "gpucostSchedule");
      if (!result.failed())
        result = readSchedule(each, choices[i]);
      if (result.failed())
        return error(result.status, "schedule ", i, ": ", result.message);
    }
    std::vector<ScheduledCost> best;
    if (Result result =
            findTop(setup, start, std::move(choices), *count, goal, best);
        result.failed())
      return result;
    for (size_t i = 0; i < best.size(); ++i)
      writeStruct(outputs.prepare(i),
                  describe(*setup.schedules, setup.work, best[i]));
    *count = best.size();
    return ok();
  });
}

gpucostStatus gpucostScheduleCandidates(const gpucostModel *model,
                                        const gpucostKernel *kernel,
                                        const gpucostSchedule *fixed,
                                        gpucostSchedule *schedules,
                                        size_t stride, size_t *count) {
  return guard([&] {
    if (!count)
      return invalid("the place for the number of schedules is NULL");
    Setup setup;
    if (Result result = setup.open(model, kernel, nullptr); result.failed())
      return result;
    Schedule start;
    if (Result result = readFixed(fixed, start); result.failed())
      return result;
    std::vector<Schedule> candidates = setup.schedules->candidates(start);
    if (!schedules) {
      *count = candidates.size();
      return ok();
    }
    size_t written = std::min(*count, candidates.size());
    StructArray<gpucostSchedule> outputs;
    if (Result result = StructArray<gpucostSchedule>::create(
            schedules, stride, written, "gpucostSchedule", outputs);
        result.failed())
      return result;
    for (size_t i = 0; i < written; ++i)
      writeStruct(outputs.prepare(i), describe(candidates[i]));
    *count = written;
    return ok();
  });
}
