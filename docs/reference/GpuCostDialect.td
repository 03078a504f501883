//===- GpuCostDialect.td - The dialect, for its page ------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostAllAttrs.td"
include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.td"
