//===- TargetFile.h - Contents of target and coefficient files --*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A data file is a module without ops; its attributes are the data. Diagnostics
// of the parser and of the verifiers become llvm::Errors with file:line:column.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_TARGETS_TARGETFILE_H
#define GPUCOST_LIB_TARGETS_TARGETFILE_H

#include "gpucost/Dialect/GpuCost/IR/CoefficientAttrs.h"
#include "gpucost/Dialect/GpuCost/IR/GpuAttrs.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpucost {

/// Attributes of one data file; null or empty where the file has none.
struct DataFile {
  GpuAttr gpu;
  std::optional<NumericFormat> defaultFormat;
  std::vector<std::string> aliases;
  CoefficientsAttr coefficients;
  std::string coefficientsFrom;
  /// The board that was measured in the place of this one, or "".
  std::string transferredFrom;
};

/// Parses `text`; `name` stands in messages.
llvm::Expected<DataFile> parseDataFile(mlir::MLIRContext *context,
                                       llvm::StringRef text,
                                       llvm::StringRef name);
llvm::Expected<DataFile> readDataFile(mlir::MLIRContext *context,
                                      llvm::StringRef path);

/// The strings of `gpucost.aliases` without parsing the file: resolving a name
/// must not cost the parsing of every target.
std::vector<llvm::StringRef> scanAliases(llvm::StringRef text);

/// The coefficients of the file, or the embedded ones that it names.
llvm::Expected<CoefficientsAttr> coefficientsOf(mlir::MLIRContext *context,
                                                const DataFile &data,
                                                llvm::StringRef file);
/// What `data`, which has a GPU, computes in unless somebody says otherwise.
NumericFormat defaultFormatOf(const DataFile &data);

} // namespace gpucost

#endif // GPUCOST_LIB_TARGETS_TARGETFILE_H
