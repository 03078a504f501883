//===- FrozenSet.cpp - Groups that no refit changes -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudySets.h"
#include "gpucost/Core/Targets/TargetData.h"

using namespace gpucost;

/// The groups of the frozen set that `completeCoefficients` would add.
static Coefficients readFrozenGroups() {
  DataFile file = cantFail(readDataFile(GPUCOST_FROZEN_SET));
  GroupSet shared = presentGroups(*findCompiledCoefficients("shared"));
  size_t index = 0;
  forEachGroup(*file.coefficients, [&](const GroupInfo &, auto &group) {
    if (!shared[index++])
      group.reset();
  });
  return *file.coefficients;
}

void study::complete(Coefficients &coefficients) {
  static const Coefficients frozen = readFrozenGroups();
  completeWith(coefficients, frozen);
}

CostModel study::model(Gpu gpu, Coefficients coefficients,
                       KernelChoice choice) {
  complete(coefficients);
  return cantFail(
      CostModel::create(std::move(gpu), std::move(coefficients), choice));
}
