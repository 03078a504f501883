//===- PreparePipeline.h - Stages of a pipeline -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_SESSION_PREPAREPIPELINE_H
#define GPUCOST_LIB_COMPILER_SESSION_PREPAREPIPELINE_H

#include "gpucost/Compiler/Session/Session.h"

namespace gpucost {

/// Prepares each stage of a pipeline; `collect` returns the kernels of one
/// module. The result lists the kernels of the stage with the most matrix work.
mlir::FailureOr<Session::Prepared> preparePipeline(
    mlir::ModuleOp module, const Scenario &scenario, bool verifyEach,
    llvm::function_ref<mlir::FailureOr<Session::Prepared>(mlir::ModuleOp)>
        collect);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_SESSION_PREPAREPIPELINE_H
