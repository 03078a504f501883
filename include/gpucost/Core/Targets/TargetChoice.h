//===- TargetChoice.h - GPU selection by options ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Resolves --target=a100-bf16 or a user's file to a GPU, a format and
// coefficients. Errors in files are reported with file:line:column.
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
  /// Name of the compiled-in set in `coefficients`; "" for other sets.
  std::string coefficientsName = "";
  /// The spec did not name a format, so the target file's default is used.
  bool formatIsDefault = false;
};

/// `spec` = <gpu or alias>[-<format>]: "a100-bf16", "h100-sxm-80gb",
/// "a100-tf32". Fails for unknown names, with the nearest name as a suggestion,
/// and for formats that the hardware does not support; formats are never
/// substituted.
Expected<TargetChoice> chooseTarget(std::string_view spec);

/// Loads a user's target file. It contains `gpucost.coefficients` or names a
/// compiled-in set in `gpucost.coefficients_from`, unless `own` is given.
Expected<TargetChoice>
chooseTargetFile(const std::string &path,
                 std::optional<NumericFormat> format = std::nullopt,
                 const Coefficients *own = nullptr);

/// The GPU that `target`, `target-file` and `coefficients` of `scenario` name,
/// with `interconnect`, `network` and `set` applied. `target` is a spec; with
/// `target-file` it may only be a format (`bf16`). `coefficients` replaces the
/// target's coefficients.
Expected<TargetChoice> chooseTarget(const Scenario &scenario);

/// `scenario` without `set`, `interconnect` and `network`, which may suit only
/// some GPUs, for a check of the name of the GPU.
Scenario withoutChangesOfGpu(Scenario scenario);

/// A hypothetical GPU: `target` with changed facts ("sms=132, ...";
/// GpuFacts.h), a name that lists them, and without error bars.
Expected<TargetChoice> changeTarget(TargetChoice target,
                                    std::string_view changes);

/// The `gpucost.coefficients` of a file.
Expected<Coefficients> loadCoefficients(const std::string &path);

/// The format that `target` may name in addition to a target file; nullopt if
/// empty.
Expected<std::optional<NumericFormat>>
parseFormatOfTargetFile(std::string_view name);

/// The board that is assumed for code compiled for `chip` ("sm_80"): the target
/// that lists the chip in `gpucost.assumed_for`; nullopt if there is none.
std::optional<std::string_view> findBoardOfChip(std::string_view chip);

/// Verifies a target, network or coefficient file and everything it refers to.
/// Returns its name, or the first fault as an error.
Expected<std::string> checkTargetFile(const std::string &path);

} // namespace gpucost

#endif // GPUCOST_CORE_TARGETS_TARGETCHOICE_H
