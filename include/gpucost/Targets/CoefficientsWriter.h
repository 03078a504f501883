//===- CoefficientsWriter.h - Coefficients to attributes and text -*- C++ -*-=//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a calibration has changed as an attribute, and the text of a
// coefficients file.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_TARGETS_COEFFICIENTSWRITER_H
#define GPUCOST_TARGETS_COEFFICIENTSWRITER_H

#include "gpucost/Dialect/GpuCost/IR/CoefficientAttrs.h"
#include "gpucost/Model/Coefficients.h"
#include "llvm/ADT/StringMap.h"
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
CoefficientsAttr withFitted(mlir::MLIRContext *context,
                            const Coefficients &fitted,
                            const llvm::StringMap<GroupProvenance> &provenances,
                            llvm::StringRef provenance);

/// A coefficients file: `comment` as // lines, one alias per group, the module.
std::string printCoefficientsFile(CoefficientsAttr coefficients,
                                  llvm::StringRef comment);

/// Every group and field of Model/Coefficients.def as JSON: symbol, quantity,
/// range, what a calibration may do with it. Numbers in SI units.
void printCoefficientFields(llvm::raw_ostream &os);

} // namespace gpucost

#endif // GPUCOST_TARGETS_COEFFICIENTSWRITER_H
