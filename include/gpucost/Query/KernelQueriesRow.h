//===- KernelQueriesRow.h - One queried kernel ------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The columns of a kernel query and how a row of them becomes a KernelWork and
// a KernelQuery. Every mistake of the user is an error with its position.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_QUERY_KERNELQUERIESROW_H
#define GPUCOST_QUERY_KERNELQUERIESROW_H

#include "gpucost/Query/KernelQueries.h"
#include "gpucost/Query/KernelQueriesCsv.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include <array>

namespace gpucost {

/// Columns with a meaning; every other one is echoed.
enum class QueryColumn : uint8_t {
  Family,
  Op,
  Dtype,
  Batch,
  M,
  N,
  K,
  Linear,
  C,
  H,
  W,
  Oc,
  Kh,
  Kw,
  Stride,
  Pad,
  Groups,
  Heads,
  KvHeads,
  QLen,
  KvLen,
  HeadDim,
  Causal,
  Rows,
  Cols,
  Elements,
  Inputs,
  Gpus,
  Nodes,
  MessageBytes,
  ClockMhz,
  ReuseBytes,
  Protocol,
  ToggleRate,
  BurstMs,
  WarmUpMs,
  PowerLimitW
};
constexpr size_t numQueryColumns =
    static_cast<size_t>(QueryColumn::PowerLimitW) + 1;

/// Largest size that a query takes, 2^40.
constexpr int64_t largestSize = int64_t(1) << 40;

llvm::StringRef columnName(QueryColumn column);
/// nullopt for a column without a meaning.
std::optional<QueryColumn> findColumn(llvm::StringRef name);
/// Names of all columns.
llvm::ArrayRef<llvm::StringLiteral> columnNames();

/// ", did you mean 'matmul'?" when one of `known` is close to `text`, else "".
std::string suggestNearest(llvm::StringRef text,
                           llvm::ArrayRef<llvm::StringLiteral> known);

/// "source:line:column: message".
llvm::Error errorAt(llvm::StringRef source, TextPosition at,
                    const llvm::Twine &message);

/// The cells of one row by column; null where the input lacks the column.
using QueryCells = std::array<const CsvCell *, numQueryColumns>;

/// What holds for all rows.
struct QueryDefaults {
  llvm::StringRef source; ///< file name, or "--kernel"
  NumericFormat format;
  std::optional<Hertz> clock;
  std::optional<Watts> powerLimit;
  int64_t nodes = 1; ///< of collectives
};

struct QueriedKernel {
  KernelWork work;
  KernelQuery query;
};

llvm::Error readKernel(const QueryCells &cells, TextPosition row,
                       const Gpu &gpu, const QueryDefaults &defaults,
                       QueriedKernel &kernel);

} // namespace gpucost

#endif // GPUCOST_QUERY_KERNELQUERIESROW_H
