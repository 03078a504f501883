//===- ModelPool.h - Imported models for threads ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_SWEEP_MODELPOOL_H
#define GPUCOST_APPLICATIONS_SWEEP_MODELPOOL_H

#include "gpucost/Compiler/Session/LoadedModel.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gpucost::sweep {

/// A model in a separate context; only one thread may use it at a time.
class ImportedModel {
public:
  /// Reads `contents` as the file `path`, or that file. On failure, the error
  /// contains the diagnostics.
  static llvm::Expected<std::unique_ptr<ImportedModel>>
  read(const std::string &path,
       const std::optional<std::string> &contents = std::nullopt);

  const Session &session() const { return loaded.session(); }
  /// The settings stated in the module.
  const Scenario &stated() const { return settings; }
  /// The errors since the last call, in one line.
  std::string takeErrors();

private:
  ImportedModel() = default;
  LoadedModel loaded;
  Scenario settings;
  std::string errors;
};

/// Imports a file again only if other threads use all copies.
class ModelPool {
public:
  explicit ModelPool(std::string path,
                     std::optional<std::string> contents = std::nullopt)
      : path(std::move(path)), contents(std::move(contents)) {}

  const std::string &name() const { return path; }
  llvm::Expected<std::unique_ptr<ImportedModel>> take();
  void giveBack(std::unique_ptr<ImportedModel> model);
  /// The kernels for the settings of `scenario`.
  Expected<std::shared_ptr<const PreparedModel>>
  prepare(const Scenario &scenario);

private:
  const std::string path;
  const std::optional<std::string> contents;
  std::mutex mutex;
  std::vector<std::unique_ptr<ImportedModel>> idle;
};

} // namespace gpucost::sweep

#endif // GPUCOST_APPLICATIONS_SWEEP_MODELPOOL_H
