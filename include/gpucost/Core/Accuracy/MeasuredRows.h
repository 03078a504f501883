//===- MeasuredRows.h - Which predictions were measured ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The errors of predictions for measured iterations, by source, board, kind and
// format (targets/accuracy.csv, written by `validate.py trust`), and the rows
// nearest to a prediction. docs/HowAccurate.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ACCURACY_MEASUREDROWS_H
#define GPUCOST_CORE_ACCURACY_MEASUREDROWS_H

#include "gpucost/Core/Report/IterationReport.h"
#include "gpucost/Core/Support/Expected.h"

namespace gpucost {

/// The rows of a table with the columns of targets/accuracy.csv.
Expected<std::vector<MeasuredRows>> parseMeasuredRows(std::string_view table);
/// The rows of targets/accuracy.csv.
const std::vector<MeasuredRows> &measuredRows();

/// A prediction, as far as it determines which rows are near.
struct MeasuredQuestion {
  std::string board, die;
  Architecture architecture = Architecture::Pascal;
  MeasuredKind kind = MeasuredKind::Inference;
  NumericFormat format = NumericFormat::FP32;
  bool severalGpus = false;
};

/// The rows of `table` nearest to `question`.
Accuracy findNearest(const std::vector<MeasuredRows> &table,
                     const MeasuredQuestion &question);

/// "time 4.1 %, power 3.2 %": mean errors, weighted by the number of rows;
/// "figures not published" if no row has one.
std::string describeErrors(const std::vector<MeasuredRows> &rows);

} // namespace gpucost

#endif // GPUCOST_CORE_ACCURACY_MEASUREDROWS_H
