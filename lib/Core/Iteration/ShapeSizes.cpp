//===- ShapeSizes.cpp - Sizes and structure of a model --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeSizes.h"
#include <algorithm>

using namespace gpucost;

namespace {

/// Adds the integers of a work, including its problem.
struct AddSizes {
  std::vector<int64_t *> &sizes;

  template <typename T> void operator()(const FieldInfo &, T &value) {
    if constexpr (std::is_same_v<T, int64_t>)
      sizes.push_back(&value);
    else if constexpr (std::is_same_v<T, Problem>)
      std::visit([&](auto &problem) { visitFields(problem, *this); }, value);
  }
};

} // namespace

void gpucost::addSizes(KernelWork &work, std::vector<int64_t *> &sizes) {
  visitFields(work, AddSizes{sizes});
}

size_t gpucost::addKernelSizes(PreparedModel &model,
                               std::vector<int64_t *> &sizes) {
  for (KernelWork &work : model.works)
    addSizes(work, sizes);
  for (PersistentRead &read : model.persistentReads) {
    sizes.push_back(&read.bytes);
    sizes.push_back(&read.allBytes);
  }
  for (TensorTouch &touch : model.touches)
    sizes.push_back(&touch.bytes);
  sizes.push_back(&model.samples);
  sizes.push_back(&model.tokens);
  return sizes.size();
}

std::vector<int64_t *> gpucost::sizesOf(PreparedModel &model) {
  std::vector<int64_t *> sizes;
  addKernelSizes(model, sizes);
  MemoryUse &memory = model.memory;
  for (int64_t *size :
       {&memory.parameterCount, &memory.parameterBytes, &memory.optimizerBytes,
        &memory.gradientBytes, &memory.passingGradientBytes})
    sizes.push_back(size);
  AllocationTrace &trace = memory.trace;
  for (auto *list :
       {&trace.parameters, &trace.gradients, &trace.states, &trace.sizes})
    for (int64_t &size : *list)
      sizes.push_back(&size);
  for (auto &[name, value] : model.bindings)
    sizes.push_back(&value);
  return sizes;
}

static bool isSame(const Launch &a, const Launch &b) {
  return a.kind == b.kind && a.node == b.node && a.work == b.work &&
         a.count == b.count && a.passes == b.passes &&
         a.hostLaunches == b.hostLaunches && a.library == b.library &&
         a.recomputes == b.recomputes && a.synchronizes == b.synchronizes &&
         a.fallback == b.fallback && a.readsEnd == b.readsEnd &&
         a.persistentReadsEnd == b.persistentReadsEnd &&
         a.touchesEnd == b.touchesEnd;
}

template <typename T, typename Same>
static bool areSame(const std::vector<T> &a, const std::vector<T> &b,
                    Same same) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

/// Whether family, format and problem are equal except for sizes.
static bool isSameKernel(KernelWork a, KernelWork b) {
  for (KernelWork *work : {&a, &b}) {
    std::vector<int64_t *> sizes;
    addSizes(*work, sizes);
    for (int64_t *size : sizes)
      *size = 0;
  }
  return a == b;
}

std::string gpucost::findOtherStructure(const PreparedModel &a,
                                        const PreparedModel &b) {
  if (!areSame(a.works, b.works, isSameKernel))
    return "kernels";
  if (!a.schedules.empty() || !b.schedules.empty())
    return "schedules";
  auto sameKind = [](const KernelKind &x, const KernelKind &y) {
    return x.label == y.label && x.op == y.op && x.origin == y.origin &&
           x.phase == y.phase && x.coverage == y.coverage && x.work == y.work;
  };
  auto sameNote = [](const CoverageNote &x, const CoverageNote &y) {
    return x.op == y.op && x.count == y.count;
  };
  if (!areSame(a.kinds, b.kinds, sameKind))
    return "kinds of launches";
  for (size_t i = 0; i < std::min(a.launches.size(), b.launches.size()); ++i)
    if (!isSame(a.launches[i], b.launches[i]))
      return "launches of " + a.kinds[a.launches[i].kind].op;
  if (a.launches.size() != b.launches.size() || a.reads != b.reads)
    return "launches";
  if (!areSame(a.fallbacks, b.fallbacks, sameNote) ||
      !areSame(a.unmodelled, b.unmodelled, sameNote) ||
      !areSame(a.assumed, b.assumed, sameNote))
    return "ops that are not modelled";
  auto sameRead = [](const PersistentRead &x, const PersistentRead &y) {
    return x.tensor == y.tensor;
  };
  auto sameTouch = [](const TensorTouch &x, const TensorTouch &y) {
    return x.tensor == y.tensor && x.written == y.written;
  };
  if (!areSame(a.persistentReads, b.persistentReads, sameRead) ||
      !areSame(a.touches, b.touches, sameTouch))
    return "tensors";
  const AllocationTrace &x = a.memory.trace, &y = b.memory.trace;
  if (x.parameters.size() != y.parameters.size() ||
      x.gradients.size() != y.gradients.size() ||
      x.states.size() != y.states.size() || x.sizes.size() != y.sizes.size() ||
      x.events != y.events || a.bindings.size() != b.bindings.size())
    return "allocations";
  return "";
}

void gpucost::updatePeak(MemoryUse &memory) {
  memory.activationBytes =
      LiveBytes(memory.trace).follow(memory.trace.events.size());
  memory.peakTensors.clear();
}

void gpucost::setShape(PreparedModel &model, const StepShape &shape) {
  for (auto *stated : {&model.given.batch, &model.settings.batch})
    if (*stated)
      *stated = shape.batch;
  for (auto *stated : {&model.given.seq, &model.settings.seq})
    if (*stated)
      *stated = shape.query;
  for (auto *stated : {&model.given.past, &model.settings.past})
    if (*stated)
      *stated = shape.past;
}
