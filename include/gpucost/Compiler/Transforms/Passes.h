//===- Passes.h - The pipeline, pass by pass --------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations and registration of every pass; docs in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_TRANSFORMS_PASSES_H
#define GPUCOST_COMPILER_TRANSFORMS_PASSES_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace gpucost {

struct Scenario;

#define GEN_PASS_DECL
#include "gpucost/Compiler/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "gpucost/Compiler/Transforms/Passes.h.inc"

/// `gpucost-set-scenario` with these settings.
std::unique_ptr<mlir::Pass> createSetScenarioPass(const Scenario &scenario);

} // namespace gpucost

#endif // GPUCOST_COMPILER_TRANSFORMS_PASSES_H
