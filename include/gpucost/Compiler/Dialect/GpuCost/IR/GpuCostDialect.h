//===- GpuCostDialect.h - The gpucost dialect -------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dialect, annotation attributes and interfaces. The ops are in GpuCostOps.h.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_GPUCOST_IR_GPUCOSTDIALECT_H
#define GPUCOST_COMPILER_DIALECT_GPUCOST_IR_GPUCOSTDIALECT_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/RecordAttr.h"
#include "gpucost/Compiler/Support/EnumParser.h"
#include "gpucost/Compiler/Support/Streams.h"
#include "gpucost/Core/Support/Quantity.h"
#include "gpucost/Core/Vocabulary/Enums.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostAttrs.h.inc"

namespace gpucost {
class GradientContext;
} // namespace gpucost

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostInterfaces.h.inc"

#endif // GPUCOST_COMPILER_DIALECT_GPUCOST_IR_GPUCOSTDIALECT_H
