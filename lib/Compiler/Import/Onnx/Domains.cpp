//===- Domains.cpp - Operators that the dialect supports ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Domains.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpucost::importer;

namespace {
/// An operator name with two meanings.
struct Homonym {
  llvm::StringLiteral type;
  /// First opset in which the default domain has the name.
  int64_t since;
  /// Op for the com.microsoft operator.
  llvm::StringLiteral contrib;
};
} // namespace

static constexpr Homonym homonyms[] = {
    // Contrib: packed QKV weights and bias as inputs; standard: Q, K, V.
    {"Attention", 23, "ContribAttention"},
    // Contrib: position_ids is input 1; standard: input 3.
    {"RotaryEmbedding", 23, "ContribRotaryEmbedding"},
};

/// Domains with supported operators, in addition to ai.onnx and com.microsoft.
static constexpr llvm::StringLiteral moreDomains[] = {
    "ai.onnx.preview", "ai.onnx.preview.training", "ai.onnx.ml",
    "onnx_extended.ortops.optim.cuda",
    // Integer-only models (RequantShift).
    "ai.onnx.contrib", "PACTOps", ownDomain};

llvm::StringRef gpucost::importer::canonicalDomain(llvm::StringRef domain) {
  return domain.empty() ? llvm::StringRef(defaultDomain) : domain;
}

OperatorHome gpucost::importer::findHome(llvm::StringRef domain,
                                         llvm::StringRef type, int64_t opset) {
  domain = canonicalDomain(domain);
  bool isDefault = domain == defaultDomain;
  const onnx::OpInfo *op = onnx::findOpInfo(type);
  // Files must not create ops that are reserved for passes. The emitter handles
  // Constant, for the default domain.
  if (!op || op->isInternal || type == "Constant" ||
      type.starts_with("Contrib"))
    op = nullptr;
  if (!isDefault && domain != microsoftDomain)
    return {domain, llvm::is_contained(moreDomains, domain) ? op : nullptr};
  for (const Homonym &homonym : homonyms)
    if (op && type == homonym.type && (!isDefault || opset < homonym.since))
      return {microsoftDomain, onnx::findOpInfo(homonym.contrib)};
  return {domain, op};
}
