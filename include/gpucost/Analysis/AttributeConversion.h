//===- AttributeConversion.h - Attributes and plain structs -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place where annotation attributes become the model's plain structs
// and back.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_ANALYSIS_ATTRIBUTECONVERSION_H
#define GPUCOST_ANALYSIS_ATTRIBUTECONVERSION_H

#include "gpucost/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Model/CostModel.h"
#include <string>

namespace gpucost {

KernelWork toKernelWork(WorkAttr work);
Tiling toTiling(TilingAttr tiling);
TilingAttr toAttr(mlir::MLIRContext *context, const Tiling &tiling);
TimeAttr toAttr(mlir::MLIRContext *context, const KernelTime &time,
                Hertz clock);
KernelTime toKernelTime(TimeAttr time);

} // namespace gpucost

#endif // GPUCOST_ANALYSIS_ATTRIBUTECONVERSION_H
