//===- GpuCostScenarioAttr.h - Settings on the module -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `#gpucost.scenario`, separate from the other attributes because few files
// need it and it changes with every new setting.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_GPUCOST_IR_GPUCOSTSCENARIOATTR_H
#define GPUCOST_COMPILER_DIALECT_GPUCOST_IR_GPUCOSTSCENARIOATTR_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Core/Scenario/Scenario.h"

#define GET_ATTRDEF_CLASSES
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostScenarioAttr.h.inc"

#endif // GPUCOST_COMPILER_DIALECT_GPUCOST_IR_GPUCOSTSCENARIOATTR_H
