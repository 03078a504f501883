//===- ServiceFile.h - Models for step oracles as bytes ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `gpu-cost-opt serve --oracle=FILE` writes (.gcs): the prepared models
// that `StepShapes` learns from, with their shapes.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ARCHIVE_SERVICEFILE_H
#define GPUCOST_CORE_ARCHIVE_SERVICEFILE_H

#include "gpucost/Core/Archive/PreparedFile.h"
#include "gpucost/Core/Iteration/StepOracle.h"

namespace gpucost {

/// What the bytes of a service begin with.
inline constexpr std::string_view serviceFileMagic = "GCS\n";

struct ServiceFile {
  std::string name; ///< of the model
  ScenarioTarget target;
  std::shared_ptr<const StepShapes> shapes;
};

/// The file of a model; `prepare` makes the models of shapes up to `limits`.
Expected<std::string> encodeService(const std::string &name,
                                    const ScenarioTarget &target,
                                    const StepLimits &limits,
                                    const ShapeFamily::Prepare &prepare);
/// The service in `bytes`, which may be hostile.
Expected<ServiceFile> decodeService(std::string_view bytes);
/// `payload` with the header that `decodeService` wants.
std::string sealService(std::string_view payload);

} // namespace gpucost

#endif // GPUCOST_CORE_ARCHIVE_SERVICEFILE_H
