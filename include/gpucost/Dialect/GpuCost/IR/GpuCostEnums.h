//===- GpuCostEnums.h - Enumerations of the cost vocabulary -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The enumerations of GpuCostEnums.td without the rest of MLIR, so that the
// model library depends on LLVM's ADT only.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTENUMS_H
#define GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTENUMS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/LogicalResult.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>

#include "gpucost/Dialect/GpuCost/IR/GpuCostEnums.h.inc"

#endif // GPUCOST_DIALECT_GPUCOST_IR_GPUCOSTENUMS_H
