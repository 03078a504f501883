//===- KinetoTrace.cpp - A trace of the PyTorch profiler ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadProfile.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Compiler/Support/Json.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <map>

using namespace gpucost;
using namespace gpucost::transfer;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// An event with a duration, us.
struct Event {
  std::string name;
  double start = 0, time = 0;
  int64_t correlation = -1, externalId = -1;
  int64_t device = 0;
  double end() const { return start + time; }
};

/// The relevant contents of a trace.
struct Trace {
  std::vector<Event> kernels;
  std::vector<Event> hostSteps, deviceSteps;
  std::map<int64_t, double> launches;     ///< start by correlation
  std::map<int64_t, std::string> ops;     ///< name by external id
  std::map<int64_t, std::string> devices; ///< name by number
};

/// Kernels of one iteration, in order.
using Iteration = std::vector<const Event *>;

} // namespace

/// us; sums of such times are finite.
static constexpr double latest = 1e18;

static int64_t idOf(const json::Object *args,
                    std::initializer_list<const char *> keys) {
  for (const char *key : keys)
    if (args)
      if (std::optional<int64_t> id = args->getInteger(key))
        return *id;
  return -1;
}

static void addEvent(const json::Object &object, Trace &trace) {
  std::optional<StringRef> phase = object.getString("ph");
  std::optional<StringRef> category = object.getString("cat");
  std::optional<double> start = object.getNumber("ts");
  if (!phase || *phase != "X" || !category || !start ||
      !(std::fabs(*start) <= latest))
    return;
  Event event;
  event.name = object.getString("name").value_or("").str();
  event.start = *start;
  event.time = object.getNumber("dur").value_or(0);
  if (!(event.time >= 0 && event.time <= latest))
    return;
  const json::Object *args = object.getObject("args");
  event.correlation = idOf(args, {"correlation"});
  event.externalId = idOf(args, {"External id", "external id"});
  event.device = std::max<int64_t>(0, idOf(args, {"device", "Device"}));
  std::string kind = category->lower();
  if (kind == "kernel" || kind == "gpu_memcpy" || kind == "gpu_memset") {
    trace.kernels.push_back(std::move(event));
  } else if (kind == "cpu_op") {
    if (event.externalId >= 0)
      trace.ops.emplace(event.externalId, std::move(event.name));
  } else if (kind == "cuda_runtime" || kind == "cuda_driver") {
    if (event.correlation >= 0)
      trace.launches.emplace(event.correlation, event.start);
  } else if (StringRef(event.name).starts_with("ProfilerStep")) {
    (kind == "gpu_user_annotation" ? trace.deviceSteps : trace.hostSteps)
        .push_back(std::move(event));
  }
}

static llvm::Expected<Trace> readTrace(StringRef text) {
  llvm::Expected<json::Value> value = parseJson(text);
  if (!value)
    return value.takeError();
  const json::Object *root = value->getAsObject();
  const json::Array *events =
      root ? root->getArray("traceEvents") : value->getAsArray();
  if (!events)
    return llvm::createStringError(
        "no trace of the PyTorch profiler: it has no 'traceEvents'");
  Trace trace;
  for (const json::Value &event : *events)
    if (const json::Object *object = event.getAsObject())
      addEvent(*object, trace);
  if (const json::Array *devices =
          root ? root->getArray("deviceProperties") : nullptr)
    for (const json::Value &device : *devices)
      if (const json::Object *object = device.getAsObject())
        trace.devices[object->getInteger("id").value_or(0)] =
            object->getString("name").value_or("").str();
  return trace;
}

/// Keeps only the kernels of the busiest device and returns its number.
static int64_t keepBusiestDevice(std::vector<Event> &kernels) {
  std::map<int64_t, double> times;
  for (const Event &kernel : kernels)
    times[kernel.device] += kernel.time;
  int64_t busiest = llvm::max_element(times, [](const auto &a, const auto &b) {
                      return a.second < b.second;
                    })->first;
  llvm::erase_if(kernels,
                 [&](const Event &kernel) { return kernel.device != busiest; });
  llvm::stable_sort(kernels, [](const Event &a, const Event &b) {
    return a.start < b.start;
  });
  return busiest;
}

/// A kernel belongs to the step that launched it, although it may run later.
static std::vector<Iteration> splitBySteps(const Trace &trace) {
  bool onDevice = trace.hostSteps.empty();
  std::vector<Event> steps = onDevice ? trace.deviceSteps : trace.hostSteps;
  llvm::sort(steps,
             [](const Event &a, const Event &b) { return a.start < b.start; });
  std::vector<Iteration> iterations(steps.size());
  for (const Event &kernel : trace.kernels) {
    auto launch = trace.launches.find(kernel.correlation);
    double at = onDevice || launch == trace.launches.end() ? kernel.start
                                                           : launch->second;
    auto after = llvm::upper_bound(
        steps, at, [](double t, const Event &step) { return t < step.start; });
    if (after != steps.begin() && at < std::prev(after)->end())
      iterations[after - steps.begin() - 1].push_back(&kernel);
  }
  llvm::erase_if(iterations,
                 [](const Iteration &iteration) { return iteration.empty(); });
  return iterations;
}

