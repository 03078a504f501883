//===- GpuCostDialect.cpp - The gpucost dialect ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/NamedTargets.h"

using namespace mlir;
using namespace gpucost;

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.cpp.inc"

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostInterfaces.cpp.inc"

void GpuCostDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.cpp.inc"
      >();
  addInterfaces<NamedTargets>();
}
