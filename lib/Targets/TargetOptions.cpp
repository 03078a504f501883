//===- TargetOptions.cpp - --target, --target-file, --coefficients ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Targets/TargetOptions.h"
#include "gpucost/Model/GpuFacts.h"
#include "gpucost/Targets/Interconnects.h"

using namespace mlir;
using namespace gpucost;

static llvm::Expected<ResolvedTarget>
resolveFromFile(MLIRContext *context, llvm::StringRef path,
                llvm::StringRef formatName, CoefficientsAttr coefficients) {
  llvm::Expected<std::optional<NumericFormat>> format =
      parseFormatOfTargetFile(formatName);
  if (!format)
    return format.takeError();
  return resolveTargetFile(context, path, *format, coefficients);
}

llvm::Expected<std::optional<NumericFormat>>
gpucost::parseFormatOfTargetFile(llvm::StringRef name) {
  if (name.empty())
    return std::nullopt;
  if (std::optional<NumericFormat> format = symbolizeNumericFormat(name))
    return format;
  std::string names;
  for (const FormatInfo &info : formatInfos)
    if (info.rate && info.format != NumericFormat::FP64)
      names += (names.empty() ? "" : ", ") +
               std::string(stringifyNumericFormat(info.format));
  return llvm::createStringError(
      "with a target file the target may only name a format (" + names +
      "), but got '" + name + "'");
}

llvm::Expected<ResolvedTarget>
gpucost::resolveTargetOptions(MLIRContext *context, llvm::StringRef target,
                              llvm::StringRef targetFile,
                              llvm::StringRef coefficientsFile) {
  CoefficientsAttr own;
  if (!coefficientsFile.empty()) {
    llvm::Expected<CoefficientsAttr> loaded =
        loadCoefficients(context, coefficientsFile);
    if (!loaded)
      return loaded.takeError();
    own = *loaded;
  }
  if (!targetFile.empty())
    return resolveFromFile(context, targetFile, target, own);
  llvm::Expected<ResolvedTarget> resolved = resolveTarget(context, target);
  if (resolved && own) {
    resolved->coefficients = own;
    resolved->coefficientsName.clear();
  }
  return resolved;
}

llvm::Expected<ResolvedTarget>
gpucost::changeTarget(const ResolvedTarget &target, llvm::StringRef changes) {
  TargetAttr before = target.target;
  CoefficientsAttr coefficients = target.coefficients;
  MLIRContext *context = before.getContext();
  Expected<Gpu> gpu = changeFacts(
      before->gpu, std::string_view(changes.data(), changes.size()));
  if (!gpu)
    return llvm::createStringError("--set: " + gpu.error().message);
  gpu->name += " (hypothetical)";
  Coefficients fitted = coefficients.getValue();
  // Nobody has measured such a GPU.
  fitted.errorBars.reset();
  return ResolvedTarget{TargetAttr::get(context, Target{*gpu, before->format}),
                        CoefficientsAttr::get(context, fitted)};
}

llvm::Expected<ResolvedTarget>
gpucost::resolveTargetOptions(MLIRContext *context, const Scenario &scenario) {
  llvm::Expected<ResolvedTarget> resolved = resolveTargetOptions(
      context, scenario.target.value_or(""), scenario.targetFile.value_or(""),
      scenario.coefficients.value_or(""));
  if (!resolved)
    return resolved;
  llvm::Expected<CoefficientsAttr> coefficients =
      setLinks(resolved->coefficients, scenario);
  if (!coefficients)
    return coefficients.takeError();
  if (resolved->coefficients != *coefficients)
    resolved->coefficientsName.clear();
  resolved->coefficients = *coefficients;
  if (scenario.changes)
    return changeTarget(*resolved, *scenario.changes);
  return resolved;
}
