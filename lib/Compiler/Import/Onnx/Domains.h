//===- Domains.h - Which ops of which domains are ours ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place where the importer knows operators by name: those that mean
// something else in the domain com.microsoft than in the default domain.
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

/// "" and "ai.onnx" are the same domain; it is written "ai.onnx".
llvm::StringRef canonicalDomain(llvm::StringRef domain);

/// Where an operator belongs. Exporters write contrib operators into the
/// default domain too, before a standard operator of the same name exists.
struct OperatorHome {
  /// The canonical domain; com.microsoft for a contrib operator in disguise.
  llvm::StringRef domain;
  /// The op that stands for the operator; null where only `onnx.Custom` can.
  const onnx::OpInfo *op;
};
OperatorHome findHome(llvm::StringRef domain, llvm::StringRef type,
                      int64_t opset);

} // namespace gpucost::importer

#endif // GPUCOST_LIB_COMPILER_IMPORT_ONNX_DOMAINS_H
