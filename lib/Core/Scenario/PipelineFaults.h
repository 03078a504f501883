//===- PipelineFaults.h - Checks of batches and pipelines -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_SCENARIO_PIPELINEFAULTS_H
#define GPUCOST_LIB_CORE_SCENARIO_PIPELINEFAULTS_H

#include "gpucost/Core/Scenario/Scenario.h"

namespace gpucost {

/// A fault of --micro-batch, --global-batch or the settings of a pipeline; ""
/// if there is none.
std::string faultOfPipeline(const Scenario &scenario, const Settings &settings);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_SCENARIO_PIPELINEFAULTS_H
