//===- CheckPrepared.cpp - Validation of prepared models ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckPrepared.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Model/Validation.h"
#include "gpucost/Core/Scenario/ScenarioFaults.h"
#include <algorithm>

using namespace gpucost;

/// Maximum count of launches or readers in a valid iteration.
static constexpr int64_t mostLaunches = int64_t(1) << 62;

static bool isCount(int64_t number) {
  return number >= 0 && number <= mostLaunches;
}

/// Relative to the mean; false for NaN.
static bool isLoad(double load) {
  constexpr double most = 1e9;
  return load >= 0 && load <= most;
}

static bool isLayer(const ExpertLayer &layer) {
  constexpr int64_t mostExperts = int64_t(1) << 20, most = int64_t(1) << 40;
  auto within = [](int64_t value, int64_t low, int64_t high) {
    return value >= low && value <= high;
  };
  return within(layer.experts, 1, mostExperts) &&
         within(layer.chosen, 1, mostExperts) &&
         within(layer.redundant, 0, mostExperts) &&
         within(layer.shards, 1, layer.experts + layer.redundant) &&
         (layer.experts + layer.redundant) % layer.shards == 0 &&
         within(layer.columns, 1, most) && within(layer.bytes, 0, most) &&
         within(layer.active, 0, most) && isLoad(layer.loads.excess) &&
         std::all_of(layer.loads.copies.begin(), layer.loads.copies.end(),
                     isLoad);
}

static std::string faultOfKernels(const PreparedModel &model) {
  for (const KernelWork &work : model.works) {
    if (std::string fault = findFault(work); !fault.empty())
      return fault;
    if (!problemFits(work.family, work.problem))
      return "a kernel whose problem belongs to another family";
  }
  for (const auto &[work, schedule] : model.schedules) {
    if (work >= model.works.size())
      return "a schedule without a kernel";
    if (std::string fault = findFault(schedule); !fault.empty())
      return fault;
  }
  for (const ExpertWork &each : model.experts)
    if (each.work >= model.works.size() ||
        !model.works[each.work].is<MatmulProblem>() || !isLayer(each.layer))
      return "experts without a kernel";
  for (const KernelKind &kind : model.kinds)
    if (kind.work >= model.works.size())
      return "a row without a kernel";
  return {};
}

static std::string faultOfLaunches(const PreparedModel &model) {
  if (model.nodeWeights.size() > model.nodes.size())
    return "a weight without a node";
  uint32_t reads = 0, persistentReads = 0, touches = 0;
  for (size_t i = 0; i < model.launches.size(); ++i) {
    const Launch &launch = model.launches[i];
    if (launch.kind >= model.kinds.size() ||
        launch.work >= model.works.size() ||
        (launch.node != 0 && launch.node >= model.nodes.size()))
      return "a launch without a kernel";
    if (!isCount(launch.count) || launch.passes < 1 ||
        !isCount(launch.passes) || !isCount(launch.hostLaunches))
      return "a launch with a wrong count";
    if (launch.fallback < -1 ||
        (launch.fallback >= 0 &&
         static_cast<size_t>(launch.fallback) >= model.fallbacks.size()))
      return "a launch without a note";
    if (launch.readsEnd < reads || launch.readsEnd > model.reads.size() ||
        launch.persistentReadsEnd < persistentReads ||
        launch.persistentReadsEnd > model.persistentReads.size() ||
        launch.touchesEnd < touches || launch.touchesEnd > model.touches.size())
      return "reads out of order";
    if (launch.memoryEvents > model.memory.trace.events.size())
      return "a launch after the end of the memory trace";
    for (; reads < launch.readsEnd; ++reads)
      if (model.reads[reads] >= i)
        return "a launch that reads a later result";
    persistentReads = launch.persistentReadsEnd;
    touches = launch.touchesEnd;
  }
  if (reads != model.reads.size() ||
      persistentReads != model.persistentReads.size() ||
      touches != model.touches.size())
    return "reads without a launch";
  for (const PersistentRead &read : model.persistentReads)
    if (read.tensor >= model.persistentReads.size() || read.bytes < 0 ||
        read.allBytes < 0)
      return "a wrong read of a tensor";
  for (const TensorTouch &touch : model.touches)
    if (touch.tensor >= model.touches.size() || touch.bytes < 0)
      return "a wrong touch of a tensor";
  return {};
}

static std::string faultOfTrace(const AllocationTrace &trace) {
  for (const std::vector<int64_t> *bytes :
       {&trace.parameters, &trace.gradients, &trace.states, &trace.sizes})
    for (int64_t each : *bytes)
      if (each < 0)
        return "a tensor of negative size";
  std::vector<bool> isLive(trace.sizes.size());
  for (int32_t event : trace.events) {
    int64_t tensor = std::abs(int64_t(event)) - 1;
    if (tensor < 0 || static_cast<size_t>(tensor) >= isLive.size())
      return "memory of a nonexistent tensor";
    bool makes = event > 0;
    if (isLive[tensor] == makes)
      return "a tensor that is allocated or freed twice";
    isLive[tensor] = makes;
  }
  for (bool live : isLive)
    if (live)
      return "a tensor that is not freed";
  return {};
}

static std::string faultOfCounts(const PreparedModel &model) {
  const MemoryUse &memory = model.memory;
  for (int64_t count :
       {memory.parameterCount, memory.parameterBytes, memory.optimizerBytes,
        memory.gradientBytes, memory.passingGradientBytes,
        memory.activationBytes, model.samples, model.tokens})
    if (count < 0)
      return "a negative count";
  for (const TensorUse &tensor : memory.peakTensors)
    if (tensor.bytes < 0)
      return "a tensor of negative size";
  for (const std::vector<CoverageNote> *notes :
       {&model.fallbacks, &model.unmodelled, &model.assumed})
    for (const CoverageNote &note : *notes)
      if (note.count < 0)
        return "a negative count";
  return {};
}

std::string gpucost::findFaultInPrepared(const PreparedFile &file) {
  if (file.model.format != file.target.format)
    return "two formats";
  for (auto check : {faultOfKernels, faultOfLaunches, faultOfCounts})
    if (std::string fault = check(file.model); !fault.empty())
      return fault;
  if (std::string fault = faultOfTrace(file.model.memory.trace); !fault.empty())
    return fault;
  return findFault(file.model.given, file.target);
}
