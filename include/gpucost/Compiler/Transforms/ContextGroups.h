//===- ContextGroups.h - GPUs that share a sequence -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_TRANSFORMS_CONTEXTGROUPS_H
#define GPUCOST_COMPILER_TRANSFORMS_CONTEXTGROUPS_H

#include "mlir/IR/BuiltinOps.h"

namespace gpucost {

/// (X22) The code of attention on several GPUs.
enum class ContextCode {
  Plain,       ///< collectives only
  LongContext, ///< xDiT's class for its own pipelines
  Usp          ///< xDiT's function for the attention of other pipelines
};

/// How the GPUs that share a sequence divide attention.
struct ContextGroups {
  int64_t heads = 1; ///< GPUs that divide the heads
  ContextCode code = ContextCode::Plain;
};

/// The groups are attributes of the module.
void setContextGroups(mlir::ModuleOp module, const ContextGroups &groups);
ContextGroups contextGroupsOf(mlir::ModuleOp module);

} // namespace gpucost

#endif // GPUCOST_COMPILER_TRANSFORMS_CONTEXTGROUPS_H
