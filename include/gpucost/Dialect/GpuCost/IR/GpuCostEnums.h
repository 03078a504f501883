//===- GpuCostEnums.h - Enumerations of the cost vocabulary -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The enumerations of GpuCostEnums.td as plain C++: the model library needs
// neither LLVM nor MLIR. LLVMSupport/EnumParser.h adds what attributes need.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTENUMS_H
#define GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTENUMS_H

#include "gpucost/Support/Enumeration.h"

#include "gpucost/Dialect/GpuCost/IR/GpuCostEnums.h.inc"

#endif // GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTENUMS_H
