//===- KernelQueries.h - Predictions of single kernels ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `--kernels=FILE.csv` and `--kernel='matmul m=4096 n=4096 k=4096'`: one
// prediction per row, no model file. docs/KernelQueries.md has the columns.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_QUERY_KERNELQUERIES_H
#define GPUCOST_APPLICATIONS_QUERY_KERNELQUERIES_H

#include "gpucost/Core/Model/CostModel.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace gpucost {

struct KernelQueryOptions {
  std::string file; ///< CSV file; "-" is standard input
  std::string text; ///< one kernel in words; used when `file` is empty
  std::string report = "table"; ///< table, json or csv
  /// For rows without a clock or a limit; 0 = the GPU's.
  double clockMHz = 0, powerLimitW = 0;
  /// For collectives whose rows have no nodes; `CostModel` has the network.
  std::optional<int64_t> nodes;
};

/// Predicts every kernel and writes the answers to `os` in the order of the
/// rows. `defaultFormat` is the format of rows that give no `dtype`. Nothing is
/// written unless every row is right; the error is that of the first wrong one:
/// "file:line:column: column 'm': expected ..., but got ...".
llvm::Error runKernelQueries(const CostModel &model,
                             NumericFormat defaultFormat,
                             const KernelQueryOptions &options,
                             llvm::raw_ostream &os);

} // namespace gpucost

#endif // GPUCOST_APPLICATIONS_QUERY_KERNELQUERIES_H
