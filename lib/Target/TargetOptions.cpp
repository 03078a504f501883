//===- TargetOptions.cpp - --target, --target-file, --coefficients ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Target/TargetOptions.h"

using namespace mlir;
using namespace gpucost;

static llvm::Expected<ResolvedTarget>
resolveFromFile(MLIRContext *context, llvm::StringRef path,
                llvm::StringRef formatName) {
  std::optional<NumericFormat> format;
  if (!formatName.empty()) {
    format = symbolizeNumericFormat(formatName);
    if (!format)
      return llvm::createStringError(
          "with a target file the target may only name a format (fp32, tf32, "
          "fp16, bf16, fp8, int8), but got '" +
          formatName + "'");
  }
  return resolveTargetFile(context, path, format);
}

llvm::Expected<ResolvedTarget>
gpucost::resolveTargetOptions(MLIRContext *context, llvm::StringRef target,
                              llvm::StringRef targetFile,
                              llvm::StringRef coefficientsFile) {
  llvm::Expected<ResolvedTarget> resolved =
      targetFile.empty() ? resolveTarget(context, target)
                         : resolveFromFile(context, targetFile, target);
  if (!resolved || coefficientsFile.empty())
    return resolved;
  llvm::Expected<CoefficientsAttr> own =
      loadCoefficients(context, coefficientsFile);
  if (!own)
    return own.takeError();
  resolved->coefficients = *own;
  return resolved;
}
