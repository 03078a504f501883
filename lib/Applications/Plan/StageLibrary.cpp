//===- StageLibrary.cpp - Stages of plans that differ in sizes ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageLibrary.h"
#include "gpucost/Compiler/Import/Configuration.h"
#include "gpucost/Core/Scenario/PipelineLayout.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace gpucost;
using namespace gpucost::plan;
using namespace gpucost::sweep;

/// Layers of the prepared stages: enough to differ from a single layer, few
/// enough to be fast.
static constexpr int64_t fewLayers = 2, manyLayers = 4;

//===----------------------------------------------------------------------===//
// Interpolation
//===----------------------------------------------------------------------===//

namespace {
/// Linear functions of the number of layers.
struct Line {
  double share; ///< 0: the first value, 1: the second

  template <typename Tag>
  Quantity<Tag> operator()(Quantity<Tag> a, Quantity<Tag> b) const {
    return a + (b - a) * share;
  }
  int64_t operator()(int64_t a, int64_t b) const {
    return std::max<int64_t>(
        static_cast<int64_t>(static_cast<double>(a) +
                             static_cast<double>(b - a) * share),
        0);
  }
};
} // namespace

static StageTimes mix(Line line, const StageTimes &a, const StageTimes &b) {
  StageTimes times = a;
  for (auto member :
       {&StageTimes::forward, &StageTimes::backward, &StageTimes::weights,
        &StageTimes::sendForward, &StageTimes::sendBackward, &StageTimes::tail})
    times.*member = std::max(line(a.*member, b.*member), Seconds(0));
  return times;
}

static StageMemory mix(Line line, const StageMemory &a, const StageMemory &b) {
  StageMemory memory = a;
  for (auto member : {&StageMemory::parameters, &StageMemory::optimizer,
                      &StageMemory::gradients, &StageMemory::passing})
    memory.*member = line(a.*member, b.*member);
  for (auto member : {&StageActivations::saved, &StageActivations::forwardPeak,
                      &StageActivations::peak})
    memory.activations.*member =
        line(a.activations.*member, b.activations.*member);
  MemoryPlan &plan = memory.plan;
  for (auto member : {&MemoryPlan::peak, &MemoryPlan::allocated,
                      &MemoryPlan::deviceLow, &MemoryPlan::usable})
    plan.*member = line(a.plan.*member, b.plan.*member);
  // Unused parts of segments depend on their sizes, not on the layers.
  auto unused = [](const MemoryPlan &each) {
    return each.reserved - each.allocated;
  };
  plan.reserved = plan.allocated + (unused(a.plan) + unused(b.plan)) / 2;
  plan.device = plan.reserved + b.plan.device - b.plan.reserved;
  plan.deviceHigh = static_cast<int64_t>(
      static_cast<double>(plan.device) *
      (static_cast<double>(b.plan.deviceHigh) /
       static_cast<double>(std::max<int64_t>(b.plan.device, 1))));
  memory.plan.fits = memory.plan.device <= memory.plan.usable;
  return memory;
}

StageSample StageSample::between(const StageSample &a, int64_t few,
                                 const StageSample &b, int64_t many,
                                 int64_t layers) {
  Line line{static_cast<double>(layers - few) /
            static_cast<double>(many - few)};
  StageSample mixed = layers < many ? a : b;
  mixed.run.times = mix(line, a.run.times, b.run.times);
  // A clock lowered for few layers but not for many, or the other way round,
  // bends the line.
  mixed.mostEnergy = line(a.mostEnergy, b.mostEnergy);
  mixed.run.energy =
      std::min(line(a.run.energy, b.run.energy), mixed.mostEnergy);
  mixed.memory = mix(line, a.memory, b.memory);
  mixed.computation = line(a.computation, b.computation);
  mixed.ideal = line(a.ideal, b.ideal);
  return mixed;
}

//===----------------------------------------------------------------------===//
// Library
//===----------------------------------------------------------------------===//

ModelPool &StageLibrary::poolOf(int64_t count) {
  if (!layers.configuration)
    return model;
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<ModelPool> &pool = shorter[count];
  if (!pool)
    pool = std::make_unique<ModelPool>(
        model.name(),
        shortenConfiguration(*layers.configuration, layers.count(), count));
  return *pool;
}

std::string StageLibrary::shelfKey(const Settings &settings) {
  Settings shared = settings;
  Parallelism plan = settings.plan();
  shared.parallel = plan;
  shared.parallel.data = std::max<int64_t>(plan.shards, 1);
  shared.parallel.pipeline = 1;
  shared.parallel.expertGroup = plan.experts ? plan.expertGpus() : 0;
  shared.gradAccum = std::min(settings.gradAccum, ReplicaFamily::passes);
  shared.nodes = gpusOfNode(settings);
  const Settings initial;
  shared.gpus = initial.gpus;
  shared.globalBatch = initial.globalBatch;
  shared.pipelineSchedule = initial.pipelineSchedule;
  shared.virtualStages = initial.virtualStages;
  shared.stageSlots = initial.stageSlots;
  std::string key;
  forEachSetting([&](const auto &row) {
    key += "\n";
    if (const auto *value = row.valueIn(shared);
        value && row.affects != SettingEffect::Evaluation)
      key += toText(*value, row.spec);
  });
  return key;
}

