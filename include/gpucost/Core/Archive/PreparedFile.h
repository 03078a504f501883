//===- PreparedFile.h - Prepared models as bytes ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `gpu-cost-opt prepare` writes (.gco): a PreparedModel and what its
// settings were resolved with.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ARCHIVE_PREPAREDFILE_H
#define GPUCOST_CORE_ARCHIVE_PREPAREDFILE_H

#include "gpucost/Core/Iteration/PreparedModel.h"
#include "gpucost/Core/Support/Expected.h"
#include <string>
#include <string_view>

namespace gpucost {

/// What the bytes of a prepared model begin with.
inline constexpr std::string_view preparedFileMagic = "GCO\n";

struct PreparedFile {
  /// Name of the model, for reports.
  std::string name;
  /// The GPU that it was prepared for.
  ScenarioTarget target;
  PreparedModel model;
};

/// The only version that `decodePrepared` reads.
uint32_t preparedFileVersion();

std::string encodePrepared(const PreparedFile &file);
/// The model in `bytes`, which may be hostile: every index and number in it has
/// been checked.
Expected<PreparedFile> decodePrepared(std::string_view bytes);
/// The same of what is behind the checksum.
Expected<PreparedFile> decodePreparedPayload(std::string_view payload);
/// `payload` with the header that `decodePrepared` wants.
std::string sealPrepared(std::string_view payload);

} // namespace gpucost

#endif // GPUCOST_CORE_ARCHIVE_PREPAREDFILE_H
