//===- AllReduce.cpp - All-reduces of serving stacks (N9)-(N12) -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/AllReduce.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Model/Steps.h"
#include "gpucost/Core/Vocabulary/Vendors.h"
#include <tuple>

using namespace gpucost;

//===----------------------------------------------------------------------===//
// The choice (N12)
//===----------------------------------------------------------------------===//

bool gpucost::isAllReduceOfNode(const KernelWork &work) {
  const auto *p = work.getIf<CollectiveProblem>();
  return p && p->kind == CollectiveKind::AllReduce && p->nodes == 1 &&
         p->worldSize > 1 && p->bytes >= 0;
}

/// Whether `stack` was measured on links as the model's, or older ones.
static bool isLinked(const AllReduceStack &stack, const CostModel &model) {
  const std::string &board = model.coefficients().allReduce->board;
  if (!board.empty())
    return stack.gpu == board;
  const auto &link = model.gpu().interconnect;
  return link && link->kind == InterconnectKind::NVLink &&
         stack.generation <= link->generation;
}

static bool hasRelease(const AllReduceStack &stack, Software software) {
  return releaseOf(stack.software).last >= releaseOf(software).last;
}

AllReduceKernels gpucost::findAllReduce(const CostModel &model) {
  AllReduceKernels found;
  const auto &set = model.coefficients().allReduce;
  if (!set)
    return found;
  Software software = model.software();
  // The newest links and the same board; then the first release that is not
  // older, else the last one.
  using Rank = std::tuple<int64_t, bool, bool, SoftwareVersion>;
  Rank best;
  for (const AllReduceStack &stack : set->stacks) {
    if (!isOf(stack.software, releaseOf(software).framework) ||
        !isLinked(stack, model))
      continue;
    bool isKnown = hasRelease(stack, software);
    SoftwareVersion last = releaseOf(stack.software).last;
    Rank rank(stack.generation, stack.gpu == model.gpu().name, isKnown,
              isKnown ? -last : last);
    if (!found.stack || rank > best) {
      found.stack = &stack;
      best = rank;
    }
  }
  if (!found.stack)
    return found;
  bool isOwnLink = set->board.empty();
  if (isOwnLink)
    found.linkShare =
        model.gpu().interconnect->bandwidth / found.stack->linkBandwidth;
  found.isMeasured = hasRelease(*found.stack, software) &&
                     (!isOwnLink || found.stack->gpu == model.gpu().name);
  return found;
}

std::string gpucost::describeAllReduce(const CostModel &model) {
  Software software = model.software();
  if (isOf(software, Software::PyTorch))
    return "";
  std::string name(stringifySoftware(software));
  AllReduceKernels found = findAllReduce(model);
  if (!found.stack)
    return inWordsOf(vendorOf(model.gpu().architecture),
                     "all-reduces: NCCL, because no kernels of ") +
           name + " were measured on these links";
  if (found.isMeasured)
    return "short all-reduces: kernels of " + name + ", as measured on " +
           found.stack->gpu;
  return "outside the calibrated domain: short all-reduces of " + name +
         " from those of " +
         std::string(stringifySoftware(found.stack->software)) + " on " +
         found.stack->gpu;
}

namespace {
using ReduceKernel = std::optional<ReduceFit> AllReduceStack::*;
using LimitOf = Bytes ReduceLimit::*;
} // namespace

/// The kernels in the order of their messages.
static constexpr std::pair<LimitOf, ReduceKernel> kernelsBySize[] = {
    {&ReduceLimit::oneShot, &AllReduceStack::oneShot},
    {&ReduceLimit::twoShot, &AllReduceStack::twoShot},
    {&ReduceLimit::multicast, &AllReduceStack::multicast}};

