//===- TargetCost.h - The GPU model as a model of DLTI devices --*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_COSTANALYSIS_TARGETCOST_H
#define GPUCOST_COMPILER_COSTANALYSIS_TARGETCOST_H

#include "gpucost/Compiler/CostAnalysis/Cost.h"
#include "gpucost/Compiler/OpWork/TargetCost.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace gpucost {

/// Attaches opwork::TargetCostAttrInterface to `#gpucost.gpu` and to
/// `#dlti.target_device_spec`: with an entry "gpucost.target" the model is
/// CostAnalysis, else opwork::createRoofline.
void registerTargetCostModels(mlir::DialectRegistry &registry);

/// Energy and power are NaN: unknown.
Cost toCost(const opwork::Estimate &estimate);

} // namespace gpucost

#endif // GPUCOST_COMPILER_COSTANALYSIS_TARGETCOST_H
