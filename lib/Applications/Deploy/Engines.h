//===- Engines.h - The replicas among which deploy chooses ---- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DEPLOY_ENGINES_H
#define GPUCOST_LIB_APPLICATIONS_DEPLOY_ENGINES_H

#include "Engine.h"
#include "gpucost/Applications/Deploy/Deploy.h"

namespace gpucost::deploy {

/// GPUs per node where the target file states none.
inline constexpr int64_t usualNode = 8;

/// GPUs per node of this engine's board.
int64_t gpusPerNode(const Engine &engine);
/// Without the settings that `gpu-cost-opt serve` has anyway.
Scenario withoutDefaults(Scenario scenario);

using Engines = std::vector<std::shared_ptr<const Engine>>;

/// One engine for each combination of settings and tensor parallelism. Prepares
/// the model once for all GPUs with the same format. Fails for unknown GPUs and
/// settings; engines that the model or a GPU does not allow have a reason.
llvm::Expected<Engines> createEngines(const sweep::Space &space,
                                      const DeployQuestion &question);

/// Calls `work(i)` for each i below `count`, in up to `jobs` threads.
void inThreads(size_t count, unsigned jobs,
               llvm::function_ref<void(size_t)> work);

} // namespace gpucost::deploy

#endif // GPUCOST_LIB_APPLICATIONS_DEPLOY_ENGINES_H
