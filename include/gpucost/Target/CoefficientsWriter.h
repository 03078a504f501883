//===- CoefficientsWriter.h - Coefficients to attributes and text -*- C++ -*-=//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The way back of TargetConversion.h, for what a calibration has changed, and
// the text of a coefficients file.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_TARGET_COEFFICIENTSWRITER_H
#define GPUCOST_TARGET_COEFFICIENTSWRITER_H

#include "gpucost/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Model/Coefficients.h"
#include "llvm/ADT/StringMap.h"
#include <string>

namespace gpucost {

/// Where the numbers of a group come from now.
struct GroupProvenance {
  std::string text;
  /// Some numbers are still those of `from`: it stays borrowed if it was.
  bool isPartial = false;
};

/// `from` with the numbers of `fitted` in the groups that `provenances` names
/// ("tensor_gemm", ...). The other groups stay as they are.
CoefficientsAttr withFitted(CoefficientsAttr from, const Coefficients &fitted,
                            const llvm::StringMap<GroupProvenance> &provenances,
                            llvm::StringRef provenance);

/// Names of the groups of `coefficients` that another die stands in for.
std::vector<std::string> borrowedGroups(CoefficientsAttr coefficients);

/// A coefficients file: `comment` as // lines, one alias per group, the module.
std::string printCoefficientsFile(CoefficientsAttr coefficients,
                                  llvm::StringRef comment);

} // namespace gpucost

#endif // GPUCOST_TARGET_COEFFICIENTSWRITER_H
