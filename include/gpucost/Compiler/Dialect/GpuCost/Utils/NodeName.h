//===- NodeName.h - Names of model nodes in locations -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_GPUCOST_UTILS_NODENAME_H
#define GPUCOST_COMPILER_DIALECT_GPUCOST_UTILS_NODENAME_H

#include "mlir/IR/Location.h"

namespace gpucost {

/// Name of the ONNX node in a location; "" if it has none.
inline llvm::StringRef getNodeName(mlir::Location loc) {
  if (auto name = llvm::dyn_cast<mlir::NameLoc>(loc))
    return name.getName();
  if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(loc))
    for (mlir::Location inner : fused.getLocations())
      if (llvm::StringRef name = getNodeName(inner); !name.empty())
        return name;
  return "";
}

} // namespace gpucost

#endif // GPUCOST_COMPILER_DIALECT_GPUCOST_UTILS_NODENAME_H