//===----------------------------------------------------------------------===//
// Shelf
//===----------------------------------------------------------------------===//

/// Stages of a prepared pipeline: at least one between the first and the last.
static constexpr int64_t preparedStages = 3;

/// Nodes of a prepared model in which groups of tensor and context parallelism,
/// and copies of hybrid sharding, span as many nodes as in the plan; 0 if there
/// are none.
static int64_t preparedNodes(const Settings &settings, int64_t rank,
                             int64_t gpus) {
  Parallelism plan = settings.plan();
  int64_t held = gpusOfNode(settings), group = plan.tensor * plan.context;
  if (plan.shards)
    group = gpusOfCopy(plan);
  for (int64_t nodes = (gpus + held - 1) / held; nodes <= gpus; ++nodes) {
    int64_t each = gpus / nodes;
    bool isLikePlan = group <= held ? each >= group : each == held;
    if (plan.shards)
      isLikePlan &= ranksFillNodes(group, each);
    if (gpus % nodes == 0 && each % plan.tensor == 0 && isLikePlan &&
        ranksFillNodes(rank, each))
      return nodes;
  }
  return 0;
}

/// Whether several GPUs have the same parameters.
static bool hasReplicas(const Parallelism &plan) {
  return plan.replicas() > 1 && plan.expertReplicas() > 1;
}

StageLibrary::Shelf::Stages
StageLibrary::Shelf::prepareStages(int64_t count, bool isWhole,
                                   const Settings &settings) {
  Stages stages;
  auto failAll = [&](const std::string &why) {
    for (Family &family : stages)
      family.fault = why;
    return std::move(stages);
  };
  Parallelism plan = settings.plan();
  bool isReplicated = hasReplicas(plan);
  std::vector<std::shared_ptr<const PreparedModel>> models;
  for (int64_t data : {ReplicaFamily::fewer, ReplicaFamily::more}) {
    Parallelism tried = plan;
    if (isReplicated)
      tried.data = data * (plan.shards ? plan.shards : plan.expertGpus());
    if (plan.experts)
      tried.expertGroup = plan.expertGpus();
    tried.pipeline = 1;
    int64_t rank = *tried.gpus();
    // A model that cannot be shortened has a stage with the other layers.
    bool isShort = library.layers.configuration.has_value();
    int64_t ranks = isWhole ? 1 : preparedStages + (isShort ? 0 : 1);
    int64_t nodes = preparedNodes(settings, rank, rank * ranks);
    if (!nodes)
      return failAll("the ranks of the plan do not fill nodes");
    tried.pipeline = ranks;
    Scenario stated = scenario;
    stated.parallel = tried;
    stated.gpus = rank * ranks;
    stated.nodes = nodes;
    // Several nodes need a network, also if the plan has one node. Collectives
    // are costed in the plan, so that its values do not matter.
    if (nodes > 1 && !stated.network)
      stated.network = "1:1";
    stated.batch = settings.batch;
    stated.microBatch.reset();
    stated.globalBatch.reset();
    stated.gradAccum = std::min(settings.gradAccum, ReplicaFamily::passes);
    stated.pipelineSchedule.reset();
    stated.virtualStages.reset();
    stated.stageSlots.reset();
    stated.stageLayers.reset();
    int64_t total = count;
    if (!isWhole) {
      std::vector<int64_t> counts(preparedStages, count);
      total = count * preparedStages;
      if (!isShort) {
        int64_t rest = library.layers.count() - total;
        if (rest < 1)
          return failAll("the model has too few layers");
        counts.insert(counts.end() - 1, rest);
      }
      stated.stageLayers = llvm::join(
          llvm::map_range(counts,
                          [](int64_t each) { return std::to_string(each); }),
          ",");
    }
    auto prepared = library.poolOf(total).prepare(stated);
    if (!prepared)
      return failAll(prepared.error().message);
    models.push_back(std::move(*prepared));
    if (!isReplicated)
      break;
  }
  auto learn = [&](StagePlace place, auto stageOf) {
    Family &family = stages[static_cast<size_t>(place)];
    auto learned = ReplicaFamily::create(*stageOf(models.front()),
                                         *stageOf(models.back()));
    if (learned)
      family.replicas = std::move(*learned);
    else
      family.fault = learned.error().message;
  };
  using Model = std::shared_ptr<const PreparedModel>;
  if (isWhole) {
    learn(StagePlace::Whole, [](const Model &model) { return model; });
    return stages;
  }
  auto pick = [](const Model &model, uint32_t stage) {
    return model->pipeline->models[stage];
  };
  learn(StagePlace::First, [&](const Model &model) {
    return pick(model, model->pipeline->stages.front());
  });
  learn(StagePlace::Middle, [&](const Model &model) {
    return pick(model, model->pipeline->stages[1]);
  });
  learn(StagePlace::Last, [&](const Model &model) {
    return pick(model, model->pipeline->stages.back());
  });
  return stages;
}

