//===- Tabulator.h - Steps of an engine as tables -------------- -*- C++
//-*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DEPLOY_TABULATOR_H
#define GPUCOST_LIB_APPLICATIONS_DEPLOY_TABULATOR_H

#include "Engine.h"
#include <cmath>

namespace gpucost::deploy {

/// Why there are no larger batches.
inline constexpr const char *noRoom =
    "the cache of this many sequences does not fit";

/// Learns the steps of an engine.
class Engine::Tabulator {
public:
  Tabulator(Engine &engine, const LearnedSteps &steps, const Traffic &traffic)
      : engine(engine), traffic(traffic), techniques(traffic.techniques),
        model(steps.model, engine.target->costModel, engine.settings,
              engine.host.promptLaunch),
        context(std::max<int64_t>(std::llround(traffic.meanContext()), 1)) {
    if (steps.draft)
      draft.emplace(*steps.draft, engine.target->costModel,
                    engine.draftSettings, engine.host.promptLaunch);
  }

  Error findMemory();
  void findCache();
  Error addDecodes();
  void addPrompts(const PromptPlan &plan, PromptTable &table);
  void addBars(int64_t chunk);

private:
  /// The largest of the last full chunk of a prompt and the rest after it.
  MemoryPlan memoryOfPrompt(int64_t chunk) const;
  MemoryPlan memoryOfChunk(int64_t query, int64_t past) const;
  /// The most sequences, with the memory of `first` for the first one.
  int64_t mostSequences(const MemoryPlan &first) const;
  bool decodeFits(int64_t batch) const;
  /// The longest context of a decode step.
  int64_t end() const { return std::max<int64_t>(traffic.length() - 1, 1); }
  std::optional<IterationErrorBars> barsAt(const StepShape &shape) const;
  Expected<StepPart> step(int64_t decodes, const ChunkShape &chunk);
  /// What chunks add to a step with `decodes`.
  Expected<StepPart> added(int64_t decodes, const ChunkShape &chunk);
  Error addRow(int64_t chunk, int64_t decodes, std::vector<PromptClass> &row);
  /// What prompts add to steps with others, if a step holds several.
  Error addFurther(const PromptPlan &plan, int64_t decodes,
                   std::vector<PromptClass> &row);

  Engine &engine;
  const Traffic &traffic;
  const serve::Techniques &techniques;
  ModelSteps model;
  std::optional<ModelSteps> draft;
  const int64_t context;
  /// Cache of a token on one GPU, without that of the draft model.
  double cacheOfToken = 0;
  /// (V10) Cache of the prefix on one GPU, stored once for all sequences.
  double sharedBytes = 0;
  /// (V11) The weights of the draft model on one GPU; its cache of a whole
  /// sequence, and the activations of the draft tokens.
  double draftWeights = 0, draftCache = 0;
};

} // namespace gpucost::deploy

#endif // GPUCOST_LIB_APPLICATIONS_DEPLOY_TABULATOR_H
