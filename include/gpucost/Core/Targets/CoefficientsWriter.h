//===- CoefficientsWriter.h - The text of coefficient files -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a calibration has changed, and the text of a coefficients file.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_TARGETS_COEFFICIENTSWRITER_H
#define GPUCOST_CORE_TARGETS_COEFFICIENTSWRITER_H

#include "gpucost/Core/Model/Coefficients.h"
#include <map>
#include <string>

namespace gpucost {

/// Where the numbers of a group come from now.
struct GroupProvenance {
  std::string text;
  /// Some numbers are still those of `from`: it stays transferred if it was.
  bool isPartial = false;
};

/// `fitted` with new sources of the groups that `provenances` names
/// ("tensor_gemm", ...). The other groups keep theirs.
Coefficients withFitted(
    Coefficients fitted,
    const std::map<std::string, GroupProvenance, std::less<>> &provenances,
    std::string_view provenance);

/// A coefficients file: `comment` as // lines, one alias per group, the module.
std::string printCoefficientsFile(const Coefficients &coefficients,
                                  std::string_view comment);

/// Every group and field of Model/Coefficients.def as JSON: symbol, quantity,
/// range, what a calibration may do with it. Numbers in SI units.
std::string printCoefficientFields();

} // namespace gpucost

#endif // GPUCOST_CORE_TARGETS_COEFFICIENTSWRITER_H
