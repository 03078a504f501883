//===- PrepareService.cpp - A model for step oracles ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Servable.h"
#include "StepModels.h"
#include "gpucost/Applications/Serve/ServiceShapes.h"
#include "gpucost/Compiler/Transforms/Shapes/DimensionNames.h"
#include "gpucost/Core/Archive/ServiceFile.h"
#include "gpucost/Core/Iteration/Restate.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::serve;

/// Calls `use` with the limits of steps and a function that prepares them.
static LogicalResult
learnSteps(Session &session, const Scenario &scenario,
           const ServeQuestion &question,
           llvm::function_ref<gpucost::Error(const ScenarioTarget &,
                                             const StepLimits &,
                                             const ShapeFamily::Prepare &)>
               use) {
  ModuleOp module = session.model();
  if (failed(checkServable(module, scenario)) || failed(useCache(module)))
    return failure();
  if (!takesPast(module) && nameLengths(module).hasEncoder)
    return module.emitError("no step oracle can be made of a model with an "
                            "encoder: a step has no place for its length");
  StepLimits limits;
  PositionRows positions = countPositions(module);
  if (std::optional<int64_t> least = positions.least()) {
    limits.past = std::min(limits.past, *least);
    limits.query = std::min(limits.query, *least);
  }
  if (!question.allLogits)
    keepLastLogits(module, question.techniques.verified());
  // Report errors in the model for one shape, not for all.
  StepModels models(session, scenario);
  StepModels::Model first = models.prepare({2, 2, 1});
  if (!first)
    return failure();
  gpucost::Error error =
      use(getScenarioTarget(models.costModel(), first->format), limits,
          [&](const StepShape &shape) -> Expected<StepModels::Model> {
            if (StepModels::Model model = models.prepareQuietly(shape))
              return model;
            return fail("a shape cannot be prepared");
          });
  if (error.message.empty())
    return success();
  return module.emitError("no step oracle can be made of the model: ")
         << error.message;
}

FailureOr<std::string> serve::prepareService(Session &session,
                                             const Scenario &scenario,
                                             const ServeQuestion &question,
                                             llvm::StringRef name) {
  std::string bytes;
  auto encode = [&](const ScenarioTarget &target, const StepLimits &limits,
                    const ShapeFamily::Prepare &prepare) -> gpucost::Error {
    auto encoded = encodeService(name.str(), target, limits, prepare);
    if (!encoded)
      return encoded.error();
    bytes = std::move(*encoded);
    return {};
  };
  if (failed(learnSteps(session, scenario, question, encode)))
    return failure();
  return bytes;
}

std::vector<int64_t> serve::persistentSizes(const PreparedModel &model) {
  std::vector<int64_t> sizes;
  for (const PersistentRead &read : model.persistentReads) {
    sizes.resize(std::max<size_t>(sizes.size(), read.tensor + 1));
    sizes[read.tensor] = std::max(sizes[read.tensor], read.allBytes);
  }
  return sizes;
}

int64_t serve::ownWeights(const PreparedModel &model, int64_t wordElements) {
  int64_t weights = model.memory.parameterBytes;
  if (wordElements == 0)
    return weights;
  constexpr int64_t most = sizeof(float);
  int64_t parts = std::max<int64_t>(model.settings.plan().tensor, 1);
  for (int64_t size : persistentSizes(model)) {
    int64_t all = saturatingProduct(size, parts);
    if (all > 0 && all % wordElements == 0 && all / wordElements <= most)
      weights -= std::min(weights, size);
  }
  return weights;
}

FailureOr<ServiceShapes> serve::learnService(Session &session,
                                             const Scenario &scenario,
                                             const ServeQuestion &question) {
  ServiceShapes service;
  auto learn = [&](const ScenarioTarget &target, const StepLimits &limits,
                   const ShapeFamily::Prepare &prepare) -> gpucost::Error {
    auto shapes = StepShapes::create(limits, prepare);
    if (!shapes)
      return shapes.error();
    service = {target, std::make_shared<const StepShapes>(std::move(*shapes)),
               countWordElements(session.model())};
    return {};
  };
  if (failed(learnSteps(session, scenario, question, learn)))
    return failure();
  return service;
}
