//===- TargetData.h - Targets without MLIR ----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiled-in targets, networks and sets of coefficients: the files of
// targets/ and networks/, each parsed at first use, and those of
// targets/coefficients/, which the build parses; thread-safe. Also the binary
// form of target files.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_TARGETS_TARGETDATA_H
#define GPUCOST_CORE_TARGETS_TARGETDATA_H

#include "gpucost/Core/Targets/DataText.h"
#include "gpucost/Core/Targets/EmbeddedFile.h"

namespace gpucost {

//===----------------------------------------------------------------------===//
// Compiled-in files
//===----------------------------------------------------------------------===//

/// The target in `embeddedTargets()[index]`.
const DataFile &compiledTarget(size_t index);
/// The network in `embeddedNetworks()[index]`.
const DataFile &compiledNetwork(size_t index);
/// The network with this name or alias, in any case. The error suggests names.
Expected<const DataFile *> findCompiledNetwork(std::string_view name);
/// The complete set called `name`, or null.
const Coefficients *findCompiledCoefficients(std::string_view name);
/// The compiled-in set that is equal to `coefficients`, if it was read before.
const CompiledSet *findCompiledSet(const Coefficients &coefficients);
/// `CompiledSet::bytes` of `file`, for the build.
std::string encodeCompiledSet(const EmbeddedFile &file);
/// Adds groups that `coefficients` lack from the set 'shared': numbers for
/// single kernels, boards and processes that were measured once. Every reader
/// of a set calls this function.
void completeCoefficients(Coefficients &coefficients);
bool isComplete(const Coefficients &coefficients);
/// Replaces the fits of `links` for more than 8 GPUs of a node by those of the
/// compiled-in set called `name`. Returns false if no set with links has that
/// name.
bool addLargeNodes(std::string_view name, CollectiveCoefficients &links);
/// The complete set of `data` for its GPU: the set in the file, or the
/// compiled-in set that it names. `file` is used in messages.
Expected<Coefficients> coefficientsOf(const DataFile &data,
                                      std::string_view file);
/// Hash of all files.
uint64_t compiledDataHash();

/// The index of the target that `spec` names ("a100-bf16"), and its format;
/// `isDefault` is set to whether the spec omits the format.
Expected<std::pair<size_t, NumericFormat>>
findCompiledTarget(std::string_view spec, bool *isDefault = nullptr);

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// A target file; `gpu` is absent in a file that contains only coefficients.
struct TargetData {
  std::optional<Gpu> gpu;
  NumericFormat defaultFormat = NumericFormat::FP32;
  std::vector<std::string> aliases;
  /// Name of the compiled-in set in `coefficients`; "" for other sets.
  std::string coefficientsName;
  Coefficients coefficients;
};

std::string encodeTarget(const TargetData &target);
/// The binary form of a target or coefficients file; `name` is used in
/// messages.
Expected<std::string> compileTarget(std::string_view text,
                                    std::string_view name);
/// Decodes untrusted `bytes`; checks facts and coefficients.
Expected<TargetData> decodeTarget(std::string_view bytes);
/// Prepends the header that `decodeTarget` requires to `payload`.
std::string sealTarget(std::string_view payload);

} // namespace gpucost

#endif // GPUCOST_CORE_TARGETS_TARGETDATA_H
