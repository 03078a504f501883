//===- TargetChoice.h - The GPU that options name ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From --target=a100-bf16 or a file of the user to a GPU, a format and
// coefficients. Errors of file contents carry file:line:column.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_TARGETS_TARGETCHOICE_H
#define GPUCOST_CORE_TARGETS_TARGETCHOICE_H

#include "gpucost/Core/Scenario/Scenario.h"
#include "gpucost/Core/Targets/DataText.h"

namespace gpucost {

struct TargetChoice {
  Target target;
  Coefficients coefficients;
  /// The compiled-in set that `coefficients` is; "" for others.
  std::string coefficientsName = "";
  /// The spec named no format: this is the target file's default.
  bool formatIsDefault = false;
};

/// `spec` = <gpu or alias>[-<format>]: "a100-bf16", "h100-sxm-80gb",
/// "a100-tf32". An unknown name is an error that suggests the nearest one; so
/// is a format that the hardware lacks, which is never replaced by another.
Expected<TargetChoice> chooseTarget(std::string_view spec);

/// A target file of the user. It carries `gpucost.coefficients` itself or names
/// a compiled-in set in `gpucost.coefficients_from`, unless `own` is given.
Expected<TargetChoice>
chooseTargetFile(const std::string &path,
                 std::optional<NumericFormat> format = std::nullopt,
                 const Coefficients *own = nullptr);

/// The GPU that `target`, `target-file` and `coefficients` of `scenario` name,
/// with its `interconnect`, `network` and `set`. `target` is a spec; with
/// `target-file` it may only be a format (`bf16`). `coefficients` replaces
/// those of the target.
Expected<TargetChoice> chooseTarget(const Scenario &scenario);

/// A hypothetical GPU: `target` with other facts ("sms=132, ..."; GpuFacts.h),
/// a name that says so, and no error bars.
Expected<TargetChoice> changeTarget(TargetChoice target,
                                    std::string_view changes);

/// The `gpucost.coefficients` of a file.
Expected<Coefficients> loadCoefficients(const std::string &path);

/// The format that `target` may name beside a target file; none when empty.
Expected<std::optional<NumericFormat>>
parseFormatOfTargetFile(std::string_view name);

/// The board that code for `chip` ("sm_80") is assumed to run on: the target
/// whose `gpucost.assumed_for` names it. nullopt when none does.
std::optional<std::string_view> findBoardOfChip(std::string_view chip);

/// Verifies a target or coefficient file and everything it refers to: its name,
/// or what is wrong.
Expected<std::string> checkTargetFile(const std::string &path);

} // namespace gpucost

#endif // GPUCOST_CORE_TARGETS_TARGETCHOICE_H