const StageLibrary::Shelf::Family &
StageLibrary::Shelf::familyOf(StagePlace place, int64_t count,
                              const Settings &settings) {
  bool isWhole = place == StagePlace::Whole;
  auto key = std::make_tuple(count, isWhole, hasReplicas(settings.plan()),
                             settings.gradAccum > 1);
  auto it = families.find(key);
  if (it == families.end())
    it = families.emplace(key, prepareStages(count, isWhole, settings)).first;
  return it->second[static_cast<size_t>(place)];
}

/// Times of the transfers of a stage: inside a node, and to another one.
static void addSends(StageSample &sample, const PlacedModel &placed,
                     KernelMemo &memo, const Settings &settings) {
  const PreparedModel &model = placed.prepared();
  bool isBackward = false;
  for (const Launch &launch : model.launches) {
    isBackward |= model.kinds[launch.kind].phase == Phase::Backward;
    if (!placed.isTransfer(launch))
      continue;
    for (int64_t nodes : {1, 2}) {
      KernelWork work = model.works[launch.work];
      auto &p = std::get<CollectiveProblem>(work.problem);
      p.worldSize = 2;
      p.nodes = nodes;
      p.groups = nodes > 1 ? sendersOfNode(settings) : 1;
      PlacedKernel kernel = memo.place(work);
      if (!kernel.terms)
        continue;
      auto &sends = isBackward ? sample.sendBackward : sample.sendForward;
      sends[static_cast<size_t>(nodes - 1)] += timeAt(
          *kernel.terms, sample.run.clock / placed.model().gpu().maxClock);
    }
  }
}

Expected<StageSample> StageLibrary::Shelf::place(StagePlace place,
                                                 int64_t count,
                                                 const Settings &settings,
                                                 int64_t operation) {
  const Family &family = familyOf(place, count, settings);
  if (!family.replicas)
    return fail(family.fault);
  std::tuple alike(place, count, settings.plan().data, settings.gradAccum > 1,
                   operation);
  auto part = fixed.find(alike);
  bool isNew = part == fixed.end();
  std::shared_ptr<const PreparedModel> model =
      family.replicas->at(settings, /*hasMemory=*/isNew);
  if (isNew)
    part =
        fixed
            .emplace(alike,
                     FixedPart{
                         memoryOfStage(*model, library.target.costModel.gpu(),
                                       library.target.costModel.coefficients()),
                         std::make_shared<const FoldedLaunches>(*model)})
            .first;
  KernelMemo &memo = *library.target.memo;
  std::vector<PlacedKernel> kernels = memo.placeAll(*model);
  auto placed = PlacedModel::create(model, library.target.costModel, &kernels,
                                    nullptr, part->second.folded);
  if (!placed)
    return fail(placed.error());
  StageSample sample;
  IterationTotals totals = placed->solve(settings, clocks[{place, count}]);
  sample.run = placed->runStage(totals, settings);
  Watts limit = library.target.costModel.regulatedPower(
      settings.powerLimit.value_or(library.target.costModel.gpu().powerLimit));
  sample.mostEnergy = std::max(totals.power(), limit) * totals.time;
  for (Phase phase : {Phase::Forward, Phase::Backward})
    sample.computation += totals.phases[static_cast<size_t>(phase)].time /
                          static_cast<double>(settings.microBatches());
  sample.memory = part->second.memory;
  sample.ideal = placed->ideal();
  sample.errors = placed->errorsOf(totals, settings);
  sample.samples = model->samples;
  sample.tokens = model->tokens;
  sample.throttled = totals.point.throttled;
  sample.isLowerBound = placed->isLowerBound();
  sample.hasLevel = placed->hasLevel();
  addSends(sample, *placed, memo, settings);
  return sample;
}

Expected<StageSample> StageLibrary::Shelf::sample(StagePlace at, int64_t count,
                                                  const Settings &settings,
                                                  int64_t operation) {
  auto part = [&](int64_t some) -> const Expected<StageSample> & {
    auto key =
        std::make_tuple(at, some, settings.plan().data, settings.microBatches(),
                        settings.gpus, operation);
    auto it = samples.find(key);
    if (it == samples.end())
      it = samples.emplace(key, place(at, some, settings, operation)).first;
    return it->second;
  };
  // A model that cannot be shortened has all of its layers in one stage.
  if (at == StagePlace::Whole && !library.layers.configuration)
    return part(count);
  // A single layer is not on the line: other tensors are its memory peak.
  if (count == 1 || count == fewLayers || count == manyLayers)
    return part(count);
  const Expected<StageSample> &few = part(fewLayers), &many = part(manyLayers);
  if (!few)
    return few;
  if (!many)
    return many;
  return StageSample::between(*few, fewLayers, *many, manyLayers, count);
}