static llvm::Expected<std::vector<Iteration>>
splitEvenly(const std::vector<Event> &kernels, int64_t count) {
  if (kernels.size() % static_cast<size_t>(count))
    return llvm::createStringError(
        "the trace marks no steps, and its " + std::to_string(kernels.size()) +
        " kernels are not " + std::to_string(count) +
        " times the same; profile whole steps (prof.step()), or give their "
        "number by --iterations");
  size_t size = kernels.size() / static_cast<size_t>(count);
  std::vector<Iteration> iterations(static_cast<size_t>(count));
  for (size_t i = 0; i < kernels.size(); ++i)
    iterations[i / size].push_back(&kernels[i]);
  return iterations;
}

static double median(std::vector<double> values) {
  llvm::sort(values);
  size_t n = values.size();
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static bool isCollective(const Event &event) {
  return familyOfName(event.name) == KernelFamily::Collective;
}

/// Time in which at least one kernel runs; with `computes`, collectives do not
/// count.
static double busyTime(const Iteration &iteration, bool computes) {
  double busy = 0, reached = iteration.front()->start;
  for (const Event *kernel : iteration) {
    if (computes && isCollective(*kernel))
      continue;
    busy += std::max(0.0, kernel->end() - std::max(kernel->start, reached));
    reached = std::max(reached, kernel->end());
  }
  return busy;
}

static double spanOf(const Iteration &iteration) {
  double last = 0;
  for (const Event *kernel : iteration)
    last = std::max(last, kernel->end());
  return last - iteration.front()->start;
}

/// Iterations with the most frequent sequence of kernels.
static std::vector<const Iteration *>
alikeOf(const std::vector<Iteration> &iterations) {
  std::map<std::vector<StringRef>, std::vector<const Iteration *>> bySequence;
  for (const Iteration &iteration : iterations) {
    std::vector<StringRef> names;
    for (const Event *kernel : iteration)
      names.push_back(kernel->name);
    bySequence[names].push_back(&iteration);
  }
  return llvm::max_element(bySequence,
                           [](const auto &a, const auto &b) {
                             return a.second.size() < b.second.size();
                           })
      ->second;
}

/// cuBLAS adds the parts of a matmul that it split along K in a separate
/// kernel; a prediction has one time for both.
static bool addsUpSplit(StringRef name) {
  return name.contains_insensitive("splitKreduce");
}

llvm::Expected<Profile>
transfer::readKinetoTrace(StringRef text, const ProfileOptions &options) {
  llvm::Expected<Trace> trace = readTrace(text);
  if (!trace)
    return trace.takeError();
  if (trace->kernels.empty())
    return llvm::createStringError(
        "the trace has no kernels of a GPU; profile with "
        "ProfilerActivity.CUDA on the GPU of --target");
  int64_t device = keepBusiestDevice(trace->kernels);
  std::vector<Iteration> iterations = splitBySteps(*trace);
  if (iterations.empty()) {
    llvm::Expected<std::vector<Iteration>> even =
        splitEvenly(trace->kernels, options.iterations);
    if (!even)
      return even.takeError();
    iterations = std::move(*even);
  }
  std::vector<const Iteration *> alike = alikeOf(iterations);
  Profile profile;
  profile.isTrace = true;
  profile.device = printable(trace->devices[device]);
  profile.iterations = static_cast<int64_t>(alike.size());
  // Measures from start to start if there is a next iteration, because the host
  // may delay it.
  std::vector<double> times, busy, computing;
  for (const Iteration *iteration : alike) {
    const Iteration *next = iteration + 1;
    bool isLast = iteration == &iterations.back();
    times.push_back(isLast ? spanOf(*iteration)
                           : next->front()->start - iteration->front()->start);
    busy.push_back(busyTime(*iteration, /*computes=*/false));
    computing.push_back(busyTime(*iteration, /*computes=*/true));
  }
  if (alike.size() > 1 && alike.back() == &iterations.back())
    times.pop_back();
  profile.iterationUs = median(std::move(times));
  double computed = median(std::move(computing));
  profile.idleUs = std::max(0.0, profile.iterationUs - computed);
  profile.exposedUs = std::max(0.0, median(std::move(busy)) - computed);
  for (size_t i = 0; i < alike.front()->size(); ++i) {
    std::vector<double> each;
    each.reserve(alike.size());
    for (const Iteration *iteration : alike)
      each.push_back((*iteration)[i]->time);
    const Event &event = *(*alike.front())[i];
    if (addsUpSplit(event.name) && !profile.kernels.empty()) {
      profile.kernels.back().timeUs += median(std::move(each));
      continue;
    }
    MeasuredKernel kernel;
    kernel.name = printable(event.name);
    if (auto op = trace->ops.find(event.externalId); op != trace->ops.end())
      kernel.op = printable(op->second);
    kernel.family = familyOfName(kernel.name, kernel.op);
    kernel.tile = tileOfName(kernel.name);
    kernel.timeUs = median(std::move(each));
    kernel.count = 1;
    profile.kernels.push_back(std::move(kernel));
  }
  return profile;
}
