//===- Domains.h - Operators that the dialect supports ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only place where the importer handles operators by name: those that have
// a different meaning in the domain com.microsoft than in the default domain.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_IMPORT_ONNX_DOMAINS_H
#define GPUCOST_LIB_COMPILER_IMPORT_ONNX_DOMAINS_H

#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace gpucost::importer {

inline constexpr llvm::StringLiteral defaultDomain = "ai.onnx";
inline constexpr llvm::StringLiteral microsoftDomain = "com.microsoft";
/// Operators of the standard, in the version that the domain has, that use an
/// attribute which the standard lacks.
inline constexpr llvm::StringLiteral ownDomain = "gpu-cost-opt";

/// "" and "ai.onnx" are the same domain; the canonical name is "ai.onnx".
llvm::StringRef canonicalDomain(llvm::StringRef domain);

/// Domain and op of an operator. Exporters also write contrib operators into
/// the default domain, before it has a standard operator of the same name.
struct OperatorHome {
  /// The canonical domain; com.microsoft for contrib operators.
  llvm::StringRef domain;
  /// The op for the operator; null if only `onnx.Custom` can represent it.
  const onnx::OpInfo *op;
};
OperatorHome findHome(llvm::StringRef domain, llvm::StringRef type,
                      int64_t opset);

} // namespace gpucost::importer

#endif // GPUCOST_LIB_COMPILER_IMPORT_ONNX_DOMAINS_H
