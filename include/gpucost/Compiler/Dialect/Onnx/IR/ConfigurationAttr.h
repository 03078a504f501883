//===- ConfigurationAttr.h - Models from a configuration --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_ONNX_IR_CONFIGURATIONATTR_H
#define GPUCOST_COMPILER_DIALECT_ONNX_IR_CONFIGURATIONATTR_H

#include "llvm/ADT/StringRef.h"

namespace gpucost {

/// Module attribute with the text of the configuration that a model was built
/// from. Such a model also has a graph with a cache.
inline constexpr llvm::StringLiteral configurationAttrName =
    "onnx.configuration";

} // namespace gpucost

#endif // GPUCOST_COMPILER_DIALECT_ONNX_IR_CONFIGURATIONATTR_H
