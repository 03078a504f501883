//===- CoefficientsWriter.h - Coefficient file writer -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Provenance of calibrated groups, and the text of a coefficients file.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_TARGETS_COEFFICIENTSWRITER_H
#define GPUCOST_CORE_TARGETS_COEFFICIENTSWRITER_H

#include "gpucost/Core/Model/Coefficients.h"
#include <map>
#include <string>

namespace gpucost {

/// New source of a group's numbers.
struct GroupProvenance {
  std::string text;
  /// Some numbers are unchanged, so the group remains transferred if it was.
  bool isPartial = false;
};

/// `fitted` with new sources for the groups in `provenances` ("tensor_gemm",
/// ...). Other groups keep their sources.
Coefficients withFitted(
    Coefficients fitted,
    const std::map<std::string, GroupProvenance, std::less<>> &provenances,
    std::string_view provenance);

/// Text of a coefficients file: `comment` as // lines, one alias per group, the
/// module. `board` is the GPU that they were fitted to, if known.
std::string printCoefficientsFile(const Coefficients &coefficients,
                                  std::string_view comment,
                                  std::string_view board = "");

/// All groups and fields of Model/Coefficients.def as JSON: symbol, quantity,
/// range, calibration rule. Numbers are in SI units.
std::string printCoefficientFields();

} // namespace gpucost

#endif // GPUCOST_CORE_TARGETS_COEFFICIENTSWRITER_H
