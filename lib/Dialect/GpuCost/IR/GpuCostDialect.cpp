//===- GpuCostDialect.cpp - The gpucost dialect ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Dialect/GpuCost/IR/NamedTargets.h"

using namespace mlir;
using namespace gpucost;

#include "gpucost/Dialect/GpuCost/IR/GpuCostDialect.cpp.inc"

#include "gpucost/Dialect/GpuCost/IR/GpuCostInterfaces.cpp.inc"

void GpuCostDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "gpucost/Dialect/GpuCost/IR/GpuCostOps.cpp.inc"
      >();
  addInterfaces<NamedTargets>();
}
