//===- ServiceFile.h - Binary models for step oracles -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file that `gpu-cost-opt serve --oracle=FILE` writes (.gcs): the prepared
// models that `StepShapes` learns from, with their shapes.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ARCHIVE_SERVICEFILE_H
#define GPUCOST_CORE_ARCHIVE_SERVICEFILE_H

#include "gpucost/Core/Archive/PreparedFile.h"
#include "gpucost/Core/Iteration/StepOracle.h"

namespace gpucost {

/// First bytes of a service.
inline constexpr std::string_view serviceFileMagic = "GCS\n";

struct ServiceFile {
  std::string name; ///< of the model
  ScenarioTarget target;
  std::shared_ptr<const StepShapes> shapes;
};

/// Encodes the service of a model; `prepare` returns the prepared model of each
/// shape up to `limits`.
Expected<std::string> encodeService(const std::string &name,
                                    const ScenarioTarget &target,
                                    const StepLimits &limits,
                                    const ShapeFamily::Prepare &prepare);
/// Decodes untrusted `bytes`.
Expected<ServiceFile> decodeService(std::string_view bytes);
/// Prepends the header that `decodeService` requires to `payload`.
std::string sealService(std::string_view payload);

} // namespace gpucost

#endif // GPUCOST_CORE_ARCHIVE_SERVICEFILE_H
