//===- GpuCostEnums.cpp - Enumerations ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Dialect/GpuCost/IR/GpuCostEnums.h"

#include "gpucost/Dialect/GpuCost/IR/GpuCostEnums.cpp.inc"
