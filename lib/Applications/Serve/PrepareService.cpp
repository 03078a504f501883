//===- PrepareService.cpp - A model for step oracles ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Servable.h"
#include "StepModels.h"
#include "gpucost/Applications/Serve/Serve.h"
#include "gpucost/Compiler/Transforms/Shapes/DimensionNames.h"
#include "gpucost/Core/Archive/ServiceFile.h"
#include "gpucost/Core/Iteration/Restate.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::serve;

FailureOr<std::string> serve::prepareService(Session &session,
                                             const Scenario &scenario,
                                             const ServeQuestion &question,
                                             llvm::StringRef name) {
  ModuleOp module = session.model();
  if (failed(checkServable(module, scenario)) || failed(useCache(module)))
    return failure();
  if (!takesPast(module) && nameLengths(module).hasEncoder)
    return module.emitError("no step oracle can be made of a model with an "
                            "encoder: a step has no place for its length");
  StepLimits limits;
  PositionRows positions = countPositions(module);
  limits.past = std::min(limits.past, positions.least().value_or(limits.past));
  // With two tables, a prompt looks up as many rows as one of twice its length
  // with one table.
  if (positions.rotary)
    limits.query = std::min(limits.query, *positions.rotary / 2);
  if (positions.learned)
    limits.query = std::min(limits.query, *positions.learned);
  if (!question.allLogits)
    keepLastLogits(module);
  // Report errors in the model for one shape, not for all.
  StepModels models(session, scenario);
  StepModels::Model first = models.prepare({2, 2, 1});
  if (!first)
    return failure();
  auto bytes = encodeService(
      name.str(), getScenarioTarget(models.costModel(), first->format), limits,
      [&](const StepShape &shape) -> Expected<StepModels::Model> {
        if (StepModels::Model model = models.prepareQuietly(shape))
          return model;
        return fail("a shape cannot be prepared");
      });
  if (bytes)
    return std::move(*bytes);
  return module.emitError("no step oracle can be made of the model: ")
         << bytes.error().message;
}
