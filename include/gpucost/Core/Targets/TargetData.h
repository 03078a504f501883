//===- TargetData.h - Targets without MLIR ----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The targets and sets of coefficients that are compiled in: the files of
// targets/ and targets/coefficients/. Each is parsed when somebody first
// asks for it, once; thread-safe. And targets as bytes, which were made of a
// file.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_TARGETS_TARGETDATA_H
#define GPUCOST_CORE_TARGETS_TARGETDATA_H

#include "gpucost/Core/Targets/DataText.h"
#include "gpucost/Core/Targets/EmbeddedFile.h"

namespace gpucost {

//===----------------------------------------------------------------------===//
// Files that are compiled in
//===----------------------------------------------------------------------===//

/// The target in `embeddedTargets()[index]`.
const DataFile &compiledTarget(size_t index);
/// The set of that name, complete, or null.
const Coefficients *findCompiledCoefficients(std::string_view name);
/// Gives `coefficients` the groups that they lack from the set 'shared':
/// numbers of single kernels, boards and processes that were measured once.
/// Every reader of a set calls it.
void completeCoefficients(Coefficients &coefficients);
bool isComplete(const Coefficients &coefficients);
/// The set of `data`, complete: that in the file, or the compiled-in one that
/// it names, for its GPU. `file` stands in messages.
Expected<Coefficients> coefficientsOf(const DataFile &data,
                                      std::string_view file);
/// Hash of all files.
uint64_t compiledDataHash();

/// The index of the target that `spec` names ("a100-bf16"), and its format;
/// `isDefault` says that the spec named none.
Expected<std::pair<size_t, NumericFormat>>
findCompiledTarget(std::string_view spec, bool *isDefault = nullptr);

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// A target file; `gpu` is missing in a file of coefficients alone.
struct TargetData {
  std::optional<Gpu> gpu;
  NumericFormat defaultFormat = NumericFormat::FP32;
  std::vector<std::string> aliases;
  /// The compiled-in set that `coefficients` is; "" for others.
  std::string coefficientsName;
  Coefficients coefficients;
};

std::string encodeTarget(const TargetData &target);
/// A target or coefficients file as bytes; `name` stands in messages.
Expected<std::string> compileTarget(std::string_view text,
                                    std::string_view name);
/// The target in `bytes`, which may be hostile; its facts and coefficients have
/// been checked.
Expected<TargetData> decodeTarget(std::string_view bytes);

} // namespace gpucost

#endif // GPUCOST_CORE_TARGETS_TARGETDATA_H
