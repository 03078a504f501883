//===- ServiceShapes.h - Steps of a service at every shape ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_SERVE_SERVICESHAPES_H
#define GPUCOST_APPLICATIONS_SERVE_SERVICESHAPES_H

#include "gpucost/Applications/Serve/Serve.h"
#include "gpucost/Core/Iteration/StepOracle.h"

namespace gpucost::serve {

/// The steps of a service, for any GPU with the same number format.
struct ServiceShapes {
  ScenarioTarget target; ///< that they were prepared for
  std::shared_ptr<const StepShapes> shapes;
  /// Numbers in the token embedding table.
  int64_t wordElements = 0;
};

/// The size of each tensor that outlives an iteration, by number.
std::vector<int64_t> persistentSizes(const PreparedModel &model);
/// (V11) Weights on one GPU, without the embedding and the LM head if both are
/// those of another model (`wordElements` above 0).
int64_t ownWeights(const PreparedModel &model, int64_t wordElements);

/// Learns the steps of the model for step oracles, without writing a file;
/// changes the model. `scenario` is that of `serveScenario`.
mlir::FailureOr<ServiceShapes> learnService(Session &session,
                                            const Scenario &scenario,
                                            const ServeQuestion &question);

} // namespace gpucost::serve

#endif // GPUCOST_APPLICATIONS_SERVE_SERVICESHAPES_H
