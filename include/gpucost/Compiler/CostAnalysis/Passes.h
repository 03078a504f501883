//===- Passes.h - Costs as annotations --------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations and registration; docs in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_COSTANALYSIS_PASSES_H
#define GPUCOST_COMPILER_COSTANALYSIS_PASSES_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace gpucost {

struct Cost;
struct Scenario;

#define GEN_PASS_DECL
#include "gpucost/Compiler/CostAnalysis/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "gpucost/Compiler/CostAnalysis/Passes.h.inc"

/// `gpucost-annotate` with these settings.
std::unique_ptr<mlir::Pass> createAnnotatePass(const Scenario &stated);

/// Registers `gpucost-analyze` for compiler plugins. Unlike in the tool, other
/// functions remain. Unless an option or the module states another value, an
/// inference keeps its formats (`precision-mode=as-is`) and is priced as
/// written
/// (`runtime=as-written`).
void registerPipelinesInPlace();

/// `cost` as a `#gpucost.cost` attribute.
mlir::Attribute makeCostAttr(mlir::MLIRContext *context, const Cost &cost);

} // namespace gpucost

#endif // GPUCOST_COMPILER_COSTANALYSIS_PASSES_H
