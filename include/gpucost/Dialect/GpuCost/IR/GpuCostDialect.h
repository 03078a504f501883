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

#ifndef GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTDIALECT_H
#define GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTDIALECT_H

#include "gpucost/Dialect/GpuCost/IR/RecordAttr.h"
#include "gpucost/LLVMSupport/EnumParser.h"
#include "gpucost/LLVMSupport/Streams.h"
#include "gpucost/Support/Quantity.h"
#include "gpucost/Vocabulary/Enums.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"

#include "gpucost/Dialect/GpuCost/IR/GpuCostDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "gpucost/Dialect/GpuCost/IR/GpuCostAttrs.h.inc"

namespace gpucost {
class GradientContext;
} // namespace gpucost

#include "gpucost/Dialect/GpuCost/IR/GpuCostInterfaces.h.inc"

#endif // GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTDIALECT_H
