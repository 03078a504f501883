//===- GpuCostAllAttrs.td - All attributes of the dialect --*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// There is one generated parser per dialect, so the definitions come from this
// file. The declarations of the settings attribute are in a separate header.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTALLATTRS_TD
#define GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTALLATTRS_TD

include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostAttrs.td"
include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostCostAttr.td"
include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostScenarioAttr.td"

#endif // GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTALLATTRS_TD
