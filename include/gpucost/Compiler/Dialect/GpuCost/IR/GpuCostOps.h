//===- GpuCostOps.h - Kernel ops --------------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gpucost.kernel, gpucost.yield, gpucost.copy.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_GPUCOST_IR_GPUCOSTOPS_H
#define GPUCOST_COMPILER_DIALECT_GPUCOST_IR_GPUCOSTOPS_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h.inc"

#endif // GPUCOST_COMPILER_DIALECT_GPUCOST_IR_GPUCOSTOPS_H
