//===- DataText.h - Target and coefficient files ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A data file is an MLIR module without ops; its attributes are the data:
//
//   file   = { "#" name "=" record } "module" [ "attributes" "{" fields "}" ]
//            "{" "}"
//   record = "#gpucost." mnemonic "<" fields ">" | "#" name
//
// with the syntax of Support/RecordText.h inside records, and comments from //
// to the end of the line. MLIR can also read such files, but this parser does
// not depend on MLIR and rejects all other MLIR constructs.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_TARGETS_DATATEXT_H
#define GPUCOST_CORE_TARGETS_DATATEXT_H

#include "gpucost/Core/Model/Coefficients.h"
#include "gpucost/Core/Support/Expected.h"

namespace gpucost {

#define GPUCOST_RECORDS "gpucost/Core/Targets/DataFile.def"
#include "gpucost/Core/Support/DefineRecords.inc"

/// Parses untrusted `text`. Errors have the form "name:line:column: message".
Expected<DataFile> parseDataFile(std::string_view text, std::string_view name);
Expected<DataFile> readDataFile(const std::string &path);

/// The default number format of `data`, which contains a GPU.
NumericFormat defaultFormatOf(const DataFile &data);

/// Extracts the strings of `gpucost.aliases` without parsing the file, so that
/// resolving a name does not parse every target.
std::vector<std::string_view> scanAliases(std::string_view text);

} // namespace gpucost

#endif // GPUCOST_CORE_TARGETS_DATATEXT_H
