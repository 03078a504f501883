//===- ModelSteps.cpp - Steps of one model on one GPU ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Deploy/ModelSteps.h"
#include "gpucost/Core/Iteration/Restate.h"
#include <numeric>

using namespace gpucost;
using namespace gpucost::deploy;

Expected<Settings> deploy::settingsOn(const serve::ServiceShapes &service,
                                      const Scenario &scenario,
                                      const sweep::TargetModel &target) {
  // The device of the scenario replaces the one of the preparation.
  PreparedModel base = service.shapes->mixed().base();
  base.given.targetFile.reset();
  base.given.coefficients.reset();
  base.given.interconnect.reset();
  base.given.network.reset();
  // Steps state their batch.
  Scenario changes = scenario;
  changes.batch.reset();
  auto changed = restate(base, service.target, changes, target.facts);
  if (!changed)
    return fail(changed.error());
  return (*changed)->settings;
}

std::shared_ptr<PreparedModel>
ModelSteps::modelAt(const StepShape &shape) const {
  const StepShapes &shapes = *service.shapes;
  if (const ShapeFamily *family = shapes.find(shape))
    return family->at(shape);
  // No family for a single sequence: two are the least.
  StepShape several = shape;
  several.batch = std::max<int64_t>(several.batch, 2);
  if (const ShapeFamily *family = shapes.find(several))
    return family->at(several);
  several.query = std::max<int64_t>(several.query, 2);
  several.past = std::max<int64_t>(several.past, 1);
  const ShapeFamily &mixed = shapes.mixed();
  return mixed.range().contains(several) ? mixed.at(several) : nullptr;
}

MemoryPlan ModelSteps::memoryAt(const StepShape &shape) const {
  std::shared_ptr<PreparedModel> model = modelAt(shape);
  if (!model) {
    MemoryPlan none;
    none.fits = false;
    return none;
  }
  return planMemory(*model, costs.gpu(), costs.coefficients());
}

double ModelSteps::cacheBytesPerToken() const {
  constexpr int64_t most = 1024, sequences = 2;
  // A model may have fewer positions.
  int64_t tokens = std::clamp<int64_t>(limits().past / 2, 1, most);
  auto shorter = modelAt({sequences, 1, tokens}),
       longer = modelAt({sequences, 1, 2 * tokens});
  if (!shorter || !longer)
    return 0;
  auto cacheOf = [](const PreparedModel &model) {
    std::vector<int64_t> sizes = serve::persistentSizes(model);
    return static_cast<double>(
        std::accumulate(sizes.begin(), sizes.end(), int64_t(0)));
  };
  return (cacheOf(*longer) - cacheOf(*shorter)) / (sequences * tokens);
}

int64_t ModelSteps::ownWeights(bool sharesWords) const {
  std::shared_ptr<PreparedModel> model = modelAt({2, 1, 1});
  return model
             ? serve::ownWeights(*model, sharesWords ? service.wordElements : 0)
             : 0;
}

Expected<StepPart> ModelSteps::step(const DecodeShape &decode,
                                    const ChunkShape &chunk) {
  sequences.assign(static_cast<size_t>(decode.sequences),
                   {decode.tokens, decode.context});
  // Of a chunk beyond the limit of the oracle, each part attends to the parts
  // before it: the same products, in several attention kernels.
  int64_t longest = limits().query;
  for (int64_t prompt = 0; prompt < chunk.prompts; ++prompt)
    for (int64_t done = 0; done < chunk.query; done += longest)
      // One new token would be a decode step.
      sequences.push_back({std::clamp<int64_t>(chunk.query - done, 2, longest),
                           chunk.past + done});
  StepOracle &own = withPrompts && chunk.query > 0 ? *withPrompts : oracle;
  auto cost = own.step(sequences.data(), sequences.size());
  if (!cost)
    return fail(cost.error());
  return StepPart{cost->time, cost->energy};
}
