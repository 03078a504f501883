//===- GpuCostCostAttr.h - The cost attribute -------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `#gpucost.cost`, separate from other attributes because few files need it.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_GPUCOST_IR_GPUCOSTCOSTATTR_H
#define GPUCOST_COMPILER_DIALECT_GPUCOST_IR_GPUCOSTCOSTATTR_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"

#define GET_ATTRDEF_CLASSES
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostCostAttr.h.inc"

#endif // GPUCOST_COMPILER_DIALECT_GPUCOST_IR_GPUCOSTCOSTATTR_H
