//===- TargetCost.cpp - Cost models of DLTI devices -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/OpWork/TargetCost.h"

using namespace mlir;
using namespace opwork;

#include "gpucost/Compiler/OpWork/TargetCostInterface.cpp.inc"

TargetCostModel::~TargetCostModel() = default;

std::unique_ptr<TargetCostModel> opwork::findCostModel(Operation *op) {
  for (; op; op = op->getParentOp()) {
    auto system =
        op->getAttrOfType<TargetSystemSpecInterface>("dlti.target_system_spec");
    if (!system)
      continue;
    for (DataLayoutEntryInterface entry : system.getEntries())
      if (auto device = dyn_cast<TargetCostAttrInterface>(entry.getValue()))
        if (std::unique_ptr<TargetCostModel> model = device.createCostModel(op))
          return model;
  }
  return nullptr;
}
