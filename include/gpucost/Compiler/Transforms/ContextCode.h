//===- ContextCode.h - Code of attention on several GPUs ---------*- C++
//-*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_TRANSFORMS_CONTEXTCODE_H
#define GPUCOST_COMPILER_TRANSFORMS_CONTEXTCODE_H

#include "mlir/IR/BuiltinOps.h"

namespace gpucost {

/// (X22) The code of attention on several GPUs.
enum class ContextCode {
  Plain,       ///< collectives only
  LongContext, ///< xDiT's class for its own pipelines
  Usp          ///< xDiT's function for the attention of other pipelines
};

/// The code is an attribute of the module.
void setContextCode(mlir::ModuleOp module, ContextCode code);
ContextCode contextCodeOf(mlir::ModuleOp module);

} // namespace gpucost

#endif // GPUCOST_COMPILER_TRANSFORMS_CONTEXTCODE_H
