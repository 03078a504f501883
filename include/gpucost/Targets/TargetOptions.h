//===- TargetOptions.h - Command-line target flags -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options that name a GPU, together: shared by the pass and the tool.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_TARGETS_TARGETOPTIONS_H
#define GPUCOST_TARGETS_TARGETOPTIONS_H

#include "gpucost/Scenario/Scenario.h"
#include "gpucost/Targets/TargetRegistry.h"

namespace gpucost {

/// `target` is a spec (`a100-bf16`); with `targetFile` it may only be a format
/// (`bf16`) or empty. `coefficientsFile` replaces the target's coefficients.
llvm::Expected<ResolvedTarget>
resolveTargetOptions(mlir::MLIRContext *context, llvm::StringRef target,
                     llvm::StringRef targetFile,
                     llvm::StringRef coefficientsFile);

/// A hypothetical GPU: `target` with other facts ("sms=132, ..."; GpuFacts.h),
/// a name that says so, and no error bars.
llvm::Expected<ResolvedTarget> changeTarget(const ResolvedTarget &target,
                                            llvm::StringRef changes);

/// The GPU that `target`, `target-file` and `coefficients` of `scenario` name,
/// with its `interconnect`, `network` and `set`.
llvm::Expected<ResolvedTarget> resolveTargetOptions(mlir::MLIRContext *context,
                                                    const Scenario &scenario);

/// The format that `--target` may name beside a target file; none when empty.
llvm::Expected<std::optional<NumericFormat>>
parseFormatOfTargetFile(llvm::StringRef name);

} // namespace gpucost

#endif // GPUCOST_TARGETS_TARGETOPTIONS_H
