//===- PreparedFile.h - Binary prepared models ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The file that `gpu-cost-opt prepare` writes (.gco): a PreparedModel and the
// GPU that its settings were resolved for.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ARCHIVE_PREPAREDFILE_H
#define GPUCOST_CORE_ARCHIVE_PREPAREDFILE_H

#include "gpucost/Core/Iteration/PreparedModel.h"
#include "gpucost/Core/Support/Expected.h"
#include <string>
#include <string_view>

namespace gpucost {

/// First bytes of a prepared model.
inline constexpr std::string_view preparedFileMagic = "GCO\n";

struct PreparedFile {
  /// Name of the model, for reports.
  std::string name;
  /// The GPU that the model was prepared for.
  ScenarioTarget target;
  PreparedModel model;
};

/// The only version that `decodePrepared` reads.
uint32_t preparedFileVersion();

std::string encodePrepared(const PreparedFile &file);
/// Decodes untrusted `bytes`. Every index and number of the result has been
/// checked.
Expected<PreparedFile> decodePrepared(std::string_view bytes);
/// Decodes the payload, which follows the checksum.
Expected<PreparedFile> decodePreparedPayload(std::string_view payload);
/// Prepends the header that `decodePrepared` requires to `payload`.
std::string sealPrepared(std::string_view payload);

} // namespace gpucost

#endif // GPUCOST_CORE_ARCHIVE_PREPAREDFILE_H
