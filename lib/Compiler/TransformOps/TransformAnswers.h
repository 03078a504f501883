//===- TransformAnswers.h - Costs in results of transform ops ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMOPS_TRANSFORMANSWERS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMOPS_TRANSFORMANSWERS_H

#include "gpucost/Compiler/CostAnalysis/CostAnalysis.h"
#include "mlir/Dialect/Transform/Utils/DiagnosedSilenceableFailure.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

namespace gpucost {

/// Parameters of the transform dialect are integers; infinity is the largest.
mlir::Attribute nanoseconds(mlir::Builder &builder, Seconds time);
/// "3.200 us (as-written)", "at least 3.200 us (as-written; reason)", or why
/// there is no number.
std::string describe(const Cost &cost);
/// Silenceable failure of a transform op because of a payload op.
mlir::DiagnosedSilenceableFailure refuse(mlir::Operation *transform,
                                         const llvm::Twine &why,
                                         mlir::Operation *payload);

/// `within [30 us, 40 us]`, `within 5 percent of 33.4 us` or `relative to %base
/// by [-30, -10] percent`. `reference` is in s; `range` is in s without
/// reference and base, else in percent.
mlir::ParseResult
parseExpectation(mlir::OpAsmParser &parser,
                 std::optional<mlir::OpAsmParser::UnresolvedOperand> &base,
                 mlir::FloatAttr &reference, mlir::DenseF64ArrayAttr &range);
void printExpectation(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      mlir::Value base, mlir::FloatAttr reference,
                      mlir::DenseF64ArrayAttr range);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMOPS_TRANSFORMANSWERS_H
