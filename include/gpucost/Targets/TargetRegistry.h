//===- TargetRegistry.h - From --target=a100-bf16 to attributes -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the GPU and the coefficients that a target name stands for. The data
// are the embedded files of targets/ and calibration/coefficients/; a file that
// is not needed is not parsed. Errors of file contents carry file:line:column.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_TARGETS_TARGETREGISTRY_H
#define GPUCOST_TARGETS_TARGETREGISTRY_H

#include "gpucost/Dialect/GpuCost/IR/CoefficientAttrs.h"
#include "gpucost/Dialect/GpuCost/IR/GpuAttrs.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Model/Coefficients.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpucost {

/// What the module attributes `gpucost.target` and `gpucost.coefficients` hold.
struct ResolvedTarget {
  TargetAttr target;
  CoefficientsAttr coefficients;
  /// The embedded set that `coefficients` is; "" for others.
  std::string coefficientsName = "";
  /// The spec named no format: this is the target file's default.
  bool formatIsDefault = false;
};

/// `spec` = <gpu or alias>[-<format>]: "a100-bf16", "h100-sxm-80gb",
/// "a100-tf32". An unknown name is an error that suggests the nearest one; so
/// is a format that the hardware lacks, which is never replaced by another.
llvm::Expected<ResolvedTarget> resolveTarget(mlir::MLIRContext *context,
                                             llvm::StringRef spec);

/// A target file of the user. It carries `gpucost.coefficients` itself or names
/// an embedded set in `gpucost.coefficients_from`, unless `coefficients` are
/// given.
llvm::Expected<ResolvedTarget>
resolveTargetFile(mlir::MLIRContext *context, llvm::StringRef path,
                  std::optional<NumericFormat> format = std::nullopt,
                  CoefficientsAttr coefficients = {});

/// `coefficients` with the shared groups that they lack.
CoefficientsAttr complete(CoefficientsAttr coefficients);

/// The embedded set of a file in calibration/coefficients.
llvm::Expected<CoefficientsAttr>
findEmbeddedCoefficients(mlir::MLIRContext *context, llvm::StringRef name);

/// The `gpucost.coefficients` of a file.
llvm::Expected<CoefficientsAttr> loadCoefficients(mlir::MLIRContext *context,
                                                  llvm::StringRef path);

/// The board that code for `chip` ("sm_80") is assumed to run on: the embedded
/// target whose `gpucost.assumed_for` names it. nullopt when none does.
std::optional<llvm::StringRef> findBoardOfChip(llvm::StringRef chip);

/// One line of --list-targets.
struct TargetSummary {
  std::string name, die;
  std::vector<std::string> aliases;
  std::vector<NumericFormat> formats;
  NumericFormat defaultFormat = NumericFormat::FP32;
  /// "tensor_gemm from L40S, ..."; empty when every group is the die's own.
  std::string transferred;
};

/// All embedded targets, sorted by name. Parses every file.
llvm::Expected<std::vector<TargetSummary>>
listTargets(mlir::MLIRContext *context);

/// Parses a target or coefficient file, verifies it and everything it refers
/// to, and prints "ok <name>" or the reason. Returns true when the file is
/// right.
bool checkTargetFile(mlir::MLIRContext *context, llvm::StringRef path,
                     llvm::raw_ostream &os);

} // namespace gpucost

#endif // GPUCOST_TARGETS_TARGETREGISTRY_H
