//===- TargetNames.h - Resolution of target names ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_TARGETS_TARGETNAMES_H
#define GPUCOST_CORE_TARGETS_TARGETNAMES_H

#include "gpucost/Core/Model/Gpu.h"
#include "gpucost/Core/Support/Expected.h"

namespace gpucost {

/// Names of one target: `name` in lower case, aliases possibly as printed by
/// the driver ("NVIDIA H100 80GB HBM3").
struct TargetNames {
  std::string_view name;
  std::vector<std::string_view> aliases;
};

/// A requested target.
struct TargetMatch {
  size_t index = 0; ///< into the list of targets
  /// Format after the name: "bf16"; "" if there is only a name. For a suffix
  /// that is not a known format the caller reports `unknownFormat`.
  std::string formatName;
  std::optional<NumericFormat> format;
};

/// The target that `spec` names: a name or alias in any case, with or without a
/// format. The error suggests names.
Expected<TargetMatch> matchTarget(const std::vector<TargetNames> &targets,
                                  std::string_view spec);

/// "did you mean 'a100-sxm-40gb' or 'a100-sxm-80gb'? " for `base` in lower
/// case;
/// "" if no name is similar.
std::string suggestNames(const std::vector<std::string_view> &names,
                         std::string_view base);

/// Whether `name` is an alias that states only the bits of a board's format:
/// "fp4" (nvfp4, mxfp4), "fp6" (mxfp6).
bool isFormatAlias(std::string_view name);

/// The format of `gpu` with the alias `name`; nullopt: none.
std::optional<NumericFormat> formatOfAlias(std::string_view name,
                                           const Gpu &gpu);

/// "'t4' has no bf16; its formats are fp32, fp16, int8".
std::string unknownFormat(const Gpu &gpu, std::string_view format);

} // namespace gpucost

#endif // GPUCOST_CORE_TARGETS_TARGETNAMES_H