/// The kernel that the software runs for an all-reduce; null: NCCL.
static ReduceKernel kernelOf(const CostModel &model, const KernelWork &work) {
  const AllReduceStack *stack = findAllReduce(model).stack;
  if (!stack)
    return nullptr;
  const auto &p = work.as<CollectiveProblem>();
  for (const ReduceLimit &limit : stack->limits)
    if (limit.gpus == p.worldSize)
      for (auto [below, kernel] : kernelsBySize)
        if (static_cast<double>(p.bytes) < (limit.*below).value())
          return stack->*kernel ? kernel : nullptr;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// The equations
//===----------------------------------------------------------------------===//

static Error whyMissing(const CostModel &model) {
  return {"no such all-reduce of " +
          std::string(stringifySoftware(model.software())) +
          " was measured on links as those of '" + model.gpu().name + "'"};
}

/// A query may force a kernel that the software does not have.
template <ReduceKernel kernel>
static Expected<Tiling> tile(const CostModel &model, const KernelWork &,
                             const KernelQuery &) {
  const AllReduceStack *stack = findAllReduce(model).stack;
  if (!stack || !(stack->*kernel))
    return fail(whyMissing(model));
  return Tiling();
}

/// t = a + h (n - 2) + V / r with `volume` = V, which `name` has reported.
static Expected<LaunchTerms> termsOf(const CostModel &model,
                                     const KernelWork &work,
                                     ReduceKernel kernel, double volume,
                                     const char *name, Steps *steps) {
  AllReduceKernels found = findAllReduce(model);
  if (!found.stack || !(found.stack->*kernel))
    return fail(whyMissing(model));
  const ReduceFit &fit = *(found.stack->*kernel);
  auto gpus = static_cast<double>(work.as<CollectiveProblem>().worldSize);
  BytesPerSecond rate = fit.bandwidth * found.linkShare;
  LaunchTerms t;
  t.fixed = fit.base + fit.step * (gpus - 2) + Seconds(volume / rate.value());
  t.fixedBound = Bound::Network;
  t.inCalibratedDomain = found.isMeasured;
  // (N2)
  t.events.dramBytes = 2 * volume;
  if (steps) {
    steps->equation(name, "r = {}*{} = {}",
                    {fit.bandwidth, found.linkShare, rate});
    steps->equation(name, "fixed = {} + {}*({} - 2) + V/r = {}",
                    {fit.base, fit.step, gpus, t.fixed});
  }
  return t;
}

/// (N9) Every GPU reads the whole message of every other one.
static Expected<LaunchTerms> oneShotTerms(const CostModel &model,
                                          const KernelWork &work,
                                          const Tiling &,
                                          const KernelQuery &query) {
  const auto &p = work.as<CollectiveProblem>();
  auto gpus = static_cast<double>(p.worldSize);
  double volume = (gpus - 1) * static_cast<double>(p.bytes);
  const char *name = "one shot (N9)";
  if (query.steps)
    query.steps->equation(name, "V = ({} - 1)*{} = {} bytes",
                          {gpus, p.bytes, volume});
  return termsOf(model, work, &AllReduceStack::oneShot, volume, name,
                 query.steps);
}

/// (N10) Every GPU reads its part from all others, then all other sums.
static Expected<LaunchTerms> twoShotTerms(const CostModel &model,
                                          const KernelWork &work,
                                          const Tiling &,
                                          const KernelQuery &query) {
  const auto &p = work.as<CollectiveProblem>();
  auto gpus = static_cast<double>(p.worldSize);
  double volume = 2 * (gpus - 1) / gpus * static_cast<double>(p.bytes);
  const char *name = "two shots (N10)";
  if (query.steps)
    query.steps->equation(name, "V = 2*({} - 1)/{}*{} = {} bytes",
                          {gpus, gpus, p.bytes, volume});
  return termsOf(model, work, &AllReduceStack::twoShot, volume, name,
                 query.steps);
}

/// (N11) The switch adds: a GPU reads and writes 1/n of the sums and receives
/// all of them.
static Expected<LaunchTerms> multicastTerms(const CostModel &model,
                                            const KernelWork &work,
                                            const Tiling &,
                                            const KernelQuery &query) {
  auto volume = static_cast<double>(work.as<CollectiveProblem>().bytes);
  const char *name = "multicast (N11)";
  if (query.steps)
    query.steps->equation(name, "V = {} bytes", {volume});
  return termsOf(model, work, &AllReduceStack::multicast, volume, name,
                 query.steps);
}

namespace gpucost::kernels {
extern const KernelModel oneShotAllReduce, twoShotAllReduce, multicastAllReduce;
const KernelModel oneShotAllReduce = {tile<&AllReduceStack::oneShot>,
                                      oneShotTerms};
const KernelModel twoShotAllReduce = {tile<&AllReduceStack::twoShot>,
                                      twoShotTerms};
const KernelModel multicastAllReduce = {tile<&AllReduceStack::multicast>,
                                        multicastTerms};

GPUCOST_CONDITION(allReduceOfNode, "an all-reduce of several GPUs in one node",
                  { return isAllReduceOfNode(work); })
GPUCOST_CONDITION(oneShotStack,
                  "a serving stack that reduces such a message in one shot",
                  { return kernelOf(model, work) == &AllReduceStack::oneShot; })
GPUCOST_CONDITION(twoShotStack,
                  "a serving stack that reduces such a message in two shots",
                  { return kernelOf(model, work) == &AllReduceStack::twoShot; })
GPUCOST_CONDITION(multicastStack,
                  "a serving stack that gives such a message to the switch", {
                    return kernelOf(model, work) == &AllReduceStack::multicast;
                  })
} // namespace gpucost::kernels
