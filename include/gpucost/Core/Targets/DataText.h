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
// with the syntax of Support/RecordText.h inside of records, and comments from
// // to the end of the line. MLIR reads such a file, too, but this parser does
// not need it. It refuses other MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_TARGETS_DATATEXT_H
#define GPUCOST_CORE_TARGETS_DATATEXT_H

#include "gpucost/Core/Model/Coefficients.h"
#include "gpucost/Core/Support/Expected.h"

namespace gpucost {

#define GPUCOST_RECORDS "gpucost/Core/Targets/DataFile.def"
#include "gpucost/Core/Support/DefineRecords.inc"

/// The data of `text`, which may be hostile. Errors are "name:line:column:
/// message".
Expected<DataFile> parseDataFile(std::string_view text, std::string_view name);
Expected<DataFile> readDataFile(const std::string &path);

/// What `data`, which has a GPU, computes in unless somebody says otherwise.
NumericFormat defaultFormatOf(const DataFile &data);

/// The strings of `gpucost.aliases` without parsing the file: resolving a name
/// must not cost the parsing of every target.
std::vector<std::string_view> scanAliases(std::string_view text);

} // namespace gpucost

#endif // GPUCOST_CORE_TARGETS_DATATEXT_H
